// The table of the tests that play: a game of its own for each test, on a page of its own.

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { connectBrowser } from './connected';
import { openPage, startGame } from './harness.js';

type Opened = Awaited<ReturnType<typeof openPage>>;
type Running = Awaited<ReturnType<typeof startGame>>;

export class Table {
  browser!: Browser;
  server!: Running;
  #pages: Opened[] = [];

  /** Begins a game, and opens its page. */
  async begin(options: string[], context: Parameters<typeof openPage>[1] = {}): Promise<Page> {
    this.server = await startGame(options);
    return this.openPage(context);
  }

  async openPage(context: Parameters<typeof openPage>[1] = {}): Promise<Page> {
    const opened = await openPage(this.browser, context);
    this.#pages.push(opened);
    opened.page.setDefaultTimeout(20_000);
    await opened.page.goto(this.server.address);
    await opened.page.locator('main.play').waitFor();
    return opened.page;
  }

  /** After each test nothing went wrong, and nobody else was asked. */
  async clear(): Promise<void> {
    for (const { context, problems, hosts } of this.#pages.splice(0)) {
      await context.close();
      expect(problems).toEqual([]);
      expect([...hosts]).toEqual([new URL(this.server.address).host]);
    }
    await this.server?.stop();
  }
}

export function setTable(): Table {
  const table = new Table();
  beforeAll(async () => {
    table.browser = await connectBrowser();
  });
  afterAll(async () => {
    await table.browser?.close();
  });
  afterEach(() => table.clear());
  return table;
}

export function place(page: Page, name: string): Locator {
  return page.locator(`[data-place="${name}"]`);
}

/** Clicks places one after the other, as the pointer does. */
export async function click(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    const { x, y } = await middle(page, name);
    await page.mouse.click(x, y);
  }
}

/** Makes moves of one click each: the next when the last one is listed. */
export async function clickMoves(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    const before = (await moves(page)).length;
    await click(page, name);
    await expect.poll(async () => (await moves(page)).length, { timeout: 20_000 }).toBe(before + 1);
  }
}

/** Presses the pointer at a place, and releases it at another one. */
export async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await place(page, name).boundingBox();
  if (!box) throw new Error(`the board has no place ${name}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The moves as they are listed. */
export function moves(page: Page): Promise<string[]> {
  return page.locator('.moves .grid button .code').allTextContents();
}

export function status(page: Page): Locator {
  return page.locator('.turn > b').first();
}

export async function playedMoves(page: Page, expected: string[]): Promise<void> {
  await expect.poll(() => moves(page), { timeout: 20_000 }).toEqual(expected);
}
