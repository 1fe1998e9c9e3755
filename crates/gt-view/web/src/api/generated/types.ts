// What the server sends and receives as JSON; docs/api.md says what each field means.
// Made from the server's types by crates/gt-view/src/http/messages.rs: do not change it by hand.
// `UPDATE_PAGE_TYPES=1 cargo test -p gt-view --lib` writes it anew.

export type AlgorithmChoice = { name: string, description: string,
/** Whether it is for more than two players. */
many: boolean, };

export type AliasInfo = { name: string, value: number, attribute: string | null, };

export type AttributeInfo = { name: string, kind: string, labels: Labels | null, };

/** An attribute of two merged trees, and the names it has in the merged one; nothing where a tree lacks it. */
export type AttributePair = { name: string, a: string | null, b: string | null, };

/** How many of the changed nodes have another value of an attribute. */
export type AttributeTotal = { name: string, nodes: number, };

/** Values by the names of their attributes, in the order of the schema. */
export type Attributes = Record<string, Scalar>;

/** How values become lengths. */
export type AxisScale = "linear" | "logarithmic";

/** The unit of the numbers on an axis, for formatting them. */
export type AxisUnit = "count" | "percent" | "number" | "seconds";

export type BoardAnswer = { generation: number, node: number, ply: number, game: string, text: string, to_move: number, players: number, over: string | null, shape: BoardShape, cells: Array<Cell>, last: LastMove | null, siblings: Array<BoardMove>, siblings_count: number, children: Array<BoardMove>, children_count: number, };

/** A move that leads to a node, weighed by the node's subtree. */
export type BoardMove = { node: number, text: string, size: number, value: Scalar, bound: Bound | null, places: Array<string>, };

/** The form of a board, as every call gives it. */
export type BoardShape = { "kind": "squares", columns: number, rows: number, } | { "kind": "star", columns: number, rows: number, } | { "kind": "text", columns: number, rows: number, text: string, };

/** How a value is to be read; in JSON, GTQL's word for it. */
export type Bound = "exact" | "lower" | "upper";

/** How many differences have one cause. */
export type CauseTotal = {
/** What the log calls it, if it does. */
name: string | null,
/** The value of `cause`; nothing where it is missing. */
value: number | null, nodes: number, };

/** A place of a board. */
export type Cell = { place: string, x: number, y: number, piece: string | null, };

/** A chart of a tree. */
export type ChartAnswer = { generation: number,
/** How long it took. */
seconds: number,
/** A stable name, for files and addresses: `nodes-per-ply`. */
name: string,
/** The heading. */
title: string,
/** A description, in plain words. */
meaning: string,
/** The GTQL query whose answer it is; empty if there is none. */
query: string,
/** How it is drawn. */
kind: ChartKind,
/** The places. */
x: PlaceAxis,
/** The axis of the values. */
y: ValueAxis,
/** The values. */
series: Array<Series>, };

export type ChartInfo = { name: string, title: string, meaning: string, query: string, kind: ChartKind, };

/** How the values are drawn. */
export type ChartKind = "bars" | "lines" | "stacked";

export type ChartList = { charts: Array<ChartInfo>, attributes: Array<string>, };

export type CheckAnswer = { errors: Array<QueryError>,
/** What is no error, but probably not what was meant. */
notes: Array<QueryError>, tokens: Array<Token>, queries: Array<QueryInfo>, };

export type Child = { node: number, index: number, move: number, text: string, size: number, children: number | null, unfinished: boolean, bound: Bound | null, attributes: Attributes,
/** Matches of the run that was asked for in the subtree, the node itself included. */
marks?: number,
/** Whether the node itself is one. */
match?: boolean, };

export type ChildrenAnswer = { generation: number, node: number, count: number, offset: number, children: Array<Child>, };

/** The current clocks. */
export type ClockState = {
/** The time left for every player. */
left_ms: Array<number>,
/** The player whose clock runs. */
running: number | null, };

/** What the values of a picture mean. */
export type ColorInfo = {
/** The expression. */
name: string, kind: ColorKind,
/** The least value of the tree, or of the picture. */
min: number | null,
/** The greatest. */
max: number | null,
/** The least that is drawn, but for a few. */
low: number | null,
/** The greatest that is drawn, but for a few. */
high: number | null,
/** What values or bits are called. */
labels: Array<Label> | null, };

