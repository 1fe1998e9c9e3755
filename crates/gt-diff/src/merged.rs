//! Both trees merged into one: an ordinary log, which every tool reads.
//!
//! ```text
//! A  r ─ x ─ y        merged  r ─ x ─ y only_a
//! B  r ─ x ─ z                      └ z only_b
//! ```
//!
//! A node of the merged tree is a matched pair or a node of one tree. Children are in A's order, and each child that
//! only B has comes after the child that it follows in B.
//!
//! **Invariant:** values that a tree's node lacks are missing, as are all values of a tree that lacks the node.

mod schema;

use gt_log::{
    Column, Header, Kind, LogWriter, Marks, Metadata, Options, Row, TreeSummary, TreeWriter, Value, Walker,
    status,
};

use crate::diff::{Diff, Side};
use crate::error::{Error, Result};
use crate::matching::{Child, matched_children};
use crate::skeleton::{Skeleton, Skeletons};
use schema::{OWN, merged_schema};

/// A node of the merged tree to be written.
enum Task {
    Enter(Child),
    Leave(Child),
}

impl Diff<'_> {
    /// Returns the header of a log of the merged tree: A's game and metadata.
    pub fn merged_header(&self) -> Result<Header> {
        let schema = merged_schema(self.a.log.schema(), self.b.log.schema(), self.transposed.is_some())?;
        let header = Header::new(self.a.log.game(), schema);
        Ok(self.a.log.metadata().iter().fold(header, |header, (key, value)| header.with(key, value)))
    }

    /// Writes the merged tree into a log with [`Diff::merged_header`].
    pub fn write_merged(&self, log: &LogWriter) -> Result<TreeSummary> {
        log.name_moves(self.b.log.move_names())?;
        log.name_moves(self.a.log.move_names())?;
        let held;
        let skeletons = match self.skeletons.a.first() {
            0 => &self.skeletons,
            _ => {
                held = Skeletons::read(self.a.tree, self.b.tree, 0, 1)?;
                &held
            }
        };
        let mut metadata = Metadata::new();
        self.a.tree.metadata().iter().for_each(|(key, value)| metadata.set(key, value));
        metadata.set("diff_a", &self.a.label);
        metadata.set("diff_b", &self.b.label);
        let tree = log.dynamic_tree(&metadata, Options::default())?;
        let (a, b) = (Values::of(&self.a), Values::of(&self.b));
        let mut writer = Writer { diff: self, skeletons, tree, a, b, ply: 0 };
        writer.write()?;
        Ok(writer.tree.finish()?)
    }
}

struct Writer<'d, 'a> {
    diff: &'d Diff<'a>,
    skeletons: &'d Skeletons,
    tree: TreeWriter,
    a: Values<'a>,
    b: Values<'a>,
    /// The distance from the root of the last entered node.
    ply: u64,
}

impl Writer<'_, '_> {
    fn write(&mut self) -> Result<()> {
        let Skeletons { a, b, .. } = self.skeletons;
        let mut tasks = vec![Task::Enter(Child::Both(a.root(), b.root()))];
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        while let Some(task) = tasks.pop() {
            let node = match task {
                Task::Enter(node) => node,
                Task::Leave(node) => {
                    self.leave(node)?;
                    continue;
                }
            };
            let (row, skeleton) = match node {
                Child::Both(row, _) | Child::OnlyA(row) => (row, a),
                Child::OnlyB(row) => (row, b),
            };
            self.tree.enter(self.skeletons.move_of(skeleton.code(row)))?;
            self.ply += 1;
            tasks.push(Task::Leave(node));
            let waiting = tasks.len();
            of_a.clear();
            of_b.clear();
            match node {
                Child::Both(row_a, row_b) => {
                    a.children(row_a, &mut of_a);
                    b.children(row_b, &mut of_b);
                    matched_children(self.skeletons, &of_a, &of_b, |child| tasks.push(Task::Enter(child)));
                }
                Child::OnlyA(row) => {
                    a.children(row, &mut of_a);
                    tasks.extend(of_a.iter().map(|row| Task::Enter(Child::OnlyA(*row))));
                }
                Child::OnlyB(row) => {
                    b.children(row, &mut of_b);
                    tasks.extend(of_b.iter().map(|row| Task::Enter(Child::OnlyB(*row))));
                }
            }
            tasks[waiting..].reverse();
        }
        Ok(())
    }

