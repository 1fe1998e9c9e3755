// The stage of the browser's tests: the logs of all games, or a file's own, and a fresh page for each test.

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { connectBrowser } from './connected';
import { LogFolder, openPage, startServer } from './harness.js';

/** The logs of all games, by their place in the picker. */
export const LOG = { chess: 0, amazons: 1, ticTacToe: 2, connectFour: 3, checkers: 4, wide: 5 };

/** What has no rectangle of its own. */
interface Density {
  first: number;
  step: number;
  ply: number[];
  column: number[];
  columns: number[];
}

type Opened = Awaited<ReturnType<typeof openPage>>;

/** What a test has: the page, and the steps that many tests take. */
export class Stage {
  opened!: Opened;
  address = '';

  get page() {
    return this.opened.page;
  }

  get context() {
    return this.opened.context;
  }

  open(search = '') {
    return this.page.goto(this.address + search);
  }

  /** The page's address, as the page has set it. */
  get at(): URLSearchParams {
    return new URL(this.page.url()).searchParams;
  }

  /** The moves of the line to the chosen node, the root first. */
  crumbs(): Promise<string[]> {
    return this.page.locator('nav.line li button').allTextContents();
  }

  get heading() {
    return this.page.locator('aside h2');
  }

  get frame() {
    return this.page.getByRole('application').first();
  }

  async pictureShown(): Promise<void> {
    await this.page.getByText(/rectangles for/).waitFor();
  }

  /** A point of the icicle: a share of its width, in the middle of a row. */
  async point(across: number, row: number): Promise<{ x: number; y: number }> {
    await this.pictureShown();
    const box = await this.frame.boundingBox();
    if (!box) throw new Error('the picture is not there');
    const rowPx = Number(await this.frame.getAttribute('data-row-px'));
    return { x: box.x + box.width * across, y: box.y + rowPx * (row + 0.5) };
  }

  /** A point of the icicle where nodes are too narrow for rectangles: the deepest of them. */
  async narrowPoint(): Promise<{ x: number; y: number }> {
    const picture = await this.picture();
    const { ply, column, first, step } = picture.density;
    const span = ply.lastIndexOf(Math.max(...ply));
    return this.point((first + (column[span]! + 0.5) * step - picture.from) / (picture.to - picture.from), ply[span]!);
  }

  /** The answer that the picture was drawn from. */
  async picture(color = 'best'): Promise<{
    from: number;
    to: number;
    plies: number;
    complete: boolean;
    rectangles: { x: number[]; y: number[]; width: number[]; merged: number[] };
    density: Density;
  }> {
    await this.pictureShown();
    const box = await this.frame.boundingBox();
    const tree = await this.page.getByLabel('tree', { exact: true }).inputValue();
    const [log, from, to] = [this.at.get('log') ?? 0, this.at.get('from'), this.at.get('to')];
    const stretch = from && to ? `&from=${from}&to=${to}` : '';
    const search = `log=${log}&tree=${tree}&node=${this.at.get('root') ?? 0}&color=${color}&plies=250&width=${Math.floor(box?.width ?? 0)}&height=${Math.floor(box?.height ?? 0)}${stretch}`;
    return (await fetch(`${this.address}api/picture?${search}`)).json();
  }

  async typeQuery(text: string): Promise<void> {
    const editor = this.page.locator('.cm-content');
    await editor.waitFor();
    await editor.fill(text);
  }

  get status() {
    return this.page.locator('.query .status');
  }
}

/**
 * Sets the stage for the tests of a file: over the logs of all games, or over those that it makes itself. After each test nothing
 * went wrong, and nobody else was asked.
 */
export function setStage(options: BrowserContextOptions = {}, logs?: (folder: LogFolder) => string[]): Stage {
  const stage = new Stage();
  const folder = new LogFolder();
  let browser: Browser;
  let ownServer: Awaited<ReturnType<typeof startServer>> | undefined;

  beforeAll(async () => {
    ownServer = logs && (await startServer(logs(folder)));
    stage.address = ownServer?.address ?? inject('gamesAddress');
    browser = await connectBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await ownServer?.stop();
    folder.remove();
  });

  beforeEach(async () => {
    stage.opened = await openPage(browser, options);
    stage.page.setDefaultTimeout(15_000);
  });

  afterEach(async () => {
    const { context, problems, hosts } = stage.opened;
    // An answer that a test holds back may be on its way: that it cannot be given any more is no failure.
    await stage.page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    expect(problems).toEqual([]);
    expect([...hosts]).toEqual([new URL(stage.address).host]);
  });
  return stage;
}
