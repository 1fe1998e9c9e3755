// Games played on the page: by click, by dragging and by keys, with persons and programs.

import { describe, expect, it } from 'vitest';
import { savedBytes } from './connected';
import { click, clickMoves, drag, moves, place, playedMoves, setTable, status } from './table';

const table = setTable();
const PERSONS = ['--seat', 'person', '--seat', 'person'];

describe('a game by click', () => {
  it('is won at tic-tac-toe', async () => {
    const page = await table.begin(['tic-tac-toe', ...PERSONS]);
    await clickMoves(page, 'a1', 'b1', 'a2', 'b2', 'a3');
    await playedMoves(page, ['a1', 'b1', 'a2', 'b2', 'a3']);
    await expect.poll(() => status(page).textContent()).toBe('x wins: three in a line');
    await click(page, 'c3');
    expect(await moves(page)).toHaveLength(5);
  });

  it('drops discs of connect four into columns', async () => {
    const page = await table.begin(['connect-four', ...PERSONS]);
    await clickMoves(page, 'd6', 'd3');
    await playedMoves(page, ['d', 'd']);
    expect(await place(page, 'd2').getAttribute('aria-label')).toMatch(/^d2, disc of o/);
  });

  it('moves an amazon and shoots, by click and by dragging', async () => {
    const page = await table.begin(['amazons', '--board', '6x6', ...PERSONS]);
    await click(page, 'b1', 'b4');
    expect(await place(page, 'b4').getAttribute('aria-pressed')).toBe('true');
    expect(await moves(page)).toEqual([]);
    await click(page, 'e4');
    await playedMoves(page, ['b1-b4/e4']);
    await drag(page, 'e6', 'e5');
    expect(await place(page, 'e5').getAttribute('aria-pressed')).toBe('true');
    await drag(page, 'e5', 'c5');
    await playedMoves(page, ['b1-b4/e4', 'e6-e5/c5']);
  });

  it('puts back what is clicked twice, and what is dropped nowhere', async () => {
    const page = await table.begin(['chess', ...PERSONS]);
    await click(page, 'g1');
    await page.locator('.target').nth(1).waitFor();
    expect(await page.locator('.target').count()).toBe(2);
    await click(page, 'g1');
    await expect.poll(() => page.locator('.target').count()).toBe(0);
    await drag(page, 'g1', 'g5');
    expect(await moves(page)).toEqual([]);
    await drag(page, 'g1', 'f3');
    await playedMoves(page, ['Nf3']);
  });

  it('asks what a pawn becomes', async () => {
    const page = await table.begin(['chess', '--position', '8/P6k/8/8/8/8/8/K7 w - - 0 1', ...PERSONS]);
    await click(page, 'a7', 'a8');
    const choices = page.getByRole('menuitem');
    await choices.first().waitFor();
    expect(await choices.evaluateAll((list) => list.map((each) => each.getAttribute('aria-label')))).toEqual([
      'queen',
      'rook',
      'bishop',
      'knight',
    ]);
    await page.keyboard.press('Escape');
    await expect.poll(() => choices.count()).toBe(0);
    await click(page, 'a8');
    await page.getByRole('menuitem', { name: 'knight' }).click();
    await playedMoves(page, ['a8=N']);
  });
});

describe('a game by keys', () => {
  it('is played without a pointer', async () => {
    const page = await table.begin(['chess', ...PERSONS]);
    await place(page, 'e2').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect(await place(page, 'e2').getAttribute('aria-pressed')).toBe('false');
    await place(page, 'd2').focus();
    await page.keyboard.press('Enter');
    expect(await place(page, 'd4').getAttribute('aria-label')).toBe('d4, empty, can be chosen');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await playedMoves(page, ['d4']);
  });

  it('reaches every hole of the star', async () => {
    const page = await table.begin(['chinese-checkers', '--players', '2', ...PERSONS]);
    await page.locator('[data-place]').first().waitFor();
    const reached = await page.evaluate(() => {
      const seen = new Set(['a1']);
      for (const name of seen) {
        for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
          const hole = document.querySelector<SVGElement>(`[data-place="${name}"]`);
          hole?.focus();
          hole?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
          seen.add((document.activeElement as SVGElement).dataset['place'] ?? name);
        }
      }
      return seen.size;
    });
    expect(reached).toBe(121);
  });
});

