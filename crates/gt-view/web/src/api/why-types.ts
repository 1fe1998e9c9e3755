// What the server answers about why a line was played or not; docs/api.md says what each field means.

import type { Bound } from '../bounds';
import type { Value } from './types';

/** A line of moves explained; the whole is in docs/api.md, this is what the page shows. */
export interface WhyAnswer {
  generation: number;
  node: number;
  /** All of it in words. */
  text: string;
  explanation: Explanation;
}

export interface Explanation {
  depth: number | null;
  view: string;
  played: WhyMove | null;
  line: WhyStep[];
  /** Why the line was played or not. */
  verdict: string;
  iterations: WhyIteration[];
  missing: { attribute: string; tells: string }[];
}

export interface WhyMove {
  move: string | number;
  node: number;
  rank: number;
  nodes: number;
  value: Value;
  bound: Bound | null;
}

export interface WhyStep extends WhyMove {
  siblings: number;
  reply: WhyMove | null;
  visits: WhyVisit[];
}

export interface WhyVisit {
  node: number;
  nodes: number;
  depth: Value;
  reduction: number | null;
  extension: number | null;
  window: [Value, Value] | null;
  value: Value;
  bound: Bound | null;
  ended: string;
  research: boolean;
}

export interface WhyIteration {
  depth: number | null;
  complete: boolean;
  best: string | number | null;
  value: Value;
  bound: Bound | null;
  line: Omit<WhyMove, 'move' | 'node'> | null;
  first: Omit<WhyMove, 'move' | 'node'> | null;
}
