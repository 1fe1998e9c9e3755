//! The attributes of a node in a log of these searches.
//!
//! ```text
//! ply · depth · alpha · beta · best · type · … · ended      every log: the fields of Node
//!             key · table_depth · value_0 · value_1 …       on request: Extras, behind them
//! ```

use gt_log::{Header, Kind, Record as _, Result, Row, Schema};
use gt_query::Value;
use gt_search::{Ended, EntryRecord, Record};

/// The number of a null move in `last_move`.
pub const NULL_MOVE: i64 = 65_535;

gt_log::record! {
    /// The attributes of a node in a log of these searches: the fields of [`gt_search::Record`]. Values that are
    /// unknown when the search enters a node may be missing: a node that the search never finishes keeps the rest.
    #[derive(Clone, Copy, Debug)]
    pub struct Node {
        /// Distance from the root.
        pub ply: u16,
        /// Remaining depth, as passed in.
        pub depth: i16,
        /// Lower bound, as passed in.
        pub alpha: i32,
        /// Upper bound, as passed in.
        pub beta: i32,
        /// The value returned; missing if the search was stopped inside.
        pub best: Option<i32>,
        /// Flags: PVNode, CutNode …
        pub r#type: u8,
        /// The move's index in the parent's order.
        pub move_index: u16,
        /// The static evaluation; missing if the position was not evaluated.
        pub static_eval: Option<i32>,
        /// Whether the transposition table had an entry.
        pub table_hit: Option<bool>,
        /// Plies removed by late-move reduction.
        pub reduction: i8,
        /// Plies added by an extension.
        pub extension: i8,
        /// Why the node ended: Searched, Cutoff …
        pub ended: Option<u8>,
    }
}

impl From<&Record> for Node {
    #[inline]
    fn from(record: &Record) -> Self {
        Self {
            ply: record.ply,
            depth: record.depth,
            alpha: record.alpha,
            beta: record.beta,
            // The value that a stopped node returns is not its position's.
            best: (record.ended != Ended::Stopped).then_some(record.best),
            r#type: record.node_type.0,
            move_index: record.move_index,
            static_eval: record.static_eval,
            table_hit: Some(record.table_hit),
            reduction: record.reduction,
            extension: record.extension,
            ended: Some(record.ended as u8),
        }
    }
}

impl From<&EntryRecord> for Node {
    #[inline]
    fn from(entry: &EntryRecord) -> Self {
        Self {
            ply: entry.ply,
            depth: entry.depth,
            alpha: entry.alpha,
            beta: entry.beta,
            best: None,
            r#type: entry.node_type.0,
            move_index: entry.move_index,
            static_eval: None,
            table_hit: None,
            reduction: entry.reduction,
            extension: entry.extension,
            ended: None,
        }
    }
}

/// Names for the flags of `type`.
const TYPES: [(&str, i64); 8] = [
    ("PVNode", 1),
    ("CutNode", 2),
    ("AllNode", 4),
    ("QNode", 8),
    ("QRootNode", 16),
    ("ResearchNode", 32),
    ("NullMove", 64),
    ("Excluded", 128),
];

/// Names for the numbers of `ended`.
const ENDS: [(&str, i64); 10] = [
    ("Searched", 0),
    ("Cutoff", 1),
    ("Horizon", 2),
    ("Terminal", 3),
    ("TableHit", 4),
    ("StandPat", 5),
    ("NullMoveCutoff", 6),
    ("DrawByRule", 7),
    ("Stopped", 8),
    ("EndgameTable", 9),
];

/// Attributes that a log has only on request, after those of [`Node`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// `key`: the hash of the position, at every node.
    pub key: bool,
    /// `table_depth`: the depth of the transposition table's entry; missing if there was none.
    pub table_depth: bool,
    /// `value_0`, `value_1` …: a node's value for each player, for this many players, at most
    /// [`Extras::PLAYERS_MAX`]; missing if the search has only one value.
    pub players: usize,
}

/// The names of the players' values.
const PLAYER_VALUES: [&str; Extras::PLAYERS_MAX] =
    ["value_0", "value_1", "value_2", "value_3", "value_4", "value_5", "value_6", "value_7"];

impl Extras {
    /// The maximum number of players whose values a log can have.
    pub const PLAYERS_MAX: usize = 8;

    fn attributes(self) -> impl Iterator<Item = (&'static str, Kind)> {
        let all = [(self.key, ("key", Kind::U64)), (self.table_depth, ("table_depth", Kind::I16))];
        let asked = all.into_iter().filter_map(|(wanted, attribute)| wanted.then_some(attribute));
        asked.chain(PLAYER_VALUES.into_iter().take(self.players).map(|name| (name, Kind::I32)))
    }

    /// Stores the values of the requested attributes.
    #[inline(always)]
    pub(crate) fn store(self, key: u64, table_depth: Option<i16>, values: &[i32], row: &mut Row<'_>) {
        if self.key {
            row.put(&key);
        }
        if self.table_depth {
            row.put(&table_depth);
        }
        for player in 0..self.players.min(Self::PLAYERS_MAX) {
            row.put(&values.get(player).copied());
        }
    }
}

/// The values of a node as queries read them, in the order of the schema of [`header_with`].
pub(crate) fn node_values(
    record: &Record,
    extras: Extras,
    key: u64,
    values: &[i32],
    into: &mut Vec<Option<Value>>,
) {
    // Field by field, so that a new one does not compile until it is handled here.
    let Node {
        ply,
        depth,
        alpha,
        beta,
        best,
        r#type,
        move_index,
        static_eval,
        table_hit,
        reduction,
        extension,
        ended,
    } = Node::from(record);
    into.clear();
    into.extend([
        integer(ply),
        integer(depth),
        integer(alpha),
        integer(beta),
        best.and_then(integer),
        integer(r#type),
        integer(move_index),
        static_eval.and_then(integer),
        table_hit.map(Value::Boolean),
        integer(reduction),
        integer(extension),
        ended.and_then(integer),
    ]);
    if extras.key {
        into.push(integer(key));
    }
    if extras.table_depth {
        into.push(record.table_depth.and_then(integer));
    }
    for player in 0..extras.players.min(Extras::PLAYERS_MAX) {
        into.push(values.get(player).copied().and_then(integer));
    }
}

fn integer(value: impl Into<i128>) -> Option<Value> {
    Some(Value::Integer(value.into()))
}

/// Returns the header of a log of searches of this game.
pub fn header(game: &str) -> Result<Header> {
    header_with(game, Extras::default())
}

/// Returns the header of a log with attributes beside those of every search; pass them to its recorders too
/// ([`Recorder::with`](crate::Recorder::with)).
pub fn header_with(game: &str, extras: Extras) -> Result<Header> {
    let attributes = Node::attributes().into_iter().chain(extras.attributes());
    let schema = Schema::new(attributes)?.with_aliases_of("type", TYPES)?.with_aliases_of("ended", ENDS)?;
    Ok(Header::new(game, schema))
}
