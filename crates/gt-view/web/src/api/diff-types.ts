// What the server answers about two merged trees; docs/api.md says what each field means.

import type { Bound } from '../bounds';
import type { Attributes } from './types';

export interface DiffInfo {
  a: string;
  b: string;
  attributes: AttributePair[];
}

/** An attribute of two merged trees, and the names it has in the merged one; `null` where a tree lacks it. */
export interface AttributePair {
  name: string;
  a: string | null;
  b: string | null;
}

/** What two merged trees say of a node; `null` where one of them has no such node. */
export interface Sides {
  a: SideRecord | null;
  b: SideRecord | null;
  /** The attributes whose values differ. */
  differ: string[];
}

export interface SideRecord {
  node: number | null;
  size: number | null;
  bound: Bound | null;
  attributes: Attributes;
}

/** How much of two merged trees differs, in nodes. */
export interface DiffTotals {
  generation: number;
  a: { label: string; nodes: number };
  b: { label: string; nodes: number };
  same: number;
  changed: number;
  only_a: number;
  only_b: number;
  attributes: { name: string; nodes: number }[];
  causes: { name: string | null; value: number | null; nodes: number }[];
}
