// Clocks, seats and endings in words.

import { describe, expect, it } from 'vitest';
import type { SeatState } from '../../src/api/generated/types';
import { clockWords, endingWords, seatWords } from '../../src/play/words';

describe('clocks', () => {
  it.each([
    [300_000, '5:00'],
    [299_999, '4:59'],
    [3_723_000, '1:02:03'],
    [10_000, '0:10'],
    [9_999, '0:09.9'],
    [50, '0:00.0'],
    [-20, '0:00.0'],
  ])('%i ms are %s', (leftMs, words) => expect(clockWords(leftMs)).toBe(words));
});

describe('endings', () => {
  it('name who won, or who lost', () => {
    expect(endingWords('chess', { places: [2, 1], reason: 'checkmate' })).toBe('Black wins: checkmate');
    expect(endingWords('chess', { places: [1, 1], reason: 'stalemate' })).toBe('Draw: stalemate');
    expect(endingWords('chinese-checkers', { places: [1, 3, 1], reason: 'resigned' })).toBe('B lost: resigned');
  });
});

describe('seats', () => {
  const person = (name: string): SeatState => ({ side: 'white', name, is_person: true, algorithm: null, level: null });
  const program: SeatState = { side: 'black', name: 'pvs', is_person: false, algorithm: 'pvs', level: null };

  it('are called by names, or by what is known', () => {
    expect(seatWords('chess', [person('person'), program], 0)).toBe('You');
    expect(seatWords('chess', [person('person'), program], 1)).toBe('gt pvs');
    expect(seatWords('chess', [person('person'), person('Ann')], 0)).toBe('White');
    expect(seatWords('chess', [person('person'), person('Ann')], 1)).toBe('Ann');
  });
});
