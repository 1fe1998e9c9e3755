// Programs at the table: their searches as trees, levels, many players.

import { describe, expect, it } from 'vitest';
import { click, moves, setTable, status } from './table';

const table = setTable();

describe('the search of a program', () => {
  it('grows while it thinks, and moves when it is told to', async () => {
    const page = await table.begin(['amazons', '--board', '6x6', '--seat', 'pvs', '--seat', 'person', '--time', '600s']);
    await page
      .getByText(/depth \d+/)
      .first()
      .waitFor();
    await page.locator('.thinking [role=application] canvas').first().waitFor();
    const nodes = () => page.locator('.thinking [role=application]').getAttribute('aria-label');
    const before = await nodes();
    await expect.poll(nodes, { timeout: 30_000 }).not.toBe(before);
    expect(await page.getByLabel('the line it expects').textContent()).toMatch(/^[a-f]\d-/);
    await page.getByRole('button', { name: 'Move now' }).click();
    await expect.poll(async () => (await moves(page)).length).toBe(1);
    await expect.poll(() => status(page).textContent()).toBe('Your move (Black)');
  });

  it('is there to explore after the move', async () => {
    const page = await table.begin(['tic-tac-toe', '--seat', 'person', '--seat', 'pvs', '--time', '100ms']);
    await click(page, 'b2');
    await expect.poll(async () => (await moves(page)).length).toBe(2);
    await click(page, ...(await free(page)));
    await expect.poll(async () => (await moves(page)).length).toBe(4);
    const second = page.locator('.moves .grid button').nth(1);
    const score = (await second.locator('.value').textContent()) ?? '';
    await second.click();
    await page.getByText('after 2 of 4 moves').waitFor();
    await expect.poll(() => page.locator('svg.board .stroke').count()).toBe(2);
    await page.locator('.thinking header', { hasText: score }).waitFor();
    await page.getByRole('button', { name: 'Explore' }).click();
    await page.getByText(/rectangles for/).waitFor();
    await page.locator('.cm-content').waitFor();
    expect(await page.locator('aside h2').textContent()).toBe('root');
    expect(await page.locator('aside svg.board .stroke').count()).toBe(1);
    await page.getByLabel('log', { exact: true }).selectOption({ index: 1 });
    await page.locator('aside svg.board .stroke').nth(2).waitFor();
    await page.getByRole('button', { name: 'the game' }).click();
    await page.getByText('after 2 of 4 moves').waitFor();
    await page.locator('.thinking header', { hasText: score }).waitFor();
    await page.locator('.thinking [role=application]').waitFor();
    await page.getByRole('button', { name: 'back to the game' }).click();
    await expect.poll(() => page.locator('main.play svg.board .stroke').count()).toBe(4);
  });

  it('plays at the level that is chosen', async () => {
    const page = await table.begin(['tic-tac-toe', '--seat', 'person', '--seat', 'pvs', '--time', '100ms']);
    await page.getByLabel('who plays o').selectOption('3');
    await expect.poll(() => page.getByLabel('who plays o').inputValue()).toBe('3');
    await page.getByLabel('who plays x').selectOption('full');
    await expect.poll(() => status(page).textContent(), { timeout: 30_000 }).toMatch(/^(Draw|x wins|o wins)/);
  });
});

/** An empty square of tic-tac-toe. */
async function free(page: Parameters<typeof moves>[0]): Promise<string[]> {
  const empty = await page.locator('[data-place][aria-label$="can be chosen"]').first().getAttribute('data-place');
  return empty ? [empty] : [];
}

describe('six players', () => {
  it('start, and the programs move', async () => {
    const seats = ['person', 'paranoid', 'max-n', 'paranoid', 'best-reply', 'paranoid'].flatMap((seat) => ['--seat', seat]);
    const page = await table.begin(['chinese-checkers', '--players', '6', ...seats, '--time', '100ms']);
    expect(await page.getByRole('group', { name: /^seat of [A-F]$/ }).count()).toBe(6);
    const piece = page.locator('[data-place][aria-label*="marble of A, can be chosen"]').first();
    await click(page, (await piece.getAttribute('data-place')) ?? '');
    const target = page.locator('[data-place][aria-label*="empty, can be chosen"]').first();
    await click(page, (await target.getAttribute('data-place')) ?? '');
    await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(6);
    await expect.poll(() => status(page).textContent()).toBe('Your move (A)');
  });
});
