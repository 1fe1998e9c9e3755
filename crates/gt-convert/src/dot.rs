//! A part of a tree as a Graphviz graph.
//!
//! ```text
//! digraph tree {                     ┌─────────┐
//!   n0 [label="root\nbest 12"]       │  root   │
//!   n0 -> n1 [label="e2e4"]          │ best 12 │
//! }                                  └─────────┘
//! ```
//!
//! Nodes are taken breadth-first, so that a limit keeps the top of the part complete. Children keep their order.
//! Unfinished nodes are dashed; a dotted edge leads to the number of nodes that are not shown, because of the limits
//! or because the log left them out. Time is linear in the shown nodes and their children.

mod choice;
mod moves;

use std::fmt::Write as _;
use std::io::Write;

use gt_log::{Column, Kind, Log, Value, Walker, status};

use crate::progress::{OnProgress, report};
use crate::{ErrorKind, Progress, Result, Stage};
use choice::{Extent, Shown, choose};
pub use moves::MoveTexts;
use moves::{LoggedNames, texts};

/// The number of nodes written between two progress reports.
const NODES_PER_REPORT: usize = 1 << 10;

/// The part of a tree to draw, and the labels of its nodes.
#[derive(Clone, Copy)]
pub struct DotOptions<'a> {
    /// The tree, by number.
    pub tree: usize,
    /// The number of the node at the top.
    pub root: u64,
    /// The maximum depth of nodes below it; `None` for no limit.
    pub depth_max: Option<u32>,
    /// The maximum number of nodes.
    pub nodes_max: usize,
    /// The attributes shown at nodes; `None` for all.
    pub attributes: Option<&'a [String]>,
}

impl Default for DotOptions<'_> {
    /// The first tree from its root, at most 1000 nodes, all attributes.
    fn default() -> Self {
        Self { tree: 0, root: 0, depth_max: None, nodes_max: 1000, attributes: None }
    }
}

/// The result of drawing a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotReport {
    /// The number of nodes shown.
    pub nodes: u64,
    /// The number of nodes of the log below them that are not shown.
    pub nodes_hidden: u64,
}

/// Writes a part of a tree as a Graphviz graph. `moves` writes the moves; without it they are the log's names for
/// them, or numbers.
pub fn export_dot(
    log: &Log,
    options: &DotOptions<'_>,
    moves: Option<&mut dyn MoveTexts>,
    target: &mut dyn Write,
    on_progress: &mut OnProgress<'_>,
) -> Result<DotReport> {
    let tree = log.tree(options.tree)?;
    let mut walker = Walker::new(tree);
    let located = walker.find(options.root)?;
    let attributes = chosen_attributes(log, options)?;
    let extent = Extent { depth_max: options.depth_max, nodes_max: options.nodes_max };
    let shown = choose(&mut walker, located.row, located.node, extent, on_progress)?;
    let texts = match moves {
        Some(moves) => texts(&shown, &located.line, moves),
        None => texts(&shown, &located.line, &mut LoggedNames(log)),
    };
    write_head(log, options, target)?;
    let mut drawing = Drawing { walker, attributes, shown: &shown, texts: &texts };
    let mut dot = DotReport { nodes: shown.len() as u64, nodes_hidden: 0 };
    for place in 0..shown.len() {
        dot.nodes_hidden += drawing.write_node(place, target)?;
        if place.is_multiple_of(NODES_PER_REPORT) {
            report(on_progress, Progress { stage: Stage::Writing, done: place as u64, total: dot.nodes })?;
        }
    }
    writeln!(target, "}}")?;
    target.flush()?;
    Ok(dot)
}

fn chosen_attributes(log: &Log, options: &DotOptions<'_>) -> Result<Vec<usize>> {
    let schema = log.schema();
    let Some(names) = options.attributes else { return Ok((0..schema.attributes().len()).collect()) };
    let position = |name: &String| {
        schema.position(name).ok_or_else(|| {
            let present = schema.attributes().iter().map(|attribute| attribute.name.clone()).collect();
            ErrorKind::NoSuchAttribute { name: name.clone(), present }.into()
        })
    };
    names.iter().map(position).collect()
}

