// Where the icicle looks: a stretch of node_ids, zoomed around a point and moved along, within the zoomed node's own.

export interface Stretch {
  from: number;
  to: number;
}

/** No stretch is narrower than this: a leaf fills a quarter of the width. */
const NODES_MIN = 4;

/** The stretch that is `factor` times as wide, with the same node_id at a share of its width. */
export function zoomed(stretch: Stretch, share: number, factor: number, limits: Stretch): Stretch {
  const width = stretch.to - stretch.from;
  const most = limits.to - limits.from;
  const next = Math.min(Math.max(width * factor, Math.min(NODES_MIN, most)), most);
  return within(stretch.from + share * (width - next), next, limits);
}

/** The stretch moved by a share of its width. */
export function panned(stretch: Stretch, share: number, limits: Stretch): Stretch {
  const width = stretch.to - stretch.from;
  return within(stretch.from + share * width, width, limits);
}

/** The stretch moved so that a node is in its middle, where it is not seen. */
export function around(stretch: Stretch, node: number, limits: Stretch): Stretch {
  const width = stretch.to - stretch.from;
  return node >= stretch.from && node < stretch.to ? stretch : within(node - width / 2, width, limits);
}

/** A little more than a stretch to both sides, so that a share of its width stays where it is; the server cuts off what there is not. */
export function beyond({ from, to }: Stretch, share: number): Stretch {
  const more = (to - from) * 0.3;
  return { from: Math.max(0, Math.floor(from - more * share)), to: Math.ceil(to + more * (1 - share)) };
}

/** The part of a stretch that there is; `null` where that is all. */
export function clamped({ from, to }: Stretch, limits: Stretch): Stretch | null {
  const cut = { from: Math.max(from, limits.from), to: Math.min(to, limits.to) };
  return cut.to <= cut.from || (cut.from === limits.from && cut.to === limits.to) ? null : cut;
}

/** Whole node_ids that hold a stretch; `null` where that is all there is. */
export function wholeNodes(stretch: Stretch, limits: Stretch): { from: number | null; to: number | null } {
  const from = Math.max(Math.floor(stretch.from), limits.from);
  const to = Math.min(Math.ceil(stretch.to), limits.to);
  return from <= limits.from && to >= limits.to ? { from: null, to: null } : { from, to };
}

function within(from: number, width: number, limits: Stretch): Stretch {
  const start = Math.min(Math.max(from, limits.from), limits.to - width);
  return { from: start, to: start + width };
}
