// The calls of the API, typed. Every failure is an `ApiError` with one sentence to show.

import type {
  BoardAnswer,
  ChartAnswer,
  ChartList,
  CheckAnswer,
  ChildrenAnswer,
  CompleteAnswer,
  CompleteBody,
  DiffTotals,
  EndedRun,
  ErrorAnswer,
  EvaluationAnswer,
  FindAnswer,
  GameChoices,
  LevelBody,
  LibraryAnswer,
  LoadBody,
  LogsAnswer,
  MomentAnswer,
  MoveBody,
  NewGame,
  NodeAnswer,
  Nothing,
  PictureAnswer,
  PictureView,
  PlayState,
  PlayedPosition,
  PlayerBody,
  QueryBody,
  QueryError,
  RunAnswer,
  SeatBody,
  SeatWish,
  StartedRun,
  StepAnswer,
  WhyAnswer,
} from './generated/types';

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The places in a query's text, where the server named them. */
    readonly errors: QueryError[] = [],
  ) {
    super(message);
  }
}

/** A tree that calls are about. */
export interface TreeKey {
  log: number;
  tree: number;
}

/** A tree, and how its moves are to be written in answers. */
export interface NamedTree extends TreeKey {
  moves: 'san' | null;
}

/** A query's result, whose matches are to be marked. */
export interface Marks {
  run: number;
  result: number;
}

/** What a drawing to take away shows. */
export interface DrawingOptions {
  node: number;
  view: string;
  color: string;
  eachside: boolean;
  theme: string;
  width: number;
}

type Parameters = Record<string, string | number | boolean | null | undefined>;

export const api = {
  logs: (signal?: AbortSignal) => get<LogsAnswer>('logs', {}, signal),

  node: (key: NamedTree, node: number, signal?: AbortSignal) => get<NodeAnswer>('node', { ...key, node }, signal),

  children: (key: NamedTree, node: number, offset: number, limit: number, marks: Marks | null, signal?: AbortSignal) =>
    marked(marks, get<ChildrenAnswer>('children', { ...key, node, offset, limit, ...markParameters(marks) }, signal)),

  /** The node at the end of a line, which begins at the root or at `from`. */
  find: (key: TreeKey, line: string, from?: number) => get<FindAnswer>('find', { ...key, line, from }),

  findNode: (key: TreeKey, node: number) => get<FindAnswer>('find', { ...key, node }),

  picture: (key: NamedTree, options: PictureOptions, signal?: AbortSignal) => {
    const { marks, ...rest } = options;
    return marked(marks, get<PictureAnswer>('picture', { ...key, ...rest, ...markParameters(marks) }, signal));
  },

  /** The search as it stood after entering so many nodes. */
  moment: (key: NamedTree, after: number | null, signal?: AbortSignal) => get<MomentAnswer>('moment', { ...key, after }, signal),

  /** Where the server draws a tree as SVG. */
  drawingAddress: (key: NamedTree, options: DrawingOptions, marks: Marks | null) =>
    address('drawing', { ...key, ...options, ...markParameters(marks) }),

  board: (key: NamedTree, node: number, signal?: AbortSignal) => get<BoardAnswer>('board', { ...key, node }, signal),

  evaluation: (key: TreeKey, node: number, evaluation: string | null, signal?: AbortSignal) =>
    get<EvaluationAnswer>('evaluation', { ...key, node, evaluation }, signal),

  why: (key: NamedTree, node: number, signal?: AbortSignal) => get<WhyAnswer>('why', { ...key, node }, signal),

  check: (key: TreeKey, text: string, signal?: AbortSignal) => post<CheckAnswer>('check', { ...key, text } satisfies QueryBody, signal),

  complete: (key: TreeKey, text: string, position: number, signal?: AbortSignal) =>
    post<CompleteAnswer>('complete', { ...key, text, position } satisfies CompleteBody, signal),

  run: (key: TreeKey, text: string) => post<StartedRun>('runs', { ...key, text } satisfies QueryBody),

  runState: (run: number, options: RunOptions, signal?: AbortSignal) => get<RunAnswer>(`runs/${run}`, { ...options }, signal),

  step: (marks: Marks, from: number | null, direction: 'next' | 'previous') =>
    marked(marks, get<StepAnswer>(`runs/${marks.run}/step`, { result: marks.result, from, direction })),

  cancel: (run: number) => request<EndedRun>(`api/runs/${run}`, { method: 'DELETE' }),

  exportAddress: (marks: Marks, format: 'csv' | 'json' | 'gti') => address(`runs/${marks.run}/export`, { result: marks.result, format }),

  library: (key: TreeKey) => get<LibraryAnswer>('library', { ...key }),

  charts: (key: TreeKey, signal?: AbortSignal) => get<ChartList>('charts', { ...key }, signal),

  chart: (key: TreeKey, name: string, attribute: string | null, signal?: AbortSignal) =>
    get<ChartAnswer>('chart', { ...key, name, attribute }, signal),

  diff: (key: TreeKey, signal?: AbortSignal) => get<DiffTotals>('diff', { ...key }, signal),
};

