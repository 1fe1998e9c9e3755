//! The nodes that a picture shows individually, and the densities of all others: one pass over the subtree.
//!
//! ```text
//! ply 1   ████████████ ██████      single nodes: at least a column wide
//! ply 2   ████ ▒▒▒▒▒▒▒ ▓▓░░▒▒      densities: each column mixes the colours of the nodes that lie in it, as wide as they are
//! ```
//!
//! **Invariant:** at every ply the widths of single nodes and the weights of the columns add up to the widths of all nodes
//! of that ply. At most one single node begins in a column of a ply.

use std::collections::HashMap;
use std::ops::ControlFlow;

use gt_query::Value;
use gt_query::engine::{NodeSet, Options};
use gt_query::ir::ResultColumn;
use gt_query::stream::{RowSink, stream};

use crate::colors::Rgb;
use crate::error::Error;
use crate::question::{Root, Subject};
use crate::scale::{Form, Paint, Scale};

/// The maximum number of plies in a picture.
pub(crate) const PLIES_MAX: u64 = 2000;
/// The maximum number of distinct values counted for the legend.
const COUNTED_MAX: usize = 256;

/// A node that is drawn individually.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    pub(crate) node: u64,
    pub(crate) ply: u64,
    pub(crate) size: u64,
    pub(crate) code: i64,
    /// What it calls its move, or what the move is called in its place.
    pub(crate) name: Option<Value>,
    pub(crate) value: Option<Value>,
    pub(crate) paint: Paint,
    pub(crate) is_marked: bool,
}

/// The sum of nodes without a rectangle of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Density {
    red: f32,
    green: f32,
    blue: f32,
    /// The part of the column that they cover.
    pub(crate) weight: f32,
    pub(crate) is_marked: bool,
}

impl Density {
    pub(crate) fn add(&mut self, color: Rgb, weight: f32, is_marked: bool) {
        let [red, green, blue] = color.0.map(f32::from);
        self.red += red * weight;
        self.green += green * weight;
        self.blue += blue * weight;
        self.weight += weight;
        self.is_marked |= is_marked;
    }

    /// The mix of the colours; `None` if nothing is there.
    pub(crate) fn color(&self) -> Option<Rgb> {
        let part = |sum: f32| (sum / self.weight).round() as u8;
        (self.weight > 0.0).then(|| Rgb([part(self.red), part(self.green), part(self.blue)]))
    }
}

/// The number of occurrences of each value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) of: HashMap<Option<Value>, u64>,
    /// The number of nodes with values beyond the counted ones.
    pub(crate) others: u64,
    /// The number of marked nodes.
    pub(crate) marked: u64,
}

impl Counts {
    fn add(&mut self, value: &Option<Value>) {
        if let Some(count) = self.of.get_mut(value) {
            *count += 1;
        } else if self.of.len() < COUNTED_MAX {
            self.of.insert(value.clone(), 1);
        } else {
            self.others += 1;
        }
    }
}

/// The data for drawing an icicle or a sunburst.
pub(crate) struct Spans {
    pub(crate) singles: Vec<Single>,
    /// By ply from the picture's node, then by column; empty if all nodes of a ply are single.
    pub(crate) columns: Vec<Vec<Density>>,
    pub(crate) counts: Counts,
}

/// Receives the nodes of a subtree, in preorder.
pub(crate) trait Gather {
    fn node(&mut self, node: Single);
}

/// Passes every node of a subtree to `gather`, and returns the counts.
pub(crate) fn walk(
    subject: &Subject<'_>,
    root: &Root,
    scale: &Scale,
    marks: Option<&NodeSet>,
    options: &Options<'_>,
    gather: &mut dyn Gather,
) -> Result<Counts, Error> {
    let program = subject.all_nodes(root, scale)?;
    let counts_values = !matches!(scale.form, Form::Ramp(_) | Form::Plain);
    let has_names = subject.names().is_some();
    let mut sink = Sink { gather, scale, marks, counts: Counts::default(), counts_values, has_names };
    let findings = stream(&program, subject.tree, options, &mut sink)?;
    let counts = sink.counts;
    match findings.found.into_iter().next() {
        Some(Err(error)) => Err(Error::Color { expression: scale.name.clone(), sentence: error.to_string() }),
        _ => Ok(counts),
    }
}

