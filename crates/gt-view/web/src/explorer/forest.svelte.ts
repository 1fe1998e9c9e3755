// The explorer's state: which branches are open, and the fetching of what is in view.

import { api, isAborted, type Marks, sentence, type NamedTree } from '../api/client';
import type { Child, NodeAnswer } from '../api/generated/types';
import { session } from '../state/session.svelte';
import { Branch, missingPages, PAGE_ROWS, type Place, placeOf, rowOf, placeAt } from './rows';

export class Forest {
  /** Holds the topmost node as its only child. */
  top = $state.raw(new Branch(-1, 0, 0, null));
  /** Rises with every change inside of the branches, which are not reactive themselves. */
  version = $state(0);
  readonly rows = $derived((void this.version, this.top.rows));

  #pending = new Set<string>();
  readonly #control = new AbortController();
  /** Answers to what was asked before a refresh are old when they come. */
  #refreshes = 0;
  #marks: Marks | null = null;
  /** How many there are in the whole tree. */
  #matches: number | null = null;

  constructor(readonly key: NamedTree) {}

  /** The matches of another query, or of none, are marked. */
  mark(marks: Marks | null, matches: number | null): void {
    if (!marks && !this.#marks) return;
    this.#marks = marks;
    this.#matches = matches;
    this.refresh();
  }

  /** Fetches again what is in view: the log has grown, or other nodes are marked. */
  refresh(): void {
    this.#refreshes++;
    this.#pending.clear();
    forEachBranch(this.top, (branch) => {
      if (branch.node >= 0) branch.age();
    });
    this.#markTop();
    void this.#refreshTop();
    this.version++;
  }

  stop(): void {
    this.#control.abort();
  }

  /** The place at a row; whoever asks is told when another one is there. */
  placeAt(row: number): Place | null {
    void this.version;
    return placeAt(this.top, row);
  }

  /** Fetches what rows `first` to `last` lack. */
  fetchRows(first: number, last: number): void {
    for (const { branch, page } of missingPages(this.top, first, last)) void this.#fetchPage(branch, page);
  }

  /** Opens the way to a node and says where it is. */
  async reveal(node: NodeAnswer): Promise<Place | null> {
    // Of a very long line only its end is known: the explorer then starts there.
    const line = node.line_omitted ? node.line.slice(Math.ceil(node.line.length / 2)) : node.line;
    const [first] = line;
    if (!first) return null;
    try {
      if (this.top.child(0)?.node !== first.node) await this.#setTop(first.node, node);
      let place: Place = { branch: this.top, index: 0 };
      for (const { index } of line.slice(1)) {
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

  async #setTop(node: number, chosen: NodeAnswer): Promise<void> {
    const info = node === chosen.node ? chosen : await api.node(this.key, node, this.#control.signal);
    const branch = new Branch(-1, 0, 1, null);
    branch.put(0, [rowOfNode(info)]);
    this.top = branch;
    this.#markTop();
    if (info.children > 0) await this.#open({ branch, index: 0 }, node, 0);
  }

  async #refreshTop(): Promise<void> {
    const [top] = this.top.pages.get(0) ?? [];
    if (!top) return;
    try {
      this.top.put(0, [rowOfNode(await api.node(this.key, top.node, this.#control.signal))]);
      this.#markTop();
      this.version++;
    } catch {
      // It stays as it was.
    }
  }

  /** The topmost row is nobody's child; of the root it is known how many matches it holds. */
  #markTop(): void {
    const [root] = this.top.pages.get(0) ?? [];
    if (root?.node !== 0) return;
    delete root.marks;
    if (this.#matches !== null) root.marks = this.#matches;
  }

  /** Opens a child, with the page that holds its child `wanted`. */
  async #open(place: Place, node: number, wanted: number): Promise<Branch> {
    const page = Math.floor(wanted / PAGE_ROWS);
    const open = place.branch.opened(place.index);
    if (open) {
      if (!open.pages.has(page)) await this.#fetchPage(open, page);
      return open;
    }
    const asked = this.#refreshes;
    const answer = await this.#children(node, page);
    const branch = place.branch.expand(place.index, node, answer.count);
    branch.put(page, answer.children);
    if (asked !== this.#refreshes) branch.age();
    return branch;
  }

  async #fetchPage(branch: Branch, page: number): Promise<void> {
    const asked = this.#refreshes;
    const name = `${asked}/${branch.node}/${page}`;
    if (this.#pending.has(name)) return;
    this.#pending.add(name);
    try {
      const answer = await this.#children(branch.node, page);
      const old = asked !== this.#refreshes;
      if (old && branch.pages.has(page)) return;
      if (answer.count !== branch.count) branch.resize(answer.count);
      branch.put(page, answer.children);
      if (old) branch.stale.add(page);
      this.version++;
    } catch (error) {
      if (!isAborted(error)) session.say(sentence(error));
    } finally {
      this.#pending.delete(name);
    }
  }

  #children(node: number, page: number): Promise<{ count: number; children: Child[] }> {
    return api.children(this.key, node, page * PAGE_ROWS, PAGE_ROWS, this.#marks, this.#control.signal);
  }
}

function rowOfNode({ node, index, move, text, size, children, unfinished, bound, attributes }: NodeAnswer): Child {
  return { node, index, move, text, size, children, unfinished, bound, attributes };
}

function forEachBranch(branch: Branch, act: (branch: Branch) => void): void {
  act(branch);
  for (const opened of branch.open) forEachBranch(opened.branch, act);
}
