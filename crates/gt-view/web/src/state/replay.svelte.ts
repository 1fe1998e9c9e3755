// The search as it went: node_ids are in the order of entering, so the tree after `n` nodes is the node_ids below `n`.
//
//     slider, play ──▶ go ──▶ address `after`, and the node entered last ──▶ picture, board, rows
//                                  └──▶ /api/moment: what was open, what the root had found

import { api, isAborted, sentence, type NamedTree } from '../api/client';
import type { MomentAnswer } from '../api/generated/types';
import { session } from './session.svelte';

/** How often a moment follows another while it plays. */
const FRAME_MS = 120;
/** A whole search plays in so many seconds. */
export const SPEEDS = [10, 30, 120];

class Replay {
  moment = $state.raw<MomentAnswer | null>(null);
  playing = $state(false);
  seconds = $state(30);
  #timer: ReturnType<typeof setInterval> | undefined;
  #loading = false;

  /** How many nodes had been entered; `null` is the end. */
  readonly after: number | null = $derived(session.address.after);
  readonly nodes: number = $derived(session.tree?.nodes ?? 0);

  async load(key: NamedTree, after: number | null, signal: AbortSignal): Promise<void> {
    this.#loading = true;
    try {
      this.moment = await api.moment(key, after, signal);
    } catch (error) {
      if (isAborted(error)) return;
      this.moment = null;
      if (after !== null) session.say(sentence(error));
    } finally {
      this.#loading = false;
    }
  }

  /** Goes to the moment after so many nodes. */
  go(after: number): void {
    const wanted = Math.min(Math.max(Math.round(after), 1), this.nodes);
    session.go(wanted >= this.nodes ? { after: null } : { after: wanted, node: wanted - 1 }, 'join');
  }

  step(nodes: number): void {
    this.pause();
    this.go((this.after ?? this.nodes) + nodes);
  }

  /** Back to the end of the search. */
  end(): void {
    this.pause();
    session.go({ after: null });
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.after === null) this.go(1);
    this.playing = true;
    this.#timer = setInterval(() => this.#tick(), FRAME_MS);
  }

  pause(): void {
    this.playing = false;
    clearInterval(this.#timer);
  }

  /** Whether a node had been entered, and whether it was open. */
  stateOf(node: number, size: number): 'later' | 'open' | 'left' {
    const { after } = this;
    if (after === null || node + size < after) return 'left';
    return node >= after ? 'later' : 'open';
  }

  #tick(): void {
    // No moment is skipped over while the last one is still asked for.
    if (this.#loading) return;
    const next = (this.after ?? this.nodes) + Math.max(1, (this.nodes * FRAME_MS) / 1000 / this.seconds);
    this.go(next);
    if (next >= this.nodes) this.pause();
  }
}

export const replay = new Replay();