/** How values become colours. */
export type ColorKind = "diverging" | "sequential" | "flags" | "values";

/** A column of a result. */
export type ColumnHeading = { name: string, type: string,
/** The attribute whose aliases name the values, where it is not the column's own name that tells. */
names: string | null, };

export type CompleteAnswer = { start: number, end: number, proposals: Array<Proposal>, };

/** What `/api/complete` takes. */
export type CompleteBody = { log: number, tree: number, text: string, position: number, };

/** What is too narrow for rectangles of its own, by ply and column of node_ids. */
export type DensityAnswer = {
/** The node_id that column 0 begins with. */
first: number,
/** How many node_ids a column has. */
step: number,
/** Each span's ply below the picture's node. */
ply: Array<number>,
/** Its first column. */
column: Array<number>,
/** How many columns it has. */
columns: Array<number>,
/** How many of its node_ids lie in or below a node of this ply that has no rectangle of its own. */
nodes: Array<number>,
/** The place of its mix in `mixes`. */
mix: Array<number>,
/** Places in `values`, each with its part of sixteen; nothing where there is no colour, or none that mixes. */
mixes: Array<Array<[number, number]>>,
/** Values of the colour. */
values: Array<Scalar>,
/** Where matches of a query are. */
marks?: DensityMarks, };

/** Where matches are that may have no rectangle of their own. */
export type DensityMarks = {
/** Plies below the picture's node. */
ply: Array<number>,
/** Columns of the density. */
column: Array<number>,
/** How many matches there are; where a picture has very many, those of the column at any ply. */
matches: Array<number>, };

export type DiffInfo = { a: string, b: string, attributes: Array<AttributePair>, };

/** How much of two merged trees differs, in nodes. */
export type DiffTotals = { generation: number, a: TreeTotal, b: TreeTotal, same: number, changed: number, only_a: number, only_b: number, attributes: Array<AttributeTotal>, causes: Array<CauseTotal>, };

/** How a run stands that was cancelled or forgotten. */
export type EndedRun = { run: number, state: RunState, };

/** The end of a game. */
export type Ending = {
/** The place of each player, from 1; players who share a place have the same number. */
places: Array<number>,
/** The reason in a word or two: `checkmate`, `time`, `resigned`. */
reason: string, };

/** What is sent where a call has no answer. */
export type ErrorAnswer = { error: ErrorInfo, };

export type ErrorInfo = { message: string,
/** The parameter or field to blame. */
place: string | null,
/** What is wrong with a query text. */
errors?: Array<QueryError>, };

export type EvaluationAnswer = { game: string, position: string, evaluation: string,
/** All evaluations that the game has. */
evaluations: Array<string>, measure: string, phase: Phase | null,
/** What the players are called. */
players: Array<string>, to_move: number, values: Array<number>, mover_value: number, sums: Array<number>, terms: Array<Term>, maps: Array<SquareMap>, };

/** A line of moves, explained. Values, bounds and windows are from the view of [`Explanation::view`]. */
export type Explanation = {
/** The number of the tree. */
tree: number,
/** The nominal depth of its iteration. */
depth: number | null,
/** The view that values are from. */
view: ScoreView,
/** The requested line; by default the move played. */
asked: Array<MoveName>,
/** The move that the tree chose at its root. */
played: WhyMove | null,
/** The moves of the line that are in the tree. */
line: Array<WhyStep>,
/** The point where the line leaves the tree, if it does. */
leaves: LeavingPoint | null,
/** The move that came closest to the one played; present if the line begins with the move played. */
rival: Rival | null,
/** The iterations of the search, in order. */
iterations: Array<WhyIteration>,
/** What the log lacks. */
missing: Array<MissingAttribute>,
/** The sentence. */
verdict: Sentence,
/** The kind of reason. */
reason: Reason, };

export type FindAnswer = { generation: number, node: number, ply: number, };

export type GameChoice = { name: string, description: string, players: Array<number>,
/** The sizes of its board, the usual one first; none where there is but one. */
boards: Array<string>, algorithms: Array<AlgorithmChoice>, };

