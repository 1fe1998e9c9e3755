// Numbers as a reader sees them.

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `1234567` as `1,234,567`. */
export function count(value: number): string {
  return grouped.format(value);
}

/** `1234567` as `1.23M`: at most five characters, for labels and bars. */
export function short(value: number): string {
  const size = Math.abs(value);
  for (const [unit, name] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    // 999.95 of a unit would round up to the next one.
    if (size >= unit * 0.99995 && size >= 1000) return significant(value / unit, 3) + name;
  }
  return Number.isInteger(value) ? String(value) : significant(value, 3);
}

/** A share of 1 as a percentage: `0.1234` as `12.3%`. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  if (share > 0 && share < 0.0005) return '<0.1%';
  return `${(share * 100).toFixed(share >= 0.9995 ? 0 : 1)}%`;
}

/** Any value of an attribute. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') {
    return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
  }
  return String(value);
}

/** `2048` as `2.0 kB`. */
export function bytes(value: number): string {
  for (const [unit, name] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const) {
    if (value >= unit) return `${(value / unit).toFixed(1)} ${name}`;
  }
  return `${value} bytes`;
}

function significant(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  return text.includes('e') ? String(Number(text)) : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
