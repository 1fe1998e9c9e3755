// Result files: saved by the page, and opened with it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { savedBytes } from './connected';
import { type LogFolder } from './harness.js';
import { setStage } from './stage';

const QUERY = 'node: type & CutNode and best > 0';

/** A search, and the answer of a query on its last tree but one, which the page opens with. */
function logAndResult(folder: LogFolder): string[] {
  const log = folder.search('chess.gtf', ['chess', '--depth', '3']);
  const results = folder.run('results', (target) => ['query', log, '--tree', '1', QUERY, '--format', 'gti', '-o', target]);
  return [log, '--result', join(results, 'chess-tree1-1.gti')];
}

let resultFile = '';
const stage = setStage({}, (folder) => {
  const words = logAndResult(folder);
  resultFile = readFileSync(words.at(-1) as string, 'utf8');
  return words;
});

const text = (editor: string | null) => editor?.trim();

describe('a result file', () => {
  it('is what the page opens with: marks, nodes and the query', async () => {
    await stage.open();
    const count = Number(/nodes:(\d+)/.exec(resultFile)?.[1]);
    expect(count).toBeGreaterThan(0);
    await expect.poll(() => stage.status.textContent()).toMatch(new RegExp(`^${count} matches, .* from chess-tree1-1\\.gti$`));
    expect(stage.at.get('tree')).toBe('1');
    await stage.page.getByLabel('legend').getByText('holds matches').waitFor();
    await expect.poll(async () => text(await stage.page.locator('.cm-content').textContent())).toBe(QUERY);
    const first = resultFile.split('\n')[5];
    await expect.poll(() => stage.page.locator('[role=table] .row:not(.head) > span').first().textContent()).toBe(first);
    await stage.page.getByRole('button', { name: 'next match' }).click();
    await expect.poll(() => stage.at.get('node')).toBe(first);
  });

  it('is put in order, and gives way to a query and comes back', async () => {
    await stage.open();
    await stage.page.getByRole('columnheader', { name: '@size' }).getByRole('button').click();
    await expect.poll(() => stage.page.locator('[aria-sort=ascending]').count()).toBe(1);
    const sizes = stage.page.locator('[role=table] .row:not(.head) > span:nth-child(4)');
    await expect
      .poll(async () => {
        const numbers = (await sizes.allTextContents()).map((size) => Number(size.replaceAll(',', '')));
        return numbers.length > 1 && numbers.every((size, place) => place === 0 || size >= (numbers[place - 1] as number));
      })
      .toBe(true);
    await stage.typeQuery('node: @ply = 1');
    await stage.page.keyboard.press('Control+Enter');
    await expect.poll(() => stage.status.textContent()).toMatch(/^22 matches, [^,]*$/);
    expect(stage.at.has('file')).toBe(false);
    await stage.page.goBack();
    await expect.poll(() => stage.status.textContent()).toContain('from chess-tree1-1.gti');
    await stage.page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => stage.page.getByLabel('legend').getByText('holds matches').count()).toBe(0);
  });

  it('is saved as it was opened', async () => {
    await stage.open();
    const [download] = await Promise.all([stage.page.waitForEvent('download'), stage.page.getByRole('link', { name: 'GTI' }).click()]);
    expect(download.suggestedFilename()).toBe('chess-tree1-1.gti');
    expect((await savedBytes(download)).toString()).toBe(resultFile);
  });

  it('is the same that the page saves after a run', async () => {
    await stage.open(`?tree=1&query=${encodeURIComponent(QUERY)}`);
    await expect.poll(() => stage.status.textContent()).toMatch(/matches,/);
    const [download] = await Promise.all([stage.page.waitForEvent('download'), stage.page.getByRole('link', { name: 'GTI' }).click()]);
    // All but the time of day and the seconds it took.
    const lasting = (file: string) => file.split('\n').filter((_, line) => line !== 0 && line !== 3);
    expect(lasting((await savedBytes(download)).toString())).toEqual(lasting(resultFile));
  });
});