export type GameChoices = { games: Array<GameChoice>, levels: LevelRange, };

/** Something happened in the game that is played: its state is another. */
export type GameEvent = {
/** The number of the game. */
game: number,
/** What happened, in a word. */
what: string, };

export type HintAnswer = { text: string, written: string, places: Array<string>, search: SearchAnswer, };

/** A name and the number it stands for. */
export type Label = {
/** The name. */
name: string,
/** The number. */
value: number, };

/** What the names of an attribute's numbers stand for. */
export type LabelKind = "flags" | "values";

/** Names for the numbers of an attribute. */
export type Labels = { kind: LabelKind, of: Array<Label>, };

export type LastMove = { text: string, places: Array<string>, };

/** The point where a line leaves the tree. */
export type LeavingPoint = {
/** The move that is not in the tree. */
move: MoveName,
/** The node_id of the node that lacks it. */
node: number,
/** The reason why that node ended. */
ended: string,
/** The number of different moves searched there. */
siblings: number,
/** The best of them, best first, at most ten. */
instead: Array<WhyMove>, };

export type LevelBody = { player: number, level: number | null, };

export type LevelRange = { min: number, max: number, };

export type LibraryAnswer = { queries: Array<LibraryQuery>, };

export type LibraryQuery = { group: string, title: string, text: string, meaning: string, };

export type LineEntry = { node: number, ply: number, text: string, index: number, };

export type LoadBody = { text: string, };

/** A log has a new state. */
export type LogEvent = { log: number, generation: number, };

export type LogInfo = { log: number, name: string, path: string, game: string, board: boolean, bytes: number, generation: number, growing: boolean, recovered: string | null, attributes: Array<AttributeInfo>, aliases: Array<AliasInfo>,
/** The attribute with the nodes' values, where their windows tell which of them are bounds. */
value: string | null,
/** The value of a game that is won on the spot, where the log tells it: values near it are mates. */
win: number | null,
/** The smallest value of a win at an unknown distance, where there are such values. */
unmeasured_win: number | null,
/** Whether players write its game's moves in a way of their own: `moves=san` asks for that. */
san: boolean, derived: Array<string>, metadata: { [key in string]: string },
/** Of two trees merged into one: what they are called, and their attributes. */
diff: DiffInfo | null, trees: Array<TreeInfo>,
/** Trees before those that are listed. */
trees_omitted: number, };

export type LogsAnswer = { version: string, logs: Array<LogInfo>,
/** The result file that the server was started with. */
file: ResultFileInfo | null,
/** Whether a game is played here. */
play: boolean, };

export type MapCell = { owner: number | null, number: number | null, };

/** An attribute that the log lacks. */
export type MissingAttribute = {
/** Its name. */
attribute: string,
/** The information it would have provided. */
tells: string, };

export type MomentAnswer = { generation: number, nodes: number, after: number,
/** The node that was entered last. */
node: number, ply: number, open: Array<OpenNode>, open_omitted: number, root: RootValue, moves: Array<RootMove>, moves_count: number, };

export type MoveAnswer = { text: string,
/** As players write it down. */
written: string, player: number, elapsed_ms: number,
/** What a program had found. */
search: SearchAnswer | null,
/** The number of the search's log, as long as it is kept. */
log: number | null, };

export type MoveBody = { text: string, ply: number | null, };

/** A move of a log. It is shown, and serialised, by its name if it has one, otherwise as its number. */
export type MoveName = string | number;

/** A new game. */
export type NewGame = { game: string, board: string | null, players: number | null, position: string, clock: string | null, seats: Array<SeatWish>, };

export type NodeAnswer = { generation: number, node: number, ply: number, parent: number | null, index: number, siblings: number, move: number, text: string, size: number, children: number, unfinished: boolean, left_out: number,
/** Whether the node's value is exact or a bound; nothing where that is not known. */
bound: Bound | null, attributes: Attributes,
/** Both records, where two trees are merged. */
sides: Sides | null, line: Array<LineEntry>, line_omitted: number, position: string | null, };

/** A body without anything in it. */
export type Nothing = Record<symbol, never>;

