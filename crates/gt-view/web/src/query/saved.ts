// Queries that the reader keeps in this browser.

const KEY = 'gt-queries';

export interface SavedQuery {
  name: string;
  text: string;
}

export function loadSaved(storage: Storage): SavedQuery[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSaved) : [];
  } catch {
    return [];
  }
}

/** The list with this query: one of the same name is replaced. */
export function withSaved(list: SavedQuery[], query: SavedQuery): SavedQuery[] {
  const others = list.filter((other) => other.name !== query.name);
  return [...others, query].sort((a, b) => a.name.localeCompare(b.name));
}

export function storeSaved(storage: Storage, list: SavedQuery[]): boolean {
  try {
    storage.setItem(KEY, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

/** A name for a query that has none: its `[name]`, its comment, or how it begins. */
export function nameOf(text: string): string {
  const [line = ''] = text
    .split('\n')
    .map((part) => part.trim())
    .filter((part) => part);
  const named = /^\[(.+)\]$/.exec(line)?.[1] ?? /^#\s*(.+)$/.exec(line)?.[1] ?? line;
  return named.length > 48 ? `${named.slice(0, 47)}…` : named;
}

function isSaved(value: unknown): value is SavedQuery {
  const query = value as SavedQuery | null;
  return typeof query?.name === 'string' && typeof query.text === 'string';
}
