// Drawing a treemap: children cover their parent, so what tells the plies apart is the width of the gaps, and only the
// first plies are named.

import { short } from '../numbers';
import { fillRectangle, isOutside, type Tones } from './draw';
import type { Box, Picture, Window } from './picture';
import type { Scale } from './scale';

/** Gaps around the rectangles of each ply below the root. */
const GAPS_PX = [0, 4, 2.2, 1.2, 0.6];
const PATTERN_PX_MIN = 13;
const LABELLED_PLIES = 2;

export function drawTreemap(context: CanvasRenderingContext2D, picture: Picture, window: Window, scale: Scale, tones: Tones): void {
  context.clearRect(0, 0, picture.widthPx, picture.heightPx);
  const { value, ply } = picture.answer.rectangles;
  const boxes = Array.from({ length: picture.length }, (_, index) => picture.box(index, window));
  const seen = boxes.map((box, index) => ({ box, index })).filter(({ box }) => !isOutside(box, picture));
  const depth = (index: number) => (ply[index] ?? 0) - picture.answer.ply;

  for (const { box, index } of seen) {
    fillRectangle(context, picture, index, box, scale.paint(value?.[index] ?? null), tones.ground, PATTERN_PX_MIN);
  }
  context.globalAlpha = 1;
  // The deepest first: a wide gap of an early ply goes over the narrow ones inside.
  const byDepth = [...seen].sort((a, b) => depth(b.index) - depth(a.index));
  context.strokeStyle = tones.ground;
  for (const { box, index } of byDepth) {
    const gap = GAPS_PX[Math.min(depth(index), GAPS_PX.length - 1)] as number;
    if (gap === 0 || Math.min(box.width, box.height) < 2 * gap) continue;
    context.lineWidth = gap;
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
  for (const { box, index } of byDepth) {
    if (picture.innermostMarked.has(index)) drawMark(context, box, tones);
  }
  for (const { box, index } of byDepth) {
    if (depth(index) > 0 && depth(index) <= LABELLED_PLIES) drawLabel(context, picture, index, box, depth(index), tones);
  }
}

function drawMark(context: CanvasRenderingContext2D, box: Box, tones: Tones): void {
  const inset = Math.min(1.5, box.width / 4, box.height / 4);
  context.strokeStyle = tones.mark;
  context.lineWidth = Math.min(2, Math.max(1, box.width / 5));
  context.strokeRect(box.x + inset, box.y + inset, Math.max(box.width - 2 * inset, 1), Math.max(box.height - 2 * inset, 1));
}

/** The move on a plate of its own, so that it is read on any colours. */
function drawLabel(context: CanvasRenderingContext2D, picture: Picture, index: number, box: Box, depth: number, tones: Tones): void {
  const { move, size, merged } = picture.answer.rectangles;
  if (merged[index] || box.height < 22 || box.width < 34) return;
  const first = depth === 1;
  context.font = `${first ? '600 12px' : '10.5px'} ${tones.font}`;
  const name = move[index] ?? '';
  const long = `${name}  ${short(size[index] ?? 0)}`;
  const text = context.measureText(long).width < box.width - 16 ? long : name;
  const width = context.measureText(text).width;
  if (width > box.width - 10) return;
  // Labels of the second ply keep clear of the first one's, which is at the top.
  const y = first ? box.y + 4 : box.y + box.height - 18;
  if (!first && box.height < 44) return;
  context.globalAlpha = first ? 0.88 : 0.72;
  context.fillStyle = tones.ground;
  context.beginPath();
  context.roundRect(box.x + 4, y, width + 8, first ? 16 : 14, 3);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = tones.ink;
  context.textBaseline = 'middle';
  context.fillText(text, box.x + 8, y + (first ? 8.5 : 7.5));
}
