// Drawing an icicle: fills, patterns, labels. The treemap and the outlines have files of their own.

import { short } from '../numbers';
import { drawDensity, drawDensityMarks } from './draw-density';
import { hatch } from './hatches';
import { type Box, type Picture, type Window } from './picture';
import type { Paint, Scale } from './scale';

export interface Tones {
  ground: string;
  ink: string;
  mark: string;
  accent: string;
  /** Of what has no colour of its own. */
  neutral: string;
  font: string;
}

/** A label needs so much room across and down. */
const LABEL_PX_MIN = 26;
const LABEL_PX_LOW = 10.5;
/** How strong the colour is of what holds no match. */
export const FADED = 0.22;

export function drawIcicle(context: CanvasRenderingContext2D, picture: Picture, window: Window, scale: Scale, tones: Tones): void {
  context.clearRect(0, 0, picture.widthPx, picture.heightPx);
  context.font = `11px ${tones.font}`;
  context.textBaseline = 'middle';
  drawDensity(context, picture, window, scale, tones.neutral);
  for (let index = 0; index < picture.length; index++) {
    const box = picture.box(index, window);
    // What is merged is part of the density.
    if (isOutside(box, picture) || picture.answer.rectangles.merged[index]) continue;
    drawRectangle(context, picture, index, box, scale, tones);
  }
  drawDensityMarks(context, picture, window, tones.mark);
}

/** The fill and the pattern; matches keep their colour, the rest fades. */
export function fillRectangle(
  context: CanvasRenderingContext2D,
  picture: Picture,
  index: number,
  inner: Box,
  paint: Paint,
  ground: string,
  patternPx: number,
): void {
  const { merged, marks } = picture.answer.rectangles;
  if (marks?.[index] === 0) {
    // Faded against the page, not against the rectangle it lies in.
    context.globalAlpha = 1;
    context.fillStyle = ground;
    context.fillRect(inner.x, inner.y, inner.width, inner.height);
    context.globalAlpha = FADED;
  } else context.globalAlpha = 1;
  context.fillStyle = paint.fill;
  context.fillRect(inner.x, inner.y, inner.width, inner.height);
  if (inner.width < patternPx || inner.height < patternPx) return;
  const bound = picture.bound(index);
  const hatched = bound === 'exact' ? null : bound;
  const pattern = (merged[index] ?? 0) > 0 ? 'merged' : (hatched ?? paint.pattern);
  const fill = pattern ? hatch(context, pattern, paint.ink) : null;
  if (!fill) return;
  context.fillStyle = fill;
  context.fillRect(inner.x, inner.y, inner.width, inner.height);
}

function drawRectangle(context: CanvasRenderingContext2D, picture: Picture, index: number, box: Box, scale: Scale, tones: Tones): void {
  const { value, marks } = picture.answer.rectangles;
  const paint = scale.paint(value?.[index] ?? null);
  const inner = inset(box);
  fillRectangle(context, picture, index, inner, paint, tones.ground, 4);
  if (marks?.[index]) drawMark(context, inner, tones);
  drawLabel(context, picture, index, inner, paint.ink);
  drawMore(context, picture, index, inner, paint.ink);
  context.globalAlpha = 1;
}

/** A stripe at the top: seen in a column of one pixel as well as in a wide row. */
function drawMark(context: CanvasRenderingContext2D, box: Box, tones: Tones): void {
  context.fillStyle = tones.mark;
  context.fillRect(box.x, box.y, box.width, Math.min(3, box.height / 4));
}

function drawLabel(context: CanvasRenderingContext2D, picture: Picture, index: number, box: Box, ink: string): void {
  const visible = clip(box, picture.widthPx);
  if (visible.width < LABEL_PX_MIN || box.height < LABEL_PX_LOW) return;
  const { move, size, merged, marks } = picture.answer.rectangles;
  const together = merged[index] ?? 0;
  const name = together > 0 ? `${short(together)} moves` : (move[index] ?? '');
  const parts = [name, short(size[index] ?? 0)];
  if (marks?.[index]) parts.push(`◆ ${short(marks[index] as number)}`);
  context.fillStyle = ink;
  const y = box.y + box.height / 2 + 0.5;
  let x = visible.x + 5;
  for (const [place, text] of parts.entries()) {
    const width = context.measureText(text).width;
    if (x + width > visible.x + visible.width - 3) {
      if (place === 0) drawShortened(context, text, x, y, visible.x + visible.width - 3 - x);
      return;
    }
    const alpha = context.globalAlpha;
    if (place > 0) context.globalAlpha = alpha * 0.72;
    context.fillText(text, x, y);
    context.globalAlpha = alpha;
    x += width + 8;
  }
}

function drawShortened(context: CanvasRenderingContext2D, text: string, x: number, y: number, room: number): void {
  let kept = text;
  while (kept.length > 1 && context.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1);
  if (kept.length > 3) context.fillText(`${kept}…`, x, y);
}

/** Three dots at the foot of a rectangle that has more below it than is drawn. */
function drawMore(context: CanvasRenderingContext2D, picture: Picture, index: number, box: Box, ink: string): void {
  const { more, merged } = picture.answer.rectangles;
  if (!more[index] || merged[index] || box.width < 12) return;
  context.fillStyle = ink;
  const middle = clip(box, picture.widthPx);
  for (const offset of [-4, 0, 4]) {
    context.fillRect(middle.x + middle.width / 2 + offset - 0.75, box.y + box.height - 2.5, 1.5, 1.5);
  }
}

/** A gap to the neighbours, where there is room for one. */
export function inset(box: Box): Box {
  const across = box.width > 3 ? 1 : box.width > 1.5 ? 0.4 : 0;
  return { x: box.x, y: box.y, width: Math.max(box.width - across, 0.5), height: Math.max(box.height - (box.height < 10 ? 0.5 : 1), 0.5) };
}

function clip(box: Box, widthPx: number): { x: number; width: number } {
  const x = Math.max(box.x, 0);
  return { x, width: Math.min(box.x + box.width, widthPx) - x };
}

export function isOutside(box: Box, picture: Picture): boolean {
  return box.x > picture.widthPx || box.x + box.width < 0 || box.y > picture.heightPx || box.y + box.height < 0;
}
