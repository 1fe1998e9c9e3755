//! Trees as text: one line per node, indented by two spaces per ply.
//!
//! ```text
//! attributes type:u8 best:i32
//! aliases PVNode=1 CutNode=2
//! start type=1 best=3
//!   e2e4 type=2
//!     e7e5 type=1 best=-3
//!   d2d4 type=2 best=1 @unfinished @left_out=7
//! ```
//!
//! Without the line `attributes`, the attributes and their types are those of the nodes. An attribute that a line
//! does not give is 0, false or empty; `best=?` is one that the node lacks. The first word is the move: if all are
//! numbers, the moves are these numbers; otherwise they are numbered in the order in which they occur, and [`Moves`]
//! knows their words.

use std::collections::HashMap;
use std::fmt::{self, Write};

use gt_log::{Kind, Schema};

use super::{Moves, PlainTree};
use crate::bind::MoveCodec;
use crate::value::Value;

/// The text for a value that a node lacks.
const MISSING: &str = "?";

/// An error in the text of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// The line, from 1.
    pub line: usize,
    /// The problem, in one sentence.
    pub message: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TreeError {}

/// A line for a node.
struct NodeLine<'a> {
    number: usize,
    ply: usize,
    word: &'a str,
    fields: Vec<(&'a str, String)>,
}

/// Reads a tree, and the words of its moves.
///
/// # Errors
/// Returns an error for the first line that does not fit.
///
/// ```
/// let (tree, _) = gt_query::plain_tree::parse("start best=1\n  e2e4 best=2\n").unwrap();
/// assert_eq!(tree.nodes().len(), 2);
/// ```
pub fn parse(text: &str) -> Result<(PlainTree, Moves), TreeError> {
    let mut attributes: Option<Vec<(String, Kind)>> = None;
    let mut aliases = Vec::new();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if let Some(rest) = content.strip_prefix("attributes ").filter(|_| lines.is_empty()) {
            attributes =
                Some(rest.split_whitespace().map(|word| attribute(word, number)).collect::<Result<_, _>>()?);
        } else if let Some(rest) = content.strip_prefix("aliases ").filter(|_| lines.is_empty()) {
            aliases = rest.split_whitespace().map(|word| alias(word, number)).collect::<Result<_, _>>()?;
        } else {
            lines.push(node_line(line, number)?);
        }
    }
    let attributes = attributes.unwrap_or_else(|| attributes_of(&lines));
    let schema = Schema::new(attributes).and_then(|schema| schema.with_aliases(aliases));
    let schema = schema.map_err(|error| TreeError { line: 1, message: error.to_string() })?;
    let moves = moves_of(&lines);
    let tree = tree_of(schema, &lines, &moves)?;
    Ok((tree, moves))
}

/// Writes a tree as text that [`parse`] reads back as the same tree.
#[must_use]
pub fn print(tree: &PlainTree, moves: &Moves) -> String {
    let mut out = String::new();
    let schema = tree.schema();
    let words = schema.attributes().iter().map(|attribute| format!(" {}:{}", attribute.name, attribute.kind));
    // Writing to a String does not fail.
    if !schema.attributes().is_empty() {
        let _ = writeln!(out, "attributes{}", words.collect::<String>());
    }
    let words = schema.aliases().iter().map(|alias| format!(" {}={}", alias.name, alias.value));
    if !schema.aliases().is_empty() {
        let _ = writeln!(out, "aliases{}", words.collect::<String>());
    }
    for (number, node) in tree.nodes().iter().enumerate() {
        let word = moves.text(node.last_move).unwrap_or_else(|| node.last_move.to_string());
        let _ = write!(out, "{}{word}", "  ".repeat(tree.ply(number)));
        for (attribute, value) in schema.attributes().iter().zip(&node.values) {
            let value = match value {
                Some(Value::Text(text)) => quoted(text),
                Some(value) => value.to_string(),
                None => MISSING.to_owned(),
            };
            let _ = write!(out, " {}={value}", attribute.name);
        }
        let _ = write!(out, "{}", if node.unfinished { " @unfinished" } else { "" });
        if node.left_out > 0 {
            let _ = write!(out, " @left_out={}", node.left_out);
        }
        out.push('\n');
    }
    out
}

fn error<T>(line: usize, message: String) -> Result<T, TreeError> {
    Err(TreeError { line, message })
}

fn attribute(word: &str, line: usize) -> Result<(String, Kind), TreeError> {
    let found = word.split_once(':').and_then(|(name, kind)| {
        Some((name.to_owned(), *Kind::ALL.iter().find(|known| known.name() == kind)?))
    });
    found.map_or_else(|| error(line, format!("`{word}` is not `name:kind`, as in `best:i32`")), Ok)
}

fn alias(word: &str, line: usize) -> Result<(String, i64), TreeError> {
    let found = word.split_once('=').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    found.map_or_else(|| error(line, format!("`{word}` is not `name=number`")), Ok)
}

