// The columns that a node's attributes are shown in. Of two merged trees an attribute is one column: what both say, or
// A's value and B's.

import type { AttributePair, Attributes, LogInfo, NodeAnswer } from '../api/generated/types';
import { DIFFERENCE, differenceScale } from '../overview/scale';
import type { ValueNames } from './labels';

const NUMBER_PX = 74;
const NAMED_PX = 160;
const REASON_PX = 100;
const PAIR_PX = 96;

/** What of a node is needed to tell its values. */
export type Valued = Pick<NodeAnswer, 'attributes' | 'bound'> & { ply?: number };

export interface AttributeColumn {
  name: string;
  title: string;
  /** Whether its values are words rather than numbers. */
  worded: boolean;
  /** How wide it is at least. */
  widthPx: number;
  text(node: Valued): string;
  /** Whether the two trees differ in it. */
  differs(node: Valued): boolean;
}

export function attributeColumns(log: LogInfo | undefined, names: ValueNames): AttributeColumn[] {
  if (!log) return [];
  if (log.diff) return [...reasonColumns(log, names), ...log.diff.attributes.map((pair) => pairColumn(pair, log, names))];
  return log.attributes.map(({ name, kind, labels }) => ({
    name,
    title: `${name} ${kind}`,
    worded: labels !== null,
    widthPx: labels ? NAMED_PX : NUMBER_PX,
    text: ({ attributes, bound, ply }) => names.words(name, attributes[name], bound, ply),
    differs: () => false,
  }));
}

/** How a node differs, and why. */
function reasonColumns(log: LogInfo, names: ValueNames): AttributeColumn[] {
  const scale = differenceScale('light');
  const column = (name: string, text: AttributeColumn['text']): AttributeColumn => ({
    name,
    title: name,
    worded: true,
    widthPx: REASON_PX,
    text,
    differs: () => false,
  });
  const cause = log.attributes.some((attribute) => attribute.name === 'cause');
  return [
    column(DIFFERENCE, ({ attributes }) => scale.words(attributes[DIFFERENCE])),
    ...(cause ? [column('cause', ({ attributes }) => causeOf(attributes, names) ?? '–')] : []),
  ];
}

/** Why a node differs; `null` where it does not. */
export function causeOf(attributes: Attributes, names: ValueNames): string | null {
  const cause = attributes['cause'];
  return typeof cause === 'number' ? causeWords(names.words('cause', cause), cause) : null;
}

/** `CauseTableHit` as `table hit`; a cause that the log has no name for is its number. */
export function causeWords(name: string | null, value: number | null): string {
  if (value === null) return 'no known cause';
  if (name === null || name === String(value)) return `cause ${value}`;
  return name
    .replace(/^Cause(?=[A-Z])/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

function pairColumn({ name, a, b }: AttributePair, log: LogInfo, names: ValueNames): AttributeColumn {
  const labels = log.attributes.find((attribute) => attribute.name === (a ?? b))?.labels ?? null;
  const own = ({ attributes, bound }: Valued) => (a === null ? '' : names.words(a, attributes[a], bound));
  const other = ({ attributes }: Valued) => (b === null ? '' : names.words(b, attributes[b]));
  const differs = (node: Valued) => a !== null && b !== null && inBoth(node.attributes) && node.attributes[a] !== node.attributes[b];
  const text = (node: Valued) => {
    if (differs(node)) return `${own(node)} → ${other(node)}`;
    return a === null || node.attributes[DIFFERENCE] === ONLY_B ? other(node) : own(node);
  };
  return { name, title: `${name}, in A and in B`, worded: labels !== null, widthPx: labels ? NAMED_PX : PAIR_PX, text, differs };
}

const ONLY_A = 2;
const ONLY_B = 3;

function inBoth(attributes: Attributes): boolean {
  return attributes[DIFFERENCE] !== ONLY_A && attributes[DIFFERENCE] !== ONLY_B;
}
