import { describe, expect, it } from 'vitest';
import type { PictureAnswer } from '../../src/api/generated/types';
import { around, beyond, clamped, panned, wholeNodes, zoomed } from '../../src/overview/camera';
import { ONE_SIDED } from '../../src/overview/columns';
import { drawDensity, mixed } from '../../src/overview/draw-density';
import { Picture, rowHeightPx, windowBetween } from '../../src/overview/picture';
import { makeScale } from '../../src/overview/scale';

/** root(10) of a(6) and b(3); a has a child c(5), of which the rest is merged. */
const answer: PictureAnswer = {
  generation: 1,
  node: 0,
  ply: 0,
  total: 10,
  from: 0,
  to: 10,
  plies: 3,
  view: 'icicle',
  complete: true,
  color: null,
  rectangles: {
    x: [0, 0.1, 0.2, 0.7],
    y: [0, 1, 2, 1],
    width: [1, 0.6, 0.5, 0.3],
    height: [1, 1, 1, 1],
    node: [0, 1, 2, 7],
    ply: [0, 1, 2, 1],
    size: [10, 6, 5, 3],
    move: ['root', 'a', 'c', 'b'],
    merged: [0, 0, 3, 0],
    more: [0, 0, 1, 1],
  },
};

describe('density', () => {
  // Columns of two nodes from 0 on: at ply 1 columns 0 to 1 and 4, at ply 2 column 1.
  const density = {
    first: 0,
    step: 2,
    ply: [1, 1, 2],
    column: [0, 4, 1],
    columns: [2, 1, 1],
    nodes: [4, 1, 2],
    mix: [0, 0, 1],
    mixes: [
      [[0, 16]],
      [
        [0, 8],
        [1, 8],
      ],
    ] as [number, number][][],
    values: [1, 2],
  };
  const picture = new Picture({ ...answer, density }, 1000, 300);

  it('finds the span at a row and a node', () => {
    expect([0, 3, 4, 7, 8, 9].map((id) => picture.spanAt(1, id))).toEqual([0, 0, -1, -1, 1, 1]);
    expect([1, 2, 3, 4].map((id) => picture.spanAt(2, id))).toEqual([-1, 2, 2, -1]);
    expect([picture.spanAt(0, 3), picture.spanAt(3, 3)]).toEqual([-1, -1]);
  });

  it('places spans where their nodes are', () => {
    expect(picture.spanBox(0, picture.whole)).toMatchObject({ x: 0, y: 60, width: 400, height: 60 });
    expect(picture.spanBox(2, picture.whole)).toMatchObject({ x: 200, y: 120, width: 200 });
    const half = { ...picture.whole, x: 0.2, width: 0.5 };
    expect(picture.spanBox(2, half)).toMatchObject({ x: 0, width: 400 });
    expect([picture.idAt(0, half), picture.idAt(999, half), picture.rowAt(130, half)]).toEqual([2, 6, 2]);
  });

  it('keeps the colour of what holds matches, and fades the rest', () => {
    const marks = { ply: [2], column: [1], matches: [3] };
    const drawn = (of: Picture) => {
      const fills: [number, number, number][] = [];
      const context = {
        globalAlpha: 1,
        fillStyle: '',
        getTransform: () => ({ a: 1 }),
        fillRect(x: number, _y: number, width: number) {
          fills.push([x, width, this.globalAlpha]);
        },
      };
      const scale = makeScale(null, 'light');
      drawDensity(context as unknown as CanvasRenderingContext2D, of, of.whole, scale, '#fff');
      return fills;
    };
    expect(drawn(picture).map(([x]) => x)).toEqual([0, 800, 200]);
    expect(drawn(picture)[0]).toEqual([0, 400, 1]);
    // At ply 1 the second of two columns lies above the match; at ply 2 the match itself.
    const fills = drawn(new Picture({ ...answer, density: { ...density, marks } }, 1000, 300));
    const strong = fills.filter(([, , alpha]) => alpha > 0.5).map(([x, width]) => [x, width]);
    expect([fills.length, strong]).toEqual([
      5,
      [
        [200, 200],
        [200, 200],
      ],
    ]);
  });

  it('mixes colours by their parts', () => {
    expect(mixed([[[255, 0, 0], 16]])).toBe('rgb(255 0 0)');
    expect(
      mixed([
        [[255, 0, 0], 8],
        [[0, 0, 255], 8],
      ]),
    ).toBe('rgb(180 0 180)');
  });
});

describe('camera', () => {
  const limits = { from: 100, to: 1100 };

  it('zooms around a point, within the node', () => {
    expect(zoomed(limits, 0.25, 0.5, limits)).toEqual({ from: 225, to: 725 });
    expect(zoomed({ from: 225, to: 725 }, 0.25, 2, limits)).toEqual(limits);
    expect(zoomed({ from: 100, to: 600 }, 1, 1.5, limits)).toEqual({ from: 100, to: 850 });
    expect(zoomed({ from: 500, to: 504 }, 0.5, 0.1, limits)).toEqual({ from: 500, to: 504 });
  });

  it('moves along, and stops at the ends', () => {
    expect(panned({ from: 200, to: 400 }, 0.5, limits)).toEqual({ from: 300, to: 500 });
    expect(panned({ from: 200, to: 400 }, -9, limits)).toEqual({ from: 100, to: 300 });
    expect(panned({ from: 200, to: 400 }, 99, limits)).toEqual({ from: 900, to: 1100 });
    expect(around({ from: 200, to: 400 }, 1000, limits)).toEqual({ from: 900, to: 1100 });
  });

  it('goes beyond a node, to what there is', () => {
    expect(beyond({ from: 100, to: 200 }, 0.5)).toEqual({ from: 85, to: 215 });
    expect(beyond({ from: 5, to: 105 }, 1)).toEqual({ from: 0, to: 105 });
    expect(clamped({ from: 50, to: 200 }, limits)).toEqual({ from: 100, to: 200 });
    expect([clamped({ from: 0, to: 9999 }, limits), clamped({ from: 0, to: 50 }, limits)]).toEqual([null, null]);
  });

  it('asks for whole nodes, or for nothing where that is all', () => {
    expect(wholeNodes({ from: 200.4, to: 300.2 }, limits)).toEqual({ from: 200, to: 301 });
    expect(wholeNodes({ from: 100.3, to: 1099.9 }, limits)).toEqual({ from: null, to: null });
  });
});

describe('picture', () => {
  const picture = new Picture(answer, 1000, 300);

  it('makes rows as tall as is readable', () => {
    expect(picture.rowPx).toBe(60);
    expect(rowHeightPx(300, 100)).toBe(7);
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