fn write_head(log: &Log, options: &DotOptions<'_>, target: &mut dyn Write) -> Result<()> {
    let game = if log.game().is_empty() { String::new() } else { format!("{}, ", log.game()) };
    let title = format!("{game}tree {}, from node {}", options.tree, options.root);
    writeln!(target, "digraph tree {{")?;
    writeln!(
        target,
        "  graph [label={}, labelloc=t, ordering=out, fontname=\"sans-serif\"]",
        quoted(&title)
    )?;
    writeln!(target, "  node [shape=box, fontname=\"sans-serif\", fontsize=10]")?;
    writeln!(target, "  edge [fontname=\"sans-serif\", fontsize=10, arrowhead=none]")?;
    Ok(())
}

struct Drawing<'a> {
    walker: Walker<'a>,
    attributes: Vec<usize>,
    shown: &'a [Shown],
    /// The text of the move to each node.
    texts: &'a [String],
}

impl Drawing<'_> {
    /// Writes a node, the edge to it and the number of nodes hidden below it, which it returns.
    fn write_node(&mut self, place: usize, target: &mut dyn Write) -> Result<u64> {
        let Shown { row, node, parent, below_shown, .. } = self.shown[place];
        let move_text = &self.texts[place];
        let status = self.walker.integer(row, Column::Status)? as u8;
        let unfinished = status & status::UNFINISHED != 0;
        let mut label = format!("{node}");
        if node == 0 {
            label.push_str(": root");
        } else if parent.is_none() {
            // The top of the part has no edge to show its move.
            let _ = write!(label, ": {move_text}");
        }
        if unfinished {
            label.push_str("\nunfinished");
        }
        self.append_attributes(row, &mut label)?;
        let style = if unfinished { ", style=dashed" } else { "" };
        writeln!(target, "  n{node} [label={}{style}]", quoted(&label))?;
        if let Some(parent) = parent {
            let above = self.shown[parent].node;
            writeln!(target, "  n{above} -> n{node} [label={}]", quoted(move_text))?;
        }
        let hidden = (self.walker.size(row)? - 1).saturating_sub(below_shown);
        let left_out = self.walker.integer(row, Column::LeftOut)? as u64;
        self.write_hidden(node, hidden, left_out, target)?;
        Ok(hidden)
    }

    /// Appends the attributes that the node has.
    fn append_attributes(&mut self, row: u64, label: &mut String) -> Result<()> {
        for &attribute in &self.attributes {
            let described = &self.walker.tree().schema().attributes()[attribute];
            let value = match self.walker.value(row, attribute)? {
                Value::Missing => continue,
                Value::Float(float) if described.kind == Kind::F32 => (float as f32).to_string(),
                Value::Text(text) => text,
                value => value.to_string(),
            };
            let _ = write!(label, "\n{} {value}", described.name);
        }
        Ok(())
    }

    fn write_hidden(&self, node: u64, hidden: u64, left_out: u64, target: &mut dyn Write) -> Result<()> {
        let mut parts = Vec::new();
        if hidden > 0 {
            parts.push(format!("{hidden} more"));
        }
        if left_out > 0 {
            parts.push(format!("{left_out} left out of the log"));
        }
        if !parts.is_empty() {
            writeln!(target, "  h{node} [label={}, shape=plaintext]", quoted(&parts.join("\n")))?;
            writeln!(target, "  n{node} -> h{node} [style=dotted]")?;
        }
        Ok(())
    }
}

/// A text in Graphviz's syntax: quoted, on its own lines, with everything special escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            // Graphviz reads entities in labels.
            '&' => quoted.push_str("&amp;"),
            c if c.is_control() => quoted.extend(c.escape_default().flat_map(|e| match e {
                '\\' => vec!['\\', '\\'],
                other => vec![other],
            })),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
