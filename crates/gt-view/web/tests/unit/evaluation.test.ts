// The rows of the evaluation's table.

import { describe, expect, it } from 'vitest';
import type { EvaluationAnswer, Term } from '../../src/api/generated/types';
import { rowsOf, shownNumber } from '../../src/evaluation/rows';

function term(group: string | null, name: string, values: number[], counts?: number[]): Term {
  const shares = values.map((value, player) => ({ count: counts?.[player] ?? null, value }));
  return { group, name, note: `about ${name}`, weight: counts ? { opening: 4, ending: 4 } : null, shares };
}

function answer(terms: Term[]): EvaluationAnswer {
  const empty = { evaluations: [], maps: [], sums: [], values: [], players: [], phase: null };
  return { game: 'chess', position: '', evaluation: 'six-terms', measure: '', to_move: 0, mover_value: 0, ...empty, terms };
}

describe('rows', () => {
  it('has a sum before the terms of a group', () => {
    const rows = rowsOf(answer([term('material', 'pawns', [8, 6]), term('material', 'rooks', [10, 5]), term(null, 'mobility', [1, 4])]));
    expect(rows.map(({ name, isPart, values }) => [name, isPart, values])).toEqual([
      ['material', false, [18, 11]],
      ['pawns', true, [8, 6]],
      ['rooks', true, [10, 5]],
      ['mobility', false, [1, 4]],
    ]);
    expect(rows.map(({ lead }) => lead)).toEqual([1, 2 / 7, 5 / 7, -3 / 7]);
  });

  it('tells what was counted and what one weighs', () => {
    const [row] = rowsOf(answer([term(null, 'territory', [40, 16], [10, 4])]));
    expect(row?.counts).toBe('10 : 4, each 4');
    expect(rowsOf(answer([term(null, 'mobility', [1, 4])]))[0]?.counts).toBe('');
  });

  it('draws no bar where all are equal, or more than two play', () => {
    expect(rowsOf(answer([term(null, 'steps', [3, 3])]))[0]?.lead).toBe(0);
    expect(rowsOf(answer([term(null, 'steps', [3, 9, 1])]))[0]?.lead).toBe(0);
  });

  it('rounds to one decimal, and zero has no sign', () => {
    expect([shownNumber(2949.1667), shownNumber(-0.01), shownNumber(38)]).toEqual(['2949.2', '0', '38']);
  });
});
