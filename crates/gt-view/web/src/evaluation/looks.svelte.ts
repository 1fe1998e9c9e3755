// How evaluations are looked at: whether the fold is open, which evaluation, which map. It stays so from node to node, and the fold
// from visit to visit.

const KEY = 'gt-evaluation-open';

class Looks {
  open = $state(stored());
  /** The evaluation's name; `null` for the game's first. */
  evaluation = $state<string | null>(null);
  /** The map that is painted, where the evaluation has it. */
  map = $state<string | null>(null);

  setOpen(open: boolean): void {
    if (open === this.open) return;
    this.open = open;
    try {
      localStorage.setItem(KEY, String(open));
    } catch {
      // Without storage the fold is closed the next time.
    }
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'true';
  } catch {
    return false;
  }
}

export const looks = new Looks();