/** The calls about the game that is played. What changes it answers with how it stands then. */
export const playApi = {
  state: () => get<PlayState>('play/state', {}),

  position: (ply: number, signal?: AbortSignal) => get<PlayedPosition>('play/position', { ply }, signal),

  evaluation: (ply: number, evaluation: string | null, signal?: AbortSignal) =>
    get<EvaluationAnswer>('play/evaluation', { ply, evaluation }, signal),

  games: () => get<GameChoices>('play/games', {}),

  /** A move that was chosen when `ply` moves had been played. */
  move: (text: string, ply: number) => post<PlayState>('play/move', { text, ply } satisfies MoveBody),

  /** What needs nothing but to be asked for. */
  act: (action: 'take-back' | 'hint' | 'now' | 'pause' | 'resume') => post<PlayState>(`play/${action}`, {} satisfies Nothing),

  resign: (player: number) => post<PlayState>('play/resign', { player } satisfies PlayerBody),

  seat: (player: number, seat: SeatWish) => post<PlayState>('play/seat', { player, seat } satisfies SeatBody),

  /** The program of a seat plays at another level; `null` is full strength. */
  level: (player: number, level: number | null) => post<PlayState>('play/level', { player, level } satisfies LevelBody),

  begin: (game: NewGame) => post<PlayState>('play/new', game),

  load: (text: string) => post<PlayState>('play/load', { text } satisfies LoadBody),

  saveAddress: 'api/play/save',
};

export interface PictureOptions {
  node: number;
  view: PictureView;
  width: number;
  height: number;
  plies?: number;
  color?: string | undefined;
  /** The node_ids that an icicle shows; all of the node's where there are none. */
  from?: number | null;
  to?: number | null;
  marks: Marks | null;
}

export interface RunOptions {
  wait?: number;
  result?: number;
  offset?: number;
  limit?: number;
  sort?: string;
  descending?: boolean;
  moves?: 'san' | null;
}

/** What to show of anything that was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The server does not answer: is `gt view` still running?';
  return error instanceof Error ? error.message : String(error);
}

/** Whether a call was given up on purpose. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

const GONE = 410;
let tellGone: (run: number) => void = () => {};

/** Has `listener` told of runs whose matches were asked for, and which the server has dropped for later ones. */
export function onRunGone(listener: (run: number) => void): void {
  tellGone = listener;
}

/** An answer with matches of a run. */
function marked<T>(marks: Marks | null, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (marks && error instanceof ApiError && error.status === GONE) tellGone(marks.run);
    throw error;
  });
}

function markParameters(marks: Marks | null): Parameters {
  return marks ? { marks: marks.run, result: marks.result } : {};
}

function get<T>(call: string, parameters: Parameters, signal?: AbortSignal): Promise<T> {
  return request<T>(address(call, parameters), { signal: signal ?? null });
}

function post<T>(call: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return request<T>(`api/${call}`, { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null });
}

function address(call: string, parameters: Parameters): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `api/${call}?${text}` : `api/${call}`;
}

let open = 0;

/** How many calls wait for their answers. */
export function openCalls(): number {
  return open;
}

/** So many times a call is made that the server is too busy for. */
const TRIES_MAX = 4;

/** The answer; where the server is busy, that of a later try. */
async function fetchPatiently(path: string, options: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(path, options);
    if (response.status !== 503 || tries === TRIES_MAX) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? 1);
    await new Promise((again) => setTimeout(again, 1000 * Math.min(Math.max(seconds, 0.1), 10)));
  }
}

async function request<T>(path: string, options: RequestInit): Promise<T> {
  open++;
  try {
    const response = await fetchPatiently(path, options);
    const answer: unknown = await response.json().catch((error: unknown) => (isAborted(error) ? Promise.reject(error) : null));
    if (response.ok && answer !== null) return answer as T;
    throw errorOf(response.status, answer);
  } finally {
    open--;
  }
}

function errorOf(status: number, answer: unknown): ApiError {
  const { error } = (answer ?? {}) as Partial<ErrorAnswer>;
  return new ApiError(error?.message ?? `The server answered with status ${status}.`, status, error?.errors ?? []);
}
