// The keys of a picture. They work wherever the reader is, unless what has the focus has keys of its own.

import { goFirstChild, goParent, goSibling } from '../state/moves';
import { replay } from '../state/replay.svelte';
import { session } from '../state/session.svelte';
import { type Look, PAN_STEP, ZOOM_STEP } from './look.svelte';

export interface Keyed {
  frame: HTMLElement | undefined;
  /** Moves an icicle's window; a treemap has none. */
  look: Look | null;
  /** The share of the width that the pointer is at. */
  about: number;
  zoomIn: () => void;
  zoomOut: () => void;
}

/** What has keys of its own. */
const OWN_KEYS =
  'input, textarea, select, dialog, [contenteditable="true"], [role=tab], [role=tablist], [role=separator], [role=treegrid], [role=application], [role=grid], [role=slider], [role=table]';

export function actionOf(event: KeyboardEvent, { frame, look, about, zoomIn, zoomOut }: Keyed): (() => unknown) | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const at = event.target instanceof Element ? event.target : document.body;
  if (at !== frame && at.closest(OWN_KEYS)) return undefined;
  // A button or a link takes Enter for itself.
  if (event.key === 'Enter' && at.closest('button, a, summary, [role=link]')) return undefined;
  const actions: Record<string, () => unknown> = {
    ArrowUp: goParent,
    ArrowDown: goFirstChild,
    ArrowLeft: () => goSibling(-1),
    ArrowRight: () => goSibling(1),
    Enter: zoomIn,
    Backspace: zoomOut,
    Home: () => session.go({ root: 0, node: 0 }),
    p: () => replay.toggle(),
    ',': () => replay.step(-1),
    '.': () => replay.step(1),
    '+': look ? () => look.scale(1 / ZOOM_STEP) : zoomIn,
    '-': look ? () => look.scale(ZOOM_STEP) : zoomOut,
  };
  const looks: Record<string, () => unknown> = look
    ? {
        w: () => look.scale(1 / ZOOM_STEP, about),
        s: () => look.scale(ZOOM_STEP, about),
        a: () => look.pan(-PAN_STEP),
        d: () => look.pan(PAN_STEP),
      }
    : {};
  return actions[event.key] ?? looks[event.key];
}
