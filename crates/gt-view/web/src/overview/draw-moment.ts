// A moment of the search over its whole picture: what had not been searched yet goes, what was open is drawn as open.

import { inset, type Tones } from './draw';
import type { Picture, Window } from './picture';

/** Draws what a search had entered after so many nodes. */
export function drawMoment(context: CanvasRenderingContext2D, picture: Picture, window: Window, after: number, tones: Tones): void {
  if (!picture.icicle) return;
  const { node, size, merged } = picture.answer.rectangles;
  const edge = ((picture.across(after) - window.x) / window.width) * picture.widthPx;
  context.globalAlpha = 1;
  for (let index = 0; index < picture.length; index++) {
    const [first, end] = [node[index] as number, (node[index] as number) + (size[index] as number)];
    if (merged[index] || first >= after || end <= after) continue;
    const box = inset(picture.box(index, window));
    // Its value was not known yet.
    context.globalAlpha = 0.78;
    context.fillStyle = tones.ground;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.strokeStyle = tones.accent;
    context.lineWidth = 1.5;
    context.strokeRect(box.x + 0.75, box.y + 0.75, Math.max(Math.min(box.width, edge - box.x) - 1.5, 1), Math.max(box.height - 1.5, 1));
  }
  if (edge >= picture.widthPx) return;
  context.clearRect(Math.max(edge, 0), 0, picture.widthPx, picture.heightPx);
  context.fillStyle = tones.accent;
  context.fillRect(Math.max(edge, 0), 0, 1.5, picture.heightPx);
}
