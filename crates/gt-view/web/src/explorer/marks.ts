// How many matches of a query lie in a subtree, for the rows in view.
//
//     matches   3   7   8      12        sorted by node_id, as the server keeps them
//     subtree       [7 ..... 11)         first match from 7 on: number 1; from 11 on: number 3; so 2 inside
//
// A subtree is an interval of node_ids, so two places among the matches tell how many it holds; siblings share them.

import { api, type Marks } from '../api/client';
import type { StepAnswer } from '../api/types';

export interface Marked {
  /** Matches in the subtree, the node itself included. */
  count: number;
  /** Whether the node itself is one. */
  match: boolean;
}

type Step = (marks: Marks, from: number | null, direction: 'next') => Promise<StepAnswer>;

export class MarkCounter {
  readonly #places = new Map<number, Promise<StepAnswer>>();
  readonly #known = new Map<number, Marked>();

  constructor(
    private readonly marks: Marks,
    private readonly step: Step = api.step,
  ) {}

  /** What is known of a node by now. */
  known(node: number): Marked | undefined {
    return this.#known.get(node);
  }

  async count(node: number, size: number): Promise<Marked> {
    const [first, after] = await Promise.all([this.#firstFrom(node), this.#firstFrom(node + size)]);
    const marked = { count: (after.index ?? after.count) - (first.index ?? first.count), match: first.node === node };
    this.#known.set(node, marked);
    return marked;
  }

  /** The first match from a node on. */
  #firstFrom(node: number): Promise<StepAnswer> {
    let place = this.#places.get(node);
    if (!place) {
      place = this.step(this.marks, node === 0 ? null : node - 1, 'next');
      this.#places.set(node, place);
      place.catch(() => this.#places.delete(node));
    }
    return place;
  }
}
