// Moves put together from places, and the steps of the focus from cell to cell.

import { describe, expect, it } from 'vitest';
import type { PointedMove, PointingAnswer } from '../../src/api/generated/types';
import { DIRECTIONS, neighbour } from '../../src/play/neighbours';
import { Pointer } from '../../src/play/pointing';

const move = (text: string, places: string[], choice: string | null = null): PointedMove => ({ text, places, choice });
const pointer = (moves: PointedMove[], stand_ins: PointingAnswer['stand_ins'] = []) => new Pointer({ moves, stand_ins });

const AMAZONS = [move('d1-d7/g7', ['d1', 'd7', 'g7']), move('d1-d7/d1', ['d1', 'd7', 'd1']), move('a4-a5/a4', ['a4', 'a5', 'a4'])];
const PAWN = ['queen', 'rook'].map((choice) => move(`a7a8${choice[0]}`, ['a7', 'a8'], choice));

describe('a move of places', () => {
  it('is led on place by place', () => {
    const amazons = pointer(AMAZONS);
    expect([...amazons.targets([])]).toEqual(['d1', 'a4']);
    expect(amazons.point([], 'd1')).toEqual({ kind: 'picked', picked: ['d1'] });
    expect([...amazons.targets(['d1', 'd7'])]).toEqual(['g7', 'd1']);
    expect(amazons.point(['d1', 'd7'], 'd1')).toEqual({ kind: 'move', move: AMAZONS[1] });
  });

  it('begins anew at another piece, and nowhere else', () => {
    const amazons = pointer(AMAZONS);
    expect(amazons.point(['d1'], 'a4')).toEqual({ kind: 'picked', picked: ['a4'] });
    expect(amazons.point(['d1'], 'j10')).toEqual({ kind: 'nothing' });
    expect(amazons.point([], 'd7')).toEqual({ kind: 'nothing' });
  });

  it('asks for a choice where places do not tell moves apart', () => {
    expect(pointer(PAWN).point(['a7'], 'a8')).toEqual({ kind: 'choose', picked: ['a7', 'a8'], moves: PAWN });
  });

  it('takes a place for the one it stands in for', () => {
    const column = pointer([move('d', ['d1'])], [{ place: 'd6', meant: 'd1' }]);
    expect(column.point([], 'd6')).toEqual({ kind: 'move', move: move('d', ['d1']) });
    expect(column.point([], 'e6')).toEqual({ kind: 'nothing' });
  });

  it('may have no place', () => {
    const pass = move('pass', [], 'pass');
    expect(pointer([pass, ...PAWN]).placeless).toEqual([pass]);
    expect(pointer([pass]).targets([])).toEqual(new Set());
  });
});

describe('the cell beside another one', () => {
  const cell = (name: string, x: number, y: number) => ({ name, at: { x, y } });
  const beside = (cells: ReturnType<typeof cell>[], key: string) => neighbour(cells, { x: 0, y: 0 }, DIRECTIONS[key]!)?.name;

  it('is the nearest in that direction', () => {
    const cells = [cell('here', 0, 0), cell('right', 40, 0), cell('far', 80, 0), cell('below', 0, 40), cell('aslant', 40, 40)];
    expect(['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'].map((key) => beside(cells, key))).toEqual([
      'right',
      'below',
      undefined,
      undefined,
    ]);
  });

  it('may be half a cell aside, as on the star', () => {
    const star = [cell('left below', -12, 20), cell('far below', 0, 41), cell('right', 24, 0)];
    expect(beside(star, 'ArrowDown')).toBe('left below');
    expect(beside(star, 'ArrowRight')).toBe('right');
  });
});
