// Which column colours the overview.

import type { LogInfo } from '../api/generated/types';
import type { Address } from '../state/address';
import { DIFFERENCE } from './scale';

/** The names to choose from, attributes first. */
export function colorNames(log: LogInfo | undefined): { attributes: string[]; derived: string[] } {
  return { attributes: log?.attributes.map((attribute) => attribute.name) ?? [], derived: log?.derived ?? [] };
}

/** Colours that tell how the search went: when it came to a node, and how many nodes it spent there. */
export const SEARCH = [
  { color: 'node_id', told: 'when (order of search)' },
  { color: '@size', told: 'cost (nodes below)' },
];

/** The chosen column, or what differs in merged trees, or the nodes' kinds, or the log's score where it has one under a usual name. */
export function colorName(address: Address, log: LogInfo | undefined): string {
  if (address.color) return address.color;
  if (log?.diff) return DIFFERENCE;
  const names = colorNames(log).attributes;
  if (log?.attributes.some(({ name, labels }) => name === 'type' && labels)) return 'type';
  return SCORES.find((name) => names.includes(name)) ?? names[0] ?? '@height';
}

/** Names of scores, whose sign changes with the side to move. */
const SCORES = ['best', 'score', 'value', 'eval', 'static_eval', 'evaluation'];

/** Whether the column is a score. */
export function isSigned(name: string, log: LogInfo | undefined): boolean {
  const attribute = log?.attributes.find((other) => other.name === name);
  return !!attribute && SCORES.includes(name) && !attribute.labels && /^[if]\d+$/.test(attribute.kind);
}

/** Makes a value one that the first player sees. */
export const ONE_SIDED = ' * (1 - 2 * (@ply % 2))';

/** What the server is asked for: the column, or the column as the first player sees it. */
export function colorExpression(address: Address, log: LogInfo | undefined): string {
  const name = colorName(address, log);
  return address.oneSided && isSigned(name, log) ? name + ONE_SIDED : name;
}