fn node_line(line: &str, number: usize) -> Result<NodeLine<'_>, TreeError> {
    let content = line.trim_start_matches(' ');
    let indent = line.len() - content.len();
    if !indent.is_multiple_of(2) {
        return error(number, "a node is indented two spaces for each ply".into());
    }
    let (word, mut rest) = content.split_once(' ').unwrap_or((content, ""));
    let mut fields = Vec::new();
    loop {
        rest = rest.trim();
        if rest.is_empty() {
            return Ok(NodeLine { number, ply: indent / 2, word: word.trim_end(), fields });
        }
        let name_end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let name = &rest[..name_end];
        let after = rest[name_end..].strip_prefix('=');
        let Some(after) = after else {
            fields.push((name, "true".to_owned()));
            rest = &rest[name_end..];
            continue;
        };
        let (value, length) = field_value(after);
        fields.push((name, value));
        rest = &after[length..];
    }
}

/// The value at the start of `text`, with its quotes, and its length.
fn field_value(text: &str) -> (String, usize) {
    let mut escaped = false;
    if text.starts_with('"') {
        for (at, character) in text.char_indices().skip(1) {
            if character == '"' && !escaped {
                return (text[..=at].to_owned(), at + 1);
            }
            escaped = character == '\\' && !escaped;
        }
    }
    let length = text.find(' ').unwrap_or(text.len());
    (text[..length].to_owned(), length)
}

/// The names and kinds that the nodes use, in the order in which they occur.
fn attributes_of(lines: &[NodeLine<'_>]) -> Vec<(String, Kind)> {
    let mut attributes: Vec<(String, Kind)> = Vec::new();
    let fields = lines.iter().flat_map(|line| &line.fields);
    for (name, value) in fields.filter(|(name, value)| !name.starts_with('@') && value != MISSING) {
        let kind = match value.as_str() {
            "true" | "false" => Kind::Bool,
            text if text.starts_with('"') => Kind::Text,
            number if number.parse::<i64>().is_ok() => Kind::I64,
            number if number.parse::<u64>().is_ok() => Kind::U64,
            _ => Kind::F64,
        };
        match attributes.iter_mut().find(|(known, _)| known == name) {
            // Integers among floats are floats.
            Some((_, known)) if *known == Kind::I64 => *known = kind,
            Some(_) => {}
            None => attributes.push(((*name).to_owned(), kind)),
        }
    }
    attributes
}

fn moves_of(lines: &[NodeLine<'_>]) -> Moves {
    if lines.iter().all(|line| line.word.parse::<i64>().is_ok()) {
        return Moves::default();
    }
    let mut seen = HashMap::new();
    let words = lines.iter().filter(|line| seen.insert(line.word, ()).is_none());
    Moves { words: words.map(|line| line.word.to_owned()).collect() }
}

fn tree_of(schema: Schema, lines: &[NodeLine<'_>], moves: &Moves) -> Result<PlainTree, TreeError> {
    let attributes = schema.attributes().to_vec();
    let mut tree = PlainTree::new(schema);
    let mut path: Vec<usize> = Vec::new();
    for line in lines {
        let fits = if tree.nodes().is_empty() { line.ply == 0 } else { (1..=path.len()).contains(&line.ply) };
        if !fits {
            return error(line.number, "the indentation fits no node above; there is one root".into());
        }
        path.truncate(line.ply);
        let mut values = Vec::new();
        for attribute in &attributes {
            let written = line.fields.iter().find(|(name, _)| *name == attribute.name);
            match written.map_or_else(|| Some(zero(attribute.kind)), |(_, text)| value(attribute.kind, text))
            {
                Some(value) => values.push(value),
                None => return error(line.number, format!("`{}` is no {}", attribute.name, attribute.kind)),
            }
        }
        let last_move = moves.number(line.word).unwrap_or(0);
        let Some(number) = tree.push(path.last().copied(), last_move, values) else {
            return error(line.number, "the node has no parent".into());
        };
        mark(&mut tree, number, line)?;
        path.push(number);
    }
    Ok(tree)
}

/// Sets a field that is not an attribute; rejects unknown ones.
fn mark(tree: &mut PlainTree, number: usize, line: &NodeLine<'_>) -> Result<(), TreeError> {
    for (name, value) in &line.fields {
        let known = tree.schema().position(name).is_some();
        let Some(node) = tree.node_mut(number) else { return Ok(()) };
        match (*name, value.parse()) {
            ("@unfinished", _) => node.unfinished = true,
            ("@left_out", Ok(count)) => node.left_out = count,
            _ if known => {}
            _ => return error(line.number, format!("`{name}` is not an attribute of this tree")),
        }
    }
    Ok(())
}

fn zero(kind: Kind) -> Option<Value> {
    Some(match kind {
        Kind::Bool => Value::Boolean(false),
        Kind::Text => Value::text(""),
        kind if kind.is_float() => Value::Float(0.0),
        _ => Value::Integer(0),
    })
}

/// Returns `None` if the text is not a value of this kind.
#[allow(clippy::option_option)] // The inner one is missing, or a float that is not a number.
fn value(kind: Kind, text: &str) -> Option<Option<Value>> {
    if text == MISSING {
        return Some(None);
    }
    match kind {
        Kind::Bool => text.parse().ok().map(|value| Some(Value::Boolean(value))),
        Kind::Text => unquoted(text).map(|text| Some(Value::text(&text))),
        kind if kind.is_float() => text.parse().ok().map(Value::float),
        kind => {
            let value: i128 = text.parse().ok()?;
            let bits = 8 * kind.width();
            let signed = kind.name().starts_with('i');
            let range = if signed { -(1 << (bits - 1))..1 << (bits - 1) } else { 0..1_i128 << bits };
            range.contains(&value).then_some(Some(Value::Integer(value)))
        }
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    Some(out)
}