/** A move in an iteration. */
export type Occurrence = {
/** The number of different moves searched before it. */
rank: number,
/** The nodes of all its visits. */
nodes: number,
/** Its value. */
value: Score | null,
/** What the value proves. */
bound: Bound | null, };

/** A node that was open. */
export type OpenNode = { node: number, ply: number, text: string, alpha: Scalar, beta: Scalar, };

export type Phase = { now: number, of: number, };

/** A picture of a subtree. */
export type PictureAnswer = {
/** The state of the log that it is of. */
generation: number,
/** Whose subtree it is. */
node: number,
/** The node's distance from the root. */
ply: number,
/** The nodes of its subtree. */
total: number,
/** The first of the node_ids that are as wide as the picture. */
from: number,
/** The node_id after the last of them. */
to: number,
/** How many plies are drawn, the node's own included. */
plies: number, view: PictureView,
/** Whether everything that exists is drawn. */
complete: boolean,
/** Single nodes, and runs of small ones. */
rectangles: Rectangles,
/** Of an icicle: what has no rectangle of its own. */
density?: DensityAnswer,
/** What the values mean. */
color: ColorInfo | null, };

/** How the nodes are laid out. */
export type PictureView = "icicle" | "treemap";

/** The x axis. */
export type PlaceAxis = {
/** The name of the places: `ply`. */
name: string,
/** The places. */
values: Places,
/** How numbers become lengths, if lines are drawn. */
scale: AxisScale, };

/** The places along x. */
export type Places = Array<string> | Array<number>;

export type PlayState = {
/** Counts the games that this server has seen. */
number: number, version: number, game: string, start: string, position: string, players: number, to_move: number, shape: BoardShape, cells: Array<Cell>, last: Array<string>,
/** How the moves of the person whose turn it is are pointed at. */
pointing: PointingAnswer, moves: Array<MoveAnswer>, seats: Array<SeatState>, control: string | null, clocks: ClockState | null, paused: boolean, thinking: ThinkingAnswer | null, hint_pending: boolean, hint: HintAnswer | null, can_take_back: boolean, result: Ending | null, };

/** `/api/play/position`: the board after some moves. */
export type PlayedPosition = { game: string, ply: number, position: string, shape: BoardShape, cells: Array<Cell>,
/** The places of the last move. */
last: Array<string>,
/** What the program found that played the last move. */
search: SearchAnswer | null, };

export type PlayerBody = { player: number, };

export type PointedMove = { text: string,
/** The places to point at, in order: of a piece that moves, the first is where it stands, the second where it goes. */
places: Array<string>,
/** What to choose after the last place: `queen`, `pass`. */
choice: string | null, };

export type PointingAnswer = { moves: Array<PointedMove>,
/** Places that mean another one. */
stand_ins: Array<StandIn>, };

export type Proposal = { text: string, kind: string, detail: string, };

/** What `/api/check` and `/api/runs` take. */
export type QueryBody = { log: number, tree: number, text: string, parameters?: { [key in string]: Scalar }, };

/** An error of a query text, or a note on it. */
export type QueryError = {
/** Where it begins in the text, in UTF-16 code units. */
start: number,
/** Where it ends. */
end: number, message: string, help: string | null, note: string | null, };

export type QueryInfo = { name: string | null, start: number, end: number, result: ResultKind, };

/** The kinds of reasons. */
export type Reason = "played" | "refuted" | "worse" | "reduced" | "cutoff" | "pruned" | "table-hit" | "null-move" | "stand-pat" | "horizon" | "game-over" | "stopped" | "other-iteration" | "left-out" | "unknown";

/** The rectangles, column by column. */
export type Rectangles = {
/** The left edge, in parts of the picture's width; of an icicle's part it may lie outside. */
x: Array<number>,
/** The upper edge: the ply below the picture's node, or, in a treemap, a part of the height. */
y: Array<number>,
/** In parts of the picture's width. */
width: Array<number>,
/** 1, or, in a treemap, a part of the height. */
height: Array<number>,
/** The node_id of the first node. */
node: Array<number>,
/** Its distance from the root. */
ply: Array<number>,
/** All nodes in the rectangle. */
size: Array<number>,
/** The move of the first node. */
move: Array<string>,
/** The colour's value at the node, at the largest of a run. */
value?: Array<Scalar>,
/** Whether the node's value is exact. */
bound?: Array<Bound | null>,
/** 0, or how many siblings share the rectangle. An icicle draws their density instead. */
merged: Array<number>,
/** 1 where there are children without rectangles. */
more: Array<number>,
/** How many matches of a query lie in the subtree. */
marks?: Array<number>, };

