// Patterns over a fill: lines and dots that tell categories apart without colour.

import type { Pattern } from './scale';

/** What is drawn over a fill: a category's pattern, several moves, or a value that is a bound. */
export type Hatch = Pattern | 'merged' | 'lower' | 'upper';

const SIZE_PX = 6;
type Line = [number, number, number, number];
const cache = new Map<string, CanvasPattern | null>();

/** The pattern in an ink, for filling on this canvas. */
export function hatch(context: CanvasRenderingContext2D, pattern: Hatch, ink: string): CanvasPattern | null {
  const key = `${pattern} ${ink}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = context.createPattern(tile(pattern, ink), 'repeat');
  cache.set(key, made);
  return made;
}

function tile(pattern: Hatch, ink: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE_PX;
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.strokeStyle = context.fillStyle = ink;
  context.globalAlpha = typeof pattern === 'number' ? 0.42 : pattern === 'merged' ? 0.28 : 0.2;
  context.beginPath();
  for (const [x1, y1, x2, y2] of LINES[pattern]) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
  if (pattern === 4) context.fillRect(2, 2, 2, 2);
  return canvas;
}

const RISING: Line[] = [
  [-1, 7, 7, -1],
  [-4, 4, 4, -4],
  [2, 10, 10, 2],
];
const FALLING: Line[] = [
  [-1, -1, 7, 7],
  [-4, 2, 4, 10],
  [2, -4, 10, 4],
];

const LINES: Record<Hatch, Line[]> = {
  0: [],
  1: RISING,
  2: [[0, 3, 6, 3]],
  3: FALLING,
  4: [],
  lower: RISING,
  upper: FALLING,
  merged: [
    [1.5, 0, 1.5, 6],
    [4.5, 0, 4.5, 6],
  ],
};
