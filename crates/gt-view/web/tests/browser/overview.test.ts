// Opening the page, and the picture of the tree.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

describe('opening', () => {
  it('shows the last tree of the first log, its picture, its board', async () => {
    await stage.open();
    await stage.pictureShown();
    expect(await stage.page.getByLabel('log', { exact: true }).inputValue()).toBe('0');
    expect(await stage.page.getByLabel('tree', { exact: true }).inputValue()).toBe('5');
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
  it('chooses by a click, zooms by a double click, out by a button, and back by the browser', async () => {
    await stage.open();
    const { x, y } = await stage.point(0.05, 1);
    await stage.page.mouse.click(x, y);
    await expect.poll(() => stage.at.get('node')).not.toBeNull();
    expect(stage.at.get('root')).toBeNull();
    await stage.page.mouse.dblclick(x, y);
    await expect.poll(() => stage.at.get('root')).not.toBeNull();
    expect(stage.at.get('root')).toBe(stage.at.get('node'));
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    await stage.page.getByText(/of the tree$/).waitFor();
    await stage.page.getByRole('button', { name: 'out', exact: true }).click();
    await expect.poll(() => stage.at.get('root')).toBeNull();
    await stage.page.goBack();
    await expect.poll(() => stage.at.get('root')).not.toBeNull();
    await stage.page.goBack();
    await expect.poll(() => stage.at.get('root')).toBeNull();
    await stage.page.goBack();
    await expect.poll(() => stage.heading.textContent()).toBe('root');
  });

  it('zooms with the wheel around the pointer, and is dragged along', async () => {
    await stage.open();
    const { x, y } = await stage.point(0.25, 1);
    const total = Number(await stage.page.evaluate(async () => (await (await fetch('api/picture?tree=5')).json()).total));
    await stage.page.mouse.move(x, y);
    for (let notch = 0; notch < 4; notch++) await stage.page.mouse.wheel(0, -120);
    await expect.poll(() => Number(stage.at.get('to')) - Number(stage.at.get('from'))).toBeLessThan(total / 4);
    const [from, to] = [Number(stage.at.get('from')), Number(stage.at.get('to'))];
    expect(to).toBeGreaterThan(from);
    // What was under the pointer still is.
    expect(Math.abs(from + (to - from) * 0.25 - total * 0.25)).toBeLessThan(total * 0.02);
    await stage.page.mouse.down();
    await stage.page.mouse.move(x - 100, y, { steps: 4 });
    await stage.page.mouse.up();
    await expect.poll(() => Number(stage.at.get('from'))).toBeGreaterThan(from);
    expect(stage.at.get('node')).toBeNull();
    for (let notch = 0; notch < 12; notch++) await stage.page.mouse.wheel(0, 120);
    await expect.poll(() => stage.at.get('from')).toBeNull();
  });

  it('keeps what the wheel did where a picture is asked for in the same moment', async () => {
    await stage.open();
    const { x, y } = await stage.point(0.25, 1);
    const width = () => Number(stage.at.get('to')) - Number(stage.at.get('from'));
    await stage.page.mouse.move(x, y);
    await stage.page.mouse.wheel(0, -120);
    await expect.poll(width).toBeGreaterThan(0);
    const before = width();
    await stage.page.evaluate(() => {
      const frame = document.querySelector('[role=application]')!;
      frame.dispatchEvent(new WheelEvent('wheel', { deltaY: -240, bubbles: true, cancelable: true }));
      const color = document.querySelector<HTMLSelectElement>('select[aria-label="colour by"]')!;
      color.value = '@height';
      color.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await expect.poll(() => stage.at.get('color')).toBe('@height');
    await expect.poll(width).toBeLessThan(before * 0.6);
  });

  it('is walked with the keyboard, wherever the focus is', async () => {
    await stage.open();
    await stage.pictureShown();
    await stage.heading.waitFor();
    await stage.page.keyboard.press('ArrowDown');
    await expect.poll(() => stage.at.get('node')).toBe('1');
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    await stage.page.keyboard.press('ArrowRight');
    await expect.poll(() => stage.at.get('node')).not.toBe('1');
    await expect.poll(() => stage.page.locator('aside header').textContent()).toContain('move 2 of');
    await stage.page.keyboard.press('ArrowLeft');
    await expect.poll(() => stage.at.get('node')).toBe('1');
    await stage.page.keyboard.press('Enter');
    await expect.poll(() => stage.at.get('root')).toBe('1');
    await expect.poll(() => stage.frame.getAttribute('data-node')).toBe('1');
    await stage.page.keyboard.press('w');
    await expect.poll(() => stage.at.get('from')).not.toBeNull();
    const from = Number(stage.at.get('from'));
    await stage.page.keyboard.press('d');
    await expect.poll(() => Number(stage.at.get('from'))).toBeGreaterThan(from);
    await stage.page.keyboard.press('Home');
    await expect.poll(() => stage.at.get('root')).toBeNull();
    // What has keys of its own keeps them.
    await stage.page.getByRole('tab', { name: 'Icicle' }).focus();
    await stage.page.keyboard.press('ArrowRight');
    await expect.poll(() => stage.at.get('view')).toBe('treemap');
    expect(stage.at.get('node')).toBeNull();
  });

  it('is coloured by any column, with a legend that names its values', async () => {
    await stage.open();
    await stage.page.getByLabel('colour by').selectOption('type');
    await stage.page.getByLabel('legend').getByText('Cut', { exact: true }).waitFor();
    await stage.page.getByLabel('colour by').selectOption('@height');
    await expect.poll(() => stage.page.getByLabel('legend').textContent()).toContain('@height');
    expect(stage.at.get('color')).toBe('@height');
  });

  it('shows the position under a resting pointer', async () => {
    await stage.open();
    const { x, y } = await stage.point(0.3, 1);
    await stage.page.mouse.move(x, y);
    await stage.page.getByRole('tooltip').locator('svg.board').waitFor();
  });

  it('tells what is under the pointer', async () => {
    await stage.open('?view=treemap');
    await stage.pictureShown();
    const box = (await stage.frame.boundingBox())!;
    await stage.page.mouse.move(box.x + 60, box.y + 60);
    await expect.poll(() => stage.page.getByRole('tooltip').textContent()).toMatch(/nodes.*of the picture.*best/s);
  });
});
