// Queries: errors, answers, marks.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

describe('query', () => {
  it('underlines an error with the words of the command line', async () => {
    await stage.open();
    await stage.typeQuery('node: typ & CutNode');
    const underlined = stage.page.locator('.cm-lintRange-error');
    await underlined.waitFor();
    expect(await underlined.textContent()).toBe('typ');
    await underlined.hover();
    const words = stage.page.locator('.cm-diagnostic');
    await words.waitFor();
    expect(await words.textContent()).toContain('`typ` is not an attribute or alias of this log');
    expect(await words.textContent()).toContain('did you mean `type`?');
  });

  it('shows an error instead of running', async () => {
    await stage.open();
    await stage.typeQuery('node: typ & CutNode');
    await stage.page.keyboard.press('Control+Enter');
    await stage.page.getByRole('alert').filter({ hasText: '`typ` is not an attribute' }).waitFor();
  });

  it('completes the names of the log', async () => {
    await stage.open();
    await stage.typeQuery('node: stat');
    await stage.page.keyboard.press('Control+Space');
    await stage.page.locator('.cm-tooltip-autocomplete').getByText('static_eval').waitFor();
    // The editor takes no key for a list that has only just come up.
    await stage.page.waitForTimeout(200);
    await stage.page.keyboard.press('Enter');
    await expect.poll(() => stage.page.locator('.cm-content').textContent()).toBe('node: static_eval');
  });

  it('runs, marks, steps through the matches, sorts, exports, and is restored from its address', async () => {
    await stage.open();
    await stage.typeQuery('node: type & QRootNode; subtree: count(*) > 1');
    await stage.page.keyboard.press('Control+Enter');
    const status = stage.status;
    await expect.poll(() => status.textContent()).toMatch(/[\d,]+ matches,/);
    expect(stage.at.get('query')).toBe('node: type & QRootNode; subtree: count(*) > 1');
    await stage.page.getByLabel('legend').getByText('holds matches').waitFor();

    await stage.page.getByRole('button', { name: 'next match' }).click();
    await expect.poll(() => stage.page.locator('.step').textContent()).toMatch(/^1 \//);
    const first = Number(stage.at.get('node'));
    await stage.page.getByRole('button', { name: 'next match' }).click();
    await expect.poll(() => stage.page.locator('.step').textContent()).toMatch(/^2 \//);
    expect(Number(stage.at.get('node'))).toBeGreaterThan(first);
    await stage.page.getByRole('button', { name: 'previous match' }).click();
    await expect.poll(() => Number(stage.at.get('node'))).toBe(first);

    const cells = stage.page.locator('[role=table] .row:not(.head) > span:first-child');
    await stage.page.getByRole('columnheader', { name: '@size' }).getByRole('button').click();
    await stage.page.getByRole('columnheader', { name: '@size' }).getByRole('button').click();
    await expect.poll(() => stage.page.locator('[aria-sort=descending]').count()).toBe(1);
    const sizes = stage.page.locator('[role=table] .row:not(.head) > span:nth-child(4)');
    await expect
      .poll(async () => {
        const numbers = (await sizes.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
        return numbers.length > 1 && numbers.every((size, place) => place === 0 || size <= (numbers[place - 1] as number));
      })
      .toBe(true);
    await cells.first().click();

    const [download] = await Promise.all([stage.page.waitForEvent('download'), stage.page.getByRole('link', { name: 'CSV' }).click()]);
    expect(await download.failure()).toBeNull();

    const before = await status.textContent();
    await stage.page.reload();
    await expect.poll(() => status.textContent()).toMatch(/matches,/);
    expect((await status.textContent())?.split(' ')[0]).toBe(before?.split(' ')[0]);
    await expect.poll(() => stage.page.locator('.cm-content').textContent()).toContain('QRootNode');
  });

  it('marks rows of the explorer', async () => {
    await stage.open('?view=explorer&query=node: type %26 CutNode');
    const marks = stage.page.locator('[role=treegrid] .tag.mark');
    await marks.nth(3).waitFor();
    const matches = (await stage.status.textContent())?.split(' ')[0];
    expect((await marks.first().getAttribute('title'))?.split(' ')[0]).toBe(matches);
    expect(await stage.page.locator('[role=treegrid] .row.match').count()).toBeGreaterThan(0);
  });

  it('is cancelled', async () => {
    // A search that does not end by itself: the server's answer is held back.
    let asked = 0;
    await stage.page.route(/api\/runs\/\d+\?wait=/, async (route) => {
      asked++;
      const answer = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...answer, state: 'running', results: [] } });
    });
    await stage.open('?query=node: best > 0');
    await expect.poll(() => stage.status.textContent()).toMatch(/^running/);
    await expect.poll(() => asked).toBeGreaterThan(1);
    const forgotten = stage.page.waitForRequest((request) => request.method() === 'DELETE');
    await stage.page.getByRole('button', { name: 'Cancel' }).click();
    await forgotten;
    await expect.poll(() => stage.status.textContent()).toBe('cancelled');
    await stage.page.getByRole('button', { name: 'Run' }).waitFor();
  });

  it('says what is probably not meant, and names values by their aliases', async () => {
    await stage.open();
    await stage.typeQuery('child: count(type & CutNode) > 0');
    const notes = stage.page.getByRole('list', { name: 'notes on the query' });
    await expect.poll(() => notes.textContent()).toContain("`count(type & CutNode)` reads nothing of the child: `type` is the node's own");
    await stage.typeQuery('node: @ply = 1 select type as kind');
    await expect.poll(() => notes.count()).toBe(0);
    await stage.page.keyboard.press('Control+Enter');
    await expect.poll(() => stage.page.locator('[role=cell]').first().textContent()).toMatch(/^(PVNode|CutNode|AllNode)/);
  });

  it('shows how far it has come', async () => {
    const shares = [null, 0, 0.4, 0.999];
    let asked = 0;
    await stage.page.route(/api\/runs\/\d+\?wait=/, async (route) => {
      const answer = (await (await route.fetch()).json()) as object;
      const progress = shares[Math.min(asked++, shares.length - 1)];
      if (asked > 12) return route.fulfill({ json: answer });
      await route.fulfill({ json: { ...answer, state: 'running', progress, results: [] } });
    });
    await stage.open('?query=node: best > 0');
    const bar = stage.page.getByRole('progressbar', { name: 'how far the query has come' });
    await bar.waitFor();
    await expect.poll(() => stage.status.textContent()).toMatch(/^running, 99%, /);
    expect(Number(await bar.getAttribute('value'))).toBeCloseTo(0.999);
    await expect.poll(() => stage.status.textContent()).toMatch(/matches,/);
    expect(await bar.count()).toBe(0);
    // A request that the page has given up may still be on its way here.
    await stage.page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('shows hostile text as text', async () => {
    const hostile = '[<img src=x onerror=alert(1)>]\nnode: best > 0\n\n[<script>alert(2)</script>]\nnode: best < 0';
    await stage.open(`?query=${encodeURIComponent(hostile)}`);
    await stage.page.getByRole('tab', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await stage.page.getByRole('tab', { name: '<script>alert(2)</script>' }).click();
    await expect.poll(() => stage.status.textContent()).toMatch(/matches,/);
    expect(await stage.page.locator('img, .query script').count()).toBe(0);
    await stage.open(`?color=${encodeURIComponent('"><svg onload=alert(3)>')}`);
    await stage.page.getByRole('alert').first().waitFor();
  });

  it('answers with a number, and with groups', async () => {
    await stage.open('?query=node: count(*)');
    await expect.poll(() => stage.page.locator('.single').textContent()).toMatch(/[\d,]+ nodes/);
    await stage.open('?query=group by %40ply select %40ply, count(*)');
    await expect.poll(() => stage.status.textContent()).toMatch(/groups,/);
  });

  it('keeps queries, and has ready ones', async () => {
    await stage.open();
    await stage.page.getByRole('button', { name: 'Library', exact: true }).click();
    const ready = stage.page.locator('.library .entry');
    await ready.first().waitFor();
    expect(await ready.count()).toBeGreaterThan(5);
    await stage.typeQuery('# mine\nnode: best > 0');
    await stage.page.getByRole('button', { name: 'Save', exact: true }).click();
    await stage.page.locator('.library').getByText('mine', { exact: true }).waitFor();
    await stage.page.reload();
    await stage.page.locator('.library').getByText('mine', { exact: true }).click();
    await expect.poll(() => stage.status.textContent()).toMatch(/matches,/);
    await stage.page.getByRole('button', { name: 'Library', exact: true }).click();
    await stage.page.getByRole('button', { name: 'forget mine' }).click();
    expect(await stage.page.locator('.library').getByText('mine', { exact: true }).count()).toBe(0);
  });
});
