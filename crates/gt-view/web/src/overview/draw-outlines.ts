// Outlines over a picture, on a canvas of their own: the chosen node, what holds it, and what is pointed at.

import { inset, type Tones } from './draw';
import type { Box, Picture, Window } from './picture';

export interface Outlined {
  chosen: number;
  /** Whether the chosen node has this rectangle to itself. */
  exact: boolean;
  pointed: number;
}

export function drawOutlines(context: CanvasRenderingContext2D, picture: Picture, window: Window, outlined: Outlined, tones: Tones): void {
  context.clearRect(0, 0, picture.widthPx, picture.heightPx);
  if (outlined.chosen >= 0) {
    for (const holder of picture.holders(outlined.chosen).slice(1)) {
      outline(context, inset(picture.box(holder, window)), tones.ink, 1, 0.55);
    }
    const box = inset(picture.box(outlined.chosen, window));
    if (!outlined.exact) context.setLineDash([4, 3]);
    outline(context, widen(box), tones.ground, 4, 0.9);
    outline(context, widen(box), tones.accent, 2, 1);
    context.setLineDash([]);
  }
  if (outlined.pointed >= 0) {
    outline(context, inset(picture.box(outlined.pointed, window)), tones.ink, 1.5, 0.9);
  }
}

function outline(context: CanvasRenderingContext2D, box: Box, color: string, width: number, alpha: number): void {
  context.globalAlpha = alpha;
  context.strokeStyle = color;
  context.lineWidth = width;
  context.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(box.width - 1, 1), Math.max(box.height - 1, 1));
  context.globalAlpha = 1;
}

/** A rectangle of a pixel is too thin for an outline to be seen. */
function widen(box: Box): Box {
  const missing = Math.max(0, 4 - box.width);
  return { ...box, x: box.x - missing / 2, width: box.width + missing };
}
