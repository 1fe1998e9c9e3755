// Axes: where the ticks are, and where a value is between them.

export interface Axis {
  min: number;
  max: number;
  ticks: number[];
  /** A value's place, from 0 at the low end to 1 at the high one. */
  place(value: number): number;
}

/** An axis over these values, with round numbers at the ticks; bars need their foot at 0. */
export function linearAxis(values: number[], fromZero: boolean, ticksMax = 5): Axis {
  let min = fromZero ? Math.min(0, ...values) : Math.min(...values);
  let max = fromZero ? Math.max(0, ...values) : Math.max(...values);
  if (!Number.isFinite(min) || !Number.isFinite(max)) [min, max] = [0, 1];
  if (min === max) [min, max] = min === 0 ? [0, 1] : [Math.min(min, 0), Math.max(max, 0)];
  const step = roundStep((max - min) / ticksMax);
  min = Math.floor(min / step) * step;
  max = Math.ceil(max / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, k) => tidy(min + k * step));
  return { min, max, ticks, place: (value) => (value - min) / (max - min) };
}

/** An axis in powers of ten for positive values; what is not positive lies at its foot. */
export function logAxis(values: number[]): Axis {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive, 1)) - 1e-9));
  const every = Math.ceil((high - low) / 6);
  const ticks = [];
  for (let power = low; power <= high; power += every) ticks.push(10 ** power);
  const place = (value: number) => (value > 0 ? Math.max(0, (Math.log10(value) - low) / (high - low)) : 0);
  return { min: 10 ** low, max: 10 ** high, ticks, place };
}

/** 1, 2, 2.5 or 5 times a power of ten, at least `step`. */
export function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Which labels of the x axis are written, so that they do not touch. */
export function labelEvery(labels: number, widthPx: number, labelPx: number): number {
  const fitting = Math.max(1, Math.floor(widthPx / labelPx));
  for (const every of [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000]) if (labels / every <= fitting) return every;
  return Math.ceil(labels / fitting);
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
