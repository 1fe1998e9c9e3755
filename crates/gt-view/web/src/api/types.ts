// What the server answers; docs/api.md says what each field means.

import type { Bound } from '../bounds';
import type { DiffInfo, Sides } from './diff-types';

export type Value = number | string | boolean | null;
export type Attributes = Record<string, Value>;

export interface Label {
  name: string;
  value: Value;
}

export interface Labels {
  kind: 'flags' | 'values';
  of: { name: string; value: number }[];
}

export interface AttributeInfo {
  name: string;
  kind: string;
  labels: Labels | null;
}

export interface TreeInfo {
  tree: number;
  label: string;
  nodes: number;
  leaves: number;
  depth: number;
  finished: boolean;
  metadata: Record<string, string>;
}

export interface LogInfo {
  log: number;
  name: string;
  path: string;
  game: string;
  board: boolean;
  bytes: number;
  generation: number;
  growing: boolean;
  recovered: string | null;
  attributes: AttributeInfo[];
  aliases: { name: string; value: Value; attribute: string | null }[];
  /** The attribute with the nodes' values, where the log tells which of them are bounds. */
  value: string | null;
  /** The value of a game that is won on the spot, where the log tells it. */
  win?: number | null;
  /** Whether players write its game's moves in a way of their own, which can be asked for. */
  san: boolean;
  derived: string[];
  metadata: Record<string, string>;
  /** Of two trees merged into one: what they are called, and their attributes. */
  diff: DiffInfo | null;
  trees: TreeInfo[];
  /** Trees before those that are listed. */
  trees_omitted: number;
}

/** A result file that the server was started with, as a run that is done. */
export interface ResultFileInfo {
  run: number;
  log: number;
  tree: number;
  name: string;
  /** The query. */
  text: string;
}

export interface Logs {
  version: string;
  logs: LogInfo[];
  file: ResultFileInfo | null;
  /** Whether a game is played here. */
  play: boolean;
}

export interface LineEntry {
  node: number;
  ply: number;
  text: string;
  index: number;
}

export interface NodeInfo {
  generation: number;
  node: number;
  ply: number;
  parent: number | null;
  index: number;
  siblings: number;
  move: number;
  text: string;
  size: number;
  children: number;
  unfinished: boolean;
  left_out: number;
  /** Whether the node's value is exact or a bound; `null` where that is not known. */
  bound: Bound | null;
  attributes: Attributes;
  /** Both records, where two trees are merged. */
  sides: Sides | null;
  line: LineEntry[];
  line_omitted: number;
  position: string | null;
}

export interface Child {
  node: number;
  index: number;
  move: number;
  text: string;
  size: number;
  children: number | null;
  unfinished: boolean;
  bound: Bound | null;
  attributes: Attributes;
  /** Matches of the run that was asked for in the subtree, the node itself included. */
  marks?: number;
  /** Whether the node itself is one. */
  match?: boolean;
}

export interface Children {
  generation: number;
  node: number;
  count: number;
  offset: number;
  children: Child[];
}

export interface Found {
  node: number;
  ply: number;
}

export interface Rectangles {
  x: number[];
  y: number[];
  width: number[];
  height: number[];
  node: number[];
  ply: number[];
  size: number[];
  move: string[];
  value?: Value[];
  /** Which values are bounds, where they are the nodes' values. */
  bound?: (Bound | null)[];
  merged: number[];
  more: number[];
  marks?: number[];
}

export type ColorKind = 'diverging' | 'sequential' | 'flags' | 'values';

export interface ColorInfo {
  name: string;
  kind: ColorKind;
  min: number | null;
  max: number | null;
  low: number | null;
  high: number | null;
  labels: Label[] | Labels | null;
}

/** What has no rectangle of its own, as spans of columns of node_ids. */
export interface DensityAnswer {
  /** The node_id that column 0 begins with, and how many each column has. */
  first: number;
  step: number;
  ply: number[];
  column: number[];
  columns: number[];
  /** How many of the span's node_ids exist at its ply. */
  nodes: number[];
  /** Places in `mixes`, which hold places in `values` and parts of sixteen. */
  mix: number[];
  mixes: [number, number][][];
  values: Value[];
  marks?: { ply: number[]; column: number[]; matches: number[] };
}