struct Sink<'s> {
    gather: &'s mut dyn Gather,
    scale: &'s Scale,
    marks: Option<&'s NodeSet>,
    counts: Counts,
    counts_values: bool,
    /// Whether the last column is what nodes call their moves.
    has_names: bool,
}

impl RowSink for Sink<'_> {
    fn begin(&mut self, _: usize, _: &[ResultColumn]) {}

    fn rows(&mut self, _: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
        for mut row in rows {
            let name = if self.has_names { row.pop().flatten() } else { None };
            let integer = |place: usize| match row.get(place) {
                Some(Some(Value::Integer(number))) => *number,
                _ => 0,
            };
            let natural = |place: usize| u64::try_from(integer(place)).unwrap_or(0);
            let (node, ply, size) = (natural(0), natural(1), natural(2));
            let code = i64::try_from(integer(3)).unwrap_or(0);
            let value = if row.len() > 4 { row.swap_remove(4) } else { None };
            let is_marked = self.marks.is_some_and(|marks| marks.contains(node));
            self.counts.marked += u64::from(is_marked);
            if self.counts_values {
                self.counts.add(&value);
            }
            let paint = self.scale.paint(value.as_ref());
            self.gather.node(Single { node, ply, size, code, name, value, paint, is_marked });
        }
        ControlFlow::Continue(())
    }
}

/// Gathers a subtree on this many columns.
pub(crate) fn spans(
    subject: &Subject<'_>,
    root: &Root,
    scale: &Scale,
    columns: usize,
    marks: Option<&NodeSet>,
    options: &Options<'_>,
) -> Result<Spans, Error> {
    let plies = root.plies.min(PLIES_MAX) as usize;
    let mut gathering = Columns {
        root,
        count: columns,
        per_node: columns as f64 / root.size as f64,
        singles: Vec::new(),
        densities: vec![Vec::new(); plies],
    };
    let counts = walk(subject, root, scale, marks, options, &mut gathering)?;
    name_in_place(subject, root, gathering.singles.iter_mut());
    Ok(Spans { singles: gathering.singles, columns: gathering.densities, counts })
}

/// Gives the moves to nodes the names that they have where they are made. The nodes come in preorder, each after all that
/// lead to it from the picture's node: these are larger, so they have rectangles too.
pub(crate) fn name_in_place<'n>(
    subject: &Subject<'_>,
    root: &Root,
    nodes: impl Iterator<Item = &'n mut Single>,
) {
    let Some(mut walk) = subject.walk(&root.line) else { return };
    for node in nodes.filter(|node| node.ply > 0) {
        if let Some(name) = walk.to(node.ply as usize, node.code) {
            node.name = Some(Value::Text(name.into()));
        }
    }
}

struct Columns<'a> {
    root: &'a Root,
    count: usize,
    /// The number of columns that a node takes.
    per_node: f64,
    singles: Vec<Single>,
    densities: Vec<Vec<Density>>,
}

impl Gather for Columns<'_> {
    fn node(&mut self, node: Single) {
        let depth = (node.ply - self.root.ply) as usize;
        let Some(row) = self.densities.get_mut(depth) else { return };
        let width = node.size as f64 * self.per_node;
        if width >= 1.0 {
            self.singles.push(node);
            return;
        }
        if row.is_empty() {
            row.resize(self.count, Density::default());
        }
        let from = (node.node - self.root.node) as f64 * self.per_node;
        let first = (from as usize).min(self.count - 1);
        let here = width.min((first + 1) as f64 - from).max(0.0);
        row[first].add(node.paint.fill, here as f32, node.is_marked);
        if width > here && first + 1 < self.count {
            row[first + 1].add(node.paint.fill, (width - here) as f32, false);
        }
    }
}

#[cfg(test)]
mod tests;
