// Two trees merged into one: which nodes differ, asked once, and the steps from one difference to the next.
//
//     log with `diff` ──▶ a run of two queries:  all nodes that differ    marks in the pictures and rows
//                     │                          where to stop            steps, in the order of the search
//                     └─▶ /api/diff:             the totals
//
// A subtree that only one of the two trees has is one stop: its topmost node.

import { api, isAborted, type Marks, onRunGone, sentence, type TreeKey } from '../api/client';
import type { DiffTotals } from '../api/generated/types';
import { QueryRun, run } from './run.svelte';
import { session } from './session.svelte';

const ALL = 0;
const STOPS = 1;
const QUERIES = ['node: difference != 0', 'node: difference = 1 or difference > 1 and [^]difference != difference'].join('\n\n');

class Differences {
  totals = $state.raw<DiffTotals | null>(null);
  failure = $state<string | null>(null);
  readonly #run = new QueryRun();

  /** How many stops there are, once that is known. */
  readonly stops: number | null = $derived(this.#run.results[STOPS]?.matches ?? null);
  /** The place of the stop that was stepped to, from 0. */
  readonly place: number | null = $derived(this.#run.matchIndex);
  readonly marks: Marks | null = $derived(this.#run.marksOf(ALL));
  readonly count: number | null = $derived(this.#run.results[ALL]?.matches ?? null);

  constructor() {
    onRunGone((number) => {
      if (number === this.#run.number && session.key) void this.#run.start(session.key, QUERIES);
    });
  }

  /** Asks for the differences of a merged tree; gives them up when the answer is called. */
  load(key: TreeKey): () => void {
    const control = new AbortController();
    this.totals = this.failure = null;
    void this.#run.start(key, QUERIES);
    api.diff(key, control.signal).then(
      (totals) => (this.totals = totals),
      (error: unknown) => {
        if (!isAborted(error)) this.failure = sentence(error);
      },
    );
    return () => {
      control.abort();
      this.#run.clear();
      this.totals = this.failure = null;
    };
  }

  async step(direction: 'next' | 'previous'): Promise<void> {
    if (this.stops === 0) return session.say('The two trees do not differ.');
    await this.#run.step(direction, STOPS);
  }
}

export const differences = new Differences();

/** What overview and explorer mark: the matches of the reader's query, else the differences of merged trees. */
export function shownMarks(): { marks: Marks | null; count: number | null } {
  if (run.marks) return { marks: run.marks, count: run.result?.matches ?? null };
  return { marks: differences.marks, count: differences.count };
}
