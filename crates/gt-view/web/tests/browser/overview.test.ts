// Opening the page, and the picture of the tree.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

describe('opening', () => {
  it('shows the last tree of the first log, its picture, its board', async () => {
    await stage.open();
    await stage.pictureShown();
    expect(await stage.page.getByLabel('log', { exact: true }).inputValue()).toBe('0');
    expect(await stage.page.getByLabel('tree', { exact: true }).inputValue()).toBe('4');
    expect(await stage.heading.textContent()).toBe('root');
    expect(await stage.page.locator('svg.board .piece').count()).toBe(23);
    expect(await stage.page.title()).toContain('chess.gtf');
  });

  it('says what is wrong with an address', async () => {
    await stage.open('?node=99999999');
    await stage.page.getByRole('alert').filter({ hasText: 'there is no node 99999999' }).waitFor();
    await stage.page.getByRole('button', { name: 'go to the root' }).click();
    await expect.poll(() => stage.heading.textContent()).toBe('root');
    await stage.open('?log=77');
    await stage.page.getByRole('alert').filter({ hasText: 'There is no log 77' }).waitFor();
  });
});

describe('overview', () => {
  it('zooms in by a click, out by a button, and back by the browser', async () => {
    await stage.open();
    const { x, y } = await stage.point(0.05, 1);
    await stage.page.mouse.click(x, y);
    await expect.poll(() => stage.at.get('root')).not.toBeNull();
    expect(stage.at.get('root')).toBe(stage.at.get('node'));
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    await stage.page.getByText(/of the tree$/).waitFor();
    await stage.page.getByRole('button', { name: 'out', exact: true }).click();
    await expect.poll(() => stage.at.get('root')).toBeNull();
    await stage.page.goBack();
    await expect.poll(() => stage.at.get('root')).not.toBeNull();
    await stage.page.goBack();
    await expect.poll(() => stage.at.get('node')).toBeNull();
    await expect.poll(() => stage.heading.textContent()).toBe('root');
  });

  it('zooms with the wheel, one ply at a time', async () => {
    await stage.open();
    const { x, y } = await stage.point(0.03, 2);
    await stage.page.mouse.move(x, y);
    await stage.page.mouse.wheel(0, -120);
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    await stage.page.mouse.wheel(0, 120);
    await expect.poll(() => stage.at.get('root')).toBeNull();
  });

  it('is walked with the keyboard', async () => {
    await stage.open();
    await stage.pictureShown();
    await stage.frame.focus();
    await stage.page.keyboard.press('ArrowDown');
    await expect.poll(() => stage.at.get('node')).toBe('1');
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    await stage.page.keyboard.press('ArrowRight');
    await expect.poll(() => stage.at.get('node')).not.toBe('1');
    const second = (await stage.page.locator('aside header').textContent()) ?? '';
    await expect.poll(() => stage.page.locator('aside header').textContent()).toContain('move 2 of');
    expect(second).toContain('ply 1');
    await stage.page.keyboard.press('ArrowLeft');
    await expect.poll(() => stage.at.get('node')).toBe('1');
    await stage.page.keyboard.press('Enter');
    await expect.poll(() => stage.at.get('root')).toBe('1');
    await stage.page.keyboard.press('Home');
    await expect.poll(() => stage.at.get('root')).toBeNull();
  });

  it('is coloured by any column, with a legend that names its values', async () => {
    await stage.open();
    await stage.page.getByLabel('colour by').selectOption('type');
    await stage.page.getByLabel('legend').getByText('Cut', { exact: true }).waitFor();
    await stage.page.getByLabel('colour by').selectOption('@height');
    await expect.poll(() => stage.page.getByLabel('legend').textContent()).toContain('@height');
    expect(stage.at.get('color')).toBe('@height');
  });

  it('tells what is under the pointer', async () => {
    await stage.open('?view=treemap');
    await stage.pictureShown();
    const box = (await stage.frame.boundingBox())!;
    await stage.page.mouse.move(box.x + 60, box.y + 60);
    await expect.poll(() => stage.page.getByRole('tooltip').textContent()).toMatch(/nodes.*of the picture.*best/s);
  });
});
