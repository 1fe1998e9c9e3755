// The tree as rows.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

describe('explorer', () => {
  it('opens and closes nodes with keys', async () => {
    await stage.open('?view=explorer');
    const rows = stage.page.locator('[role=treegrid] .row');
    await rows.nth(3).waitFor();
    await stage.page.getByRole('treegrid').focus();
    await stage.page.keyboard.press('ArrowDown');
    await expect.poll(() => stage.at.get('node')).toBe('1');
    const before = Number(await stage.page.getByRole('treegrid').getAttribute('aria-rowcount'));
    await stage.page.keyboard.press('ArrowRight');
    await expect.poll(async () => Number(await stage.page.getByRole('treegrid').getAttribute('aria-rowcount'))).toBeGreaterThan(before);
    await stage.page.keyboard.press('ArrowRight');
    await expect.poll(() => stage.at.get('node')).toBe('2');
    await stage.page.keyboard.press('ArrowLeft');
    await stage.page.keyboard.press('ArrowLeft');
    await expect.poll(() => stage.at.get('node')).toBe('1');
    await stage.page.keyboard.press('Home');
    await expect.poll(() => stage.at.get('node')).toBeNull();
  });

  it('scrolls a node with a million children to its end', async () => {
    await stage.open('?log=5&view=explorer');
    await stage.page.locator('[role=treegrid] .row').nth(3).waitFor();
    await stage.page.getByRole('treegrid').focus();
    await stage.page.keyboard.press('End');
    await expect.poll(() => stage.at.get('node'), { timeout: 10_000 }).toBe('1000000');
    await stage.page.locator('#row-1000000').waitFor();
    expect(await stage.page.locator('[role=treegrid] .row').count()).toBeLessThan(60);
    await stage.page.keyboard.press('ArrowUp');
    await expect.poll(() => stage.at.get('node')).toBe('999999');
    await stage.page.keyboard.press('Home');
    await stage.page.locator('#row-1').waitFor();
  });

  it('goes to a number and to a line, and says which move is not there', async () => {
    await stage.open('?view=explorer');
    const jump = stage.page.getByLabel('go to a node number or a line of moves');
    await jump.fill('200');
    await jump.press('Enter');
    await stage.page.locator('#row-200').waitFor();
    const [first = '', second = ''] = (await stage.crumbs()).slice(1);
    await jump.fill(`${first} ${second}`);
    await jump.press('Enter');
    await expect.poll(() => stage.crumbs()).toEqual(['root', first, second]);
    await jump.fill(`${first} h1h8`);
    await jump.press('Enter');
    await stage.page.getByRole('alert').filter({ hasText: 'h1h8' }).waitFor();
    expect(await stage.crumbs()).toEqual(['root', first, second]);
  });
});
