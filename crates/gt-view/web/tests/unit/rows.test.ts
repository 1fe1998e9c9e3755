// The explorer's rows, against a plain list made by walking the open branches.

import { describe, expect, it } from 'vitest';
import { Branch, missingPages, PAGE_ROWS, type Place, placeAt, placeOf, rowOf } from '../../src/explorer/rows';

/** All places in the order of the rows, written down the plain way. */
function walk(branch: Branch): Place[] {
  const places: Place[] = [];
  for (let index = 0; index < branch.count; index++) {
    places.push({ branch, index });
    const inner = branch.opened(index);
    if (inner) places.push(...walk(inner));
  }
  return places;
}

/** Numbers that look random and are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

function checkAll(root: Branch) {
  const places = walk(root);
  expect(root.rows).toBe(places.length);
  for (const [row, place] of places.entries()) {
    expect(placeAt(root, row)).toEqual(place);
    expect(rowOf(place)).toBe(row);
  }
  expect(placeAt(root, -1)).toBeNull();
  expect(placeAt(root, places.length)).toBeNull();
}

describe('rows', () => {
  it('agree with a plain walk after any opening, closing and growing', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomNumbers(seed);
      const root = new Branch(0, 0, 1 + random(6), null);
      for (let step = 0; step < 30; step++) {
        const places = walk(root);
        const { branch, index } = places[random(places.length)] as Place;
        const action = random(10);
        if (action < 7) branch.expand(index, step, random(5));
        else if (action < 9) branch.collapse(index);
        else branch.resize(branch.count + random(3));
        checkAll(root);
      }
    }
  });

  it('finds the node that a branch belongs to', () => {
    const root = new Branch(0, 0, 3, null);
    const inner = root.expand(1, 10, 2);
    expect(placeOf(root)).toBeNull();
    expect(placeOf(inner)).toEqual({ branch: root, index: 1 });
  });

  it('opens a branch once', () => {
    const root = new Branch(0, 0, 3, null);
    expect(root.expand(1, 10, 2)).toBe(root.expand(1, 10, 2));
    expect(root.rows).toBe(5);
  });

  it('keeps the pages around what was fetched last', () => {
    const root = new Branch(0, 0, 1_000_000, null);
    for (let page = 0; page < 5000; page++) root.put(page, []);
    expect(root.pages.size).toBe(50);
    expect(Math.min(...root.pages.keys())).toBe(4950);
    root.put(0, []);
    expect(root.pages.has(4999)).toBe(false);
    expect(root.pages.has(0)).toBe(true);
  });

  it('asks for the pages in view and no others, each once', () => {
    const root = new Branch(0, 0, 1_000_000, null);
    const inner = root.expand(500_000, 7, 3);
    expect(missingPages(root, 500_000, 500_010)).toEqual([
      { branch: root, page: 500_000 / PAGE_ROWS },
      { branch: inner, page: 0 },
    ]);
    inner.put(0, []);
    expect(missingPages(root, 500_001, 500_003)).toEqual([]);
    inner.age();
    expect(missingPages(root, 500_001, 500_003)).toEqual([{ branch: inner, page: 0 }]);
    inner.put(0, []);
    expect(missingPages(root, 500_001, 500_003)).toEqual([]);
  });
});