/** A result file, which is a run that is done. */
export type ResultFileInfo = { run: number, log: number, tree: number, name: string,
/** The query. */
text: string, };

/** What kind of answer a query gives. */
export type ResultKind = "nodes" | "rows" | "groups" | "count" | "value";

/** The closest rival of the move played. */
export type Rival = {
/** The line that the search expects after it. */
refutation: Array<MoveName>,
/** The amount by which it is worth less. */
margin: Score | null,
/** What would have to be wrong for it to be played. */
doubt: Sentence,
/** The move. */
move: MoveName,
/** The node_id of its last visit. */
node: number,
/** The number of different moves searched before it. */
rank: number,
/** The nodes of all its visits. */
nodes: number,
/** Its value. */
value: Score | null,
/** What the value proves. */
bound: Bound | null, };

/** A move of the root. */
export type RootMove = { node: number, text: string,
/** Nodes entered so far. */
nodes: number, open: boolean,
/** As the player at the root sees it, as the bound. */
value: Scalar, bound: Bound | null, line: Array<string>, };

/** What was known at the root, as the player at the root sees it. */
export type RootValue = { best: number | null, value: Scalar, bound: Bound | null, alpha: Scalar, beta: Scalar, };

/** A run and a page of its results. */
export type RunAnswer = { run: number, log: number, tree: number, generation: number,
/** The query. */
text: string, state: RunState,
/** The share of the blocks that are done, 0 to 1; nothing unless it runs. */
progress: number | null, seconds: number,
/** Why the run failed. */
error: string | null, results: Array<RunResult>, };

/** A page of one query's result. */
export type RunResult = { name: string | null, kind: ResultKind,
/** Rows that can be had. */
count: number,
/** Nodes behind the result, which marks and steps go over; nothing where it is one value. */
matches: number | null,
/** Whether there are more rows than can be had. */
truncated: boolean, offset: number,
/** Why there is no answer. */
error: string | null,
/** The column that rows are sorted by. */
sort: string | null, descending: boolean, columns: Array<ColumnHeading>, rows: Array<Array<Scalar>>,
/** The node_id of each row, if rows are nodes. */
nodes: Array<number> | null,
/** Which rows' values are bounds, where the values are among the columns. */
bounds: Array<Bound | null> | null,
/** The plies of the rows' nodes, where rows are nodes. */
plies: Array<number> | null, };

/** How a run stands, in a word. */
export type RunState = "running" | "done" | "cancelled" | "failed";

/** A value in an answer. Whole numbers that JavaScript's numbers cannot hold, and infinite ones, are texts; what is
 * missing or not a number is `null`. */
export type Scalar = null | boolean | number | string;

/** A value: whole if the log's attribute is. */
export type Score = number | string | number | null;

/** The view that values are from. */
export type ScoreView = "root" | "each-player";

export type SearchAnswer = { depth: number,
/** For the player who searched. */
value: number,
/** The value as players write it. */
score: string, nodes: number, elapsed_ms: number,
/** The line that is expected, as players write it. */
line: Array<string>, };

export type SeatBody = { player: number, seat: SeatWish, };

/** The occupant of a seat. */
export type SeatState = {
/** The game's name for this player: `white`, `x`, `B`. */
side: string,
/** The occupant's name. */
name: string,
/** Whether it is a person. */
is_person: boolean,
/** The program's algorithm. */
algorithm: string | null,
/** The program's level; `None` for a person, and at full strength. */
level: number | null, };

/** Who is to sit at a place. */
export type SeatWish = { "kind": "person", name?: string | null, } | { "kind": "program", algorithm: string | null, level: number | null, seconds: number | null, };

/** A sentence; its moves are shown by their names if they have been given some. */
export type Sentence = string;

/** Values over the places of a chart. */
export type Series = {
/** The name: `quiescence`. */
name: string,
/** One value for every place; `None` for a gap. */
values: Array<number | null>, };

