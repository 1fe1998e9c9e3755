// Small pure parts: numbers, labels, jumps, saved queries, axes, arrows.

import { describe, expect, it } from 'vitest';
import type { BoardAnswer, LogInfo } from '../../src/api/generated/types';
import { turned } from '../../src/bounds';
import { arrowPath, arrowsOf, geometry } from '../../src/board/geometry';
import { labelEvery, linearAxis, logAxis } from '../../src/charts/axis';
import { labelled, mateWords, ValueNames } from '../../src/explorer/labels';
import { parseJump } from '../../src/frame/jump';
import { bytes, count, percent, plain, short } from '../../src/numbers';
import { loadSaved, nameOf, storeSaved, withSaved } from '../../src/query/saved';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [999, '999'],
    [1000, '1k'],
    [1234, '1.23k'],
    [999_999, '1M'],
    [1_234_567, '1.23M'],
    [-54_066_636, '-54.1M'],
    [2.5, '2.5'],
    [0.123456, '0.123'],
    [1e9, '1G'],
  ])('%d is short %s', (value, text) => expect(short(value)).toBe(text));

  it('are grouped, shares are percent', () => {
    expect(count(54_066_636)).toBe('54,066,636');
    expect(percent(1)).toBe('100%');
    expect(percent(0.1234)).toBe('12.3%');
    expect(percent(0.00001)).toBe('<0.1%');
    expect(percent(0 / 0)).toBe('–');
    expect(plain(null)).toBe('–');
    expect(plain(0.1 + 0.2)).toBe('0.3');
    expect(plain(true)).toBe('true');
    expect(bytes(3_751_556)).toBe('3.8 MB');
  });
});

describe('labels', () => {
  const flags = {
    kind: 'flags' as const,
    of: [
      { name: 'PV', value: 1 },
      { name: 'Q', value: 8 },
    ],
  };
  it.each([
    [1, 'PV'],
    [9, 'PV·Q'],
    [0, '0'],
    [24, 'Q·16'],
  ])('%d is %s', (value, text) => expect(labelled(flags, value)).toBe(text));
  it('name whole values', () => {
    expect(labelled({ kind: 'values', of: [{ name: 'Cutoff', value: 1 }] }, 1)).toBe('Cutoff');
    expect(labelled({ kind: 'values', of: [] }, 5)).toBe('5');
  });
});

describe('values', () => {
  const names = new ValueNames({
    value: 'best',
    attributes: [],
    aliases: [
      { name: 'Unknown', value: -2147483648, attribute: null },
      { name: 'Mate', value: 30000, attribute: 'best' },
      { name: 'One', value: 1, attribute: null },
    ],
  } as unknown as LogInfo);

  it('that are bounds say so, wherever the node is shown', () => {
    expect(names.words('best', 12, 'lower')).toBe('≥ 12');
    expect(names.words('best', -12, 'upper')).toBe('≤ -12');
    expect(names.words('best', 12, 'exact')).toBe('12');
    expect(names.words('best', 12, null)).toBe('12');
    expect(names.words('best', 30000, 'lower')).toBe('≥ Mate');
    expect(names.words('alpha', 12, 'lower')).toBe('12');
    expect([turned('lower'), turned('upper'), turned('exact'), turned(null)]).toEqual(['upper', 'lower', 'exact', null]);
  });

  it('that are missing are no numbers, and no bounds', () => {
    expect(names.words('best', null, 'lower')).toBe('–');
    expect(names.words('best', undefined)).toBe('–');
  });

  it('have the names of their own attribute', () => {
    expect(names.words('depth', 30000)).toBe('30,000');
    expect(names.words('depth', -2147483648)).toBe('Unknown');
    expect(names.words('depth', 1)).toBe('1');
  });
});

describe('values of two merged trees', () => {
  const flags = (...names: [string, number][]) => ({ kind: 'flags', of: names.map(([name, value]) => ({ name, value })) });
  const names = new ValueNames({
    value: null,
    attributes: [
      { name: 'type', kind: 'u8', labels: flags(['PV', 1], ['Q', 8]) },
      { name: 'other_type', kind: 'u8', labels: flags(['other_Q', 1]) },
      { name: 'ended', kind: 'u8', labels: flags(['Cutoff', 1]) },
      { name: 'other_ended', kind: 'u8', labels: null },
    ],
    aliases: [],
    diff: {
      a: 'a',
      b: 'b',
      attributes: [
        { name: 'type', a: 'type', b: 'other_type' },
        { name: 'ended', a: 'ended', b: 'other_ended' },
      ],
    },
  } as unknown as LogInfo);

  it('have the names of A where B has none of its own', () => {
    expect([names.words('type', 9), names.words('other_type', 9)]).toEqual(['PV·Q', 'other_Q·Q']);
    expect(names.words('other_ended', 1)).toBe('Cutoff');
  });
});

