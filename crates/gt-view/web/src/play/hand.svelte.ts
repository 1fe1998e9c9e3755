// The hand of a player over the board: what is picked, what is dragged, what is still to be chosen.
//
//     press a piece ─▶ picked, held ──release elsewhere──▶ dropped there
//                          └──────────release there──▶ picked, until a target is pressed and released
//
// Pressing and releasing what is picked already puts it back. Nothing is played before the pointer is released.

import type { PointedMove, PointingAnswer } from '../api/generated/types';
import { NOWHERE, Pointer } from './pointing';

export class Hand {
  #pointer = $state.raw(new Pointer(NOWHERE));
  /** The places of the move so far. */
  picked = $state.raw<string[]>([]);
  /** Moves that differ in their choice only. */
  choices = $state.raw<PointedMove[]>([]);
  /** The place that the pointer holds. */
  held = $state<string | null>(null);
  readonly targets: Set<string> = $derived(this.#pointer.targets(this.picked));
  readonly placeless: PointedMove[] = $derived(this.#pointer.placeless);

  #pressed: string | null = null;
  /** Whether what is held was picked by this very press. */
  #isFresh = false;
  readonly #play: (move: PointedMove) => void;

  constructor(play: (move: PointedMove) => void) {
    this.#play = play;
  }

  /** Another position: nothing is picked any more. */
  begin(pointing: PointingAnswer): void {
    this.#pointer = new Pointer(pointing);
    this.drop();
  }

  meant(place: string): string {
    return this.#pointer.meant(place);
  }

  press(place: string): void {
    this.choices = [];
    this.#pressed = place;
    const step = this.#isLast(place) ? null : this.#pointer.point(this.picked, place);
    this.#isFresh = step?.kind === 'picked' && step.picked.length === 1;
    if (step?.kind === 'picked' && this.#isFresh) this.picked = step.picked;
    this.held = this.picked.at(-1) === place ? place : null;
  }

  release(place: string | null): void {
    const [held, pressed] = [this.held, this.#pressed];
    this.held = this.#pressed = null;
    if (place === null || pressed === null) return;
    if (held === place) {
      if (!this.#isFresh) this.back();
    } else if (held !== null) {
      this.#take(place);
    } else if (place === pressed) {
      this.point(place);
    }
  }

  /** Points at a place by click or key; where nothing can be done, what was picked is put back. */
  point(place: string): void {
    if (this.#isLast(place)) return this.back();
    if (!this.#take(place)) this.drop();
  }

  choose(move: PointedMove): void {
    this.drop();
    this.#play(move);
  }

  /** Undoes the last choice. */
  back(): void {
    this.picked = this.picked.slice(0, -1);
    this.choices = [];
  }

  /** Puts everything back. */
  drop(): void {
    this.picked = [];
    this.choices = [];
    this.held = null;
  }

  /** Whether a place was picked last, and does not lead on from itself. */
  #isLast(place: string): boolean {
    return this.picked.at(-1) === place && !this.targets.has(place);
  }

  #take(place: string): boolean {
    const step = this.#pointer.point(this.picked, place);
    switch (step.kind) {
      case 'nothing':
        return false;
      case 'picked':
        this.picked = step.picked;
        return true;
      case 'choose':
        [this.picked, this.choices] = [step.picked, step.moves];
        return true;
      case 'move':
        this.choose(step.move);
        return true;
    }
  }
}
