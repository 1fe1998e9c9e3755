// Values that are bounds: a search that was cut off knows its value only to be at least, or at most, so much.

import type { Bound } from './api/generated/types';

const SIGNS: Record<Bound, string> = { exact: '', lower: '≥ ', upper: '≤ ' };

/** `12` as `≥ 12` where it is a lower bound; what is missing stays as it is. */
export function withBound(text: string, value: unknown, bound: Bound | null | undefined): string {
  return value === null || value === undefined || !bound ? text : SIGNS[bound] + text;
}

/** The bound of the value with its sign turned round. */
export function turned(bound: Bound | null): Bound | null {
  return bound === 'lower' ? 'upper' : bound === 'upper' ? 'lower' : bound;
}
