import { describe, expect, it } from 'vitest';
import type { PictureAnswer } from '../../src/api/types';
import { ONE_SIDED } from '../../src/overview/columns';
import { Picture, rowHeightPx, windowBetween } from '../../src/overview/picture';

/** root(10) of a(6) and b(3); a has a child c(5), of which the rest is merged. */
const answer: PictureAnswer = {
  generation: 1, node: 0, ply: 0, total: 10, plies: 3, view: 'icicle', complete: true, color: null,
  rectangles: {
    x: [0, 0.1, 0.2, 0.7], y: [0, 1, 2, 1], width: [1, 0.6, 0.5, 0.3], height: [1, 1, 1, 1],
    node: [0, 1, 2, 7], ply: [0, 1, 2, 1], size: [10, 6, 5, 3], move: ['root', 'a', 'c', 'b'],
    merged: [0, 0, 3, 0], more: [0, 0, 1, 1],
  },
};

describe('picture', () => {
  const picture = new Picture(answer, 1000, 300);

  it('makes rows as tall as is readable', () => {
    expect(picture.rowPx).toBe(60);
    expect(rowHeightPx(300, 100)).toBe(17);
    expect(rowHeightPx(500, 20)).toBe(25);
  });

  it('finds the innermost rectangle at a point', () => {
    expect(picture.indexAt(250, 10)).toBe(0);
    expect(picture.indexAt(250, 70)).toBe(1);
    expect(picture.indexAt(250, 130)).toBe(2);
    expect(picture.indexAt(750, 70)).toBe(3);
    expect(picture.indexAt(50, 70)).toBe(-1);
    expect(picture.indexAt(750, 200)).toBe(-1);
  });

  it('finds the rectangle of a node, or the one it is hidden in', () => {
    expect([0, 1, 2, 6, 7, 9].map((node) => picture.indexOf(node))).toEqual([0, 1, 2, 2, 3, 3]);
    expect(picture.indexOf(10)).toBe(-1);
  });

  it('knows what a rectangle lies in', () => {
    expect(picture.holders(2)).toEqual([2, 1, 0]);
    expect(picture.holders(3)).toEqual([3, 0]);
    expect(picture.holders(0)).toEqual([0]);
  });

  it('marks the innermost rectangles that hold matches', () => {
    const marked = (marks: number[]) => new Picture({ ...answer, rectangles: { ...answer.rectangles, marks } }, 1000, 300).innermostMarked;
    expect([...marked([3, 2, 1, 1])].sort()).toEqual([2, 3]);
    expect([...marked([2, 2, 0, 0])]).toEqual([1]);
    expect([...marked([0, 0, 0, 0])]).toEqual([]);
    expect([...picture.innermostMarked]).toEqual([]);
  });

  it('turns bounds round with the values of the second player', () => {
    const bound = ['exact', 'lower', 'upper', null] as const;
    const drawn = (name: string) => {
      const color = { name, kind: 'diverging' as const, min: -9, max: 9, low: -9, high: 9, labels: null };
      return new Picture({ ...answer, color, rectangles: { ...answer.rectangles, bound: [...bound] } }, 1000, 300);
    };
    expect([0, 1, 2, 3].map((index) => drawn('best').bound(index))).toEqual([...bound]);
    expect([0, 1, 2, 3].map((index) => drawn(`best${ONE_SIDED}`).bound(index))).toEqual(['exact', 'upper', 'upper', null]);
    expect([drawn('best').has('lower'), drawn(`best${ONE_SIDED}`).has('lower'), picture.has('upper')]).toEqual([true, false, false]);
  });

  it('fills the canvas with the window', () => {
    const window = picture.windowOf(1);
    expect(picture.box(1, window)).toMatchObject({ x: 0, y: 0, width: 1000, height: 60 });
    expect(windowBetween(picture.whole, window, 0)).toEqual(picture.whole);
    expect(windowBetween(picture.whole, window, 1)).toEqual(window);
  });
});
