// The address: everything that a link to this page restores.
//
//     ?log=1&tree=6&node=4711&root=120&view=treemap&color=best&query=node: best > 3
//
// Invariant: `parseAddress(formatAddress(a))` is `a`. What is at its default is not written.
// No theme and no panel sizes: these belong to the reader, not to what is shown.

export const VIEWS = ['icicle', 'treemap', 'explorer', 'charts'] as const;
export type View = (typeof VIEWS)[number];

/** What a narrow screen shows; a wide one shows all three. */
export const PANELS = ['view', 'board', 'query'] as const;
export type Panel = (typeof PANELS)[number];

export interface Address {
  log: number;
  /** `null` is the log's last tree, the deepest of an iterative search. */
  tree: number | null;
  /** The chosen node. */
  node: number;
  /** The node that the overview is zoomed to. */
  root: number;
  /** The node_ids that the icicle shows, where they are not all of the root's. */
  from: number | null;
  to: number | null;
  /** How many nodes the search had entered at the moment that is shown; `null` is its end. */
  after: number | null;
  view: View;
  panel: Panel;
  /** The column that colours the overview; empty is the server's choice. */
  color: string;
  /** Whether scores are shown from the first player's side. */
  oneSided: boolean;
  /** Whether moves are written as players do: in chess `Nf3`. */
  san: boolean;
  /** The attribute whose distribution is charted; empty is the page's choice. */
  attribute: string;
  /** The query that was run last; empty when none was. */
  query: string;
  /** Whether the result file that the server was started with is shown instead of a query's answer. */
  file: boolean;
  /** Whether the trees are shown instead of the game that is played. */
  explore: boolean;
}

export const HOME: Address = {
  log: 0,
  tree: null,
  node: 0,
  root: 0,
  from: null,
  to: null,
  after: null,
  view: 'icicle',
  panel: 'view',
  color: '',
  oneSided: true,
  san: false,
  attribute: '',
  query: '',
  file: false,
  explore: false,
};

export function parseAddress(search: string): Address {
  const params = new URLSearchParams(search);
  return {
    log: whole(params.get('log')) ?? HOME.log,
    tree: whole(params.get('tree')),
    node: whole(params.get('node')) ?? HOME.node,
    root: whole(params.get('root')) ?? HOME.root,
    ...stretch(whole(params.get('from')), whole(params.get('to'))),
    after: whole(params.get('after')) || null,
    view: oneOf(VIEWS, params.get('view')) ?? HOME.view,
    panel: oneOf(PANELS, params.get('panel')) ?? HOME.panel,
    color: params.get('color') ?? HOME.color,
    oneSided: !params.has('eachside'),
    san: params.has('san'),
    attribute: params.get('attribute') ?? HOME.attribute,
    query: params.get('query') ?? HOME.query,
    file: params.has('file'),
    explore: params.has('explore'),
  };
}

export function formatAddress(address: Address): string {
  const params = new URLSearchParams();
  if (address.log !== HOME.log) params.set('log', String(address.log));
  if (address.tree !== null) params.set('tree', String(address.tree));
  if (address.node !== HOME.node) params.set('node', String(address.node));
  if (address.root !== HOME.root) params.set('root', String(address.root));
  if (address.from !== null && address.to !== null) {
    params.set('from', String(address.from));
    params.set('to', String(address.to));
  }
  if (address.after !== null) params.set('after', String(address.after));
  if (address.view !== HOME.view) params.set('view', address.view);
  if (address.panel !== HOME.panel) params.set('panel', address.panel);
  if (address.color) params.set('color', address.color);
  if (!address.oneSided) params.set('eachside', '');
  if (address.san) params.set('san', '');
  if (address.attribute) params.set('attribute', address.attribute);
  if (address.query) params.set('query', address.query);
  if (address.file) params.set('file', '');
  if (address.explore) params.set('explore', '');
  const text = params.toString().replace(/=(?=&|$)/g, '');
  return text ? `?${text}` : '';
}

export function sameAddress(a: Address, b: Address): boolean {
  return formatAddress(a) === formatAddress(b);
}

/** Both ends, or none. */
function stretch(from: number | null, to: number | null): { from: number | null; to: number | null } {
  return from !== null && to !== null && from < to ? { from, to } : { from: null, to: null };
}

function whole(text: string | null): number | null {
  if (text === null || !/^\d{1,16}$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

function oneOf<T extends string>(choices: readonly T[], text: string | null): T | null {
  return choices.find((choice) => choice === text) ?? null;
}