    fn leave(&mut self, node: Child) -> Result<()> {
        self.ply -= 1;
        let (row_a, row_b) = match node {
            Child::Both(row_a, row_b) => (Some(row_a), Some(row_b)),
            Child::OnlyA(row) => (Some(row), None),
            Child::OnlyB(row) => (None, Some(row)),
        };
        self.a.read(row_a)?;
        self.b.read(row_b)?;
        let marks = if row_a.is_some() { self.a.marks } else { self.b.marks };
        let own = self.own(row_a, row_b);
        let (a, b) = (&self.a, &self.b);
        let transposed = self.diff.transposed.as_ref().map(|transposed| transposed.has(row_a, row_b));
        self.tree.leave_marked(marks, |_, row| {
            a.put(row);
            b.put(row);
            OWN.iter().zip(&own).for_each(|((_, kind), value)| put(row, *kind, value));
            if let Some(transposed) = &transposed {
                row.put(transposed);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The merged tree's own attributes of a node, in the order of [`OWN`].
    fn own(&self, row_a: Option<u32>, row_b: Option<u32>) -> [Value; OWN.len()] {
        let number = |number: Option<u64>| number.map_or(Value::Missing, Value::UInt);
        let id = |skeleton: &Skeleton, row: u32| u64::from(skeleton.start(row)) + self.ply;
        let size = |skeleton: &Skeleton, row: u32| u64::from(skeleton.size(row));
        let Skeletons { a, b, .. } = self.skeletons;
        let is_changed =
            row_a.is_some() && row_b.is_some() && row_a.is_some_and(|row| self.diff.changes.roles(row) != 0);
        let difference = match (row_a, row_b) {
            (Some(_), Some(_)) => i64::from(is_changed),
            (Some(_), None) => 2,
            (None, _) => 3,
        };
        [
            Value::Bool(row_b.is_none()),
            Value::Bool(row_a.is_none()),
            Value::Bool(row_a.is_some() && row_b.is_some()),
            Value::Bool(is_changed),
            Value::Int(difference),
            self.diff.cause(row_a, row_b).map_or(Value::Missing, |cause| Value::Int(i64::from(cause))),
            number(row_a.map(|row| id(a, row))),
            number(row_b.map(|row| id(b, row))),
            number(row_a.map(|row| size(a, row))),
            number(row_b.map(|row| size(b, row))),
        ]
    }
}

/// The values of a node of one tree.
struct Values<'a> {
    walker: Walker<'a>,
    kinds: Vec<Kind>,
    values: Vec<Value>,
    marks: Marks,
}

impl<'a> Values<'a> {
    fn of(side: &Side<'a>) -> Self {
        let kinds: Vec<Kind> =
            side.log.schema().attributes().iter().map(|attribute| attribute.kind).collect();
        Self { walker: Walker::new(side.tree), values: Vec::new(), kinds, marks: Marks::default() }
    }

    /// Reads the values of a row; all are missing if the tree lacks the node.
    fn read(&mut self, row: Option<u32>) -> Result<()> {
        self.values.clear();
        let Some(row) = row.map(u64::from) else {
            self.values.resize(self.kinds.len(), Value::Missing);
            return Ok(());
        };
        for place in 0..self.kinds.len() {
            self.values.push(self.walker.value(row, place)?);
        }
        let bits = self.walker.integer(row, Column::Status)?;
        self.marks = Marks {
            unfinished: bits & i64::from(status::UNFINISHED) != 0,
            left_out: self.walker.integer(row, Column::LeftOut)? as u64,
        };
        Ok(())
    }

    fn put(&self, row: &mut Row<'_>) {
        self.kinds.iter().zip(&self.values).for_each(|(kind, value)| put(row, *kind, value));
    }
}

/// Stores a value as one of this type; missing if it does not fit.
fn put(row: &mut Row<'_>, kind: Kind, value: &Value) {
    let integer: i64 = match value {
        Value::Int(number) => *number,
        Value::UInt(number) => *number as i64,
        Value::Bool(truth) => i64::from(*truth),
        Value::Float(number) if kind == Kind::F32 => return row.put(&(*number as f32)),
        Value::Float(number) => return row.put(number),
        Value::Text(text) => return row.put(text),
        Value::Missing => return row.put_missing(kind),
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
        Kind::Bool => row.put(&(integer != 0)),
        Kind::F32 | Kind::F64 | Kind::Text => row.put_missing(kind),
    }
}

impl From<gt_log::SchemaError> for Error {
    fn from(error: gt_log::SchemaError) -> Self {
        Self::MergedName(error)
    }
}
