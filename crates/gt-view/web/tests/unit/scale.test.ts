import { describe, expect, it } from 'vitest';
import type { ColorInfo } from '../../src/api/generated/types';
import { category, luminance, parse, ramp } from '../../src/overview/colors';
import { differenceScale, makeScale, shownEntries } from '../../src/overview/scale';

const color = (change: Partial<ColorInfo>): ColorInfo => ({
  name: 'best',
  kind: 'diverging',
  min: -999995,
  max: 999995,
  low: -80,
  high: 120,
  labels: null,
  ...change,
});
const FLAGS = [
  { name: 'PVNode', value: 1 },
  { name: 'CutNode', value: 2 },
  { name: 'QNode', value: 8 },
];

describe('legend', () => {
  const often: Record<string, number> = { zug: 90, ant: 5, bee: 40, other: 1, '1': 1, '2': 9, '3': 4 };
  const shown = (values: (string | number)[], most: number) => {
    const entries = makeScale(color({ kind: 'values' }), 'light').entries(values);
    return shownEntries(entries, ({ value }) => often[String(value)] ?? 0, most).map(({ value }) => value);
  };

  it('has the most frequent texts first, and those that stand for rare ones always', () => {
    expect(shown(['ant', 'bee', 'other', 'zug'], 10)).toEqual(['zug', 'bee', 'ant', 'other']);
    expect(shown(['ant', 'bee', 'other', 'zug'], 3)).toEqual(['zug', 'bee', 'other']);
  });

  it('has the numbers that are drawn most in their order', () => {
    expect(shown([3, 2, 1], 2)).toEqual([2, 3]);
  });
});

describe('scale', () => {
  it('puts 0 in the middle of a diverging scale', () => {
    const scale = makeScale(color({}), 'light');
    const colors = ramp('diverging', 'light');
    expect(scale.ramp).toMatchObject({ low: -120, high: 120, min: -999995, max: 999995 });
    expect(scale.paint(0).fill).toBe(colors[128]);
    expect(scale.paint(999995).fill).toBe(colors[255]);
    expect(scale.paint(-999995).fill).toBe(colors[0]);
  });

  it('is not bleached by mates, however many there are', () => {
    const drawn = [...Array(60).keys()].map((k) => k - 30).concat(Array(20).fill(999_990));
    const scale = makeScale(color({ low: -999_990, high: 999_990 }), 'light', drawn);
    expect(scale.ramp?.high).toBeLessThan(300);
    expect(scale.paint(20).fill).not.toBe(scale.paint(0).fill);
    expect(scale.ramp?.ticks[2]).toBeCloseTo(0);
    const mates = makeScale(color({ low: -999_990, high: 999_990 }), 'light', [999_990, -999_990, 0, 0]);
    expect(mates.ramp?.high).toBe(999_990);
  });

  it('counts sizes by their powers', () => {
    const sizes = color({ name: '@size', kind: 'sequential', min: 1, max: 1_000_000, low: 1, high: 1_000_000 });
    const scale = makeScale(sizes, 'light', [1_000_000, 2000, 500, 40, 30, 7, 3, 2, 1]);
    expect(scale.paint(1000).fill).toBe(ramp('sequential', 'light')[128]);
    expect(scale.ramp?.ticks.map(Math.round)).toEqual([1, 32, 1000, 31623, 1_000_000]);
    const even = makeScale({ ...sizes, low: 0, high: 8 }, 'light', [0, 1, 2, 8]);
    expect(even.ramp?.ticks).toEqual([0, 2, 4, 6, 8]);
  });

  it('takes integers that come as text', () => {
    const scale = makeScale(color({}), 'light');
    expect(scale.paint('99999999999999999').fill).toBe(scale.paint(120).fill);
  });

  it('shows what is unknown in a tone of its own', () => {
    const scale = makeScale(color({ kind: 'sequential', low: 0, high: 9 }), 'light');
    expect(scale.paint(null).fill).not.toBe(scale.paint(0).fill);
    expect(scale.words(null)).toBe('–');
  });

  it('tells flags apart by tone and pattern, and names them', () => {
    const scale = makeScale(color({ name: 'type', kind: 'flags', labels: FLAGS }), 'light');
    expect(scale.words(10)).toBe('CutNode·QNode');
    expect(scale.words(64)).toBe('64');
    expect(scale.paint(10).fill).toBe(scale.paint(2).fill);
    expect(scale.paint(10).pattern).not.toBe(scale.paint(2).pattern);
    expect(scale.entries([10, 2, 2, null, 1]).map((entry) => entry.name)).toEqual(['PVNode', 'CutNode', 'CutNode·QNode']);
  });

  it('gives truth values a tone each', () => {
    const scale = makeScale(color({ kind: 'values' }), 'dark');
    expect(scale.words(true)).toBe('true');
    expect(scale.paint(true).fill).not.toBe(scale.paint(false).fill);
  });
});

