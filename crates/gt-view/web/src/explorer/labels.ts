// Numbers of an attribute by their names.

import type { Labels } from '../api/types';

/** `18` as `CutNode·QRootNode`; what has no name stays a number. */
export function labelled(labels: Labels, value: number): string {
  if (labels.kind === 'values') return labels.of.find((label) => label.value === value)?.name ?? String(value);
  let rest = value;
  const names = labels.of.filter(({ value: bit }) => bit > 0 && Math.floor(value / bit) % 2 === 1);
  for (const { value: bit } of names) rest -= bit;
  if (rest !== 0 || names.length === 0) names.push({ name: String(rest), value: rest });
  return names.map((label) => label.name).join('·');
}
