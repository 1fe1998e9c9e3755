// Drawing a density: what is too narrow for rectangles, in the mix of its colours, the paler the less of it exists.

import type { DensityAnswer } from '../api/generated/types';
import { parse, type Rgb } from './colors';
import { FADED, isOutside } from './draw';
import type { Box, Picture, Window } from './picture';
import type { Scale } from './scale';

/** How strong the colour is of the least that exists: it must be seen. */
const LEAST = 0.3;
const MARK_PX = 3;

export function drawDensity(context: CanvasRenderingContext2D, picture: Picture, window: Window, scale: Scale, neutral: string): void {
  const { density } = picture;
  if (!density) return;
  const fills = density.mixes.map((mix) =>
    mix.length === 0 ? neutral : mixed(mix.map(([value, parts]) => [parse(scale.paint(density.values[value]).fill), parts])),
  );
  const deepest = deepestMarks(density);
  for (const [span, mix] of density.mix.entries()) {
    const box = picture.spanBox(span, window);
    if (isOutside(box, picture)) continue;
    const columns = density.columns[span] as number;
    const full = strength((density.nodes[span] as number) / (columns * density.step));
    context.globalAlpha = density.marks ? FADED * 1.5 * full : full;
    context.fillStyle = fills[mix] as string;
    fillOnPixels(context, box, 1);
    if (!density.marks) continue;
    const [first, ply, width] = [density.column[span] as number, density.ply[span] as number, box.width / columns];
    context.globalAlpha = full;
    for (let place = 0; place < columns; place++) {
      const holdsMatch = (deepest.get(first + place) ?? -1) >= ply;
      if (holdsMatch) fillOnPixels(context, { ...box, x: box.x + place * width, width }, 1);
    }
  }
  context.globalAlpha = 1;
}

/** For each column with matches the ply of the deepest: what lies there or above holds matches, and keeps its colour as rectangles do. */
function deepestMarks({ marks }: DensityAnswer): Map<number, number> {
  const deepest = new Map<number, number>();
  for (const [place, column] of (marks?.column ?? []).entries()) {
    deepest.set(column, Math.max(deepest.get(column) ?? 0, marks?.ply[place] as number));
  }
  return deepest;
}

/** A stroke at the top of each place with a match. */
export function drawDensityMarks(context: CanvasRenderingContext2D, picture: Picture, window: Window, color: string): void {
  const marks = picture.density?.marks;
  if (!marks) return;
  const { first, step } = picture.density as NonNullable<Picture['density']>;
  const [acrossPx, downPx] = [picture.widthPx / window.width, picture.heightPx / window.height];
  context.fillStyle = color;
  for (const [place, column] of marks.column.entries()) {
    const x = (picture.across(Math.max(first + column * step, picture.answer.from)) - window.x) * acrossPx;
    const y = ((marks.ply[place] as number) - window.y) * downPx;
    const box = { x, y, width: (step / (picture.answer.to - picture.answer.from)) * acrossPx, height: Math.min(MARK_PX, downPx / 3) };
    if (!isOutside(box, picture)) fillOnPixels(context, box, 2);
  }
}

/** Half of the strength goes with the root of what exists: a tenth of a column is seen, and is not a whole one. */
function strength(share: number): number {
  return LEAST + (1 - LEAST) * Math.sqrt(Math.min(share, 1));
}

/** Fills whole pixels, at least so many across, so that neighbours neither overlap nor leave a seam. */
function fillOnPixels(context: CanvasRenderingContext2D, box: Box, widthPxMin: number): void {
  const dense = context.getTransform().a || 1;
  const left = Math.round(box.x * dense) / dense;
  const right = Math.max(Math.round((box.x + box.width) * dense) / dense, left + widthPxMin / dense);
  context.fillRect(left, box.y, right - left, Math.max(box.height - (box.height < 10 ? 0.5 : 1), 0.5));
}

/** Colours mixed in parts, by light rather than by number, so that a mix is as bright as what it is made of. */
export function mixed(colors: [Rgb, number][]): string {
  const whole = colors.reduce((sum, [, parts]) => sum + parts, 0);
  const part = (index: 0 | 1 | 2) =>
    Math.round(Math.sqrt(colors.reduce((sum, [color, parts]) => sum + color[index] ** 2 * parts, 0) / whole));
  return `rgb(${part(0)} ${part(1)} ${part(2)})`;
}