// A colour of 8 bits a part is this much off at most.
const ROUNDING = 0.004;

describe('colours without colour vision', () => {
  it.each(['light', 'dark'] as const)('rise in lightness along the sequential scale (%s)', (theme) => {
    const lights = ramp('sequential', theme).map((tone) => luminance(parse(tone)));
    for (let step = 1; step < lights.length; step++) expect(lights[step]).toBeGreaterThanOrEqual((lights[step - 1] as number) - ROUNDING);
  });

  it.each(['light', 'dark'] as const)('fall off or rise from the middle of the diverging scale to both ends (%s)', (theme) => {
    const lights = ramp('diverging', theme).map((tone) => luminance(parse(tone)));
    const sign = theme === 'light' ? -1 : 1;
    for (let step = 1; step < 128; step++) {
      expect(sign * ((lights[127 - step] as number) - (lights[128 - step] as number))).toBeGreaterThanOrEqual(-ROUNDING);
      expect(sign * ((lights[128 + step] as number) - (lights[127 + step] as number))).toBeGreaterThanOrEqual(-ROUNDING);
    }
  });

  it.each(['light', 'dark'] as const)('neighbouring categories differ in lightness (%s)', (theme) => {
    for (let place = 0; place < 7; place++) {
      const [a, b] = [luminance(parse(category(place, theme))), luminance(parse(category(place + 1, theme)))];
      expect(Math.max(a, b) / Math.min(a, b), `${place}`).toBeGreaterThan(1.15);
    }
  });
});

describe('the colours of differences', () => {
  /** Colours as people see them who lack one kind of cone (Machado, Oliveira and Fernandes 2009, in linear light). */
  const SIGHTS: Record<string, number[][]> = {
    usual: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    protanopia: [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    deuteranopia: [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
    tritanopia: [
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ],
  };
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

  /** The place of a colour in CIE L*a*b*, as one of these eyes sees it. */
  function lab(fill: string, sight: number[][]): number[] {
    const light = parse(fill).map((part) => linear(part / 255));
    const seen = sight.map((row) =>
      Math.min(
        Math.max(
          row.reduce((sum, factor, place) => sum + factor * (light[place] ?? 0), 0),
          0,
        ),
        1,
      ),
    );
    const [red = 0, green = 0, blue = 0] = seen;
    const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047;
    const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883;
    const [fx, fy, fz] = [x, y, z].map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as [number, number, number];
    return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
  }

  it.each(['light', 'dark'] as const)('are told apart by all eyes, %s', (theme) => {
    const scale = differenceScale(theme);
    const paints = [0, 1, 2, 3].map((value) => scale.paint(value));
    for (const [name, sight] of Object.entries(SIGHTS)) {
      for (const [place, paint] of paints.entries()) {
        for (const other of paints.slice(place + 1)) {
          const [one, two] = [lab(paint.fill, sight), lab(other.fill, sight)];
          const distance = Math.hypot(...one.map((part, axis) => part - (two[axis] ?? 0)));
          expect(distance, `${name}: ${paint.fill} and ${other.fill}`).toBeGreaterThan(25);
        }
      }
    }
    expect(new Set(paints.map((paint) => paint.pattern)).size).toBe(4);
  });

  it('are those of merged trees alone', () => {
    const named = color({ name: 'difference', kind: 'values', labels: [{ name: 'Mine', value: 2 }] });
    expect(makeScale(named, 'light', [], true).words(2)).toBe('only in A');
    expect(makeScale(named, 'light').words(2)).toBe('Mine');
    expect(makeScale(named, 'light', [], true).words(250)).toBe('250');
  });
});
