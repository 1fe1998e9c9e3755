// A log that means no good: its texts are shown as texts, and nothing of them is run.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogFolder } from './harness.js';
import { setStage } from './stage';

const IMAGE = `<img src=x onerror="document.title='taken'">`;
const SCRIPT = `"><script>document.title='taken'</script>\u001b[31mred{{1+1}}\${1+1}`;
const NAME = `<img src=x onerror=document.title='taken'>.gtf`;

const stage = setStage({}, (folder) => [hostileLog(folder), hostileMerged(folder)]);

/** Script in every text of a log: its name, game, metadata and values. */
function hostileLog(folder: LogFolder): string {
  const rows = [
    { node_id: 0, parent_id: -1, last_move: 0, best: 5, note: IMAGE, javascript: 'javascript:alert(1)' },
    { node_id: 1, parent_id: 0, last_move: 1, best: -3, note: SCRIPT, javascript: '</title></style></textarea>' },
    { node_id: 2, parent_id: 0, last_move: 2, best: 7, note: '\u202etxet', javascript: '%3Cscript%3E' },
  ];
  const table = join(folder.folder, 'rows.jsonl');
  writeFileSync(table, rows.map((row) => JSON.stringify(row)).join('\n') + '\n');
  const options = ['--game', IMAGE, '--meta', `engine=${SCRIPT.replace('\u001b', '')}`, '--meta', `position=${IMAGE}`];
  return folder.run(NAME, (file) => ['import', table, '-o', file, ...options]);
}

/** Two merged trees whose names and values are script. */
function hostileMerged(folder: LogFolder): string {
  const rows = [
    { node_id: 0, parent_id: -1, last_move: 0, note: IMAGE, other_note: SCRIPT, difference: 1, cause: 3 },
    { node_id: 1, parent_id: 0, last_move: 1, note: IMAGE, other_note: null, difference: 250, cause: null },
  ];
  const table = join(folder.folder, 'merged.jsonl');
  writeFileSync(table, rows.map((row) => JSON.stringify(row)).join('\n') + '\n');
  const options = ['--meta', `diff_a=${IMAGE}`, '--meta', `diff_b=${SCRIPT.replace('\u001b', '')}`];
  return folder.run('merged.gtf', (file) => ['import', table, '-o', file, ...options]);
}

/** Nothing of the log became part of the page. */
async function isUntouched(): Promise<void> {
  expect(await stage.page.title()).not.toBe('taken');
  expect(await stage.page.locator('img[src], [onerror], script:not([src])').count()).toBe(0);
}

describe('a hostile log', () => {
  it.each(['', '?view=treemap', '?view=explorer', '?view=charts', '?color=note', '?view=treemap&color=javascript'])(
    'is shown as text in %s',
    async (search) => {
      await stage.open(search);
      await expect.poll(() => stage.heading.textContent()).toBe('root');
      await stage.page.locator('aside dd').getByText(IMAGE, { exact: true }).waitFor();
      await isUntouched();
    },
  );

  it('is shown as text where two trees are merged', async () => {
    await stage.open('?log=1');
    await stage.page.getByLabel('differences of two trees').getByText(IMAGE).waitFor();
    await stage.page.locator('aside td').getByText(SCRIPT, { exact: true }).waitFor();
    await stage.open('?log=1&node=1&view=explorer');
    await stage.page.locator('#row-1').getByText('250', { exact: true }).waitFor();
    await isUntouched();
  });

  it('has its texts in the tooltip, the rows and the answers', async () => {
    await stage.open('?color=note');
    const { x, y } = await stage.point(0.5, 0);
    await stage.page.mouse.move(x, y);
    await stage.page.getByRole('tooltip').getByText(IMAGE).first().waitFor();
    await stage.page.getByLabel('legend').getByText(IMAGE, { exact: true }).waitFor();
    await stage.open('?view=explorer');
    await stage.page.locator('[role=treegrid]').getByText(SCRIPT, { exact: true }).waitFor();
    await stage.typeQuery('node: * select note, javascript');
    await stage.page.keyboard.press('Control+Enter');
    await stage.page.getByRole('table').getByText(IMAGE, { exact: true }).waitFor();
    await isUntouched();
  });
});
