// A scale: which colour, pattern and words a value has.
//
// Numbers get a ramp; what lies outside of `low` and `high` gets the colour of the end. On a diverging scale the
// distance from 0 counts by its root: small advantages are many, and must be told apart. Categories get a tone each.
// Flags get the tone of their lowest bit and the pattern of the next one, so that `CutNode` and `CutNode·QNode` are
// akin and still told apart, with letters in the legend and no need of colour vision.

import type { ColorInfo, Label, Scalar } from '../api/generated/types';
import { plain } from '../numbers';
import { category, DIFFERENCES, inkOn, ramp, type Theme, UNKNOWN } from './colors';

/** 0 is none; the others are named by the canvas (`hatches.ts`). */
export type Pattern = 0 | 1 | 2 | 3 | 4;

export interface Paint {
  fill: string;
  ink: string;
  pattern: Pattern;
}

export interface LegendEntry {
  value: Scalar;
  name: string;
  paint: Paint;
}

export interface Scale {
  name: string;
  /** The ends of a ramp, its colours, and what is at its quarters; `null` where there are categories. */
  ramp: { low: number; high: number; min: number; max: number; colors: string[]; ticks: number[] } | null;
  paint(value: Scalar | undefined): Paint;
  /** The value in words. */
  words(value: Scalar | undefined): string;
  /** An entry for each of these values, once, in order. */
  entries(values: Iterable<Scalar>): LegendEntry[];
}

/** What the server says for all texts that are too rare for a colour of their own. */
const OTHERS = 'other';

/** The entries that a legend has room for: those that are drawn most, `often` tells how much. Texts come most frequent first, and numbers
 *  and labels in their own order; what stands for all rare texts is always there, and last. */
export function shownEntries(entries: LegendEntry[], often: (entry: LegendEntry) => number, most: number): LegendEntry[] {
  const byUse = [...entries].sort((a, b) => often(b) - often(a));
  const others = byUse.filter(({ value }) => value === OTHERS);
  const kept = byUse.filter(({ value }) => value !== OTHERS).slice(0, most - others.length);
  const areTexts = entries.every(({ value }) => typeof value === 'string');
  return areTexts ? [...kept, ...others] : entries.filter((entry) => kept.includes(entry) || others.includes(entry));
}

/** The scale of a column; `drawn` are the values in the picture, each once or more, `merged` says whether two trees are merged. */
export function makeScale(color: ColorInfo | null, theme: Theme, drawn: Iterable<Scalar> = [], merged = false): Scale {
  if (!color) return plainScale(theme);
  if (merged && color.name === DIFFERENCE) return differenceScale(theme);
  const labels = color.labels ?? [];
  if (color.kind === 'flags') return flagScale(color.name, labels, theme);
  if (color.kind === 'values') return valueScale(color.name, labels, theme);
  return numberScale(
    color,
    color.kind,
    theme,
    [...drawn].filter((value) => typeof value === 'number'),
  );
}

/** The attribute of merged trees that says how a node differs. */
export const DIFFERENCE = 'difference';
const DIFFERENCE_NAMES = ['the same', 'changed', 'only in A', 'only in B'];
const DIFFERENCE_PATTERNS: Pattern[] = [0, 4, 1, 3];

/** How a node of two merged trees differs. */
export function differenceScale(theme: Theme): Scale {
  const paints = DIFFERENCES[theme].map((fill, place) => ({ ...paintOf(fill), pattern: DIFFERENCE_PATTERNS[place] ?? 0 }));
  const unknown = paintOf(UNKNOWN[theme]);
  const paint = (value: Scalar | undefined) => (typeof value === 'number' ? paints[value] : undefined) ?? unknown;
  const words = (value: Scalar | undefined) => (typeof value === 'number' ? DIFFERENCE_NAMES[value] : undefined) ?? plain(value);
  return { name: DIFFERENCE, ramp: null, paint, words, entries: (values) => entriesOf(values, paint, words) };
}

function plainScale(theme: Theme): Scale {
  const paint = paintOf(theme === 'light' ? '#b9cfe6' : '#3d5a7a');
  return { name: '', ramp: null, paint: () => paint, words: () => '', entries: () => [] };
}

