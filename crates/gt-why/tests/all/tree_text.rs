//! Logs written down as text: a line for each node, two spaces a ply.
//!
//! ```text
//! root depth=2 alpha=-99 beta=99 best=3 ended=Searched
//!   1 depth=1 alpha=-99 beta=99 best=-3 ended=Searched
//!     7 depth=0 best=3 ended=Horizon
//! ```
//!
//! An attribute that a line does not name is missing; `open` marks a node unfinished, `left_out=3` nodes below it left out.

use gt_log::{Header, Log, LogWriter, Marks, Metadata, Options, Schema, TreeWriter, Value};

/// The log of one tree, with the attributes of our own searches.
pub(crate) fn log_of(text: &str) -> Log {
    log_of_trees(&[(Metadata::new(), text)])
}

pub(crate) fn log_of_trees(trees: &[(Metadata, &str)]) -> Log {
    log_with(gt_record::header("unknown game").unwrap().schema, trees)
}

pub(crate) fn log_with(schema: Schema, trees: &[(Metadata, &str)]) -> Log {
    let writer = LogWriter::to_memory(Header::new("unknown game", schema.clone())).unwrap();
    for (metadata, text) in trees {
        let tree = writer.dynamic_tree(metadata, Options::default()).unwrap();
        write(tree, &schema, text);
    }
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

struct Line<'a> {
    ply: usize,
    words: Vec<&'a str>,
}

fn write(mut tree: TreeWriter, schema: &Schema, text: &str) {
    let mut open: Vec<Line<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let ply = (line.len() - line.trim_start().len()) / 2;
        let words: Vec<&str> = line.split_whitespace().collect();
        while open.last().is_some_and(|last| last.ply >= ply) {
            leave(&mut tree, schema, &open.pop().unwrap());
        }
        tree.enter(words[0].parse().unwrap_or(0)).unwrap();
        open.push(Line { ply, words });
    }
    while let Some(line) = open.pop() {
        leave(&mut tree, schema, &line);
    }
    tree.finish().unwrap();
}

fn leave(tree: &mut TreeWriter, schema: &Schema, line: &Line<'_>) {
    let given = |name: &str| line.words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let values: Vec<Value> = schema
        .attributes()
        .iter()
        .map(|attribute| match given(&attribute.name) {
            Some(text) => Value::Int(text.parse().unwrap_or_else(|_| schema.alias(text).unwrap())),
            None => Value::Missing,
        })
        .collect();
    let left_out = given("left_out").map_or(0, |count| count.parse().unwrap());
    let marks = Marks { unfinished: line.words.contains(&"open"), left_out };
    tree.leave_marked(marks, |schema, row| {
        for (attribute, value) in schema.attributes().iter().zip(&values) {
            match value {
                Value::Int(number) => match attribute.kind {
                    gt_log::Kind::I8 => row.put(&(*number as i8)),
                    gt_log::Kind::U8 => row.put(&(*number as u8)),
                    gt_log::Kind::I16 => row.put(&(*number as i16)),
                    gt_log::Kind::U16 => row.put(&(*number as u16)),
                    gt_log::Kind::I32 => row.put(&(*number as i32)),
                    gt_log::Kind::U64 => row.put(&(*number as u64)),
                    kind => panic!("these trees have no {kind}"),
                },
                _ => row.put_missing(attribute.kind),
            }
        }
        Ok(())
    })
    .unwrap();
}
