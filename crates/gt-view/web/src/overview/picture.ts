// A picture from the server, placed in pixels: where each rectangle is, and which one is at a point.
//
// Rectangles come after the one that holds them, so the last that holds a point is the innermost. Of an icicle, what has
// no rectangle of its own comes as spans of a density.

import type { Bound, DensityAnswer, PictureAnswer } from '../api/generated/types';
import { turned } from '../bounds';
import { ONE_SIDED } from './columns';

/** Rows as low as this still show their colours; labels need more. */
export const ROW_PX_MIN = 7;
export const ROW_PX_MAX = 60;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Which part of the picture fills the canvas, in the picture's own measures: fractions, and rows for an icicle's y. */
export interface Window {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Picture {
  readonly length: number;
  readonly rowPx: number;
  /** How much of the picture has each value: node_ids across an icicle, rectangles of a treemap. */
  readonly values: Map<PictureValue, number>;
  /** The rectangles with matches in which no other rectangle with matches lies. */
  readonly innermostMarked: Set<number>;
  private readonly bounds: ReadonlySet<Bound | null>;

  constructor(
    readonly answer: PictureAnswer,
    readonly widthPx: number,
    readonly heightPx: number,
  ) {
    this.length = answer.rectangles.node.length;
    this.rowPx = rowHeightPx(heightPx, answer.plies);
    this.values = drawnOf(answer);
    this.innermostMarked = innermostMarked(answer);
    this.bounds = new Set(answer.rectangles.bound ? answer.rectangles.node.map((_, index) => this.bound(index)) : []);
  }

  get whole(): Window {
    const rows = this.heightPx / this.rowPx;
    return this.icicle ? { x: 0, y: 0, width: 1, height: rows } : { x: 0, y: 0, width: 1, height: 1 };
  }

  get icicle(): boolean {
    return this.answer.view === 'icicle';
  }

  get density(): DensityAnswer | undefined {
    return this.answer.density;
  }

  /** The place of a node_id in an icicle, in the picture's own measure. */
  across(id: number): number {
    return (id - this.answer.from) / (this.answer.to - this.answer.from);
  }

  /** The node_id at a point across an icicle, as seen through the window. */
  idAt(pointX: number, window: Window): number {
    const share = window.x + (pointX / this.widthPx) * window.width;
    const id = this.answer.from + share * (this.answer.to - this.answer.from);
    return Math.min(Math.max(Math.floor(id), this.answer.from), this.answer.to - 1);
  }

  /** The row of an icicle at a point. */
  rowAt(pointY: number, window: Window): number {
    return Math.floor(window.y + (pointY / this.heightPx) * window.height);
  }

  /** A span of the density in pixels as seen through the window. */
  spanBox(span: number, window: Window): Box {
    const { first, step, ply, column, columns } = this.answer.density as DensityAnswer;
    const start = this.across(first + at(column, span) * step);
    const end = this.across(Math.min(first + (at(column, span) + at(columns, span)) * step, this.answer.to));
    return this.place(Math.max(start, 0), at(ply, span), end - Math.max(start, 0), 1, window);
  }

  /** The span of the density at a row and a node_id, or -1. */
  spanAt(row: number, id: number): number {
    const density = this.answer.density;
    if (!density) return -1;
    const wanted = (id - density.first) / density.step;
    // Spans come ply by ply, from left to right.
    let [low, high] = [0, density.ply.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const before = at(density.ply, middle) < row || (at(density.ply, middle) === row && at(density.column, middle) <= wanted);
      if (before) low = middle + 1;
      else high = middle;
    }
    const span = low - 1;
    const holds = span >= 0 && density.ply[span] === row && wanted < at(density.column, span) + at(density.columns, span);
    return holds ? span : -1;
  }

  /** Whether the drawn value is a bound: it is turned round with the value where one player's view is drawn. */
  bound(index: number): Bound | null {
    const { bound, ply } = this.answer.rectangles;
    const own = bound?.[index] ?? null;
    return this.answer.color?.name.endsWith(ONE_SIDED) && at(ply, index) % 2 ? turned(own) : own;
  }

  /** Whether some rectangle has a bound of this kind. */
  has(bound: Bound): boolean {
    return this.bounds.has(bound);
  }

