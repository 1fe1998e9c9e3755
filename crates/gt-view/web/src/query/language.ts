// GTQL for the editor: what each word is, line by line, so that it is coloured before the server has answered.
//
// The server decides what a query means; this only names tokens. The words are those of docs/gtql.md.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const PARTS = new Set(['node', 'child', 'before', 'after', 'subtree', 'path', 'tree', 'twin']);
const CLAUSES = new Set(['select', 'as', 'group', 'order', 'by', 'limit', 'asc', 'desc', 'let', 'where', 'distinct']);
const OPERATORS = new Set(['and', 'or', 'not', 'in', 'is']);
const FUNCTIONS = new Set(
  (
    'count sum min max avg any all stddev median quantile corr first last arg_min arg_max ' +
    'if abs sqrt log round starts_with contains lower'
  ).split(' '),
);

/** The kind of the token at the stream's place, which is moved past it. */
export function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.eat('#')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.sol() && stream.match(/^\[[^\]<>^0-9-][^\]]*\]\s*$/)) return 'heading';
  if (stream.match(/^\[([<>]\d*|\^\^?|-?\d+|)\]/)) return 'labelName';
  if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
  if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^@[A-Za-z_]\w*/)) return 'propertyName';
  if (stream.match(/^\$[A-Za-z_]\w*/)) return 'macroName';
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word && typeof word !== 'boolean') return kindOfWord(word[0], stream);
  if (stream.match(/^(<=|>=|!=|[=<>&|+\-*/%])/)) return 'operator';
  stream.next();
  return null;
}

function kindOfWord(word: string, stream: StringStream): string {
  if (PARTS.has(word) && stream.match(word === 'twin' ? /^\s*\(/ : /^\s*:/, false)) return 'keyword';
  if (FUNCTIONS.has(word) && stream.match(/^\s*\(/, false)) return 'function';
  if (CLAUSES.has(word)) return 'keyword';
  if (OPERATORS.has(word)) return 'operatorKeyword';
  if (word === 'true' || word === 'false') return 'bool';
  return 'variableName';
}

export const gtql = StreamLanguage.define({
  name: 'gtql',
  token,
  tokenTable: { function: tags.function(tags.variableName) },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '"'] } },
});

/** The colours are CSS variables: the theme decides. */
export const gtqlColors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
    { tag: tags.operatorKeyword, color: 'var(--code-keyword)' },
    { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
    { tag: tags.propertyName, color: 'var(--code-structure)' },
    { tag: tags.labelName, color: 'var(--code-structure)', fontWeight: '600' },
    { tag: [tags.number, tags.bool, tags.macroName], color: 'var(--code-number)' },
    { tag: tags.string, color: 'var(--code-text)' },
    { tag: tags.comment, color: 'var(--ink-faint)', fontStyle: 'italic' },
    { tag: tags.heading, color: 'var(--ink)', fontWeight: '700' },
  ]),
);
