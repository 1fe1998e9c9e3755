// The terms of an evaluation as rows of a table: each group with its sum, its terms below it.

import type { EvaluationAnswer, Term } from '../api/generated/types';

export interface Row {
  name: string;
  note: string;
  /** Whether it is a part of the group above it. */
  isPart: boolean;
  /** What each player has. */
  values: number[];
  /** How many of what is counted each player has, and what one weighs; empty where nothing is counted. */
  counts: string;
  /** How long the bar is from the middle, from -1 to 1: to the right for the first of two players. */
  lead: number;
}

export function rowsOf({ terms }: EvaluationAnswer): Row[] {
  const rows: Omit<Row, 'lead'>[] = [];
  let group: string | null = null;
  for (const term of terms) {
    if (term.group !== group) {
      group = term.group;
      if (group !== null)
        rows.push(
          groupRow(
            group,
            terms.filter((part) => part.group === group),
          ),
        );
    }
    rows.push({
      name: term.name,
      note: term.note,
      isPart: group !== null,
      values: term.shares.map(({ value }) => value),
      counts: countsOf(term),
    });
  }
  const widest = Math.max(...rows.map(({ values }) => Math.abs(leadOf(values))), Number.EPSILON);
  return rows.map((row) => ({ ...row, lead: leadOf(row.values) / widest }));
}

function groupRow(name: string, parts: Term[]): Omit<Row, 'lead'> {
  const players = parts[0]?.shares.length ?? 0;
  const sum = (player: number) => parts.reduce((total, part) => total + (part.shares[player]?.value ?? 0), 0);
  const note = `the sum of ${parts.map((part) => part.name).join(', ')}`;
  return { name, note, isPart: false, values: Array.from({ length: players }, (_, player) => sum(player)), counts: '' };
}

/** What the first of two players has more than the second; more players have no bars. */
function leadOf(values: number[]): number {
  return values.length === 2 ? (values[0] ?? 0) - (values[1] ?? 0) : 0;
}

function countsOf({ weight, shares }: Term): string {
  if (!weight || shares.some(({ count }) => count === null)) return '';
  const each = weight.opening === weight.ending ? `${weight.opening}` : `${weight.opening} in the opening, ${weight.ending} in the ending`;
  return `${shares.map(({ count }) => count).join(' : ')}, each ${each}`;
}

/** A number of an evaluation: whole, or with one decimal. */
export function shownNumber(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return String(Object.is(rounded, -0) ? 0 : rounded);
}

/** The colour of a player on maps and bars: that of his pieces, and the warmer of two for White, whose pieces have none. */
export function ownerColor(game: string, player: number): string {
  const place = game === 'chess' || game === 'amazons' ? 1 - player : player;
  return `var(--owner-${place % 6})`;
}
