//! `--within`: the nodes of a result file, of which alone a query may find some.
//!
//! A result is of one tree. Its file names the log, and of a log with several trees the one: `run.gtf, tree 3`.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use gt_log::Tree;
use gt_query::engine::NodeSet;
use gt_query::gti;
use gt_report::{counted, grouped};

use super::source::Source;
use crate::failure::Failure;
use crate::tell::tell;

/// Reads a result file: leaves of what is asked the tree that the result is of, and gives its nodes.
pub(super) fn choose(path: &Path, asked: &mut Vec<(&Source, Tree<'_>)>) -> Result<NodeSet, Failure> {
    let about = |sentence: String| Failure::about(path, sentence);
    let file = File::open(path).map_err(|error| Failure::about(path, error))?;
    let result = gti::read(BufReader::new(file)).map_err(|error| Failure::about(path, error))?;
    let ids = result.node_ids().map_err(|error| Failure::about(path, error))?;
    let (log, number) = log_and_tree(&result.log_name);
    if let Some(number) = number {
        asked.retain(|(_, tree)| tree.number() == number);
        if asked.is_empty() {
            return Err(about(format!("it is of tree {number}, which is not asked")));
        }
    }
    let [(source, tree)] = asked[..] else {
        let trees = counted(asked.len() as u64, "tree");
        return Err(about(format!(
            "a result is of one tree, and {trees} are asked; name one with `--tree K`"
        )));
    };
    if Path::new(log).file_name() != source.path.file_name() {
        let source = source.path.display();
        tell(format_args!(
            "{}: it says that it is of {log}; its nodes are taken for those of {source}",
            path.display()
        ));
    }
    NodeSet::checked(tree.nodes(), &ids).map_err(|beyond| {
        about(format!(
            "it names node {}, and tree {} of {} has only {}; it is the result of another log",
            grouped(beyond),
            tree.number(),
            source.path.display(),
            counted(tree.nodes(), "node")
        ))
    })
}

/// The log that a result file names, and its tree if it names one.
fn log_and_tree(name: &str) -> (&str, Option<usize>) {
    let tree = name.rsplit_once(", tree ").and_then(|(log, tree)| Some((log, tree.parse().ok()?)));
    tree.map_or((name, None), |(log, tree)| (log, Some(tree)))
}

#[test]
fn a_result_file_names_its_log_and_tree() {
    assert_eq!(log_and_tree("b/run.gtf, tree 3"), ("b/run.gtf", Some(3)));
    assert_eq!(log_and_tree("tree12.gtf"), ("tree12.gtf", None));
    assert_eq!(log_and_tree("my, tree x.gtf"), ("my, tree x.gtf", None));
}
