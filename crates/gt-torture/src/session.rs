//! Sessions: random programs of logging calls.

use gt_log::{Kind, Schema, Value};
use proptest::prelude::*;
use proptest::sample::select;

use crate::random;

/// The calls of an engine from opening a log to its end.
#[derive(Clone, Debug)]
pub struct Session {
    /// The plan of each tree, in the order in which they are begun; used cyclically.
    pub plans: Vec<TreePlan>,
    /// The calls, each on one of [`SIDE_BY_SIDE`] trees that are open at once.
    pub calls: Vec<(usize, Call)>,
    /// How it ends.
    pub ending: Ending,
}

/// The number of trees of a session that are open at once.
pub const SIDE_BY_SIDE: usize = 3;

/// The settings for logging a tree.
#[derive(Clone, Debug)]
pub struct TreePlan {
    /// The number of nodes after which they are written to the file.
    pub block_rows: usize,
    /// The number of milliseconds after which they are.
    pub flush_ms: Option<u64>,
    /// Whether a background thread encodes them.
    pub background: bool,
    /// The maximum number of rows.
    pub nodes_max: Option<u64>,
    /// The trigger that starts logging.
    pub trigger: Option<TriggerPlan>,
}

/// The trigger that starts logging.
#[derive(Clone, Debug)]
pub struct TriggerPlan {
    /// The nodes at which it starts.
    pub condition: Condition,
    /// Whether it starts only the first time.
    pub once: bool,
}

/// The nodes at which logging starts.
#[derive(Clone, Debug)]
pub enum Condition {
    /// The node that these moves lead to.
    Line(Vec<i64>),
    /// Nodes at this ply that this move leads to.
    Reached {
        /// The ply.
        ply: usize,
        /// The move.
        last_move: i64,
    },
}

impl Condition {
    /// Whether it holds at the node that this line leads to.
    #[must_use]
    pub fn holds(&self, line: &[i64]) -> bool {
        match self {
            Self::Line(moves) => moves == line,
            Self::Reached { ply, last_move } => {
                line.len() == *ply && line.last().unwrap_or(last_move) == last_move
            }
        }
    }
}

/// A call of an engine.
#[derive(Clone, Debug)]
pub enum Call {
    /// Goes down a move, with the values that are already known.
    Enter(i64, Option<Vec<Value>>),
    /// Goes back, with the node's values.
    Leave(Vec<Value>),
    /// Goes back without any values of the node.
    LeaveUnfinished,
    /// Goes down and back this many times.
    Leaves(usize, Vec<Value>),
    /// Writes everything to the file.
    Flush,
    /// Ends the tree.
    Finish,
    /// Ends a tree whose search was aborted.
    Abandon,
    /// Drops the writer.
    Drop,
    /// Names a move.
    Name(i64),
}

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Trees are dropped, the log is closed.
    Close,
    /// All trees are flushed, then the process is killed.
    Kill,
}

/// The attributes of every session: those of random queries.
#[must_use]
pub fn schema() -> Schema {
    random::schema()
}

/// The library that sessions run through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// The Rust library, with everything.
    Rust,
    /// The C library: one tree at a time, every value given when the node is left.
    C,
}

/// Returns random sessions.
pub fn sessions(calls_max: usize, through: Through) -> impl Strategy<Value = Session> {
    let trees = if through == Through::C { 1 } else { SIDE_BY_SIDE };
    let call = (prop_oneof![6 => Just(0), 2 => 0..trees], call(through));
    let ending = prop_oneof![3 => Just(Ending::Close), 1 => Just(Ending::Kill)];
    let plans = proptest::collection::vec(plan(through), 1..4);
    (plans, proptest::collection::vec(call, 1..calls_max), ending)
        .prop_map(|(plans, calls, ending)| Session { plans, calls, ending })
}

