import { StringStream } from '@codemirror/language';
import { describe, expect, it } from 'vitest';
import { completionsOf, diagnosticsOf } from '../../src/query/answers';
import { token } from '../../src/query/language';

/** A line as `text:kind` for each token. */
function tokens(line: string): string[] {
  const stream = new StringStream(line, 2, 2);
  const found: string[] = [];
  while (!stream.eol()) {
    const kind = token(stream);
    if (kind) found.push(`${stream.current()}:${kind}`);
    stream.start = stream.pos;
  }
  return found;
}

describe('language', () => {
  it('knows parts, functions, names and numbers', () => {
    expect(tokens('node: type & QRootNode; subtree: count(*) > 1.5e3 # large')).toEqual([
      'node:keyword',
      'type:variableName',
      '&:operator',
      'QRootNode:variableName',
      'subtree:keyword',
      'count:function',
      '*:operator',
      '>:operator',
      '1.5e3:number',
      '# large:comment',
    ]);
  });

  it('knows relatives, structure, parameters, texts', () => {
    expect(tokens('[^^]best [<]@size [-1]x $depth "a \\" b" []best')).toEqual([
      '[^^]:labelName',
      'best:variableName',
      '[<]:labelName',
      '@size:propertyName',
      '[-1]:labelName',
      'x:variableName',
      '$depth:macroName',
      '"a \\" b":string',
      '[]:labelName',
      'best:variableName',
    ]);
  });

  it('takes a word for a name where it is none of the language', () => {
    expect(tokens('node: count > max(child)')).toEqual([
      'node:keyword',
      'count:variableName',
      '>:operator',
      'max:function',
      'child:variableName',
    ]);
  });

  it('knows the name of a query', () => expect(tokens('[large ones]')).toEqual(['[large ones]:heading']));

  it('ends at any text', () => {
    for (const line of ['"open', '§$%', '@', '$', '[', '🂡 = 3', '1..2']) expect(() => tokens(line)).not.toThrow();
  });
});

describe('answers', () => {
  it('has the command line’s words in three lines', () => {
    const error = { start: 6, end: 9, message: '`typ` is not an attribute', help: 'did you mean `type`?', note: null };
    expect(diagnosticsOf({ errors: [error] }, 20)).toEqual([
      { from: 6, to: 9, severity: 'error', message: '`typ` is not an attribute\ndid you mean `type`?' },
    ]);
  });

  it('underlines something even at the end of the text', () => {
    const error = { start: 20, end: 21, message: 'the text ends here', help: null, note: null };
    expect(diagnosticsOf({ errors: [error] }, 20)[0]).toMatchObject({ from: 19, to: 20 });
    expect(diagnosticsOf({ errors: [error] }, 0)[0]).toMatchObject({ from: 0, to: 0 });
  });

  it('proposes what the server proposes', () => {
    const proposals = [{ text: 'best', kind: 'attribute', detail: 'i32' }];
    expect(completionsOf({ start: 6, end: 8, proposals })).toMatchObject({ from: 6, to: 8, options: [{ label: 'best', detail: 'i32' }] });
    expect(completionsOf({ start: 0, end: 0, proposals: [] })).toBeNull();
  });
});
