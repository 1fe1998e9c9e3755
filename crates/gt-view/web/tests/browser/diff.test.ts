// Two trees merged into one: the legend, the records side by side, the steps from difference to difference.

import { describe, expect, it } from 'vitest';
import { mergedLog, STOPS } from './merged-log';
import { setStage } from './stage';

const stage = setStage({}, (folder) => [mergedLog(folder), folder.generate('plain.gtf', ['--depth', '2'])]);

const bar = () => stage.page.getByLabel('differences of two trees');
const node = () => Number(stage.at.get('node') ?? 0);
const place = () => stage.page.getByRole('toolbar', { name: 'steps through the differences' }).locator('span').textContent();

describe('a merged tree', () => {
  it('says what was merged, and how much differs and why', async () => {
    await stage.open();
    await expect.poll(() => bar().textContent()).toMatch(/A old\.gtf, tree 4\s*5 nodes\s*B new\.gtf, tree 4\s*6 nodes/);
    expect(await stage.page.getByLabel('how many nodes differ').textContent()).toMatch(/changed 2\s+only in A 1\s+only in B 2/);
    expect(await stage.page.getByLabel('why they differ').textContent()).toMatch(/cause 1 3\s*cause 2 2/);
    expect(await stage.page.getByLabel('in what they differ').textContent()).toMatch(/best 2/);
    expect(await stage.page.title()).toBe('old.gtf, tree 4 ↔ new.gtf, tree 4 – gt view');
    const legend = stage.page.getByLabel('legend');
    for (const words of ['the same', 'changed', 'only in A', 'only in B', 'holds differences']) await legend.getByText(words).waitFor();
  });

  it('goes through the differences by key alone, in the order of the search, and round', async () => {
    await stage.open();
    await expect.poll(place).toBe('– / 4');
    const visited: number[] = [];
    for (let step = 0; step < STOPS.length; step++) {
      await stage.page.keyboard.press('d');
      await expect.poll(place).toBe(`${((step + 1) % STOPS.length) + 1} / 4`);
      visited.push(node());
    }
    expect(visited).toEqual([...STOPS.slice(1), STOPS[0]]);
    await stage.page.keyboard.press('Shift+D');
    await expect.poll(node).toBe(STOPS.at(-1));
    // While no query is run, the keys for matches do the same.
    await stage.page.keyboard.press('Shift+N');
    await expect.poll(node).toBe(STOPS.at(-2));
    await stage.page.keyboard.press('n');
    await expect.poll(node).toBe(STOPS.at(-1));
  });

  it('goes through them by button, in the explorer too', async () => {
    await stage.open('?view=explorer');
    await expect.poll(place).toBe('– / 4');
    await stage.page.getByRole('button', { name: 'next difference' }).click();
    await expect.poll(node).toBe(2);
    const row = stage.page.locator('#row-2.chosen');
    await expect.poll(() => row.textContent()).toContain('only in A');
    await stage.page.getByRole('button', { name: 'previous difference' }).click();
    await expect.poll(node).toBe(0);
    // What differs is one column: A's value and B's.
    await expect.poll(() => stage.page.locator('#row-5 .differs').textContent()).toMatch(/0 → -20/);
    expect(await stage.page.locator('#row-6 .differs').count()).toBe(0);
  });

  it('shows both records, and marks what differs', async () => {
    await stage.open('?node=5');
    const table = stage.page.locator('aside table');
    await expect.poll(() => table.locator('tr', { hasText: 'best' }).textContent()).toMatch(/best\s*0\s*-20/);
    expect(await table.locator('tr.differs th').allTextContents()).toEqual(['best']);
    await stage.page.locator('aside .difference', { hasText: /changed\s*because of\s*cause 2/ }).waitFor();
    await stage.open('?node=3');
    await stage.page.locator('aside .difference', { hasText: 'only in B' }).waitFor();
    expect(await table.locator('tr', { hasText: 'best' }).locator('td').allTextContents()).toEqual(['', '5']);
    expect(await table.locator('tr.differs').count()).toBe(0);
  });

  it('lists the differences of one kind', async () => {
    await stage.open();
    await stage.page
      .getByLabel('how many nodes differ')
      .getByRole('button', { name: /only in B/ })
      .click();
    await expect.poll(() => stage.status.textContent()).toMatch(/^2 matches,/);
    expect(stage.at.get('query')).toBe('node: difference = 3');
    // The keys for matches are now the query's.
    await stage.page.locator('nav.line').click();
    await stage.page.keyboard.press('n');
    await expect.poll(node).toBe(3);
    await stage.page.keyboard.press('n');
    await expect.poll(node).toBe(4);
    await stage.page.keyboard.press('d');
    await expect.poll(node).toBe(5);
  });

  it('finds its differences again after the server has dropped them', async () => {
    await stage.open();
    await expect.poll(place).toBe('– / 4');
    const { address } = stage;
    for (let run = 0; run < 9; run++) {
      const started = await fetch(`${address}api/runs`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"text": "node: count(*)"}',
      });
      const { run: number } = (await started.json()) as { run: number };
      await fetch(`${address}api/runs/${number}?wait=10000`);
    }
    await expect
      .poll(async () => {
        await stage.page.keyboard.press('d');
        return node();
      })
      .toBe(STOPS[1]);
  });

  it('is usable at 390 pixels', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await stage.open('?panel=board&node=5');
    await stage.page.locator('aside table').waitFor();
    await expect.poll(place).toBe('– / 4');
    const over = await stage.page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(over).toBeLessThanOrEqual(0);
    await stage.page.getByRole('button', { name: 'previous difference' }).click();
    await expect.poll(node).toBe(3);
  });

  it('is left behind with its log', async () => {
    await stage.open();
    await bar().waitFor();
    await stage.page.getByLabel('log', { exact: true }).selectOption('1');
    await expect.poll(() => bar().count()).toBe(0);
    await stage.page.getByText(/rectangles for/).waitFor();
    expect(await stage.page.getByLabel('legend').textContent()).not.toContain('differences');
  });
});
