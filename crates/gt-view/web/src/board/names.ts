// What stands on a cell, in words, for those who do not see the drawing.

import type { PieceKind } from './pieces';

export const CHESS: Record<string, PieceKind> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

const OTHERS: Record<string, Record<string, string>> = {
  amazons: { w: 'white amazon', b: 'black amazon', x: 'arrow' },
  'connect-four': { x: 'disc of x', o: 'disc of o' },
  'chinese-checkers': {},
};

export function pieceName(game: string, piece: string | null): string {
  if (!piece) return 'empty';
  if (game === 'chess') return `${piece === piece.toLowerCase() ? 'black' : 'white'} ${CHESS[piece.toLowerCase()] ?? piece}`;
  return OTHERS[game]?.[piece] ?? (game === 'chinese-checkers' ? `marble of ${piece}` : piece);
}

/** What a player is called by the colour or letter of its pieces. */
export function playerName(game: string, player: number): string {
  const two: Record<string, [string, string]> = { chess: ['White', 'Black'], amazons: ['White', 'Black'] };
  if (game === 'chinese-checkers') return 'ABCDEF'[player] ?? String(player);
  if (game === 'thorns' || game === 'tree') return `player ${player + 1}`;
  return (two[game] ?? ['x', 'o'])[player] ?? String(player);
}

/** The piece that stands for a player. */
export function playerPiece(game: string, player: number): string {
  const two: Record<string, [string, string]> = { chess: ['K', 'k'], amazons: ['w', 'b'] };
  if (game === 'chinese-checkers') return 'ABCDEF'[player] ?? 'A';
  return (two[game] ?? ['x', 'o'])[player] ?? 'x';
}
