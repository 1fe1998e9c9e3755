//! Random logs, and what a log holds in a form that can be compared.

#![allow(dead_code)] // Each test file uses a part.

pub(crate) mod refused;

use gt_log::{Column, Flush, Header, Kind, Log, LogWriter, Marks, Metadata, Options, Row, Schema};
use proptest::prelude::*;

/// A tree in preorder: parents by number, -1 for the root.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) ply: usize,
    pub(crate) last_move: i64,
    pub(crate) unfinished: bool,
    pub(crate) left_out: u64,
    pub(crate) cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Missing,
    Integer(i64),
    Text(String),
}

#[derive(Clone, Debug)]
pub(crate) struct LogPlan {
    pub(crate) header: Header,
    pub(crate) move_names: Vec<(i64, String)>,
    pub(crate) trees: Vec<Plan>,
}

impl LogPlan {
    pub(crate) fn write(&self) -> Log {
        let log = LogWriter::to_memory(self.header.clone()).unwrap();
        log.name_moves(self.move_names.iter().map(|(code, name)| (*code, name.as_str()))).unwrap();
        for plan in &self.trees {
            let metadata: Metadata = plan.metadata.iter().cloned().collect();
            let flush = Flush { nodes_max: 7, time_ms_max: None };
            let mut tree = log.dynamic_tree(&metadata, Options { flush, ..Options::default() }).unwrap();
            let mut open: Vec<&Node> = Vec::new();
            let leave = |node: &Node, tree: &mut gt_log::TreeWriter| {
                let marks = Marks { unfinished: node.unfinished, left_out: node.left_out };
                tree.leave_marked(marks, |schema, row| {
                    for (attribute, cell) in schema.attributes().iter().zip(&node.cells) {
                        put(row, attribute.kind, cell);
                    }
                    Ok(())
                })
                .unwrap();
            };
            for node in &plan.nodes {
                while open.len() > node.ply {
                    leave(open.pop().unwrap(), &mut tree);
                }
                tree.enter(node.last_move).unwrap();
                open.push(node);
            }
            while let Some(node) = open.pop() {
                leave(node, &mut tree);
            }
            tree.finish().unwrap();
        }
        Log::from_bytes(log.into_memory().unwrap()).unwrap()
    }
}

fn put(row: &mut Row<'_>, kind: Kind, cell: &Cell) {
    let integer = match cell {
        Cell::Integer(integer) => *integer,
        Cell::Text(text) => return row.put(&text.as_str()),
        Cell::Missing => return row.put_missing(kind),
    };
    match kind {
        Kind::I8 => row.put(&(integer as i8)),
        Kind::I16 => row.put(&(integer as i16)),
        Kind::I32 => row.put(&(integer as i32)),
        Kind::I64 => row.put(&integer),
        Kind::U8 => row.put(&(integer as u8)),
        Kind::U16 => row.put(&(integer as u16)),
        Kind::U32 => row.put(&(integer as u32)),
        Kind::U64 => row.put(&(integer as u64)),
        Kind::F32 => row.put(&f32::from_bits(integer as u32)),
        Kind::F64 => row.put(&f64::from_bits(integer as u64)),
        Kind::Bool => row.put(&(integer & 1 == 1)),
        Kind::Text => unreachable!(),
    }
}

/// Everything that a log holds, bit by bit.
pub(crate) fn contents(log: &Log) -> String {
    use std::fmt::Write;
    let mut out = format!("{:#?}\n{:?}\n", log.header(), log.move_names());
    let attributes = log.schema().attributes();
    for tree in log.trees() {
        writeln!(out, "tree {:?}", tree.metadata()).unwrap();
        let mut columns = vec![Column::LastMove, Column::Status, Column::LeftOut];
        columns.extend((0..attributes.len()).map(Column::Attribute));
        tree.preorder(&columns, |batch| {
            for row in 0..batch.len() {
                let node = batch.first_node + row as u64;
                let (parent, ply, size) = (batch.parents[row], batch.plies[row], batch.sizes[row]);
                write!(out, "{node} < {parent}, ply {ply}, size {size}:").unwrap();
                for (place, cells) in batch.cells.iter().enumerate() {
                    let integer = cells.integers[row];
                    let is_text = place >= 3 && attributes[place - 3].kind == Kind::Text;
                    match is_text {
                        _ if cells.is_missing(row) => write!(out, " ?").unwrap(),
                        true => write!(out, " {:?}", cells.texts[integer as usize]).unwrap(),
                        false => write!(out, " {integer:#x}").unwrap(),
                    }
                }
                writeln!(out).unwrap();
            }
            Ok::<(), gt_log::Error>(())
        })
        .unwrap();
    }
    out
}

/// Texts that formats stumble over.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ -~]{0,6}",
        1 => prop::sample::select(vec![
            "", " ", "null", "NaN", "inf", "-inf", "true", "1", "-0.0", "1e5", "\"", "\"\"", ",", "a,b", "a\nb", "a\r\nb",
            "\r", "\n", "#", "# gt-tools {}", "\u{feff}", "é", "♞f3", "\u{0}", "\u{1}", "\\", "\\n", "{}", "[1]", "'", "\t",
        ]).prop_map(str::to_owned),
        1 => any::<String>().prop_map(|text| text.chars().take(8).collect()),
    ]
}

