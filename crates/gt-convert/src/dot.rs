//! A part of a tree as a Graphviz graph.
//!
//! ```text
//! digraph tree {                     ┌─────────┐
//!   n0 [label="root\nbest 12"]       │  root   │
//!   n0 -> n1 [label="e2e4"]          │ best 12 │
//! }                                  └─────────┘
//! ```
//!
//! Nodes are taken breadth-first, so that a limit leaves the top of the part whole. Children keep their
//! order. Unfinished nodes are dashed; a dotted edge leads to the number of nodes that are not shown, because
//! of the limits or because the log left them out.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write;

use gt_log::{Column, Kind, Log, Walker, status};

use crate::{ErrorKind, Result};

/// Turns the moves from the tree's root to a node, at least one, into the text of the last of them.
pub type MoveText<'a> = dyn Fn(&[i64]) -> String + 'a;

/// Which part of a tree, and what is written at its nodes.
#[derive(Clone, Copy)]
pub struct DotOptions<'a> {
    /// The tree, by number.
    pub tree: usize,
    /// The number of the node at the top.
    pub root: u64,
    /// How far below it nodes are shown; without it, however far.
    pub depth_max: Option<u32>,
    /// The most nodes that are shown.
    pub nodes_max: usize,
    /// The attributes that are written at nodes; all of them without it.
    pub attributes: Option<&'a [String]>,
    /// How moves are written; as numbers without it.
    pub move_text: Option<&'a MoveText<'a>>,
}

impl Default for DotOptions<'_> {
    /// The first tree from its root, at most 1000 nodes, all attributes.
    fn default() -> Self {
        Self { tree: 0, root: 0, depth_max: None, nodes_max: 1000, attributes: None, move_text: None }
    }
}

/// What a graph shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotReport {
    /// How many nodes.
    pub nodes: u64,
    /// How many nodes of the log below them are not shown.
    pub nodes_hidden: u64,
}

/// Writes a part of a tree as a Graphviz graph.
pub fn export_dot(log: &Log, options: &DotOptions<'_>, target: &mut dyn Write) -> Result<DotReport> {
    let tree = log.tree(options.tree)?;
    let mut walker = Walker::new(tree);
    let located = walker.find(options.root)?;
    let attributes = chosen_attributes(log, options)?;
    let mut drawing = Drawing { walker, options, attributes, shown: Vec::new() };
    drawing.choose(located.row, located.node)?;
    write_head(log, options, target)?;
    let mut report = DotReport { nodes: drawing.shown.len() as u64, nodes_hidden: 0 };
    for place in 0..drawing.shown.len() {
        let line = drawing.line(place, &located.line);
        report.nodes_hidden += drawing.write_node(place, &line, target)?;
    }
    writeln!(target, "}}")?;
    target.flush()?;
    Ok(report)
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

struct Drawing<'a, 'o> {
    walker: Walker<'a>,
    options: &'o DotOptions<'o>,
    attributes: Vec<usize>,
    shown: Vec<Shown>,
}

/// A node that is shown.
struct Shown {
    row: u64,
    node: u64,
    /// The place of its parent among those shown.
    parent: Option<usize>,
    last_move: i64,
    /// How many nodes of its subtree, without itself, hang below children that are shown.
    below_shown: u64,
}

impl Drawing<'_, '_> {
    /// Chooses the nodes to show, breadth-first.
    fn choose(&mut self, row: u64, node: u64) -> Result<()> {
        let last_move = self.walker.last_move(row)?;
        self.shown.push(Shown { row, node, parent: None, last_move, below_shown: 0 });
        let mut waiting = VecDeque::from([(0_usize, 0_u32)]);
        while let Some((place, depth)) = waiting.pop_front() {
            if self.options.depth_max.is_some_and(|max| depth >= max) {
                continue;
            }
            let mut child_node = self.shown[place].node + 1;
            for row in self.walker.children(self.shown[place].row)? {
                if self.shown.len() >= self.options.nodes_max {
                    return Ok(());
                }
                let size = self.walker.size(row)?;
                self.shown[place].below_shown += size;
                waiting.push_back((self.shown.len(), depth + 1));
                let last_move = self.walker.last_move(row)?;
                let parent = Some(place);
                self.shown.push(Shown { row, node: child_node, parent, last_move, below_shown: 0 });
                child_node += size;
            }
        }
        Ok(())
    }

    /// The moves from the tree's root to a node, if anybody wants them.
    fn line(&self, place: usize, above: &[i64]) -> Vec<i64> {
        if self.options.move_text.is_none() {
            return Vec::new();
        }
        let mut line = Vec::new();
        let mut at = place;
        while let Some(parent) = self.shown[at].parent {
            line.push(self.shown[at].last_move);
            at = parent;
        }
        line.extend(above.iter().rev());
        line.reverse();
        line
    }

    /// Writes a node, the edge to it and what is hidden below it; gives how many nodes of the log are.
    fn write_node(&mut self, place: usize, line: &[i64], target: &mut dyn Write) -> Result<u64> {
        let Shown { row, node, parent, last_move, below_shown } = self.shown[place];
        let status = self.walker.integer(row, Column::Status)? as u8;
        let unfinished = status & status::UNFINISHED != 0;
        let move_text = match self.options.move_text {
            Some(text) if !line.is_empty() => text(line),
            _ => last_move.to_string(),
        };
        let mut label = format!("{node}");
        if node == 0 {
            label.push_str(": root");
        } else if parent.is_none() {
            // The part's own top has no edge that could tell its move.
            let _ = write!(label, ": {move_text}");
        }
        if unfinished {
            label.push_str("\nunfinished");
        }
        self.append_attributes(row, unfinished, &mut label)?;
        let style = if unfinished { ", style=dashed" } else { "" };
        writeln!(target, "  n{node} [label={}{style}]", quoted(&label))?;
        if let Some(parent) = parent {
            let above = self.shown[parent].node;
            writeln!(target, "  n{above} -> n{node} [label={}]", quoted(&move_text))?;
        }
        let hidden = (self.walker.size(row)? - 1).saturating_sub(below_shown);
        let left_out = self.walker.integer(row, Column::LeftOut)? as u64;
        self.write_hidden(node, hidden, left_out, target)?;
        Ok(hidden)
    }

    fn append_attributes(&mut self, row: u64, unfinished: bool, label: &mut String) -> Result<()> {
        if unfinished {
            return Ok(());
        }
        for &attribute in &self.attributes {
            let described = &self.walker.tree().schema().attributes()[attribute];
            let value = match self.walker.value(row, attribute)? {
                gt_log::Value::Float(float) if described.kind == Kind::F32 => (float as f32).to_string(),
                gt_log::Value::Text(text) => text,
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

/// A text as Graphviz takes it: in quotes, on lines of its own, nothing in it with a meaning.
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