export type Share = { count: number | null, value: number, };

/** What one of the two trees says of a node. */
export type SideRecord = {
/** Its node_id there. */
node: number | null, size: number | null, bound: Bound | null, attributes: Attributes, };

/** What two merged trees say of a node; nothing where one of them has no such node. */
export type Sides = { a: SideRecord | null, b: SideRecord | null,
/** The attributes whose values differ. */
differ: Array<string>, };

export type SquareMap = { name: string, note: string,
/** In the order of the board's cells. */
cells: Array<MapCell>, };

export type StandIn = { place: string, meant: string, };

/** The number of a run that was started. */
export type StartedRun = { run: number, };

/** The next or previous match of a result. */
export type StepAnswer = {
/** Nothing where there is no further match. */
node: number | null,
/** The match's place among all. */
index: number | null,
/** How many matches there are. */
count: number, };

export type Term = {
/** The terms that it belongs with. */
group: string | null, name: string, note: string, weight: Weight | null,
/** What each player has of it. */
shares: Array<Share>, };

export type ThinkingAnswer = { player: number, search: SearchAnswer | null, log: number | null, };

export type Token = { start: number, end: number, kind: string, };

export type TreeInfo = { tree: number, label: string, nodes: number, leaves: number, depth: number, finished: boolean, metadata: { [key in string]: string }, };

/** One of the two trees. */
export type TreeTotal = { label: string, nodes: number, };

/** Something went wrong beside the game. */
export type TroubleEvent = {
/** The number of the game. */
game: number, sentence: string, };

/** The axis of the values. */
export type ValueAxis = {
/** The measured quantity: `nodes`. */
name: string,
/** How values become lengths. */
scale: AxisScale,
/** The unit of the numbers. */
unit: AxisUnit, };

/** The weight of a term in the opening and in the ending; both are the same if it does not change during the game. */
export type Weight = { opening: number, ending: number, };

export type WhyAnswer = { generation: number, node: number,
/** All of the explanation in words. */
text: string, explanation: Explanation, };

/** An iteration of the search. */
export type WhyIteration = {
/** Its nominal depth. */
depth: number | null,
/** The numbers of its trees: several if the root was searched with several windows. */
trees: Array<number>,
/** Whether the search left its root in the ordinary way. */
complete: boolean,
/** The move that it chose. */
best: MoveName | null,
/** The value of its root. */
value: Score | null,
/** What that value proves. */
bound: Bound | null,
/** The line's first move in it. */
first: Occurrence | null,
/** The whole line in it; present for lines of more than one move. */
line: Occurrence | null, };

/** A move beside the line. */
export type WhyMove = {
/** The move. */
move: MoveName,
/** The node_id of its last visit. */
node: number,
/** The number of different moves searched before it. */
rank: number,
/** The nodes of all its visits. */
nodes: number,
/** Its value. */
value: Score | null,
/** What the value proves. */
bound: Bound | null, };

/** A move of the line. */
export type WhyStep = {
/** The move. */
move: MoveName,
/** The node_id of its last visit, which is the decisive one. */
node: number,
/** The number of different moves searched before it at the same node. */
rank: number,
/** The number of different moves searched there. */
siblings: number,
/** The nodes of all its visits. */
nodes: number,
/** Its value. */
value: Score | null,
/** What the value proves. */
bound: Bound | null,
/** The move that its parent chose. */
chosen: MoveName | null,
/** The best reply to it: the refutation if its node was cut off. */
reply: WhyMove | null,
/** Every search of it, in order. */
visits: Array<WhyVisit>, };

/** One search of a move. */
export type WhyVisit = {
/** The node_id. */
node: number,
/** The nodes of its subtree. */
nodes: number,
/** The remaining depth at entry, reductions and extensions included. */
depth: Score | null,
/** Plies removed. */
reduction: number | null,
/** Plies added. */
extension: number | null,
/** The window at entry, the lower end first. */
window: [Score, Score] | null,
/** The value returned. */
value: Score | null,
/** What the value proves. */
bound: Bound | null,
/** The reason why the node ended: the log's name for it, or derived from its value and children. */
ended: string,
/** Whether it was entered again with an open window. */
research: boolean, };
