// The server's answers about a text, in the editor's terms.

import type { CompletionResult } from '@codemirror/autocomplete';
import type { Diagnostic } from '@codemirror/lint';
import type { CheckAnswer, CompleteAnswer } from '../api/generated/types';

/** Errors with the command line's words: what is wrong, the mend, what there is. */
export function diagnosticsOf(answer: Pick<CheckAnswer, 'errors'>, length: number): Diagnostic[] {
  return answer.errors.map(({ start, end, message, help, note }) => {
    const from = Math.min(start, length);
    const to = Math.min(Math.max(end, from), length);
    return {
      // An error at the very end underlines the last character: an empty range would not be seen.
      from: from === to ? Math.max(0, from - 1) : from,
      to,
      severity: 'error',
      message: [message, help, note].filter((part) => part).join('\n'),
    };
  });
}

const TYPES: Record<string, string> = {
  keyword: 'keyword',
  function: 'function',
  attribute: 'variable',
  alias: 'constant',
  column: 'variable',
  structure: 'property',
  relative: 'keyword',
  parameter: 'constant',
};

export function completionsOf(answer: CompleteAnswer): CompletionResult | null {
  if (answer.proposals.length === 0) return null;
  return {
    from: answer.start,
    to: answer.end,
    // The server has chosen them for what is typed so far.
    filter: false,
    options: answer.proposals.map(({ text, kind, detail }) => ({
      label: text,
      type: TYPES[kind] ?? 'text',
      detail: detail ?? kind,
    })),
  };
}
