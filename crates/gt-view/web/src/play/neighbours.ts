// The cell beside another one in a direction, on boards of any form: the nearest that lies more that way than aside.

import type { Point } from '../board/geometry';

export const DIRECTIONS: Record<string, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** How much a step aside counts against a step in the direction. */
const ASIDE = 1.7;

export function neighbour<T extends { at: Point }>(cells: T[], from: Point, direction: Point): T | undefined {
  let found: T | undefined;
  let least = Infinity;
  for (const cell of cells) {
    const [dx, dy] = [cell.at.x - from.x, cell.at.y - from.y];
    const along = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y - dy * direction.x);
    if (along < 1 || aside > 1.8 * along) continue;
    const cost = along + ASIDE * aside;
    if (cost < least) [found, least] = [cell, cost];
  }
  return found;
}
