// `gt view A B --diff`: two real searches, merged by the command.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage({}, (folder) => [
  folder.search('plain.gtf', ['chess', '--depth', '3', '--algorithm', 'alpha-beta']),
  folder.search('scout.gtf', ['chess', '--depth', '3', '--algorithm', 'negascout']),
  '--diff',
  '--tree-a',
  '1',
  '--only',
  'best,ended',
]);

const number = (text: string | null | undefined) => Number((text ?? '').replaceAll(',', ''));

describe('gt view --diff', () => {
  it('shows the trees that were asked for, with what differs and why', async () => {
    await stage.open();
    const bar = stage.page.getByLabel('differences of two trees');
    await expect.poll(() => bar.textContent()).toMatch(/A plain\.gtf tree 1.*B scout\.gtf tree 2/);
    await expect.poll(() => stage.page.getByLabel('why they differ').textContent()).toMatch(/because of [a-z ]+\d/);
    const totals = await (await fetch(`${stage.address}api/diff`)).json();
    const shown = await stage.page.getByLabel('how many nodes differ').locator('b').allTextContents();
    expect(shown.map(number)).toEqual([totals.changed, totals.only_a, totals.only_b]);
    expect(totals.changed * totals.only_b).toBeGreaterThan(0);
  });

  it('has a board, both records and a position at every difference', async () => {
    await stage.open();
    await stage.page.locator('svg.board').waitFor();
    for (let step = 0; step < 3; step++) {
      const before = stage.page.url();
      await expect.poll(async () => (await stage.page.keyboard.press('d'), stage.page.url())).not.toBe(before);
      await expect.poll(() => stage.page.locator('aside .difference').textContent()).toMatch(/changed|only in [AB]/);
      // A slow page may have been pressed twice: what counts is the node that it has come to.
      await expect
        .poll(async () => {
          const header = await stage.page.locator('aside header').textContent();
          return header?.includes(`node ${number(stage.at.get('node')).toLocaleString('en-US')},`);
        })
        .toBe(true);
    }
    expect(await stage.page.locator('aside table thead th').allTextContents()).toEqual(['attribute', 'A', 'B']);
  });

  it('has queries of differences that run', async () => {
    await stage.open();
    await stage.page.getByText('Subtrees that grew or shrank most').click();
    await expect.poll(() => stage.status.textContent()).toMatch(/^[\d,]+ rows,/);
  });
});
