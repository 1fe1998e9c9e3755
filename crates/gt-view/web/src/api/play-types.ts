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

/** What a search has found. */
export interface SearchSummary {
  depth: number;
  /** For the player who searched. */
  value: number;
  /** The value as players write it. */
  score: string;
  nodes: number;
  elapsed_ms: number;
  /** The line that is expected, as players write it; of moves, the latest search alone has it. */
  line: string[];
}

export interface PlayedMove {
  text: string;
  /** As players write it down. */
  written: string;
  player: number;
  elapsed_ms: number;
  /** What a program had found. */
  search: SearchSummary | null;
  /** The number of the search's log, as long as it is kept. */
  log: number | null;
}

export interface SeatState {
  name: string;
  is_person: boolean;
  algorithm: string | null;
  /** `null` for full strength. */
  level: number | null;
}

export interface Clocks {
  left_ms: number[];
  /** Whose clock runs. */
  running: number | null;
}

export interface Thinking {
  player: number;
  search: SearchSummary | null;
  log: number | null;
}

export interface Hint {
  text: string;
  written: string;
  places: string[];
  search: SearchSummary;
}

export interface Ending {
  /** The place of each player, from 1. */
  places: number[];
  reason: string;
}

export interface PlayState extends Position {
  /** Counts the games of this server. */
  number: number;
  version: number;
  start: string;
  position: string;
  players: number;
  to_move: number;
  last: string[];
  pointing: Pointing;
  moves: PlayedMove[];
  seats: SeatState[];
  control: string | null;
  clocks: Clocks | null;
  paused: boolean;
  thinking: Thinking | null;
  hint_pending: boolean;
  hint: Hint | null;
  can_take_back: boolean;
  result: Ending | null;
}

/** The board after some moves of the game. */
export interface PlayedPosition extends Position {
  ply: number;
  position: string;
  last: string[];
  /** What the program found that played the last move. */
  search: SearchSummary | null;
}

export interface GameChoice {
  name: string;
  description: string;
  players: number[];
  /** The usual one first; none where there is but one. */
  boards: string[];
  algorithms: { name: string; description: string; many: boolean }[];
}

export interface GameChoices {
  games: GameChoice[];
  levels: { min: number; max: number };
}

export type SeatWish =
  { kind: 'person'; name?: string } | { kind: 'program'; algorithm: string | null; level: number | null; seconds: number | null };

export interface NewGame {
  game: string;
  board: string | null;
  players: number | null;
  position: string;
  clock: string | null;
  seats: SeatWish[];
}
