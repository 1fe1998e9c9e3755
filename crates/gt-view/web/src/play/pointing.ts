// A move put together from places: which place can be pointed at next, and which move it is in the end.
//
//     []  ──d1──▶  [d1]  ──d7──▶  [d1, d7]  ──g7──▶  d1-d7/g7          targets() at each step are those that lead on
//
// The server lists the legal moves with their places; nothing here knows a game.

import type { PointedMove, PointingAnswer } from '../api/generated/types';

/** What pointing at a place comes to. */
export type Step =
  /** Nothing can be done there. */
  | { kind: 'nothing' }
  /** These places are pointed at now. */
  | { kind: 'picked'; picked: string[] }
  /** The places tell one move. */
  | { kind: 'move'; move: PointedMove }
  /** The places tell several moves, which differ in their choice. */
  | { kind: 'choose'; picked: string[]; moves: PointedMove[] };

/** What can be pointed at when nobody may move. */
export const NOWHERE: PointingAnswer = { moves: [], stand_ins: [] };

export class Pointer {
  readonly #moves: PointedMove[];
  readonly #meant: Map<string, string>;

  constructor(pointing: PointingAnswer) {
    this.#moves = pointing.moves;
    this.#meant = new Map(pointing.stand_ins.map(({ place, meant }) => [place, meant]));
  }

  /** The places that lead on from those that were picked. */
  targets(picked: string[]): Set<string> {
    const places = this.#leading(picked).map((move) => move.places[picked.length]);
    return new Set(places.filter((place) => place !== undefined));
  }

  /** The place that is meant by another one, such as the lowest of a column. */
  meant(place: string): string {
    return this.#meant.get(place) ?? place;
  }

  /** Moves without a place, such as a pass: a button each. */
  get placeless(): PointedMove[] {
    return this.#moves.filter((move) => move.places.length === 0);
  }

  /** Points at a place after those that were picked; where that leads nowhere, a move may begin there. */
  point(picked: string[], pointed: string): Step {
    const place = this.meant(pointed);
    if (this.targets(picked).has(place)) return this.#step([...picked, place]);
    if (picked.length > 0 && this.targets([]).has(place)) return this.#step([place]);
    return { kind: 'nothing' };
  }

  #step(picked: string[]): Step {
    const moves = this.#leading(picked);
    const whole = moves.filter((move) => move.places.length === picked.length);
    const [move] = whole;
    if (!move) return { kind: 'picked', picked };
    return whole.length === 1 ? { kind: 'move', move } : { kind: 'choose', picked, moves: whole };
  }

  #leading(picked: string[]): PointedMove[] {
    return this.#moves.filter((move) => picked.every((place, index) => move.places[index] === place));
  }
}
