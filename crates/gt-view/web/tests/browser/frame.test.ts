// Charts, the pickers, addresses, light and dark, narrow screens.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

describe('charts', () => {
  it('draws every chart the server has', async () => {
    await stage.open('?view=charts');
    await stage.page.locator('.card svg[role=application]').first().waitFor();
    await expect.poll(() => stage.page.getByText('Counting …').count()).toBe(0);
    const cards = await stage.page.locator('.card').count();
    expect(cards).toBeGreaterThan(5);
    expect(await stage.page.locator('.card svg[role=application]').count()).toBe(cards);
    await stage.page.getByLabel('attribute').selectOption('depth');
    await expect.poll(() => stage.at.get('attribute')).toBe('depth');
  });
});

describe('the frame', () => {
  it('switches logs and trees, and keeps the line', async () => {
    await stage.open('?node=1');
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    const line = await stage.crumbs();
    await stage.page.getByLabel('tree', { exact: true }).selectOption('1');
    await expect.poll(() => stage.at.get('tree')).toBe('1');
    await expect.poll(() => stage.crumbs()).toEqual(line);
    await stage.page.getByLabel('log', { exact: true }).selectOption('2');
    await expect.poll(() => stage.page.title()).toContain('tic-tac-toe.gtf');
    expect(stage.at.get('node')).toBeNull();
    await stage.page.goBack();
    await expect.poll(() => stage.page.title()).toContain('chess.gtf');
    await expect.poll(() => stage.crumbs()).toEqual(line);
  });

  it('restores everything from an address', async () => {
    await stage.open('?tree=2&node=40&view=treemap&color=type');
    await expect.poll(() => stage.page.locator('aside header').textContent()).toContain('node 40,');
    expect(await stage.page.getByRole('tab', { selected: true }).textContent()).toBe('Treemap');
    expect(await stage.page.getByLabel('tree', { exact: true }).inputValue()).toBe('2');
    expect(await stage.page.getByLabel('colour by').inputValue()).toBe('type');
  });

  it('is dark where the system is, and where the reader wants it', async () => {
    await stage.page.emulateMedia({ colorScheme: 'dark' });
    await stage.open();
    const theme = () => stage.page.evaluate('document.documentElement.dataset.theme');
    await expect.poll(theme).toBe('dark');
    await stage.page.getByRole('button', { name: 'light colours' }).click();
    await expect.poll(theme).toBe('light');
    await stage.page.reload();
    await expect.poll(theme).toBe('light');
  });

  it('is usable at 390 pixels', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await stage.open('?node=1');
    await stage.pictureShown();
    for (const [tab, sign] of [
      ['Board', 'svg.board'],
      ['Query', '.cm-content'],
      ['Explorer', '[role=treegrid] .row'],
    ] as const) {
      await stage.page.getByRole('tab', { name: tab }).click();
      await stage.page.locator(sign).first().waitFor();
      const over = await stage.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(over, tab).toBeLessThanOrEqual(0);
    }
  });
});
