// What is seen, as files; and what a picture shows before anybody chooses.

import { describe, expect, it } from 'vitest';
import { savedBytes } from './connected';
import { setStage } from './stage';

const stage = setStage({ acceptDownloads: true });

async function saved(entry: string): Promise<Buffer> {
  await stage.page.getByRole('button', { name: 'save…' }).click();
  const coming = stage.page.waitForEvent('download');
  await stage.page.getByRole('menuitem', { name: entry }).click();
  return savedBytes(await coming);
}

describe('the menu of the picture', () => {
  it('writes moves as the page does', async () => {
    await stage.open('?san');
    const first = /<title>(\S+): [^<]*ply 1, /;
    const written = first.exec((await saved('icicle as SVG')).toString())?.[1];
    expect(written).toMatch(/^[KQRBN]?[a-h1-8]?x?[a-h][1-8][+#]?$/);
    await stage.page.getByRole('button', { name: 'SAN' }).click();
    expect(first.exec((await saved('icicle as SVG')).toString())?.[1]).toMatch(/^[a-h][1-8][a-h][1-8]$/);
  });

  it('saves what is seen as SVG and as PNG', async () => {
    await stage.open('?color=best');
    await stage.pictureShown();
    const svg = (await saved('icicle as SVG')).toString();
    expect(svg.startsWith('<svg ')).toBe(true);
    expect(svg).toContain('best, as the root&#39;s player sees it');
    const png = await saved('icicle as PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // The width stands at byte 16: twice the drawing's.
    expect(png.readUInt32BE(16)).toBe(2400);
  });
});

describe('a picture that nobody chose colours for', () => {
  it('shows the kinds of nodes, and scores from one side', async () => {
    await stage.open();
    await stage.pictureShown();
    expect(await stage.page.getByLabel('colour by').inputValue()).toBe('type');
    await stage.page.getByLabel('colour by').selectOption('best');
    expect(await stage.page.getByRole('button', { name: 'one side' }).getAttribute('aria-pressed')).toBe('true');
  });
});