export interface PictureAnswer {
  generation: number;
  node: number;
  ply: number;
  total: number;
  /** The node_ids that are as wide as the picture. */
  from: number;
  to: number;
  plies: number;
  view: 'icicle' | 'treemap';
  complete: boolean;
  rectangles: Rectangles;
  /** Of an icicle. */
  density?: DensityAnswer;
  color: ColorInfo | null;
}

export interface BoardMove {
  node: number;
  text: string;
  size: number;
  value: Value;
  bound: Bound | null;
  places: string[];
}

export interface Cell {
  place: string;
  x: number;
  y: number;
  piece: string | null;
}

/** What is drawn of a position. */
export interface Position {
  game: string;
  shape: { kind: 'squares'; columns: number; rows: number } | { kind: 'star' } | { kind: 'text'; text: string };
  cells: Cell[];
}

export interface BoardAnswer extends Position {
  generation: number;
  node: number;
  ply: number;
  text: string;
  to_move: number;
  players: number;
  over: string | null;
  last: { text: string; places: string[] } | null;
  siblings: BoardMove[];
  siblings_count: number;
  children: BoardMove[];
  children_count: number;
}

export interface QueryError {
  start: number;
  end: number;
  message: string;
  help: string | null;
  note: string | null;
}

export interface CheckAnswer {
  errors: QueryError[];
  /** What is no error, but probably not what was meant. */
  notes: QueryError[];
  queries: { name: string | null; start: number; end: number; result: string }[];
}

export interface Proposal {
  text: string;
  kind: string;
  detail?: string | null;
}

export interface CompleteAnswer {
  start: number;
  end: number;
  proposals: Proposal[];
}

export interface Column {
  name: string;
  type: string;
  /** The attribute whose aliases name the values, where it is not the column's own name that tells. */
  names: string | null;
}

export interface RunResult {
  name: string | null;
  kind: 'nodes' | 'rows' | 'groups' | 'count' | 'value';
  /** Rows that can be had. */
  count: number;
  /** Nodes behind the result, which marks and steps go over; `null` where it is one value. */
  matches: number | null;
  truncated: boolean;
  offset: number;
  sort: string | null;
  descending: boolean;
  columns: Column[];
  rows: Value[][];
  nodes: number[] | null;
  /** Which rows' values are bounds, where the values are among the columns. */
  bounds: (Bound | null)[] | null;
  /** The plies of the rows' nodes, where rows are nodes. */
  plies: number[] | null;
  error: string | null;
}

export interface RunAnswer {
  run: number;
  log: number;
  tree: number;
  generation: number;
  text: string;
  state: 'running' | 'done' | 'cancelled' | 'failed';
  /** The share of the blocks that are done, 0 to 1; `null` unless it runs. */
  progress: number | null;
  seconds: number;
  error: string | null;
  results: RunResult[];
}

export interface StepAnswer {
  node: number | null;
  index: number | null;
  count: number;
}

export interface LibraryQuery {
  group: string;
  title: string;
  text: string;
  meaning: string;
}

export interface ChartInfo {
  name: string;
  title: string;
  meaning: string;
  query: string;
  kind: ChartKind;
}

export type AxisScale = 'linear' | 'logarithmic';
export type ChartKind = 'bars' | 'lines' | 'stacked';

export interface ChartList {
  charts: ChartInfo[];
  attributes: string[];
}

export interface ChartAnswer {
  generation: number;
  name: string;
  title: string;
  meaning: string;
  query: string;
  kind: ChartKind;
  x: { name: string; values: (number | string)[]; scale: AxisScale };
  y: { name: string; scale: AxisScale; unit: 'count' | 'percent' | 'number' | 'seconds' };
  series: { name: string; values: (number | null)[] }[];
  seconds: number;
}
