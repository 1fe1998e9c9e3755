// What wheel, drag and keys do to an icicle: the window moves at once, the address follows at rest, and with it the picture.

import { session } from '../state/session.svelte';
import { around, panned, type Stretch, wholeNodes, zoomed } from './camera';
import type { Zoom } from './zoom.svelte';

/** While the reader moves, a picture is asked for this often. */
const PAUSE_MS = 70;
/** Half an octave for a notch of a usual wheel. */
const ZOOM_PER_PX = 0.0035;
const LINE_PX = 30;
/** A pointer that moves less than this has clicked. */
const DRAG_PX = 4;

export const ZOOM_STEP = 1.25;
export const PAN_STEP = 0.12;

export class Look {
  /** The pointer has moved while it was down: what follows is no click. */
  dragged = false;
  #start: { x: number; y: number; stretch: Stretch; top: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly zoom: Zoom,
    /** Zooms out of the node, about a share of the width. */
    readonly leave: (about: number) => void,
  ) {}

  /** The address has another stretch: from a link, a step back, or from here. */
  follow(from: number | null, to: number | null): void {
    // The reader has moved on since the address was written, and it is about to follow.
    if (this.#timer !== undefined) return;
    if (from === null || to === null) return this.zoom.look(null);
    const own = wholeNodes(this.zoom.stretch, { from: -Infinity, to: Infinity });
    if (own.from !== from || own.to !== to) this.zoom.look({ from, to });
  }

  wheel(event: WheelEvent, widthPx: number): void {
    const unit = event.deltaMode === 0 ? 1 : LINE_PX;
    const share = this.#share(event, widthPx);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      return this.pan(((event.deltaX || event.deltaY) * unit) / widthPx);
    }
    this.scale(Math.exp(event.deltaY * unit * ZOOM_PER_PX), share);
  }

  /** Makes the stretch `factor` times as wide, about a share of the width. */
  scale(factor: number, about = 0.5): void {
    const { stretch, limits } = this.zoom;
    const all = stretch.to - stretch.from >= limits.to - limits.from;
    if (factor > 1 && all) return this.leave(about);
    this.#go(zoomed(stretch, about, factor, limits));
  }

  pan(share: number): void {
    this.#go(panned(this.zoom.stretch, share, this.zoom.limits));
  }

  /** Brings a node into view. */
  reveal(node: number): void {
    const { stretch, limits } = this.zoom;
    const next = around(stretch, node, limits);
    if (next !== stretch) this.#go(next);
  }

  grab(event: PointerEvent): void {
    this.dragged = false;
    if (event.button !== 0) return;
    this.#start = { x: event.clientX, y: event.clientY, stretch: this.zoom.stretch, top: this.zoom.top };
  }

  /** Whether the pointer drags. */
  drag(event: PointerEvent, widthPx: number, rowPx: number): boolean {
    const start = this.#start;
    if (!start || event.buttons === 0) return false;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (!this.dragged && Math.hypot(x, y) < DRAG_PX) return false;
    this.dragged = true;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#go(panned(start.stretch, -x / widthPx, this.zoom.limits), start.top - y / rowPx);
    return true;
  }

  release(): void {
    this.#start = null;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #share(event: MouseEvent, widthPx: number): number {
    const left = (event.currentTarget as Element).getBoundingClientRect().x;
    return Math.min(Math.max((event.clientX - left) / widthPx, 0), 1);
  }

  #go(stretch: Stretch, top = this.zoom.top): void {
    // The picture of another node is on its way: what is moved now would be the old one.
    if (this.zoom.picture?.answer.node !== session.address.root) return;
    this.zoom.look(stretch, top);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      session.go(wholeNodes(this.zoom.stretch, this.zoom.limits), 'join');
    }, PAUSE_MS);
  }
}
