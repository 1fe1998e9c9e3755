// The session: which log, tree and node is shown, and what the server says of them.
//
//     address ──▶ history and URL         a change goes through `go`, so that back and forward undo it
//        └──────▶ effects ──▶ server      a node is loaded when the address names it
//
// Invariant: nothing outside of `go` and `popstate` changes the address.

import { api, isAborted, type NamedTree, sentence, type TreeKey } from '../api/client';
import type { LogInfo, NodeAnswer, ResultFileInfo, TreeInfo } from '../api/generated/types';
import { type Address, formatAddress, HOME, parseAddress, sameAddress } from './address';

/** Changes within this time of one another, such as those of a held arrow key, are one step back. */
const ONE_STEP_MS = 700;

export class Session {
  /** Deeply reactive: what reads the node is not disturbed by another colour. */
  readonly address = $state<Address>(parseAddress(location.search));
  logs = $state.raw<LogInfo[]>([]);
  version = $state('');
  /** The result file that the server was started with. */
  file = $state.raw<ResultFileInfo | null>(null);
  /** Whether a game is played here. */
  plays = $state(false);
  loaded = $state(false);
  node = $state.raw<NodeAnswer | null>(null);
  /** Why the chosen node cannot be shown. */
  nodeFailure = $state<string | null>(null);
  /** A sentence for a moment, at the foot of the page. */
  message = $state('');

  #loadFailure = $state<string | null>(null);
  #key: TreeKey | null = null;
  #changedAt = 0;

  readonly log: LogInfo | undefined = $derived(this.logs.find((log) => log.log === this.address.log));
  readonly tree: TreeInfo | undefined = $derived(
    this.address.tree === null ? this.log?.trees.at(-1) : this.log?.trees.find((tree) => tree.tree === this.address.tree),
  );
  readonly generation = $derived(this.log?.generation ?? 0);
  /** Names the tree in calls; the same object as long as it is the same tree. */
  readonly key: TreeKey | null = $derived.by(() => {
    const [log, tree] = [this.log?.log, this.tree?.tree];
    if (log === undefined || tree === undefined) return (this.#key = null);
    if (this.#key?.log !== log || this.#key.tree !== tree) this.#key = { log, tree };
    return this.#key;
  });
  /** How moves are to be written in answers. */
  readonly moves: 'san' | null = $derived(this.address.san && this.log?.san ? 'san' : null);
  /** The tree in calls whose answers name moves; another object when moves are to be written in another way. */
  readonly named: NamedTree | null = $derived(this.key && { ...this.key, moves: this.moves });
  /** Why there is nothing to show. */
  readonly failure: string | null = $derived(this.#loadFailure ?? (this.loaded ? this.#missing() : null));

  constructor() {
    addEventListener('popstate', () => {
      this.#changedAt = 0;
      Object.assign(this.address, parseAddress(location.search));
    });
  }

  /** Shows something else. `steps: 'join'` lets quick changes share one entry of the history. */
  go(change: Partial<Address>, steps: 'push' | 'join' | 'replace' = 'push'): void {
    // A query's answer takes the place of a file's.
    const answer = change.query === undefined ? {} : { file: false };
    // Another node to zoom to is shown whole.
    const stretch = change.root === undefined || change.from !== undefined ? {} : { from: null, to: null };
    const next = this.#pinned({ ...this.address, ...answer, ...stretch, ...change });
    if (sameAddress(next, this.address)) return;
    const now = performance.now();
    const joined = steps === 'join' && now - this.#changedAt < ONE_STEP_MS;
    this.#changedAt = steps === 'join' ? now : 0;
    const place = location.pathname + formatAddress(next);
    if (steps === 'replace' || joined) history.replaceState(null, '', place);
    else history.pushState(null, '', place);
    Object.assign(this.address, next);
  }

  /** A node is one of its tree: with a node goes the tree, even where another one becomes the last. */
  #pinned(address: Address): Address {
    const named = address.node !== 0 || address.root !== 0;
    return named && address.tree === null && address.log === this.address.log ? { ...address, tree: this.tree?.tree ?? null } : address;
  }

  chooseLog(log: number): void {
    this.go({ log, tree: null, node: 0, root: 0, color: '', attribute: '' });
  }

  /** Another tree of the log; the line is followed there as far as it goes. */
  async chooseTree(tree: number): Promise<void> {
    const line = this.node?.line.slice(1).map((entry) => entry.text) ?? [];
    const whole = this.node?.line_omitted === 0;
    const found = whole && line.length ? await this.#follow({ log: this.address.log, tree }, line) : 0;
    this.go({ tree, node: found, root: 0 });
  }

  async loadLogs(): Promise<void> {
    try {
      const { version, logs, file, play } = await api.logs();
      this.version = version;
      this.logs = logs;
      this.file = file;
      this.plays = play;
      if (!this.loaded) this.#showFile();
      this.loaded = true;
      this.#loadFailure = null;
    } catch (error) {
      this.#loadFailure = sentence(error);
    }
  }

  async loadNode(key: NamedTree, node: number, signal: AbortSignal): Promise<void> {
    try {
      this.node = await api.node(key, node, signal);
      this.nodeFailure = null;
    } catch (error) {
      if (isAborted(error)) return;
      this.node = null;
      this.nodeFailure = sentence(error);
    }
  }

  /** Opens with the result file, unless a link says what to show. */
  #showFile(): void {
    const { file } = this;
    if (file && sameAddress(this.address, HOME)) this.go({ log: file.log, tree: file.tree, file: true }, 'replace');
  }

  say(message: string): void {
    this.message = message;
    setTimeout(() => {
      if (this.message === message) this.message = '';
    }, 4000);
  }

  #missing(): string | null {
    if (!this.log && this.plays)
      return this.logs.length ? 'This log was dropped for later ones: choose another above.' : 'No program has moved yet.';
    if (!this.log) return `There is no log ${this.address.log}: choose one above.`;
    if (!this.tree && this.log.trees.length === 0) return this.log.growing ? 'The log has no tree yet.' : 'The log holds no tree.';
    if (!this.tree) return `There is no tree ${this.address.tree} in this log: choose one above.`;
    return null;
  }

  async #follow(key: TreeKey, line: string[]): Promise<number> {
    for (let length = line.length; length > 0; length--) {
      try {
        return (await api.find(key, line.slice(0, length).join(' '))).node;
      } catch {
        // The other tree does not go on so far: try the line without its last move.
      }
    }
    return 0;
  }
}

export const session = new Session();
