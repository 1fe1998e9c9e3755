import { describe, expect, it } from 'vitest';
import { MarkCounter } from '../../src/explorer/marks';

const MATCHES = [0, 3, 7, 8, 12];

/** A server that keeps the matches, and counts what it was asked. */
function server() {
  let calls = 0;
  const step = async (_: unknown, from: number | null) => {
    calls++;
    const index = MATCHES.findIndex((match) => from === null || match > from);
    const found = index >= 0;
    return { node: found ? (MATCHES[index] as number) : null, index: found ? index : null, count: MATCHES.length };
  };
  return { step, calls: () => calls };
}

describe('marks', () => {
  it('agree with counting one by one', async () => {
    const counter = new MarkCounter({ run: 1, result: 0 }, server().step);
    for (let node = 0; node < 14; node++) {
      for (let size = 1; node + size <= 14; size++) {
        const inside = MATCHES.filter((match) => match >= node && match < node + size);
        expect(await counter.count(node, size), `${node} + ${size}`).toEqual({ count: inside.length, match: MATCHES.includes(node) });
      }
    }
  });

  it('ask once for what siblings share', async () => {
    const { step, calls } = server();
    const counter = new MarkCounter({ run: 1, result: 0 }, step);
    await Promise.all([counter.count(1, 4), counter.count(5, 2), counter.count(7, 6)]);
    expect(calls()).toBe(4);
    expect(counter.known(5)).toEqual({ count: 0, match: false });
    expect(counter.known(6)).toBeUndefined();
  });
});
