import { describe, expect, it } from 'vitest';
import { clampTop, contentHeightPx, type Extent, scrollOfTop, topMax, topOfScroll, topShowing } from '../../src/explorer/scroll';

const extent = (rows: number): Extent => ({ rows, rowHeightPx: 24, viewHeightPx: 480 });

describe('scroll', () => {
  it('is the rows themselves while they fit', () => {
    expect(contentHeightPx(extent(1000))).toBe(24_000);
    expect(topOfScroll(extent(1000), 240)).toBeCloseTo(10);
    expect(scrollOfTop(extent(1000), 10)).toBeCloseTo(240);
  });

  it('reaches the first and the last of a hundred million rows', () => {
    const long = extent(100_000_000);
    const way = contentHeightPx(long) - long.viewHeightPx;
    expect(contentHeightPx(long)).toBeLessThan(2 ** 23);
    expect(topOfScroll(long, 0)).toBe(0);
    expect(topOfScroll(long, way)).toBe(100_000_000 - 20);
    for (const top of [0, 1, 12_345_678, 99_999_980]) expect(topOfScroll(long, scrollOfTop(long, top))).toBeCloseTo(top, 3);
  });

  it('does not scroll what fits', () => {
    expect(topMax(extent(5))).toBe(0);
    expect(clampTop(extent(5), 3)).toBe(0);
    expect(scrollOfTop(extent(5), 0)).toBe(0);
  });

  it('moves no further than needed', () => {
    const list = extent(1000);
    expect(topShowing(list, 100, 110)).toBe(100);
    expect(topShowing(list, 100, 100)).toBe(98);
    expect(topShowing(list, 100, 130)).toBe(113);
    expect(topShowing(list, 100, 0)).toBe(0);
    expect(topShowing(list, 100, 999)).toBe(980);
  });
});
