//! A tree with more attributes: the same nodes and moves, and columns of the types that the forms ask for.
//!
//! | column | values |
//! |---|---|
//! | `score`, a float | `best` in hundredths, with noise: an evaluation in pawns |
//! | `name`, a text | one of 500 codes of openings |
//! | `key`, an integer | shared by about three nodes, like the key of a transposition table |
//!
//! An artificial tree has a `best` from 0 to 9 only, too few for histograms; it gets one from -500 to 500.

use std::error::Error;
use std::path::Path;

use gt_log::{Batch, Column, Existing, Header, Kind, LogWriter, Schema, Tree, TreeWriter, Value};

use crate::trees::unhurried;

const ADDED: [(&str, Kind); 3] = [("score", Kind::F64), ("name", Kind::Text), ("key", Kind::I32)];

/// Writes a log with the tree and the columns added to it.
pub(crate) fn write_derived(source: Tree<'_>, game: &str, target: &Path) -> Result<(), Box<dyn Error>> {
    let schema = source.schema();
    let best = schema.position("best").ok_or("the tree has no `best`")?;
    let log = LogWriter::create_with(target, Header::new(game, with_added(schema)?), Existing::Replace)?;
    let tree = log.dynamic_tree(source.metadata(), unhurried())?;
    let is_artificial = game == "artificial";
    let mut copy = Copy { tree, schema, best, is_artificial, nodes: source.nodes(), open: Vec::new() };
    let attributes = (0..schema.attributes().len()).map(Column::Attribute);
    let columns: Vec<Column> = std::iter::once(Column::LastMove).chain(attributes).collect();
    source.preorder(&columns, |batch| copy.take(batch))?;
    copy.leave_to(0)?;
    copy.tree.finish()?;
    log.finish()?;
    Ok(())
}

/// The schema with the columns added.
fn with_added(schema: &Schema) -> Result<Schema, gt_log::SchemaError> {
    let own = schema.attributes().iter().map(|attribute| (attribute.name.as_str(), attribute.kind));
    let mut derived = Schema::new(own.chain(ADDED))?;
    for alias in schema.aliases() {
        let named = [(alias.name.as_str(), alias.value)];
        derived = match alias.attribute {
            Some(place) => derived.with_aliases_of(&schema.attributes()[place].name, named)?,
            None => derived.with_aliases(named)?,
        };
    }
    Ok(derived)
}

struct Copy<'a> {
    tree: TreeWriter,
    schema: &'a Schema,
    best: usize,
    is_artificial: bool,
    nodes: u64,
    /// The values of the nodes that are entered and not left.
    open: Vec<Vec<Value>>,
}

impl Copy<'_> {
    fn take(&mut self, batch: &Batch) -> gt_log::Result<()> {
        for place in 0..batch.len() {
            self.leave_to(batch.plies[place] as usize)?;
            self.tree.enter(batch.cells[0].integers[place])?;
            let own = self.schema.attributes().iter().zip(&batch.cells[1..]);
            let mut values: Vec<Value> = own.map(|(own, cells)| cells.value(own.kind, place)).collect();
            self.add(batch.first_node + place as u64, &mut values);
            self.open.push(values);
        }
        Ok(())
    }

    /// Leaves nodes until only so many are open.
    fn leave_to(&mut self, open: usize) -> gt_log::Result<()> {
        while self.open.len() > open {
            let Some(values) = self.open.pop() else { break };
            self.tree.leave_values(&values)?;
        }
        Ok(())
    }

    fn add(&self, node: u64, values: &mut Vec<Value>) {
        let random = |stream: u64, below: u64| scrambled(node << 2 | stream) % below;
        if self.is_artificial {
            values[self.best] = Value::Int(random(0, 1001) as i64 - 500);
        }
        let score = match values[self.best] {
            Value::Int(best) => Value::Float((best + random(1, 101) as i64 - 50) as f64 / 100.0),
            _ => Value::Missing,
        };
        let code = random(2, 500);
        let name = format!("{}{:02}", char::from(b'A' + (code / 100) as u8), code % 100);
        let key = random(3, self.nodes / 3 + 1) as i64;
        values.extend([score, Value::Text(name), Value::Int(key)]);
    }
}

/// Numbers that look random, by the finisher of SplitMix64.
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use gt_log::{Artificial, Log, Shape};

    use super::*;

    #[test]
    fn the_tree_keeps_its_shape_and_every_node_has_the_columns() {
        let folder = tempfile::tempdir().unwrap();
        let writer = LogWriter::to_memory(Artificial::header().unwrap()).unwrap();
        let tree = Artificial { shape: Shape::Random, depth: 6, branching: 3, seed: 7 };
        tree.write(&writer, unhurried(), |_| {}).unwrap();
        let source = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
        let path = folder.path().join("derived.gtf");
        write_derived(source.tree(0).unwrap(), source.game(), &path).unwrap();
        let derived = Log::open(&path).unwrap();
        let shape = |log: &Log| {
            let mut shape = Vec::new();
            let tree = log.tree(0).unwrap();
            tree.preorder::<gt_log::Error>(&[Column::LastMove], |batch| {
                let moves = &batch.cells[0].integers;
                shape.extend(batch.sizes.iter().copied().zip(moves.iter().copied()));
                Ok(())
            })
            .unwrap();
            shape
        };
        assert!(shape(&source).len() > 100, "a tree worth the name");
        assert_eq!(shape(&source), shape(&derived));
        let mut known = 0;
        let places = ADDED.map(|(name, _)| derived.schema().position(name).unwrap());
        let tree = derived.tree(0).unwrap();
        tree.preorder::<gt_log::Error>(&places.map(Column::Attribute), |batch| {
            let columns = || batch.cells.iter();
            known +=
                (0..batch.len()).filter(|&place| columns().all(|cells| !cells.is_missing(place))).count();
            Ok(())
        })
        .unwrap();
        assert_eq!(known, shape(&derived).len());
    }
}
