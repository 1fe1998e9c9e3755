// What several answers say of a position alike.

import type { BoardAnswer } from './generated/types';

/** What is drawn of a position. */
export type Position = Pick<BoardAnswer, 'game' | 'shape' | 'cells'>;
