// The search as it went: slider, play button, and what follows them.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

async function slide(after: number) {
  await stage.page.getByRole('slider', { name: 'nodes searched' }).fill(String(after));
  await expect.poll(() => stage.at.get('after')).toBe(String(after));
}

describe('replay', () => {
  it('shows the tree as it was: picture, board, bar and address', async () => {
    await stage.open();
    await stage.pictureShown();
    const nodes = Number(await stage.page.getByRole('slider', { name: 'nodes searched' }).getAttribute('max'));
    const half = Math.floor(nodes / 2);
    await slide(half);
    expect(stage.at.get('node')).toBe(String(half - 1));
    const replay = stage.page.getByRole('group', { name: 'replay of the search' });
    await expect.poll(() => replay.textContent()).toMatch(/searching .*best .*window/s);
    // Nothing is drawn right of the moment, and something left of it.
    await expect
      .poll(() =>
        stage.page.evaluate(() => {
          const canvas = document.querySelector('[role=application] canvas') as HTMLCanvasElement;
          const context = canvas.getContext('2d') as CanvasRenderingContext2D;
          const drawn = (x: number) => (context.getImageData(Math.floor(x * canvas.width), 4, 1, 1).data[3] as number) > 0;
          return [drawn(0.25), drawn(0.75)];
        }),
      )
      .toEqual([true, false]);
    await stage.page.reload();
    await expect.poll(() => replay.textContent()).toMatch(/searching/);
    expect(await stage.page.getByRole('slider', { name: 'nodes searched' }).inputValue()).toBe(String(half));
    await replay.getByRole('button', { name: 'end' }).click();
    await expect.poll(() => stage.at.get('after')).toBeNull();
  });

  it('marks what was open in the explorer', async () => {
    await stage.open('?view=explorer');
    await stage.page.locator('[role=treegrid] .row').first().waitFor();
    await slide(3);
    await expect.poll(() => stage.page.locator('[role=treegrid] .tag.open').count()).toBeGreaterThanOrEqual(2);
    await expect.poll(() => stage.page.locator('[role=treegrid] .row.later').count()).toBeGreaterThan(0);
  });

  it('plays, pauses, and goes node by node', async () => {
    await stage.open('?after=5&node=4');
    await stage.pictureShown();
    await stage.page.keyboard.press('.');
    await expect.poll(() => stage.at.get('after')).toBe('6');
    await stage.page.keyboard.press(',');
    await expect.poll(() => stage.at.get('after')).toBe('5');
    await stage.page.getByRole('button', { name: 'play the search' }).click();
    await expect.poll(() => Number(stage.at.get('after'))).toBeGreaterThan(5);
    await stage.page.getByRole('button', { name: 'pause' }).click();
  });

  it('lists the moves of the root with value, nodes and line', async () => {
    await stage.open();
    const table = stage.page.locator('details', { hasText: 'Root moves' }).locator('tbody tr');
    await expect.poll(() => table.count()).toBeGreaterThan(10);
    const best = await table.filter({ hasText: '★' }).textContent();
    expect(best).toMatch(/★\s*\S+/);
    await table.nth(1).getByRole('button').click();
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    await stage.page.getByRole('meter').waitFor();
  });
});
