// What is under the pointer: a rectangle's node, or a place in the density, and what the log says of it once it rests.

import { api, isAborted } from '../api/client';
import type { BoardAnswer, LineEntry, NodeAnswer } from '../api/generated/types';
import { session } from '../state/session.svelte';
import type { Picture, Window } from './picture';

const REST_MS = 120;

/** A rectangle, or a span of the density; the other is -1. */
export interface Hit {
  index: number;
  span: number;
  /** The row and the node_id that are pointed at, in an icicle. */
  row: number;
  id: number;
}

/** What is at a point. */
export function hitAt(picture: Picture, window: Window, x: number, y: number): Hit | null {
  const index = picture.indexAt(x, y, window);
  const merged = picture.icicle && index >= 0 && (picture.answer.rectangles.merged[index] ?? 0) > 0;
  const [row, id] = picture.icicle ? [picture.rowAt(y, window), picture.idAt(x, window)] : [0, 0];
  if (index >= 0 && !merged) return { index, span: -1, row, id };
  if (!picture.icicle) return null;
  // A span may be a pixel wide: one that is nearly hit is meant.
  for (const offset of [0, -1, 1, -2, 2]) {
    const near = offset === 0 ? id : picture.idAt(x + offset, window);
    const span = picture.spanAt(row, near);
    if (span >= 0) return { index: -1, span, row, id: near };
  }
  return null;
}

/** The entry of a line at a ply, or the deepest before it. */
export function entryAt(info: NodeAnswer, ply: number): LineEntry | undefined {
  return info.line.findLast((entry) => entry.ply <= ply);
}

/** The node that is hit: in a density, the one at the row that the pointed node_id lies below. */
export async function nodeOf(picture: Picture, hit: Hit, signal?: AbortSignal): Promise<number | null> {
  if (hit.index >= 0) return picture.answer.rectangles.node[hit.index] ?? null;
  if (hit.span < 0 || !session.named) return null;
  const info = await api.node(session.named, hit.id, signal);
  return entryAt(info, picture.answer.ply + hit.row)?.node ?? null;
}

export class Pointing {
  hit = $state.raw<Hit | null>(null);
  info = $state.raw<NodeAnswer | null>(null);
  board = $state.raw<BoardAnswer | null>(null);
  #shown = '';
  #control: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Points at something, or at nothing. */
  to(picture: Picture | null, hit: Hit | null): void {
    this.hit = hit;
    const name = !hit || !picture ? '' : hit.index >= 0 ? `${picture.answer.node}/${hit.index}` : `${hit.row}/${hit.id}`;
    if (name === this.#shown) return;
    this.#shown = name;
    this.info = this.board = null;
    this.#control?.abort();
    clearTimeout(this.#timer);
    if (!picture || !hit || (picture.answer.rectangles.merged[hit.index] ?? 0) > 0) return;
    const control = (this.#control = new AbortController());
    this.#timer = setTimeout(() => void this.#ask(picture, hit, control.signal), REST_MS);
  }

  stop(): void {
    this.to(null, null);
  }

  async #ask(picture: Picture, hit: Hit, signal: AbortSignal): Promise<void> {
    const { named: key } = session;
    if (!key) return;
    try {
      const node = await nodeOf(picture, hit, signal);
      if (node === null) return;
      const info = await api.node(key, node, signal);
      this.info = info;
      if (session.log?.board) this.board = await api.board(key, node, signal);
    } catch (error) {
      // A node without a board is told of beside the board that is large.
      if (isAborted(error)) return;
    }
  }
}