function numberScale(color: ColorInfo, kind: 'diverging' | 'sequential', theme: Theme, drawn: number[]): Scale {
  const colors = ramp(kind, theme);
  const paints = colors.map((fill) => paintOf(fill));
  const unknown = paintOf(UNKNOWN[theme]);
  const [low, high] = ends(color, kind, drawn);
  const steep = kind === 'sequential' && high - low > STEEP * Math.max(1, quantile(drawn, 0.5) - low);
  const shareOf = (number: number) =>
    kind === 'diverging'
      ? rootShare(number / high)
      : steep
        ? Math.log1p(Math.max(0, number - low)) / Math.log1p(high - low)
        : (number - low) / (high - low);
  const valueAt = (share: number) =>
    steep
      ? low + Math.expm1(share * Math.log1p(high - low))
      : kind === 'diverging'
        ? high * Math.sign(share - 0.5) * (2 * share - 1) ** 2
        : low + share * (high - low);
  const paint = (value: Scalar | undefined) => {
    const number = typeof value === 'boolean' ? Number(value) : value === null ? NaN : Number(value);
    if (Number.isNaN(number)) return unknown;
    const share = high <= low ? 0.5 : shareOf(number);
    return paints[Math.round(Math.min(Math.max(share, 0), 1) * (paints.length - 1))] as Paint;
  };
  const [min, max] = [color.min ?? low, color.max ?? high];
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(valueAt);
  return { name: color.name, ramp: { low, high, min, max, colors, ticks }, paint, words: (v) => plain(v), entries: () => [] };
}

/** Beyond so many times the usual value the far ones are of another kind: mates among scores, the root among sizes. */
const STEEP = 100;
const FAR = 25;
const USUAL_TIMES = 6;

/** A diverging scale reaches equally far to both sides, so that its middle is 0. */
function ends(color: ColorInfo, kind: 'diverging' | 'sequential', drawn: number[]): [number, number] {
  const low = color.low ?? color.min ?? 0;
  const high = color.high ?? color.max ?? 0;
  if (kind === 'sequential') return [low, high];
  const reach = Math.max(Math.abs(low), Math.abs(high));
  const usual = quantile(
    drawn.map(Math.abs).filter((value) => value > 0),
    0.6,
  );
  const seen = usual > 0 && reach > FAR * usual ? Number((USUAL_TIMES * usual).toPrecision(2)) : reach;
  return [-seen, seen];
}

/** The value that a share of the others does not exceed; 0 of none. */
function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** From -1 … 1 to 0 … 1. */
function rootShare(part: number): number {
  return 0.5 + (Math.sign(part) * Math.sqrt(Math.abs(part))) / 2;
}

function valueScale(name: string, labels: Label[], theme: Theme): Scale {
  const known = new Map(labels.map((label, index) => [String(label.value), { label, index }]));
  const unknown = paintOf(UNKNOWN[theme]);
  const place = (value: Scalar) => known.get(String(value))?.index ?? spread(String(value), labels.length);
  const paint = (value: Scalar | undefined) => (value === null || value === undefined ? unknown : paintOf(category(place(value), theme)));
  const words = (value: Scalar | undefined) => known.get(String(value))?.label.name ?? plain(value);
  return { name, ramp: null, paint, words, entries: (values) => entriesOf(values, paint, words) };
}

function flagScale(name: string, labels: Label[], theme: Theme): Scale {
  const flags = labels.map((label) => ({ name: label.name, bit: Number(label.value) }));
  const unknown = paintOf(UNKNOWN[theme]);
  const setIn = (value: Scalar) => flags.filter((flag) => has(Number(value), flag.bit));
  const paint = (value: Scalar | undefined): Paint => {
    if (value === null || value === undefined) return unknown;
    const [first, second] = setIn(value).map((flag) => flags.indexOf(flag));
    if (first === undefined) return unknown;
    const pattern = second === undefined ? 0 : ((1 + (second % 4)) as Pattern);
    return { ...paintOf(category(first, theme)), pattern };
  };
  const words = (value: Scalar | undefined) => {
    if (value === null || value === undefined) return '–';
    const names = setIn(value).map((flag) => flag.name);
    return names.length ? names.join('·') : plain(value);
  };
  return { name, ramp: null, paint, words, entries: (values) => entriesOf(values, paint, words) };
}

function entriesOf(values: Iterable<Scalar>, paint: Scale['paint'], words: Scale['words']): LegendEntry[] {
  const distinct = [...new Set(values)].filter((value) => value !== null);
  distinct.sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))));
  return distinct.map((value) => ({ value, name: words(value), paint: paint(value) }));
}

const inks = new Map<string, string>();

function paintOf(fill: string): Paint {
  let ink = inks.get(fill);
  if (!ink) inks.set(fill, (ink = inkOn(fill)));
  return { fill, ink, pattern: 0 };
}

function has(value: number, bit: number): boolean {
  // Flags may be wider than the 32 bits of `&`.
  return bit > 0 && Math.floor(value / bit) % 2 === 1;
}

/** A tone for a value without a label, the same one every time. */
function spread(text: string, taken: number): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8191;
  return taken + sum;
}
