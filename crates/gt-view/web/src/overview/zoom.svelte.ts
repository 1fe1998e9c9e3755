// The movement between two pictures: the part that is zoomed to grows until it fills the canvas, or shrinks to its place.

import { type Picture, type Window, windowBetween } from './picture';

const DURATION_MS = 220;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** What is drawn, and through which window. */
export class Zoom {
  picture = $state.raw<Picture | null>(null);
  window = $state.raw<Window | null>(null);
  #next: Picture | null = null;
  #moving = false;
  #frame = 0;

  /** Moves into a rectangle of the picture that is shown, while the next picture is asked for. */
  into(index: number): void {
    const picture = this.picture;
    if (!picture || still.matches) return;
    this.#move(picture.whole, picture.windowOf(index));
  }

  /** Shows a picture: at once, after the movement into it, or moving out from where the last one lies in it. */
  show(next: Picture): void {
    const last = this.picture;
    if (this.#moving) {
      this.#next = next;
      return;
    }
    this.picture = next;
    this.window = next.whole;
    if (!last || still.matches || last.answer.node === next.answer.node || last.answer.view !== next.answer.view) return;
    const index = next.answer.rectangles.node.indexOf(last.answer.node);
    if (index > 0) this.#move(next.windowOf(index), next.whole);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#moving = false;
    this.#next = null;
  }

  #move(from: Window, to: Window): void {
    cancelAnimationFrame(this.#frame);
    this.#moving = true;
    const start = performance.now();
    const step = (now: number) => {
      const share = Math.min((now - start) / DURATION_MS, 1);
      this.window = windowBetween(from, to, 1 - (1 - share) ** 3);
      if (share < 1) this.#frame = requestAnimationFrame(step);
      else this.#arrive();
    };
    this.#frame = requestAnimationFrame(step);
  }

  #arrive(): void {
    this.#moving = false;
    const next = this.#next;
    this.#next = null;
    if (!next) return;
    this.picture = next;
    this.window = next.whole;
  }
}
