// What the server answers about the game that is being played; docs/api.md says what each field means.

import type { Position } from './types';

/** A legal move as a player points at it on the board. */
export interface PointedMove {
  text: string;
  /** The places to point at, in order: of a piece that moves, the first is where it stands, the second where it goes. */
  places: string[];
  /** What to choose after the last place: `queen`, `pass`. */
  choice: string | null;
}

export interface Pointing {
  moves: PointedMove[];
  /** Places that mean another one. */
  stand_ins: { place: string; meant: string }[];
}