  /** The rectangle in pixels as seen through the window. */
  box(index: number, window: Window): Box {
    const { x, y, width, height } = this.answer.rectangles;
    return this.place(at(x, index), at(y, index), at(width, index), at(height, index), window);
  }

  private place(x: number, y: number, width: number, height: number, window: Window): Box {
    const [acrossPx, downPx] = [this.widthPx / window.width, this.heightPx / window.height];
    return { x: (x - window.x) * acrossPx, y: (y - window.y) * downPx, width: width * acrossPx, height: height * downPx };
  }

  /** The innermost rectangle at a point, or -1. */
  indexAt(pointX: number, pointY: number, window: Window = this.whole): number {
    for (let index = this.length - 1; index >= 0; index--) {
      const { x, y, width, height } = this.box(index, window);
      if (pointX >= x && pointX < x + width && pointY >= y && pointY < y + height) return index;
    }
    return -1;
  }

  /** The rectangle that shows a node: its own, or the innermost that it is hidden in; -1 where it is elsewhere. */
  indexOf(node: number): number {
    const { node: first, size } = this.answer.rectangles;
    for (let index = this.length - 1; index >= 0; index--) {
      if (node >= at(first, index) && node < at(first, index) + at(size, index)) return index;
    }
    return -1;
  }

  /** The rectangles around this one, itself first. */
  holders(index: number): number[] {
    const holders = [index];
    const { node, size, ply } = this.answer.rectangles;
    let innermost = index;
    for (let other = index - 1; other >= 0; other--) {
      const holds = at(node, other) <= at(node, index) && at(node, other) + at(size, other) > at(node, index);
      if (holds && at(ply, other) < at(ply, innermost)) holders.push((innermost = other));
    }
    return holders;
  }

  /** The part of the picture that a rectangle takes, with everything below it. */
  windowOf(index: number): Window {
    const { x, y, width, height } = this.answer.rectangles;
    const down = this.icicle ? this.whole.height : at(height, index);
    return { x: at(x, index), y: at(y, index), width: at(width, index), height: down };
  }
}

export type PictureValue = NonNullable<PictureAnswer['rectangles']['value']>[number];

/** Rows as tall as fit, within what is readable. */
export function rowHeightPx(heightPx: number, rows: number): number {
  return Math.min(Math.max(Math.floor(heightPx / Math.max(rows, 1)), ROW_PX_MIN), ROW_PX_MAX);
}

/** The window between two others; `share` runs from 0 to 1. */
export function windowBetween(from: Window, to: Window, share: number): Window {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    width: mix(from.width, to.width),
    height: mix(from.height, to.height),
  };
}

/** The parts that the values of a mix have in all. */
const MIX_PARTS = 16;

function drawnOf({ view, rectangles, density }: PictureAnswer): Map<PictureValue, number> {
  const drawn = new Map<PictureValue, number>();
  const add = (value: PictureValue, much: number) => drawn.set(value, (drawn.get(value) ?? 0) + much);
  for (const [index, value] of (rectangles.value ?? []).entries()) add(value, view === 'icicle' ? at(rectangles.size, index) : 1);
  for (const [span, nodes] of (density?.nodes ?? []).entries()) {
    for (const [place, parts] of density?.mixes[density.mix[span] ?? -1] ?? []) {
      add(density?.values[place] ?? null, (nodes * parts) / MIX_PARTS);
    }
  }
  return drawn;
}

/** In preorder every rectangle follows the one that holds it: the last one still open is the nearest holder. */
function innermostMarked({ rectangles }: PictureAnswer): Set<number> {
  const { node, size, ply, marks } = rectangles;
  const found = new Set<number>();
  if (!marks) return found;
  const marked = [...node.keys()].filter((index) => at(marks, index) > 0);
  marked.sort((a, b) => at(node, a) - at(node, b) || at(ply, a) - at(ply, b));
  const open: number[] = [];
  for (const index of marked) {
    let last = open.at(-1);
    while (last !== undefined && at(node, last) + at(size, last) <= at(node, index)) {
      open.pop();
      last = open.at(-1);
    }
    if (last !== undefined) found.delete(last);
    found.add(index);
    open.push(index);
  }
  return found;
}

function at(column: readonly number[], index: number): number {
  return column[index] as number;
}
