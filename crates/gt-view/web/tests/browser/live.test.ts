// A log that is written while the page looks at it.

import { spawn } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectBrowser } from './connected';
import { command, LogFolder, openPage, startServer } from './harness.js';

it('follows a log that grows', async () => {
  const folder = new LogFolder();
  const file = join(folder.folder, 'live.gtf');
  const browser = await connectBrowser();
  const search = spawn(command(), ['search', 'chess', '--time', '25s', '--log', file], { stdio: 'ignore' });
  try {
    await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
    const server = await startServer([file]);
    try {
      const { page, problems } = await openPage(browser);
      await page.goto(server.address);
      const nodes = async () =>
        Number(/([\d,]+) nodes/.exec((await page.locator('.facts').textContent({ timeout: 20_000 })) ?? '')?.[1]?.replaceAll(',', ''));
      await expect.poll(nodes, { timeout: 20_000 }).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'live' }).waitFor();
      const before = await nodes();
      await expect.poll(nodes, { timeout: 25_000 }).not.toBe(before);
      expect(problems).toEqual([]);
    } finally {
      await server.stop();
    }
  } finally {
    search.kill();
    await browser.close();
    folder.remove();
  }
});

it('says when the server is gone', async () => {
  const folder = new LogFolder();
  const browser = await connectBrowser();
  const server = await startServer([folder.generate('log.gtf', ['--depth', '2'])]);
  const { page } = await openPage(browser);
  await page.goto(server.address);
  await page.locator('.facts').waitFor();
  await server.stop();
  await page.getByText('the server is not there').waitFor({ timeout: 15_000 });
  await browser.close();
  folder.remove();
});

it('shows a log that was replaced', async () => {
  const folder = new LogFolder();
  const small = folder.generate('log.gtf', ['--depth', '3', '--branching', '3']);
  const large = folder.generate('large.gtf', ['--depth', '5', '--branching', '4']);
  const browser = await connectBrowser();
  const server = await startServer([small]);
  try {
    const { page } = await openPage(browser);
    await page.goto(server.address);
    await page.locator('.facts', { hasText: ' 40 nodes' }).waitFor();
    renameSync(large, small);
    await page.locator('.facts', { hasText: '1,365 nodes' }).waitFor({ timeout: 15_000 });
  } finally {
    await server.stop();
    await browser.close();
    folder.remove();
  }
});
