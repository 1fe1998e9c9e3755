// The rows of the explorer: a tree of which only the open branches are known, seen as one long list.
//
//     row 0   root                 branch of node 0: 3 children, the second one open
//     row 1     e2e4                 open: [{ index: 1, branch of d2d4: 2 children }]
//     row 2     d2d4
//     row 3       d7d5
//     row 4       g8f6
//     row 5     c2c4
//
// Invariant: `branch.rows` is `branch.count` plus the rows of its open branches, and `open` is sorted by index.
// A row costs nothing until it is looked at: children are fetched by the page, around what is on the screen.

import type { Child } from '../api/generated/types';

export const PAGE_ROWS = 200;
/** So many pages of one node's children are kept; beyond, those that are farthest away go. */
const PAGES_MAX = 50;

interface Opened {
  index: number;
  branch: Branch;
}

/** The children of one open node. */
export class Branch {
  readonly pages = new Map<number, Child[]>();
  /** Pages that are shown until newer ones have come. */
  readonly stale = new Set<number>();
  readonly open: Opened[] = [];
  rows: number;

  constructor(
    readonly node: number,
    /** How deep the children are indented. */
    readonly depth: number,
    public count: number,
    readonly parent: Branch | null,
  ) {
    this.rows = count;
  }

  child(index: number): Child | undefined {
    return this.pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Keeps a page that was fetched. */
  put(page: number, children: Child[]): void {
    this.pages.set(page, children);
    this.stale.delete(page);
    if (this.pages.size <= PAGES_MAX) return;
    const away = (other: number) => Math.abs(other - page);
    const farthest = [...this.pages.keys()].reduce((a, b) => (away(b) > away(a) ? b : a));
    this.pages.delete(farthest);
  }

  /** Lets everything be fetched again, shown meanwhile as it is. */
  age(): void {
    for (const page of this.pages.keys()) this.stale.add(page);
  }

  opened(index: number): Branch | undefined {
    return this.open.find((opened) => opened.index === index)?.branch;
  }

  /** Opens the child at `index`; what was open there stays. */
  expand(index: number, node: number, count: number): Branch {
    const there = this.opened(index);
    if (there) return there;
    const branch = new Branch(node, this.depth + 1, count, this);
    const place = this.open.findIndex((opened) => opened.index > index);
    this.open.splice(place < 0 ? this.open.length : place, 0, { index, branch });
    this.grow(count);
    return branch;
  }

  collapse(index: number): void {
    const place = this.open.findIndex((opened) => opened.index === index);
    if (place < 0) return;
    const [closed] = this.open.splice(place, 1);
    if (closed) this.grow(-closed.branch.rows);
  }

  /** The node has more children than it had: its log is being written. */
  resize(count: number): void {
    this.grow(count - this.count);
    this.count = count;
  }

  private grow(rows: number): void {
    for (let branch: Branch | null = this; branch; branch = branch.parent) branch.rows += rows;
  }
}

/** A place in a branch: its child number `index`. */
export interface Place {
  branch: Branch;
  index: number;
}

/** The place at a row, counted from the branch's first child. */
export function placeAt(branch: Branch, row: number): Place | null {
  if (row < 0 || row >= branch.rows) return null;
  let before = 0;
  for (const { index, branch: inner } of branch.open) {
    const own = index + before;
    if (row <= own) break;
    if (row <= own + inner.rows) return placeAt(inner, row - own - 1);
    before += inner.rows;
  }
  return { branch, index: row - before };
}

/** The row of a place, counted from the first child of the outermost branch. */
export function rowOf({ branch, index }: Place): number {
  let row = index;
  for (const opened of branch.open) if (opened.index < index) row += opened.branch.rows;
  const outer = placeOf(branch);
  return outer ? rowOf(outer) + 1 + row : row;
}

/** Where the node that a branch belongs to is; `null` for the outermost. */
export function placeOf(branch: Branch): Place | null {
  if (!branch.parent) return null;
  const index = branch.parent.open.find((opened) => opened.branch === branch)?.index;
  return index === undefined ? null : { branch: branch.parent, index };
}

/** The pages that rows `first` to `last` need and that are not there, or not as they should be. */
export function missingPages(root: Branch, first: number, last: number): { branch: Branch; page: number }[] {
  const missing: { branch: Branch; page: number }[] = [];
  for (let row = first; row <= last; row++) {
    const place = placeAt(root, row);
    if (!place) continue;
    const page = Math.floor(place.index / PAGE_ROWS);
    const known = missing.some((other) => other.branch === place.branch && other.page === page);
    const fresh = place.branch.pages.has(page) && !place.branch.stale.has(page);
    if (!fresh && !known) missing.push({ branch: place.branch, page });
  }
  return missing;
}
