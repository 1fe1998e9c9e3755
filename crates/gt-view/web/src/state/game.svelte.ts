// The game that is played: how it stands, which of its moves is looked at, and what the reader does.
//
//     /api/events ──▶ reload ──▶ state ──▶ board, clocks, moves, thinking
//     a click ──▶ act ──▶ the server ──▶ state        the server alone decides what happens
//
// While a program thinks, the session shows the log of its search; a move that is looked at, the log of that one.

import { ApiError, isAborted, playApi, sentence } from '../api/client';
import type { PlayedPosition, PlayState, SearchSummary, Thinking } from '../api/play-types';
import { live } from './live.svelte';
import { session } from './session.svelte';

class Game {
  state = $state.raw<PlayState | null>(null);
  failure = $state<string | null>(null);
  /** When the state came, to count clocks down from. */
  cameAt = $state(0);
  /** How many moves the position that is looked at has; `null` is the game as it stands. */
  ply = $state<number | null>(null);
  /** That position. */
  looked = $state.raw<PlayedPosition | null>(null);
  /** Whether the reader has turned the board. */
  flipped = $state(false);
  #progress = $state.raw<{ player: number; search: SearchSummary } | null>(null);
  #asked = 0;

  readonly thinking: Thinking | null = $derived.by(() => {
    const thinking = this.state?.thinking ?? null;
    const further = this.#progress;
    return thinking && further?.player === thinking.player ? { ...thinking, search: further.search } : thinking;
  });
  /** The player at the lower edge: the first person, else the first player. */
  readonly lower: number = $derived(Math.max(0, this.state?.seats.findIndex((seat) => seat.is_person) ?? 0));
  /** Whether the board is drawn with its upper edge below. */
  readonly turned: boolean = $derived((this.state?.players === 2 && this.lower === 1) !== this.flipped);

  /** Follows the game. */
  start(): void {
    live.onGame((name, data) => this.#hear(name, data));
    void this.reload();
  }

  async reload(): Promise<void> {
    await this.#take(playApi.state());
  }

  /** Does something; a refusal is told for a moment. */
  async act(asked: Promise<PlayState>): Promise<boolean> {
    this.lookAt(null);
    return this.#take(asked, true);
  }

  play(text: string): Promise<boolean> {
    return this.act(playApi.move(text, this.state?.moves.length ?? 0));
  }

  /** Looks at the position after some moves, and at the search of the last of them. */
  lookAt(ply: number | null): void {
    const moves = this.state?.moves ?? [];
    this.ply = ply === null || ply >= moves.length ? null : Math.max(0, ply);
    if (this.ply === null) this.looked = null;
    const log = ply === null ? null : (moves[ply - 1]?.log ?? null);
    if (log !== null) this.#showLog(log);
    else if (this.ply === null) this.#showLatest();
  }

  /** The log that is shown belongs to this move, counted from 1; 0 is the search that runs. */
  logOf(log: number): number | null {
    if (this.state?.thinking?.log === log) return 0;
    const place = this.state?.moves.findIndex((move) => move.log === log) ?? -1;
    return place < 0 ? null : place + 1;
  }

  async #take(asked: Promise<PlayState>, isTold = false): Promise<boolean> {
    const number = ++this.#asked;
    try {
      const state = await asked;
      if (this.#isOlder(state)) return true;
      const before = this.state;
      this.state = state;
      this.cameAt = performance.now();
      this.failure = null;
      if (before?.number !== state.number) this.lookAt(null);
      if (this.#progress && (!state.thinking || before?.moves.length !== state.moves.length)) this.#progress = null;
      if (this.ply !== null && this.ply >= state.moves.length) this.lookAt(null);
      if (this.ply === null) this.#showLatest();
      return true;
    } catch (error) {
      if (isAborted(error)) return false;
      if (isTold) session.say(sentence(error));
      else if (number === this.#asked) this.failure = sentence(error);
      // Another page may have played meanwhile.
      if (isTold && error instanceof ApiError && error.status === 409) void this.reload();
      return false;
    }
  }

  /** Answers may overtake one another. */
  #isOlder(state: PlayState): boolean {
    const known = this.state;
    return !!known && (state.number < known.number || (state.number === known.number && state.version < known.version));
  }

  #hear(name: 'game' | 'thinking' | 'trouble', data: string): void {
    if (name === 'game') return void this.reload();
    const told = JSON.parse(data) as { game: number; player: number; search: SearchSummary; sentence: string };
    if (told.game !== this.state?.number) return;
    if (name === 'trouble') return session.say(told.sentence);
    this.#progress = { player: told.player, search: told.search };
  }

  /** The search that runs, else that of the last move of a program. */
  #showLatest(): void {
    const { thinking, moves } = this.state ?? { thinking: null, moves: [] };
    const log = thinking?.log ?? moves.findLast((move) => move.log !== null)?.log ?? null;
    if (log !== null) this.#showLog(log);
  }

  #showLog(log: number): void {
    // Whoever explores a tree is not taken away from it.
    if (session.address.explore) return;
    if (!session.logs.some((known) => known.log === log)) void session.loadLogs();
    if (session.address.log !== log) session.go({ log, tree: null, node: 0, root: 0, color: '', attribute: '' }, 'replace');
  }
}

export const game = new Game();
