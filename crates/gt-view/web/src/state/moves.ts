// Steps from the chosen node to its relatives. Node numbers are in preorder: a first child follows its parent, and a
// next sibling comes after the subtree.

import { api, sentence } from '../api/client';
import { session } from './session.svelte';

export function goParent(): void {
  const parent = session.node?.parent;
  if (typeof parent === 'number') session.go({ node: parent }, 'join');
}

export function goFirstChild(): void {
  const node = session.node;
  if (node && node.children > 0) session.go({ node: node.node + 1 }, 'join');
}

export async function goSibling(direction: -1 | 1): Promise<void> {
  const { node, named: key } = session;
  if (!node || !key || node.parent === null) return;
  if (direction === 1) {
    if (node.index + 1 < node.siblings) session.go({ node: node.node + node.size }, 'join');
    return;
  }
  if (node.index === 0) return;
  try {
    const { children } = await api.children(key, node.parent, node.index - 1, 1, null);
    const [previous] = children;
    if (previous) session.go({ node: previous.node }, 'join');
  } catch (error) {
    session.say(sentence(error));
  }
}
