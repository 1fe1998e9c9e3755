// The explorer's state: which branches are open, and the fetching of what is in view.

import { api, isAborted, type Marks, sentence, type TreeKey } from '../api/client';
import type { Child, LineEntry, NodeInfo } from '../api/types';
import { session } from '../state/session.svelte';
import { MarkCounter, type Marked } from './marks';
import { Branch, missingPages, PAGE_ROWS, type Place, placeAt, placeOf, rowOf } from './rows';

export class Forest {
  /** Holds the topmost node as its only child. */
  top = $state.raw(new Branch(-1, 0, 0, null));
  /** Rises with every change inside of the branches, which are not reactive themselves. */
  version = $state(0);
  readonly rows = $derived((void this.version, this.top.rows));

  #pending = new Set<string>();
  #control = new AbortController();
  #counter: MarkCounter | null = null;

  constructor(readonly key: TreeKey) {}

  /** The matches of another query, or of none, are marked. */
  mark(marks: Marks | null): void {
    this.#counter = marks && new MarkCounter(marks);
    this.version++;
  }

  marked(node: number): Marked | undefined {
    void this.version;
    return this.#counter?.known(node);
  }

  /** Counts the matches in the subtrees of rows `first` to `last`. */
  async countMarks(first: number, last: number): Promise<void> {
    const counter = this.#counter;
    if (!counter) return;
    const places = Array.from({ length: last - first + 1 }, (_, k) => placeAt(this.top, first + k));
    const children = places.map((place) => place?.branch.child(place.index)).filter((child) => child !== undefined);
    const unknown = children.filter((child) => !counter.known(child.node));
    if (unknown.length === 0) return;
    try {
      await Promise.all(unknown.map((child) => counter.count(child.node, child.size)));
      this.version++;
    } catch {
      // The run was dropped for later ones: rows without marks are still right.
    }
  }

  /** Forgets what was fetched, not what is open: the log has grown. */
  refresh(): void {
    this.#control.abort();
    this.#control = new AbortController();
    this.#pending.clear();
    forEachBranch(this.top, (branch) => {
      if (branch.node >= 0) branch.pages.clear();
    });
    this.version++;
  }

  stop(): void {
    this.#control.abort();
  }

  /** Fetches what rows `first` to `last` lack. */
  fetchRows(first: number, last: number): void {
    for (const { branch, page } of missingPages(this.top, first, last)) void this.#fetchPage(branch, page);
  }

  /** Opens the way to a node and says where it is. */
  async reveal(node: NodeInfo): Promise<Place | null> {
    // Of a very long line only its end is known: the explorer then starts there.
    const line = node.line_omitted ? node.line.slice(Math.ceil(node.line.length / 2)) : node.line;
    const [first] = line;
    if (!first) return null;
    try {
      if (this.top.child(0)?.node !== first.node) await this.#setTop(first.node, node);
      let place: Place = { branch: this.top, index: 0 };
      const indexes = await Promise.all(line.slice(1).map((entry) => this.#indexOf(entry)));
      for (const index of indexes) {
        const parent = place.branch.child(place.index);
        if (!parent) return null;
        const branch = await this.#open(place, parent.node, index);
        place = { branch, index };
      }
      this.version++;
      return place;
    } catch (error) {
      if (!isAborted(error)) session.say(sentence(error));
      return null;
    }
  }

  async expand(place: Place): Promise<void> {
    const child = place.branch.child(place.index);
    if (!child || child.size <= 1 || place.branch.opened(place.index)) return;
    try {
      await this.#open(place, child.node, 0);
      this.version++;
    } catch (error) {
      if (!isAborted(error)) session.say(sentence(error));
    }
  }

  collapse(place: Place): void {
    place.branch.collapse(place.index);
    this.version++;
  }

  /** The place of the parent of a place's node. */
  parent(place: Place): Place | null {
    return placeOf(place.branch);
  }

  row(place: Place): number {
    return rowOf(place);
  }

  /** The place of a node among its siblings. */
  async #indexOf(entry: LineEntry): Promise<number> {
    return entry.index ?? (await api.node(this.key, entry.node, this.#control.signal)).index;
  }

  async #setTop(node: number, chosen: NodeInfo): Promise<void> {
    const info = node === chosen.node ? chosen : await api.node(this.key, node, this.#control.signal);
    const branch = new Branch(-1, 0, 1, null);
    const { index, move, text, size, children, unfinished, attributes } = info;
    branch.put(0, [{ node, index, move, text, size, children, unfinished, attributes }]);
    this.top = branch;
    if (info.children > 0) await this.#open({ branch, index: 0 }, node, 0);
  }

  /** Opens a child, with the page that holds its child `wanted`. */
  async #open(place: Place, node: number, wanted: number): Promise<Branch> {
    const page = Math.floor(wanted / PAGE_ROWS);
    const open = place.branch.opened(place.index);
    if (open) {
      if (!open.pages.has(page)) await this.#fetchPage(open, page);
      return open;
    }
    const answer = await this.#children(node, page);
    const branch = place.branch.expand(place.index, node, answer.count);
    branch.put(page, answer.children);
    return branch;
  }

  async #fetchPage(branch: Branch, page: number): Promise<void> {
    const name = `${branch.node}/${page}`;
    if (this.#pending.has(name)) return;
    this.#pending.add(name);
    try {
      const answer = await this.#children(branch.node, page);
      if (answer.count !== branch.count) branch.resize(answer.count);
      branch.put(page, answer.children);
      this.version++;
    } catch (error) {
      if (!isAborted(error)) session.say(sentence(error));
    } finally {
      this.#pending.delete(name);
    }
  }

  #children(node: number, page: number): Promise<{ count: number; children: Child[] }> {
    return api.children(this.key, node, page * PAGE_ROWS, PAGE_ROWS, this.#control.signal);
  }
}

function forEachBranch(branch: Branch, act: (branch: Branch) => void): void {
  act(branch);
  for (const opened of branch.open) forEachBranch(opened.branch, act);
}
