import { describe, expect, it } from 'vitest';
import { type Address, formatAddress, HOME, parseAddress } from '../../src/state/address';

describe('address', () => {
  it('writes nothing for the start', () => {
    expect(formatAddress(HOME)).toBe('');
    expect(parseAddress('')).toEqual(HOME);
  });

  it('gives every state back', () => {
    const full: Address = {
      log: 2,
      tree: 6,
      node: 4711,
      root: 120,
      from: 130,
      to: 900,
      after: 4712,
      view: 'treemap',
      panel: 'query',
      color: '@size',
      oneSided: false,
      san: true,
      attribute: 'best',
      query: 'node: type & "a&b=c" # 50% ü\nsubtree: count(*) > 3',
      file: true,
      explore: true,
    };
    expect(parseAddress(formatAddress(full))).toEqual(full);
    for (const name of Object.keys(full) as (keyof Address)[]) {
      // The two ends of a stretch go together.
      const stretch = name === 'from' || name === 'to' ? { from: full.from, to: full.to } : {};
      const one = { ...HOME, [name]: full[name], ...stretch };
      expect(parseAddress(formatAddress(one)), name).toEqual(one);
    }
  });

  it('tells tree 0 from the last tree', () => {
    expect(parseAddress('?tree=0').tree).toBe(0);
    expect(parseAddress('').tree).toBeNull();
  });

  it('takes what makes no sense for the default', () => {
    expect(parseAddress('?log=-1&tree=x&node=1e3&root=99999999999999999999&view=nonsense&panel=')).toEqual(HOME);
    expect(parseAddress('?from=5&after=0')).toEqual(HOME);
    expect(parseAddress('?from=9&to=9')).toEqual(HOME);
  });
});
