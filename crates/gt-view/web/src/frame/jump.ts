// What is typed into the jump box.
//
//     17  or  #17        the node of this number
//     e2e4 e7e5          a line from the root
//     > 3 5              a line whose moves are numbers
//     + g1f3             a line that goes on from the chosen node

export type Jump = { kind: 'node'; node: number } | { kind: 'line'; line: string } | { kind: 'onward'; line: string } | { kind: 'nothing' };

export function parseJump(text: string): Jump {
  const trimmed = text.trim();
  const number = /^#?\s*(\d[\d,]*)$/.exec(trimmed)?.[1];
  if (number !== undefined) return { kind: 'node', node: Number(number.replaceAll(',', '')) };
  const [sign, rest] = [trimmed[0], trimmed.slice(1).trim()];
  if (sign === '>' && rest) return { kind: 'line', line: rest };
  if (sign === '+' && rest) return { kind: 'onward', line: rest };
  return trimmed && sign !== '>' && sign !== '+' ? { kind: 'line', line: trimmed } : { kind: 'nothing' };
}