fn integer(kind: Kind) -> BoxedStrategy<i64> {
    let bits = any::<i64>();
    match kind {
        Kind::F32 => prop_oneof![
            prop::sample::select(vec![
                0.0_f32,
                -0.0,
                1.0,
                0.1,
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::MAX,
                f32::MIN_POSITIVE,
                1e-45,
            ])
            .prop_map(|float| i64::from(float.to_bits())),
            any::<u32>().prop_map(i64::from),
            Just(0xffc0_0001),
        ]
        .boxed(),
        Kind::F64 => prop_oneof![
            prop::sample::select(vec![
                0.0_f64,
                -0.0,
                1.0,
                0.1,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                5e-324,
                1e16,
                1e17,
                123_456.0,
            ])
            .prop_map(|float| float.to_bits() as i64),
            bits,
            Just(0x7ff8_0000_0000_0001),
        ]
        .boxed(),
        _ => prop_oneof![
            prop::sample::select(vec![
                0,
                1,
                -1,
                127,
                -128,
                i64::MIN,
                i64::MAX,
                1 << 31,
                u32::MAX as i64,
                1 << 53
            ]),
            bits,
            -3_i64..3,
        ]
        .boxed(),
    }
}

fn cell(kind: Kind) -> BoxedStrategy<Cell> {
    let known = match kind {
        Kind::Text => text().prop_map(Cell::Text).boxed(),
        _ => integer(kind).prop_map(Cell::Integer).boxed(),
    };
    prop_oneof![5 => known, 1 => Just(Cell::Missing)].boxed()
}

/// A node's ply is at most one more than that of the node before: every tree shape is possible.
fn node(kinds: Vec<Kind>, marks: bool) -> impl Strategy<Value = Node> {
    let cells: Vec<BoxedStrategy<Cell>> = kinds.into_iter().map(cell).collect();
    let marked = if marks { 0.2 } else { 0.0 };
    let left_out = prop_oneof![Just(0_u64), Just(0_u64), 1_u64..1000, Just(1 << 55)];
    (0_usize..8, integer(Kind::I64), prop::bool::weighted(marked), left_out, cells, any::<bool>()).prop_map(
        move |(ply, last_move, unfinished, left_out, mut cells, blank)| {
            if unfinished && blank {
                cells.fill(Cell::Missing);
            }
            Node { ply, last_move, unfinished, left_out: if marks { left_out } else { 0 }, cells }
        },
    )
}

fn plan(kinds: Vec<Kind>) -> impl Strategy<Value = Plan> {
    let metadata = prop::collection::vec((text(), text()), 0..3);
    let nodes =
        any::<bool>().prop_flat_map(move |marks| prop::collection::vec(node(kinds.clone(), marks), 1..40));
    (metadata, nodes).prop_map(|(metadata, mut nodes)| {
        let mut ply_before = 0;
        for (place, node) in nodes.iter_mut().enumerate() {
            node.ply = if place == 0 { 0 } else { node.ply.clamp(1, ply_before + 1) };
            ply_before = node.ply;
        }
        Plan { metadata, nodes }
    })
}

/// Attributes of any type, some named like parts of the structure.
fn schema() -> impl Strategy<Value = Schema> {
    let names = vec![
        "ply",
        "size",
        "tree",
        "parent_id",
        "unfinished",
        "left_out",
        "best",
        "Value",
        "x_1",
        "e",
        "gt_tools",
        "n",
    ];
    let chosen = prop::sample::subsequence(names, 0..9).prop_shuffle();
    let kinds = prop::collection::vec(prop::sample::select(Kind::ALL.to_vec()), 12);
    let aliases = prop::collection::vec((any::<i64>(), any::<prop::sample::Index>(), any::<bool>()), 0..4);
    (chosen, kinds, aliases).prop_map(|(names, kinds, aliases)| {
        let mut schema = Schema::new(names.iter().copied().zip(kinds)).unwrap();
        for (place, (value, attribute, belongs)) in aliases.into_iter().enumerate() {
            let alias = [(format!("A{place}"), value)];
            schema = match belongs && !names.is_empty() {
                true => schema.with_aliases_of(names[attribute.index(names.len())], alias).unwrap(),
                false => schema.with_aliases(alias).unwrap(),
            };
        }
        schema
    })
}

pub(crate) fn log_plan() -> impl Strategy<Value = LogPlan> {
    let metadata = prop::collection::vec((text(), text()), 0..3);
    let move_names = prop::collection::vec((any::<i64>(), text()), 0..4);
    (schema(), text(), metadata, move_names).prop_flat_map(|(schema, game, metadata, move_names)| {
        let kinds: Vec<Kind> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        let mut header = Header::new(game, schema);
        header.metadata = metadata.into_iter().collect();
        prop::collection::vec(plan(kinds), 1..4).prop_map(move |trees| LogPlan {
            header: header.clone(),
            move_names: move_names.clone(),
            trees,
        })
    })
}

/// A number that stands for everything that a large log holds.
pub(crate) fn digest(log: &Log) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    let attributes = log.schema().attributes();
    for tree in log.trees() {
        let mut columns = vec![Column::LastMove, Column::Status, Column::LeftOut];
        columns.extend((0..attributes.len()).map(Column::Attribute));
        tree.preorder(&columns, |batch| {
            for row in 0..batch.len() {
                (batch.parents[row], batch.plies[row], batch.sizes[row]).hash(&mut hasher);
                for (place, cells) in batch.cells.iter().enumerate() {
                    let integer = cells.integers[row];
                    match place >= 3 && attributes[place - 3].kind == Kind::Text {
                        _ if cells.is_missing(row) => "?".hash(&mut hasher),
                        true => cells.texts[integer as usize].hash(&mut hasher),
                        false => integer.hash(&mut hasher),
                    }
                }
            }
            Ok::<(), gt_log::Error>(())
        })
        .unwrap();
    }
    hasher.finish()
}
