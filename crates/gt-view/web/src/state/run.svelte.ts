// The query that runs or ran: its state, its results' heads, and the match that was stepped to.

import { api, isAborted, type Marks, sentence, type TreeKey } from '../api/client';
import type { QueryError, RunAnswer, RunResult } from '../api/generated/types';
import { session } from './session.svelte';

const WAIT_MS = 300;

export class QueryRun {
  /** The server's number of the run. */
  number = $state<number | null>(null);
  text = $state('');
  state = $state<'idle' | RunAnswer['state']>('idle');
  seconds = $state(0);
  /** The share of the blocks that are done, while it runs. */
  progress = $state<number | null>(null);
  failure = $state<string | null>(null);
  errors = $state.raw<QueryError[]>([]);
  results = $state.raw<RunResult[]>([]);
  /** Which of the results is shown and marked. */
  chosen = $state(0);
  /** The place of the match that is shown, from 0. */
  matchIndex = $state<number | null>(null);

  #key = $state.raw<TreeKey | null>(null);

  readonly result: RunResult | undefined = $derived(this.results[this.chosen]);
  /** What overview and explorer mark: a finished result with nodes behind it. */
  readonly marks: Marks | null = $derived(this.marksOf(this.chosen));

  /** Counts starts, so that a late answer to an earlier one is known as such. */
  #starts = 0;

  start(key: TreeKey, text: string): Promise<void> {
    return this.#follow(key, text, async () => (await api.run(key, text)).run);
  }

  /** Shows a run that the server has already. */
  adopt(key: TreeKey, run: number, text: string): Promise<void> {
    return this.#follow(key, text, () => Promise.resolve(run));
  }

  async #follow(key: TreeKey, text: string, begin: () => Promise<number>): Promise<void> {
    const started = ++this.#starts;
    if (this.state === 'running') void this.#cancelNumber(this.number);
    this.#reset(text);
    this.#key = key;
    this.state = 'running';
    try {
      const run = await begin();
      if (started !== this.#starts) return void this.#cancelNumber(run);
      this.number = run;
      await this.#wait(started, run);
    } catch (error) {
      if (started === this.#starts && !isAborted(error)) this.#fail(error);
    }
  }

  async cancel(): Promise<void> {
    if (this.state !== 'running') return;
    this.#starts++;
    this.state = 'cancelled';
    await this.#cancelNumber(this.number);
  }

  clear(): void {
    this.#starts++;
    if (this.state === 'running') void this.#cancelNumber(this.number);
    this.#reset('');
    this.state = 'idle';
  }

  choose(result: number): void {
    this.chosen = result;
    this.matchIndex = null;
  }

  /** What marks and steps go over in a result; `null` until it is there, or where no nodes are behind it. */
  marksOf(result: number): Marks | null {
    const { number } = this;
    // Matches of another tree would mark the wrong nodes.
    if (this.#key !== session.key) return null;
    return number !== null && typeof this.results[result]?.matches === 'number' ? { run: number, result } : null;
  }

  /** Goes to the next or previous match in the order of the tree, round the end where there is none further. */
  async step(direction: 'next' | 'previous', result = this.chosen): Promise<void> {
    const marks = this.marksOf(result);
    if (!marks) return;
    try {
      let found = await api.step(marks, session.address.node, direction);
      if (found.node === null) found = await api.step(marks, null, direction);
      if (found.node === null) return session.say('The query has no match.');
      this.matchIndex = found.index;
      session.go({ node: found.node }, 'join');
    } catch (error) {
      // It was dropped, and is being run again.
      if (this.state === 'running') return;
      session.say(sentence(error));
    }
  }

  async #wait(started: number, run: number): Promise<void> {
    for (;;) {
      const answer = await api.runState(run, { wait: WAIT_MS, limit: 1 });
      if (started !== this.#starts) return;
      this.seconds = answer.seconds;
      this.progress = answer.progress;
      if (answer.state === 'running') continue;
      this.failure = answer.error;
      this.results = answer.results;
      this.state = answer.state;
      return;
    }
  }

  #reset(text: string): void {
    this.number = null;
    this.text = text;
    this.seconds = 0;
    this.progress = null;
    this.failure = null;
    this.errors = [];
    this.results = [];
    this.chosen = 0;
    this.matchIndex = null;
  }

  #fail(error: unknown): void {
    this.state = 'failed';
    this.failure = sentence(error);
    this.errors = error instanceof Error && 'errors' in error ? (error.errors as QueryError[]) : [];
  }

  async #cancelNumber(run: number | null): Promise<void> {
    if (run === null) return;
    await api.cancel(run).catch(() => {
      // It ended before the cancellation came: as wished.
    });
  }
}

export const run = new QueryRun();
