// Scrolling a list that is taller than a browser's tallest element.
//
// Up to `HEIGHT_PX_MAX` the list is as tall as its rows. Beyond, the scroll bar's way stands for the whole list, and
// wheel and keys move by rows: `top`, the number of the first row, fractions included, is what counts.

const HEIGHT_PX_MAX = 8_000_000;

export interface Extent {
  rows: number;
  rowHeightPx: number;
  viewHeightPx: number;
}

export function contentHeightPx({ rows, rowHeightPx }: Extent): number {
  return Math.min(rows * rowHeightPx, HEIGHT_PX_MAX);
}

/** The largest `top`: the last row is at the bottom. */
export function topMax({ rows, rowHeightPx, viewHeightPx }: Extent): number {
  return Math.max(0, rows - viewHeightPx / rowHeightPx);
}

export function clampTop(extent: Extent, top: number): number {
  return Math.min(Math.max(0, top), topMax(extent));
}

/** Where the scroll bar is when row `top` is the first. */
export function scrollOfTop(extent: Extent, top: number): number {
  const most = topMax(extent);
  return most === 0 ? 0 : (top / most) * wayPx(extent);
}

export function topOfScroll(extent: Extent, scrollPx: number): number {
  const way = wayPx(extent);
  return way === 0 ? 0 : clampTop(extent, (scrollPx / way) * topMax(extent));
}

/** The `top` that shows `row`, moved no further than needed; `margin` rows of what is around it too. */
export function topShowing(extent: Extent, top: number, row: number, margin = 2): number {
  const inView = extent.viewHeightPx / extent.rowHeightPx;
  const kept = Math.min(margin, Math.floor((inView - 1) / 2));
  if (row - kept < top) return clampTop(extent, row - kept);
  if (row + 1 + kept > top + inView) return clampTop(extent, row + 1 + kept - inView);
  return top;
}

function wayPx(extent: Extent): number {
  return Math.max(0, contentHeightPx(extent) - extent.viewHeightPx);
}
