// What `/api/moment` answers; docs/api.md says what each field means.

import type { Bound } from '../bounds';
import type { Value } from './types';

/** A node that was open. */
export interface OpenNode {
  node: number;
  ply: number;
  text: string;
  alpha: Value;
  beta: Value;
}

/** A move of the root; value and bound are as the player at the root sees them. */
export interface RootMove {
  node: number;
  text: string;
  /** Entered so far. */
  nodes: number;
  open: boolean;
  value: Value;
  bound: Bound | null;
  line: string[];
}

export interface MomentAnswer {
  generation: number;
  nodes: number;
  after: number;
  /** The node that was entered last. */
  node: number;
  ply: number;
  open: OpenNode[];
  open_omitted: number;
  root: { best: number | null; value: Value; bound: Bound | null; alpha: Value; beta: Value };
  moves: RootMove[];
  moves_count: number;
}
