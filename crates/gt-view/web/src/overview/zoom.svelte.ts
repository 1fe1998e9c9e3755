// What is drawn, and through which window: the movement between two pictures, and, of an icicle, where the reader looks.
//
//     a node is zoomed to    the part grows until it fills the canvas, or shrinks to its place; then the next picture
//     wheel, drag, keys      the window moves at once over the picture that is there; the next one comes when it has come

import { clamped, type Stretch } from './camera';
import { type Picture, type Window, windowBetween } from './picture';

const DURATION_MS = 220;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** What is drawn, and through which window. */
export class Zoom {
  picture = $state.raw<Picture | null>(null);
  window = $state.raw<Window | null>(null);
  /** The node_ids that are looked at; `null` is all of the picture's. */
  #stretch: Stretch | null = null;
  /** The first row in view, where there are more than fit. */
  #top = 0;
  #next: Picture | null = null;
  #moving = false;
  #frame = 0;

  /** Moves into a rectangle of the picture that is shown, while the next picture is asked for. */
  into(index: number): void {
    const picture = this.picture;
    if (!picture || still.matches) return;
    this.#move(picture.whole, picture.windowOf(index));
  }

  /** The node_ids that are looked at. */
  get stretch(): Stretch {
    return this.#stretch ?? this.limits;
  }

  get top(): number {
    return this.#top;
  }

  /** All node_ids of the picture's node. */
  get limits(): Stretch {
    const { node, total } = this.picture?.answer ?? { node: 0, total: 1 };
    return { from: node, to: node + total };
  }

  /** Looks at some node_ids, and at the rows from `top` on. */
  look(stretch: Stretch | null, top = this.#top): void {
    this.#stretch = stretch;
    const { picture } = this;
    const rows = picture?.icicle ? Math.max(0, picture.answer.plies - picture.whole.height) : 0;
    this.#top = Math.min(Math.max(top, 0), rows);
    if (!picture || this.#moving) return;
    this.window = this.#through(picture);
  }

  #through(picture: Picture): Window {
    const { whole } = picture;
    if (!picture.icicle) return whole;
    const { from, to } = this.#stretch ?? { from: picture.answer.node, to: picture.answer.node + picture.answer.total };
    const x = picture.across(from);
    return { ...whole, x, width: picture.across(to) - x, y: this.#top };
  }

  /** Shows a picture: at once, after the movement into it, or moving out from where the last one lies in it. */
  show(next: Picture): void {
    const last = this.picture;
    if (this.#moving) {
      this.#next = next;
      return;
    }
    this.#set(next);
    if (!last || still.matches || last.answer.node === next.answer.node || last.answer.view !== next.answer.view) return;
    const index = next.answer.rectangles.node.indexOf(last.answer.node);
    if (index > 0 && !this.#stretch) this.#move(next.windowOf(index), next.whole);
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
    if (next) this.#set(next);
  }

  #set(next: Picture): void {
    if (this.picture?.answer.node !== next.answer.node) this.#top = 0;
    this.picture = next;
    if (this.#stretch) this.#stretch = clamped(this.#stretch, this.limits);
    this.window = this.#through(next);
  }
}
