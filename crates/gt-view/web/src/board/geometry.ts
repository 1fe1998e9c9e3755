// Where things are on a board, in units of the drawing: a square is 40 wide, a hole of the star 20.

import type { BoardMove, Cell } from '../api/generated/types';
import type { Position } from '../api/position';

export const SQUARE = 40;
const HOLE_ACROSS = 12;
const HOLE_DOWN = 20.8;
/** Of a position in letters. */
const LETTER_ACROSS = 7.8;
export const LINE_DOWN = 18;

export interface Point {
  x: number;
  y: number;
}

export interface Geometry {
  width: number;
  height: number;
  /** How wide a cell is. */
  cell: number;
  /** The middle of a cell. */
  middle(cell: Cell): Point;
  /** The middle of a place by its name. */
  place(name: string): Point | undefined;
}

export function geometry(board: Position, turned: boolean): Geometry {
  const star = board.shape.kind === 'star';
  const { width, height } = extent(board);
  const middle = ({ x, y }: Cell): Point => {
    const point = star ? { x: (x + 1) * HOLE_ACROSS, y: (y + 0.5) * HOLE_DOWN } : { x: (x + 0.5) * SQUARE, y: (y + 0.5) * SQUARE };
    return turned ? { x: width - point.x, y: height - point.y } : point;
  };
  const places = new Map(board.cells.map((cell) => [cell.place, middle(cell)]));
  return { width, height, cell: star ? 2 * HOLE_ACROSS : SQUARE, middle, place: (name) => places.get(name) };
}

/** How far the drawing of a position reaches. */
function extent({ shape }: Position): { width: number; height: number } {
  if (shape.kind === 'star') return { width: 26 * HOLE_ACROSS, height: 17 * HOLE_DOWN };
  if (shape.kind === 'squares') return { width: shape.columns * SQUARE, height: shape.rows * SQUARE };
  const lines = textLines(shape.text);
  return { width: Math.max(24, ...lines.map((line) => line.length)) * LETTER_ACROSS, height: (lines.length + 1) * LINE_DOWN };
}

/** The lines of a position that has no board. */
export function textLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

const LIGHT = 0.25;

/** A move as it is drawn: a way through points, and how heavy it is from 0 to 1. */
export interface Arrow {
  move: BoardMove;
  points: Point[];
  weight: number;
}

/** The heaviest moves and `own`, which is drawn last; of the others the heaviest lie on top. */
export function arrowsOf(moves: BoardMove[], where: Geometry, most: number, own = -1): Arrow[] {
  const isOwn = (move: BoardMove) => move.node === own;
  const drawn = [...moves.filter(isOwn), ...moves.filter((move) => !isOwn(move)).slice(0, most)];
  const heaviest = Math.max(1, ...drawn.map((move) => move.size));
  const arrows = drawn.map((move) => ({
    move,
    points: move.places.map((name) => where.place(name)).filter((point) => point !== undefined),
    // Where all are alike, as leaves are, none stands out.
    weight: heaviest > 1 ? Math.sqrt(move.size / heaviest) : LIGHT,
  }));
  return arrows.filter((arrow) => arrow.points.length > 0).reverse();
}

/** The outline of an arrow from one point to another. */
export function arrowPath(from: Point, to: Point, width: number, head: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [nx, ny] = [-uy, ux];
  const tip = { x: to.x - ux * 2, y: to.y - uy * 2 };
  const neck = { x: tip.x - ux * head, y: tip.y - uy * head };
  const side = (at: Point, by: number) => `${round(at.x + nx * by)} ${round(at.y + ny * by)}`;
  const half = width / 2;
  const barb = half + head * 0.45;
  return `M${side(from, half)}L${side(neck, half)}L${side(neck, barb)}L${side(tip, 0)}L${side(neck, -barb)}L${side(neck, -half)}L${side(from, -half)}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
