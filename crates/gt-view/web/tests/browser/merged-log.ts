// Two trees merged into one log, by hand: what `gt diff` makes of two searches, small enough to know every node.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogFolder } from './harness.js';

export const ONLY_A = 2;
export const ONLY_B = 3;

/** Parent, move, A's best, B's best, cause; a node that a tree lacks has no best there. */
type Node = [parent: number, move: number, a: number | null, b: number | null, cause: number | null];

/**
 * The stops in the order of the search: 0 changed, 2 only in A, 3 only in B (with 4 below it), 5 changed.
 *
 *     0 ─ 1 ─ 2        A
 *       │   └ 3 ─ 4    B
 *       ├ 5
 *       └ 6
 */
export const NODES: Node[] = [
  [-1, 0, 10, 20, 2],
  [0, 11, -10, -10, null],
  [1, 21, 10, null, 1],
  [1, 22, null, 5, 1],
  [3, 31, null, -5, 1],
  [0, 12, 0, -20, 2],
  [0, 13, 3, 3, null],
];

export const STOPS = [0, 2, 3, 5];

export function mergedLog(folder: LogFolder, name = 'merged.gtf'): string {
  const [before, sizes] = [
    { a: 0, b: 0 },
    { a: sizesOf(2), b: sizesOf(3) },
  ];
  const rows = NODES.map(([parent_id, last_move, a, b, cause], node_id) => {
    const difference = a === null ? ONLY_B : b === null ? ONLY_A : Number(a !== b);
    return {
      node_id,
      parent_id,
      last_move,
      best: a,
      other_best: b,
      difference,
      cause,
      only_a: difference === ONLY_A,
      only_b: difference === ONLY_B,
      matched: difference < ONLY_A,
      changed: difference === 1,
      node_a: a === null ? null : before.a++,
      node_b: b === null ? null : before.b++,
      size_a: a === null ? null : sizes.a[node_id],
      size_b: b === null ? null : sizes.b[node_id],
    };
  });
  const table = join(folder.folder, `${name}.jsonl`);
  writeFileSync(table, rows.map((row) => JSON.stringify(row)).join('\n') + '\n');
  const labels = ['--meta', 'diff_a=old.gtf, tree 4', '--meta', 'diff_b=new.gtf, tree 4', '--game', 'unknown'];
  return folder.run(name, (file) => ['import', table, '-o', file, ...labels]);
}

/** Sizes of the subtrees in one of the trees; `place` is that of its values in a node. */
function sizesOf(place: 2 | 3): number[] {
  const sizes = NODES.map((node) => Number(node[place] !== null));
  for (let node = NODES.length - 1; node > 0; node--) {
    const parent = (NODES[node] as Node)[0];
    sizes[parent] = (sizes[parent] ?? 0) + (sizes[node] ?? 0);
  }
  return sizes;
}