fn plan(through: Through) -> impl Strategy<Value = TreePlan> {
    let block_rows = select(vec![1, 2, 3, 4, 5, 7, 16, 100, 1024, 3000, 32_768, 70_000]);
    let flush_ms = select(vec![None, None, None, Some(0), Some(1)]);
    let nodes_max = prop_oneof![4 => Just(None), 1 => (1..40_u64).prop_map(Some)];
    let condition = prop_oneof![
        proptest::collection::vec(0..3_i64, 0..4).prop_map(Condition::Line),
        (0..4_usize, 0..3_i64).prop_map(|(ply, last_move)| Condition::Reached { ply, last_move }),
    ];
    let trigger = prop_oneof![
        3 => Just(None),
        1 => (condition, any::<bool>()).prop_map(|(condition, once)| Some(TriggerPlan { condition, once })),
    ];
    (block_rows, flush_ms, any::<bool>(), nodes_max, trigger).prop_map(
        move |(block_rows, flush_ms, background, nodes_max, trigger)| TreePlan {
            block_rows,
            flush_ms,
            background: background && through == Through::Rust,
            nodes_max,
            trigger,
        },
    )
}

fn call(through: Through) -> BoxedStrategy<Call> {
    let row = move || values(through == Through::Rust);
    let entry = match through {
        Through::Rust => prop_oneof![3 => Just(None), 1 => row().prop_map(Some)].boxed(),
        Through::C => Just(None).boxed(),
    };
    let common = prop_oneof![
        800 => (0..3_i64, entry).prop_map(|(last_move, entry)| Call::Enter(last_move, entry)),
        680 => row().prop_map(Call::Leave),
        40 => (1..12_usize, row()).prop_map(|(count, values)| Call::Leaves(count, values)),
        1 => (900..2300_usize, row()).prop_map(|(count, values)| Call::Leaves(count, values)),
        120 => Just(Call::Flush),
        20 => Just(Call::Finish),
        20 => Just(Call::Abandon),
    ];
    match through {
        Through::C => common.boxed(),
        Through::Rust => prop_oneof![
            80 => common,
            1 => Just(Call::LeaveUnfinished),
            1 => Just(Call::Drop),
            1 => (0..3_i64).prop_map(Call::Name),
        ]
        .boxed(),
    }
}

/// A value for each attribute; some missing, if that is possible.
fn values(missing: bool) -> BoxedStrategy<Vec<Value>> {
    let known: Vec<BoxedStrategy<Value>> = kinds().into_iter().map(value).collect();
    if !missing {
        return known.boxed();
    }
    (known, prop_oneof![2 => Just(0_u16), 1 => any::<u16>(), 1 => Just(u16::MAX)])
        .prop_map(|(mut values, mask)| {
            for (place, value) in values.iter_mut().enumerate() {
                if mask.rotate_left(place as u32) & 1 == 1 {
                    *value = Value::Missing;
                }
            }
            values
        })
        .boxed()
}

/// A value of this type: mostly one of a few, so that many are equal, and occasionally an extreme one.
fn value(kind: Kind) -> BoxedStrategy<Value> {
    let integer = |range: std::ops::Range<i64>| range.prop_map(Value::Int);
    match kind {
        Kind::U8 | Kind::U16 | Kind::U32 => integer(0..8).boxed(),
        Kind::I8 | Kind::I16 | Kind::I32 => integer(-5..6).boxed(),
        Kind::I64 => {
            prop_oneof![8 => integer(-3..4), 1 => Just(Value::Int(i64::MAX)), 1 => Just(Value::Int(i64::MIN))]
                .boxed()
        }
        Kind::U64 => prop_oneof![4 => 0..9_u64, 1 => Just(u64::MAX)].prop_map(Value::UInt).boxed(),
        Kind::F32 | Kind::F64 => {
            let few = vec![0.125, 0.5, -2.25, 1e16, 1.0, f64::INFINITY, f64::NAN];
            prop_oneof![6 => select(few), 1 => Just(if kind == Kind::F64 { 0.1 } else { 2.0 })]
                .prop_map(Value::Float)
                .boxed()
        }
        Kind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Kind::Text => select(vec!["", "a", "b", "ab", "a \"quoted\" \\ =é\n\t"])
            .prop_map(|text| Value::Text(text.to_owned()))
            .boxed(),
    }
}

/// Returns the type of each attribute of [`schema`].
#[must_use]
pub fn kinds() -> Vec<Kind> {
    schema().attributes().iter().map(|attribute| attribute.kind).collect()
}
