// The words of a log: numbers of an attribute by their names.

import type { Bound, Labels, LogInfo, Scalar } from '../api/generated/types';
import { withBound } from '../bounds';
import { plain } from '../numbers';

/** `18` as `CutNode·QRootNode`; what has no name stays a number. */
export function labelled(labels: Labels, value: number): string {
  if (labels.kind === 'values') return labels.of.find((label) => label.value === value)?.name ?? String(value);
  let rest = value;
  const names = labels.of.filter(({ value: bit }) => bit > 0 && Math.floor(value / bit) % 2 === 1);
  for (const { value: bit } of names) rest -= bit;
  if (rest !== 0 || names.length === 0) names.push({ name: String(rest), value: rest });
  return names.map((label) => label.name).join('·');
}

/** Below this an alias is a small number, which may stand for something else in another column. */
const SENTINEL_MIN = 2 ** 31 - 1;

/** What the values of a log's wins are. */
export interface Mates {
  /** The value of a game won at once. */
  win: number;
  /** The smallest value of a win at an unknown distance; `null` where there is no such value. */
  unmeasured: number | null;
  chess: boolean;
}

/** A value that says who wins, by its distance from a node at this ply: `mate in 3`. `null` where it says no such thing. */
export function mateWords(value: number, { win, unmeasured, chess }: Mates, ply: number): string | null {
  const fromRoot = win - Math.abs(value);
  if (fromRoot < 0) return null;
  if (fromRoot > Math.min(win / 10, 10_000)) {
    if (unmeasured === null || Math.abs(value) < unmeasured) return null;
    return value > 0 ? 'won' : 'lost';
  }
  const plies = Math.max(0, fromRoot - ply);
  const word = chess ? (value > 0 ? 'mate' : 'mated') : value > 0 ? 'won' : 'lost';
  // The game is over at the node itself.
  if (plies === 0) return word;
  return chess ? `${word} in ${Math.ceil(plies / 2)}` : `${word} in ${plies} ${plies === 1 ? 'ply' : 'plies'}`;
}

/** The words for the values of one log's attributes. */
export class ValueNames {
  readonly #labels = new Map<string, Labels>();
  readonly #sentinels = new Map<Scalar, string>();
  /** Names of single numbers of an attribute. */
  readonly #special = new Map<string, string>();
  readonly #value: string | null;
  readonly #mates: Mates | null;

  constructor(log: LogInfo | undefined) {
    for (const { name, labels } of log?.attributes ?? []) if (labels) this.#labels.set(name, labels);
    // A name that means the same in both of two merged trees is told once, with A's attribute.
    for (const { a, b } of log?.diff?.attributes ?? []) this.#share(a, b);
    this.#value = log?.value ?? null;
    this.#mates = log?.win ? { win: log.win, unmeasured: log.unmeasured_win, chess: log.game === 'chess' } : null;
    for (const { name, value, attribute } of log?.aliases ?? []) {
      if (attribute !== null) this.#special.set(`${attribute} ${value}`, name);
      else if (typeof value === 'number' && Math.abs(value) >= SENTINEL_MIN) this.#sentinels.set(value, name);
    }
    for (const { a, b } of log?.diff?.attributes ?? []) {
      for (const { name, value, attribute } of log?.aliases ?? []) {
        const key = `${b} ${value}`;
        if (attribute !== null && attribute === a && b !== null && !this.#special.has(key)) this.#special.set(key, name);
      }
    }
  }

  #share(a: string | null, b: string | null): void {
    const labels = a !== null ? this.#labels.get(a) : undefined;
    if (!labels || b === null) return;
    const own = this.#labels.get(b);
    const shared = labels.of.filter(({ value }) => !own?.of.some((label) => label.value === value));
    this.#labels.set(b, own ? { kind: own.kind, of: [...own.of, ...shared] } : labels);
  }

  #mate(value: Scalar | undefined, ply: number): string | null {
    return this.#mates && typeof value === 'number' ? mateWords(value, this.#mates, ply) : null;
  }

  /** A value that is told from the root's view: a mate is counted from the root. */
  fromRoot(value: Scalar, bound: Bound | null = null): string {
    return withBound(this.#mate(value, 0) ?? plain(value), value, bound);
  }

  /** The value in words; `bound` and `ply` are those of the node: its own value is shown with the one, and a mate counted from the other.
   *  Without a ply, a mate is a number. */
  words(attribute: string, value: Scalar | undefined, bound: Bound | null = null, ply: number | null = 0): string {
    const labels = this.#labels.get(attribute);
    if (labels && typeof value === 'number') return labelled(labels, value);
    const mate = attribute === this.#value && ply !== null ? this.#mate(value, ply) : null;
    if (mate !== null) return withBound(mate, value, bound);
    const text = this.#special.get(`${attribute} ${value}`) ?? this.#sentinels.get(value ?? null) ?? plain(value);
    return attribute === this.#value ? withBound(text, value, bound) : text;
  }
}
