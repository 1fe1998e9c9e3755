// Moves as players write them.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

/** `Nxf3+`, `O-O`, `dxe4`; not `g1f3`. */
const SAN = /^(O-O(-O)?|[KQRBN][a-h1-8]?[a-h1-8]?x?[a-h][1-8]|([a-h]x)?[a-h][1-8](=[QRBN])?)[+#]?$/;
const SQUARES = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

describe('moves', () => {
  it('are written as players do, wherever they stand, and back', async () => {
    await stage.open('?view=explorer&node=2');
    const san = stage.page.getByRole('button', { name: 'SAN' });
    await expect.poll(() => stage.crumbs()).toHaveLength(3);
    for (const text of (await stage.crumbs()).slice(1)) expect(text).toMatch(SQUARES);
    const move = stage.page.locator('[role=treegrid] .row .move');
    const rootMove = stage.page.locator('details', { hasText: 'Root moves' }).locator('tbody button').first();
    await san.click();
    expect(stage.at.has('san')).toBe(true);
    await expect.poll(async () => (await stage.crumbs())[2]).toMatch(SAN);
    await expect.poll(async () => stage.heading.textContent()).toMatch(SAN);
    await expect.poll(async () => move.nth(3).textContent()).toMatch(SAN);
    await expect.poll(async () => (await rootMove.textContent())?.replace('★ ', '')).toMatch(SAN);
    await expect.poll(() => stage.page.locator('svg.board').getAttribute('aria-label')).toMatch(/last move (?![a-h][1-8][a-h][1-8])\S+$/);
    await san.click();
    expect(stage.at.has('san')).toBe(false);
    await expect.poll(async () => (await stage.crumbs())[2]).toMatch(SQUARES);
    await expect.poll(async () => move.nth(3).textContent()).toMatch(SQUARES);
  });

  it('are written so under the pointer and in the answers of queries, and a link restores it', async () => {
    await stage.open('?san&query=' + encodeURIComponent('node: @ply = 1 select last_move, best'));
    expect(await stage.page.getByRole('button', { name: 'SAN' }).getAttribute('aria-pressed')).toBe('true');
    await stage.pictureShown();
    const cell = stage.page.locator('[role=row] [role=cell].code').first();
    await expect.poll(() => cell.textContent()).toMatch(SAN);
    const answer = await stage.page.evaluate('fetch("api/picture?log=0&tree=3&moves=san").then((r) => r.json())');
    const { move } = (answer as { rectangles: { move: string[] } }).rectangles;
    expect(move.length).toBeGreaterThan(10);
    for (const text of move.slice(1)) expect(text === 'null' || SAN.test(text), text).toBe(true);
  });

  it('have no such switch in other games', async () => {
    await stage.open('?log=1&san');
    await expect.poll(() => stage.crumbs()).toEqual(['root']);
    expect(await stage.page.getByRole('button', { name: 'SAN' }).count()).toBe(0);
  });
});