describe('mates', () => {
  const own = { win: 1_000_000, unmeasured: 979_999, chess: true };
  const other = { win: 32_000, unmeasured: null, chess: true };
  const names = new ValueNames({
    value: 'best',
    win: 32_000,
    unmeasured_win: null,
    game: 'chess',
    attributes: [],
    aliases: [],
  } as unknown as LogInfo);

  it('are counted from the node, in moves of the winner', () => {
    expect(mateWords(999_995, own, 0)).toBe('mate in 3');
    expect(mateWords(-31_996, other, 2)).toBe('mated in 1');
    expect(mateWords(999_995, { ...own, chess: false }, 2)).toBe('won in 3 plies');
    expect(mateWords(-999_997, { ...own, chess: false }, 2)).toBe('lost in 1 ply');
    expect([mateWords(-31_996, other, 4), mateWords(-999_998, { ...own, chess: false }, 2)]).toEqual(['mated', 'lost']);
  });

  it('at an unknown distance are won games', () => {
    expect([mateWords(989_999, own, 0), mateWords(-979_999, own, 3)]).toEqual(['won', 'lost']);
    expect([mateWords(979_998, own, 0), mateWords(25_000, other, 0)]).toEqual([null, null]);
  });

  it('of no single node are numbers', () => {
    expect(names.words('best', 31_997, null, 1)).toBe('mate in 1');
    expect(names.words('best', 31_997, null, null)).toBe('31,997');
    expect(names.words('alpha', 31_997, null, 1)).toBe('31,997');
  });

  it('of an explanation are counted from the root', () => {
    expect([names.fromRoot(31_997), names.fromRoot(-31_996, 'upper')]).toEqual(['mate in 2', '≤ mated in 2']);
    expect([names.fromRoot(31), names.fromRoot(null, 'upper')]).toEqual(['31', '–']);
  });

  it('are no evaluations, and no open windows', () => {
    expect([mateWords(300, own, 0), mateWords(1_000_001, own, 0)]).toEqual([null, null]);
  });
});

describe('jump', () => {
  it.each([
    ['17', { kind: 'node', node: 17 }],
    [' #1,234 ', { kind: 'node', node: 1234 }],
    ['e2e4 e7e5', { kind: 'line', line: 'e2e4 e7e5' }],
    ['> 3', { kind: 'line', line: '3' }],
    ['3 5', { kind: 'line', line: '3 5' }],
    ['+ g1f3', { kind: 'onward', line: 'g1f3' }],
    ['', { kind: 'nothing' }],
    ['+', { kind: 'nothing' }],
  ])('%j', (text, jump) => expect(parseJump(text)).toEqual(jump));
});

describe('saved queries', () => {
  function memory(): Storage {
    const values = new Map<string, string>();
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
    } as Storage;
  }

  it('come back, one for each name', () => {
    const storage = memory();
    const list = withSaved(withSaved([], { name: 'b', text: '1' }), { name: 'a', text: '2' });
    storeSaved(storage, withSaved(list, { name: 'b', text: '3' }));
    expect(loadSaved(storage)).toEqual([
      { name: 'a', text: '2' },
      { name: 'b', text: '3' },
    ]);
  });

  it('survive a storage that holds something else', () => {
    const storage = memory();
    storage.setItem('gt-queries', '{"a": 1');
    expect(loadSaved(storage)).toEqual([]);
    storage.setItem('gt-queries', '[null, 3, {"name": "a", "text": "b"}]');
    expect(loadSaved(storage)).toEqual([{ name: 'a', text: 'b' }]);
  });

  it('are named by their name, their comment, or their beginning', () => {
    expect(nameOf('[large]\nnode: best > 3')).toBe('large');
    expect(nameOf('\n# the large ones\nnode: best > 3')).toBe('the large ones');
    expect(nameOf('node: best > 3')).toBe('node: best > 3');
    expect(nameOf('x'.repeat(99))).toHaveLength(48);
  });
});

describe('axes', () => {
  it('have round ticks that hold all values', () => {
    expect(linearAxis([3, 97], true).ticks).toEqual([0, 20, 40, 60, 80, 100]);
    expect(linearAxis([0.1, 0.27], true).ticks).toEqual([0, 0.1, 0.2, 0.3]);
    expect(linearAxis([], true).ticks.at(-1)).toBe(1);
    expect(linearAxis([5, 5], true)).toMatchObject({ min: 0, max: 5 });
    expect(linearAxis([-7, 3], true).place(0)).toBeGreaterThan(0);
  });

  it('go in powers of ten', () => {
    const axis = logAxis([0, 1, 35, 54_066_636]);
    expect(axis.place(1)).toBe(0);
    expect(axis.place(0)).toBe(0);
    expect(axis.place(1e8)).toBe(1);
    expect(axis.ticks.length).toBeLessThan(8);
  });

  it('leave room between labels', () => {
    expect(labelEvery(10, 400, 40)).toBe(1);
    expect(labelEvery(100, 400, 40)).toBe(10);
    expect(labelEvery(26, 250, 40)).toBe(5);
  });
});

describe('board', () => {
  const board = {
    shape: { kind: 'squares', columns: 2, rows: 2 },
    cells: [
      ['a2', 0, 0],
      ['b2', 1, 0],
      ['a1', 0, 1],
      ['b1', 1, 1],
    ].map(([place, x, y]) => ({ place, x, y, piece: null })),
  } as BoardAnswer;
  const moves = [
    { node: 1, text: 'a1b2', size: 100, value: 3, bound: 'exact' as const, places: ['a1', 'b2'] },
    { node: 2, text: 'a1a2', size: 25, value: 5, bound: 'lower' as const, places: ['a1', 'a2'] },
    { node: 3, text: 'null', size: 1, value: null, bound: null, places: [] },
  ];

  it('turns', () => {
    expect(geometry(board, false).place('a1')).toEqual({ x: 20, y: 60 });
    expect(geometry(board, true).place('a1')).toEqual({ x: 60, y: 20 });
  });

  it('weighs moves by the root of their size, the heaviest drawn last', () => {
    const arrows = arrowsOf(moves, geometry(board, false), 10);
    expect(arrows.map((arrow) => [arrow.move.node, arrow.weight])).toEqual([
      [2, 0.5],
      [1, 1],
    ]);
  });

  it('draws an arrow that ends before the middle of its square', () => {
    expect(arrowPath({ x: 0, y: 0 }, { x: 40, y: 0 }, 4, 10)).toBe('M0 2L28 2L28 6.5L38 0L28 -6.5L28 -2L0 -2z');
  });
});
