// Positions of every game.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

describe('board', () => {
  it.each([
    ['chess', 0, 'svg.board .piece', 10],
    ['amazons', 1, 'svg.board .piece', 8],
    ['tic-tac-toe', 2, 'svg.board .stroke', 1],
    ['connect four', 3, 'svg.board .disc', 1],
    ['Chinese checkers', 4, 'svg.board .disc', 30],
  ])('shows %s', async (_, log, pieces, least) => {
    await stage.open(`?log=${log}&node=1`);
    await stage.page.locator(pieces).first().waitFor();
    expect(await stage.page.locator(pieces).count()).toBeGreaterThanOrEqual(least);
    expect(await stage.page.locator('svg.board .last').count()).toBeGreaterThan(0);
    await stage.page
      .getByText(/^(\d|[A-Za-z/])+ \S/)
      .last()
      .waitFor();
  });

  it('draws siblings as arrows that lead to them', async () => {
    await stage.open('?node=1');
    const arrows = stage.page.locator('svg.board .arrow');
    await arrows.nth(3).waitFor();
    expect(await stage.page.locator('svg.board .arrow.own').count()).toBe(1);
    await arrows.first().dispatchEvent('click');
    await expect.poll(() => stage.at.get('node')).not.toBe('1');
  });

  it('copies the position', async () => {
    await stage.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await stage.open();
    await stage.page.getByRole('button', { name: 'copy FEN' }).click();
    await stage.page.getByText('Copied the position.').waitFor();
    expect(await stage.page.evaluate('navigator.clipboard.readText()')).toContain('4r1k1/3b1p2/5qp1');
  });
});
