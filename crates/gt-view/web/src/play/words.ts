// Clocks, seats and endings in words.

import type { Ending, PlayState, SeatState } from '../api/generated/types';
import { playerName } from '../board/names';

const TENTHS_BELOW_MS = 10_000;

/** `5:03`, `1:02:03`; below ten seconds `0:07.4`. */
export function clockWords(leftMs: number): string {
  const left = Math.max(0, leftMs);
  if (left < TENTHS_BELOW_MS) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** What to call a seat: the only person at this page is `You`; persons without a name are called by their pieces. */
export function seatWords(game: string, seats: SeatState[], player: number): string {
  const seat = seats[player];
  if (!seat) return '';
  if (!seat.is_person) return seat.name === seat.algorithm ? `gt ${seat.name}` : seat.name;
  if (seat.name !== 'person') return seat.name;
  return seats.filter(({ is_person }) => is_person).length === 1 ? 'You' : playerName(game, player);
}

/** The levels below full strength. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Who sits at a place, as a choice in a list: `person`, a level, or `full`. */
export function sittingOf({ is_person, level }: SeatState): string {
  if (is_person) return 'person';
  return level !== null && LEVELS.includes(level) ? String(level) : 'full';
}

/** `White wins: checkmate`, `Draw: stalemate`, `B lost: resigned`. */
export function endingWords(game: string, { places, reason }: Ending): string {
  const winners = places.flatMap((place, player) => (place === 1 ? [playerName(game, player)] : []));
  if (winners.length === places.length) return `Draw: ${reason}`;
  if (winners.length === 1) return `${winners[0]} wins: ${reason}`;
  const losers = places.flatMap((place, player) => (place === 1 ? [] : [playerName(game, player)]));
  return `${losers.join(', ')} lost: ${reason}`;
}

/** Who is to do something. */
export function turnWords(state: PlayState): string {
  if (state.result) return endingWords(state.game, state.result);
  const who = playerName(state.game, state.to_move);
  if (state.paused) return `Paused; ${who} to move`;
  if (state.thinking) return `${who} thinks …`;
  return seatWords(state.game, state.seats, state.to_move) === 'You' ? `Your move (${who})` : `${who} to move`;
}
