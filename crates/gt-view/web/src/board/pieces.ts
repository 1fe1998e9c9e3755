// Chess pieces as plain shapes in a box of 40 by 40, drawn for this page.
//
// A piece is a filled outline and, over it, the lines that make it readable at 30 pixels. The queen is also the amazon.

export type PieceKind = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';

export interface PieceShape {
  /** Closed paths, filled in the side's colour and outlined in the other. */
  body: string[];
  /** Open lines over the body. */
  lines: string[];
}

const FOOT = 'M9.5 36.5v-2.2a2.3 2.3 0 0 1 2.3-2.3h16.4a2.3 2.3 0 0 1 2.3 2.3v2.2z';

export const PIECES: Record<PieceKind, PieceShape> = {
  pawn: {
    body: [
      'M20 16.5c-3.6 3-2.4 8.5-7.5 15.5h15c-5.1-7-3.9-12.5-7.5-15.5z',
      'M20 6.5a5.6 5.6 0 1 1 0 11.2a5.6 5.6 0 0 1 0-11.2z',
      'M11.5 36.5v-2.2a2.3 2.3 0 0 1 2.3-2.3h12.4a2.3 2.3 0 0 1 2.3 2.3v2.2z',
    ],
    lines: [],
  },
  knight: {
    body: [
      'M12.2 32c.4-6.2 5.6-7.8 6.3-12.6c-1.7 1.6-4.100 1.7-5.4 3.5c-.9 1.2-2.900 1.4-3.900.4l-1.3-1.900c-.5-.8-.4-1.7.2-2.5l4.6-6.4c.2-2.4 1.2-4 2.900-5.100l.3-3.6l3.6 2.7c7.4.9 10.900 8.6 8.7 25.5z',
      FOOT,
    ],
    lines: ['M15.6 12.7l1.5-.6', 'M21.5 8.2c4 2.3 5.2 8.6 4.4 20'],
  },
  bishop: {
    body: [
      'M20 8.3c5.5 4.3 7.6 8.900 5.6 13.7c-.7 1.7-1.3 2.5-1.3 4.2l2.2 5.8h-13l2.2-5.8c0-1.7-.6-2.5-1.3-4.2c-2-4.8.1-9.4 5.6-13.7z',
      'M20 3.8a2.4 2.4 0 1 1 0 4.8a2.4 2.4 0 0 1 0-4.8z',
      FOOT,
    ],
    lines: ['M20 13.5v7', 'M16.5 17h7', 'M15.5 26.2h9'],
  },
  rook: {
    body: ['M10.5 6.5h4.6v3h2.8v-3h4.2v3h2.8v-3h4.6v7.3l-3.2 2.7l.9 11.5l2.3 4h-19l2.3-4l.9-11.5l-3.2-2.7z', FOOT],
    lines: ['M13.7 16.5h12.6', 'M12.900 28h14.2'],
  },
  queen: {
    body: [
      'M7.5 12.5l5.3 8l2-12.5l5.2 11.5l5.2-11.5l2 12.5l5.3-8l-4.5 19.5h-16z',
      'M20 4.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 0 1 0-4.4z',
      'M7.2 8.6a2.100 2.100 0 1 1 0 4.2a2.100 2.100 0 0 1 0-4.2z',
      'M32.8 8.6a2.100 2.100 0 1 1 0 4.2a2.100 2.100 0 0 1 0-4.2z',
      FOOT,
    ],
    lines: ['M12.4 27.5h15.2'],
  },
  king: {
    body: [
      'M20 14.8c3.6-4.6 11.5-3.2 11.5 3.100c0 5.2-4.3 7.100-4.3 14.100h-14.4c0-7-4.3-8.900-4.3-14.100c0-6.3 7.900-7.7 11.5-3.100z',
      'M18.6 12.8v-3.6h-3.4v-2.900h3.4v-3.3h2.8v3.3h3.4v2.900h-3.4v3.6z',
      FOOT,
    ],
    lines: ['M20 15.5v12', 'M12.900 28h14.2'],
  },
};