describe('the table', () => {
  it('takes back, gives a hint, and resigns', async () => {
    const page = await table.begin(['connect-four', '--seat', 'person', '--seat', 'pvs', '--time', '200ms']);
    await click(page, 'a1');
    await expect.poll(async () => (await moves(page)).length).toBe(2);
    await page.getByRole('button', { name: 'Take back' }).click();
    await playedMoves(page, []);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.hint circle').waitFor();
    await page.getByText(/^hint: [a-g]/).waitFor();
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await expect.poll(() => status(page).textContent()).toBe('o wins: resigned');
  });

  it('begins another game, saves it and loads it', async () => {
    const page = await table.begin(['tic-tac-toe', ...PERSONS]);
    await page.getByRole('button', { name: 'New game' }).click();
    await page.getByLabel('Game', { exact: true }).selectOption('chess');
    await page.getByLabel('Clock', { exact: true }).selectOption('5+3');
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.locator('.piece').first().waitFor();
    await drag(page, 'e2', 'e4');
    await playedMoves(page, ['e4']);
    expect(await page.getByRole('timer', { name: 'clock of White' }).textContent()).toMatch(/^(5:0|4:5)\d$/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save' }).click()]);
    expect(download.suggestedFilename()).toBe('chess.pgn');
    const saved = await savedBytes(download);
    await page.getByRole('button', { name: 'Take back' }).click();
    await playedMoves(page, []);
    await page.getByLabel('a saved game').setInputFiles({ name: 'chess.pgn', mimeType: 'application/vnd.chess-pgn', buffer: saved });
    await playedMoves(page, ['e4']);
    await page.getByLabel('a saved game').setInputFiles({ name: 'bad.pgn', mimeType: 'text/plain', buffer: Buffer.from('1. Ke2 *') });
    await page.getByText(/Ke2/).waitFor();
    expect(await moves(page)).toEqual(['e4']);
  });

  it('is the same in two tabs', async () => {
    const first = await table.begin(['tic-tac-toe', ...PERSONS]);
    const second = await table.openPage();
    await click(first, 'b2');
    await playedMoves(second, ['b2']);
    await click(second, 'a1');
    await playedMoves(first, ['b2', 'a1']);
  });
});

describe('a narrow screen', () => {
  it('holds the board, the seats of six players and the search', async () => {
    const seats = ['person', ...Array.from({ length: 5 }, () => 'paranoid,nodes=500')].flatMap((seat) => ['--seat', seat]);
    const page = await table.begin(['chinese-checkers', '--players', '6', '--clock', '5+3', ...seats], {
      viewport: { width: 390, height: 844 },
    });
    const over = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(await over()).toBeLessThanOrEqual(0);
    await page.locator('.actions').getByRole('button', { name: 'Hint' }).click();
    await page.locator('.hint path').first().waitFor();
    const board = await page.locator('.board svg.board').boundingBox();
    expect(board?.width).toBeGreaterThan(340);
    await page.locator('.thinking').scrollIntoViewIfNeeded();
    expect(await over()).toBeLessThanOrEqual(0);
  });
});

describe('what an evaluation sees', () => {
  it('follows the game, and a map can be painted on the board that is played on', async () => {
    const page = await table.begin(['amazons', '--board', '6x6', ...PERSONS]);
    await page.locator('details.evaluation summary').click();
    const value = page.getByLabel('terms of the evaluation').locator('tfoot td').first();
    await expect.poll(() => value.textContent()).toBe('15');
    await page.getByLabel('map on the board').selectOption('territory');
    await page.getByRole('img', { name: 'map: territory' }).waitFor();
    await click(page, 'b1', 'b4', 'e4');
    await playedMoves(page, ['b1-b4/e4']);
    await expect.poll(() => value.textContent()).toBe('45');
    expect(await page.locator('.map [data-owner="0"]').count()).toBe(10);
  });
});
