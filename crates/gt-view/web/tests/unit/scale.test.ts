import { describe, expect, it } from 'vitest';
import type { ColorInfo } from '../../src/api/types';
import { category, luminance, parse, ramp } from '../../src/overview/colors';
import { makeScale } from '../../src/overview/scale';

const color = (change: Partial<ColorInfo>): ColorInfo =>
  ({ name: 'best', kind: 'diverging', min: -999995, max: 999995, low: -80, high: 120, labels: null, ...change });
const FLAGS = [{ name: 'PVNode', value: 1 }, { name: 'CutNode', value: 2 }, { name: 'QNode', value: 8 }];

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

  it('names values, and gives truth values a tone each', () => {
    const labels = [{ name: 'false', value: false }, { name: 'true', value: true }];
    const scale = makeScale(color({ kind: 'values', labels }), 'dark');
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
