// What the server answers about the evaluation of a position; docs/api.md says what each field means.

/** A place of a map: whose it is, and a number to write there. */
export interface MapCell {
  owner: number | null;
  number: number | null;
}

/** A map of the board; its cells are in the order of the board's. */
export interface SquareMap {
  name: string;
  note: string;
  cells: MapCell[];
}

export interface Term {
  /** The terms that it belongs with. */
  group: string | null;
  name: string;
  note: string;
  weight: { opening: number; ending: number } | null;
  /** What each player has of it. */
  shares: { count: number | null; value: number }[];
}

export interface EvaluationAnswer {
  game: string;
  position: string;
  evaluation: string;
  /** All that the game has. */
  evaluations: string[];
  measure: string;
  phase: { now: number; of: number } | null;
  /** What the players are called. */
  players: string[];
  to_move: number;
  values: number[];
  mover_value: number;
  sums: number[];
  terms: Term[];
  maps: SquareMap[];
}
