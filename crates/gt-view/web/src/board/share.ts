// A value as a share of a bar.

import type { Bound, RootMove } from '../api/generated/types';
import { turned } from '../bounds';

/** A value of the player to move, as the first player sees it. */
export function firstPlayersValue(value: number, bound: Bound | null, toMove: number): { value: number; bound: Bound | null } {
  return toMove === 0 ? { value, bound } : { value: value === 0 ? 0 : -value, bound: turned(bound) };
}

/** Hundredths of a pawn are chess's; a lead of so many is clear. */
const CHESS = 250;

/** The value that fills three quarters of the bar: chess has one, other games what their moves are usually worth. */
export function usualValue(game: string, moves: RootMove[]): number {
  if (game === 'chess') return CHESS;
  const sizes = moves.map((move) => (typeof move.value === 'number' ? Math.abs(move.value) : 0)).filter((size) => size > 0);
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? 1;
}

/** From 0 to 1; 0 is a half, and twice the usual value is less than twice as far. */
export function shareOf(value: number, usual: number): number {
  return 0.5 + value / (2 * (Math.abs(value) + usual));
}
