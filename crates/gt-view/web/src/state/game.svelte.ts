// The game that is played: how it stands, which of its moves is looked at, and what the reader does.
//
//     /api/events ──▶ reload ──▶ state ──▶ board, clocks, moves, thinking
//     a click ──▶ act ──▶ the server ──▶ state        the server alone decides what happens
//
// While a program thinks, the session shows the log of its search; a move that is looked at, the log of that one.

import { ApiError, isAborted, playApi, sentence } from '../api/client';
import type { PlayState, PlayedPosition, TroubleEvent } from '../api/generated/types';
import { playerPiece } from '../board/names';
import { live } from './live.svelte';
import { session } from './session.svelte';

/** At most one reload in this time, however fast programs move. */
const PAUSE_MS = 80;

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
  /** The position at the start. */
  #start = $state.raw<PlayedPosition | null>(null);
  #isLoading = false;
  #isStale = false;

  /** The player at the lower edge: the first person, else the first player. */
  readonly lower: number = $derived(Math.max(0, this.state?.seats.findIndex((seat) => seat.is_person) ?? 0));
  /** Whether the board is drawn with its upper edge below: where the lower player's pieces began at the top. */
  readonly turned: boolean = $derived(beginsAbove(this.#start, this.lower) !== this.flipped);

  /** Follows the game. */
  start(): void {
    live.onGame((name, data) => this.#hear(name, data));
    void this.#reload();
  }

  /** Does something; a refusal is told for a moment. */
  async act(asked: Promise<PlayState>): Promise<boolean> {
    this.lookAt(null);
    try {
      await this.#take(await asked);
      return true;
    } catch (error) {
      session.say(sentence(error));
      // Another page may have played meanwhile.
      if (error instanceof ApiError && error.status === 409) void this.#reload();
      return false;
    }
  }

  play(text: string): Promise<boolean> {
    return this.act(playApi.move(text, this.state?.moves.length ?? 0));
  }

  /** Looks at the position after some moves, and at the search of the last of them; `null` is the game as it stands. */
  lookAt(ply: number | null): void {
    const moves = this.state?.moves ?? [];
    const isNow = ply === null || ply >= moves.length;
    this.ply = isNow ? null : Math.max(0, ply);
    if (isNow) this.looked = null;
    const log = ply ? moves[ply - 1]?.log : undefined;
    if (typeof log === 'number') this.#showLog(log);
    else if (isNow) this.#showLatest();
  }

  /** Loads the position that is looked at. */
  async loadLooked(ply: number, signal: AbortSignal): Promise<void> {
    try {
      this.looked = await playApi.position(ply, signal);
    } catch (error) {
      if (isAborted(error)) return;
      session.say(sentence(error));
      this.lookAt(null);
    }
  }

  /** Asks how the game stands; what happens meanwhile makes it ask once more. */
  async #reload(): Promise<void> {
    if (this.#isLoading) return void (this.#isStale = true);
    this.#isLoading = true;
    this.#isStale = false;
    try {
      await this.#take(await playApi.state());
      this.failure = null;
    } catch (error) {
      this.failure = sentence(error);
    }
    setTimeout(() => {
      this.#isLoading = false;
      if (this.#isStale) void this.#reload();
    }, PAUSE_MS);
  }

  async #take(state: PlayState): Promise<void> {
    const isOther = this.state?.number !== state.number || this.state.start !== state.start;
    // The board is turned as it must be before it is seen.
    const start = isOther ? await startPosition() : this.#start;
    const before = this.state;
    // Answers may overtake one another.
    if (before && (state.number < before.number || (state.number === before.number && state.version < before.version))) return;
    this.#start = start;
    this.state = state;
    this.cameAt = performance.now();
    const isGone = this.ply !== null && this.ply >= state.moves.length;
    if (before?.number !== state.number || isGone) this.lookAt(null);
    else if (this.ply === null) this.#showLatest();
  }

  #hear(name: 'game' | 'trouble', data: string): void {
    if (name === 'game') return void this.#reload();
    session.say((JSON.parse(data) as TroubleEvent).sentence);
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

/** The position at the start; without it the board stands as it would on paper. */
function startPosition(): Promise<PlayedPosition | null> {
  return playApi.position(0).catch(() => null);
}

/** Whether the pieces of a player are in the upper half. */
function beginsAbove(start: PlayedPosition | null, player: number): boolean {
  if (!start) return false;
  const own = start.cells.filter((cell) => cell.piece === playerPiece(start.game, player));
  const height = Math.max(...start.cells.map((cell) => cell.y));
  const mean = own.reduce((sum, cell) => sum + cell.y, 0) / own.length;
  return mean < height / 2;
}

export const game = new Game();
