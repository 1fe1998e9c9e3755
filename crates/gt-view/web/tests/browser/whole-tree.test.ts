// The icicle draws all that exists, to the deepest ply: the canvas is held against what the server says exists.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const LOG = { chess: 0, connectFour: 1, wide: 2 };
const stage = setStage({}, (folder) => [
  folder.search('chess.gtf', ['chess', '--depth', '10']),
  folder.search('connect-four.gtf', ['connect-four', '--depth', '9']),
  folder.generate('wide.gtf', ['--depth', '1', '--branching', '1000000']),
]);

/** Of each row: how many pixel columns have any colour, from the canvas. */
function coloured(rows: number): Promise<number[]> {
  return stage.page.evaluate((count) => {
    const frame = document.querySelector('[role=application]') as HTMLElement;
    const canvas = frame.querySelector('canvas') as HTMLCanvasElement;
    const rowPx = Number(frame.dataset['rowPx']) * (canvas.width / frame.clientWidth);
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    return Array.from({ length: count }, (_, row) => {
      const { data } = context.getImageData(0, Math.floor((row + 0.5) * rowPx), canvas.width, 1);
      let pixels = 0;
      for (let at = 3; at < data.length; at += 4) if ((data[at] as number) > 0) pixels++;
      return pixels;
    });
  }, rows);
}

/** Of each row: how many pixel columns have something in them, by the server's word. */
async function existing(widthPx: number, rows: number): Promise<number[]> {
  const { rectangles, density, from, to } = await stage.picture();
  const found = Array.from({ length: rows }, () => new Set<number>());
  const add = (row: number, start: number, end: number) => {
    for (let x = Math.round(Math.max(start, 0) * widthPx); x < Math.round(Math.min(end, 1) * widthPx); x++) found[row]?.add(x);
  };
  rectangles.x.forEach((x, index) => {
    if (!rectangles.merged[index]) add(rectangles.y[index]!, x, x + rectangles.width[index]!);
  });
  const across = (id: number) => (id - from) / (to - from);
  density.ply.forEach((ply, span) => {
    const start = density.first + density.column[span]! * density.step;
    add(ply, across(start), across(start + density.columns[span]! * density.step));
  });
  return found.map((columns) => columns.size);
}

describe('the whole tree', () => {
  for (const search of [`?log=${LOG.chess}`, `?log=${LOG.chess}&root=1`, `?log=${LOG.connectFour}`, `?log=${LOG.wide}`]) {
    it(`is on the canvas, ply by ply (${search})`, async () => {
      await stage.open(search);
      const { plies, complete } = await stage.picture();
      expect(complete).toBe(true);
      await expect.poll(() => stage.frame.getAttribute('aria-busy')).toBe('false');
      const box = await stage.frame.boundingBox();
      const [drawn, exists] = [await coloured(plies), await existing(Math.floor(box!.width), plies)];
      for (const [row, pixels] of exists.entries()) {
        // A rectangle and its neighbour may share the pixel that both end in.
        expect(drawn[row], `row ${row} of ${plies}: ${exists} exist, ${drawn} drawn`).toBeGreaterThanOrEqual(0.99 * pixels - 1);
      }
      expect(drawn[plies - 1]).toBeGreaterThan(0);
    });
  }

  it('tells what is under the pointer where nodes are too narrow for rectangles', async () => {
    await stage.open(`?log=${LOG.chess}`);
    const narrow = await stage.narrowPoint();
    await stage.page.mouse.move(narrow.x, narrow.y);
    const tooltip = stage.page.getByRole('tooltip');
    await tooltip.getByText('too narrow to draw alone').waitFor();
    await tooltip.locator('svg.board').waitFor();
    await stage.page.mouse.click(narrow.x, narrow.y);
    await expect.poll(() => stage.at.get('node'), { timeout: 10_000 }).not.toBeNull();
    await expect.poll(async () => (await stage.crumbs()).length).toBeGreaterThan(5);
  });

  it('has a mark for a match that is narrower than a pixel', async () => {
    await stage.open(`?log=${LOG.wide}&query=${encodeURIComponent('node: node_id = 500000')}`);
    await stage.pictureShown();
    await expect.poll(() => stage.page.getByLabel('legend').textContent()).toContain('matches');
    const found = await stage.page.evaluate(() => {
      const canvas = document.querySelector('[role=application] canvas') as HTMLCanvasElement;
      const frame = canvas.parentElement as HTMLElement;
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const probe = document.createElement('i');
      probe.style.color = 'var(--mark)';
      frame.append(probe);
      const wanted = getComputedStyle(probe).color;
      probe.remove();
      const { data } = context.getImageData(0, Number(frame.dataset['rowPx']) + 1, canvas.width, 1);
      const places = [];
      for (let x = 0; x < canvas.width; x++) {
        if (`rgb(${data[4 * x]}, ${data[4 * x + 1]}, ${data[4 * x + 2]})` === wanted) places.push(x / canvas.width);
      }
      return places;
    });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(5);
    for (const place of found) expect(place).toBeCloseTo(0.5, 2);
  });
});
