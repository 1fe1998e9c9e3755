// The rows of a result, fetched as they come into view, in the order the reader chose.

import { ApiError, api, isAborted, type Marks, sentence } from '../api/client';
import type { Bound, ColumnHeading, RunResult, Scalar } from '../api/generated/types';

const PAGE_ROWS = 200;
/** So many pages are kept; beyond, those that were fetched first go. */
const PAGES_MAX = 100;
const WAIT_MS = 5000;

export interface TableRow {
  cells: Scalar[];
  node: number | null;
  bound: Bound | null;
  /** That of its node, if it is of one. */
  ply: number | null;
}

export class ResultTable {
  columns = $state.raw<ColumnHeading[]>([]);
  count = $state(0);
  truncated = $state(false);
  sort = $state<string | null>(null);
  descending = $state(false);
  busy = $state(false);
  failure = $state<string | null>(null);
  version = $state(0);

  #pages = new Map<number, TableRow[]>();
  #pending = new Set<number>();
  #control = new AbortController();
  #range = { first: 0, last: 60 };

  constructor(
    readonly marks: Marks,
    head: RunResult,
    readonly moves: 'san' | null,
  ) {
    this.columns = head.columns;
    this.count = head.count;
    this.truncated = head.truncated;
    this.sort = head.sort;
    this.descending = head.descending;
  }

  /** The row, where it has come; whoever asks is told when it comes. */
  row(index: number): TableRow | undefined {
    void this.version;
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  show(first: number, last: number): void {
    this.#range = { first, last };
    for (let page = Math.floor(first / PAGE_ROWS); page * PAGE_ROWS <= last; page++) void this.#fetch(page);
  }

  /** Ascending at first, then descending, then as the query has it. */
  sortBy(column: string): void {
    const next = this.sort !== column ? 'up' : this.descending ? 'none' : 'down';
    this.sort = next === 'none' ? null : column;
    this.descending = next === 'down';
    this.#control.abort();
    this.#control = new AbortController();
    this.#pages.clear();
    this.#pending.clear();
    this.show(this.#range.first, this.#range.last);
  }

  stop(): void {
    this.#control.abort();
  }

  async #fetch(page: number): Promise<void> {
    if (this.#pages.has(page) || this.#pending.has(page)) return;
    this.#pending.add(page);
    this.busy = true;
    const { signal } = this.#control;
    try {
      const result = await this.#ask(page, signal);
      this.#pages.set(
        page,
        result.rows.map((cells, place) => ({
          cells,
          node: result.nodes?.[place] ?? null,
          bound: result.bounds?.[place] ?? null,
          ply: result.plies?.[place] ?? null,
        })),
      );
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= PAGES_MAX) break;
        this.#pages.delete(oldest);
      }
      this.columns = result.columns;
      this.count = result.count;
      this.truncated = result.truncated;
      this.failure = null;
      this.version++;
    } catch (error) {
      if (isAborted(error)) return;
      const gone = error instanceof ApiError && error.status === 410;
      this.failure = gone ? 'The server has dropped this run for later ones: run the query again.' : sentence(error);
    } finally {
      if (!signal.aborted) {
        this.#pending.delete(page);
        this.busy = this.#pending.size > 0;
      }
    }
  }

  /** An order is a query of its own: wait until it is done. */
  async #ask(page: number, signal: AbortSignal): Promise<RunResult> {
    const order = this.sort ? { sort: this.sort, descending: this.descending } : {};
    const options = { wait: WAIT_MS, result: this.marks.result, offset: page * PAGE_ROWS, limit: PAGE_ROWS, moves: this.moves, ...order };
    for (;;) {
      const answer = await api.runState(this.marks.run, options, signal);
      if (answer.error) throw new Error(answer.error);
      const [result] = answer.results;
      if (answer.state !== 'running' && result) return result;
      if (answer.state === 'cancelled' || answer.state === 'failed') throw new Error('The run was cancelled.');
    }
  }
}
