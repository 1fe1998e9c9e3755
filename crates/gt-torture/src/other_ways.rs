//! Other ways to make a tree: nodes in any order with their parents, and budgets of bytes, whose effect is
//! unpredictable.

use gt_log::{Budget, Flush, Header, Log, LogWriter, Metadata, Options, TreeBuilder};

use crate::check::{self, Asked, Thoroughness, same};
use crate::model::{Expected, Node};
use crate::session::{Call, Session, schema};

/// Writes the trees of a session again through [`TreeBuilder`]: nodes are added in another order (siblings keep
/// theirs), get their parents afterwards, and their values twice.
///
/// # Errors
/// Returns the difference.
pub fn any_order(expected: &Expected, keys: &[u64]) -> Result<Asked, String> {
    let mut asked = Asked::default();
    for nodes in &expected.trees {
        let log =
            LogWriter::to_memory(Header::new("any order", schema())).map_err(|error| error.to_string())?;
        built(nodes, keys)?
            .finish(&log, &Metadata::new(), Options::default())
            .map_err(|error| error.to_string())?;
        let log = Log::from_bytes(log.into_memory().map_err(|error| error.to_string())?);
        let log = log.map_err(|error| error.to_string())?;
        // A builder does not support unfinished nodes or counts of nodes left out.
        let whole: Vec<Node> =
            nodes.iter().map(|node| Node { unfinished: false, left_out: 0, ..node.clone() }).collect();
        check::one_tree(
            log.tree(0).map_err(|error| error.to_string())?,
            &whole,
            &[],
            Thoroughness::Quick,
            &mut asked,
        )?;
    }
    Ok(asked)
}

fn built(nodes: &[Node], keys: &[u64]) -> Result<TreeBuilder, String> {
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    // By a key of the node's parent: whole families move, and siblings stay in order.
    order.sort_by_key(|&node| keys[nodes[node].parent.unwrap_or(0) % keys.len()]);
    let mut tree = TreeBuilder::new(&schema());
    let mut numbers = vec![0; nodes.len()];
    for &node in &order {
        let blank = vec![gt_log::Value::Missing; nodes[node].values.len()];
        numbers[node] = tree.add(None, nodes[node].last_move, &blank).map_err(|error| error.to_string())?;
    }
    for (node, data) in nodes.iter().enumerate() {
        tree.set_parent(numbers[node], data.parent.map(|parent| numbers[parent]))
            .map_err(|error| error.to_string())?;
        tree.set(numbers[node], &data.values).map_err(|error| error.to_string())?;
    }
    Ok(tree)
}

/// Writes the first tree of a session with a budget of bytes, and checks that everything left out is counted,
/// and the log is sound.
///
/// # Errors
/// Returns what is violated.
pub fn byte_budget(session: &Session, bytes_max: u64) -> Result<Asked, String> {
    let failed = |error: gt_log::Error| error.to_string();
    let log = LogWriter::to_memory(Header::new("budget", schema())).map_err(failed)?;
    let options = Options {
        flush: Flush { nodes_max: session.plans[0].block_rows.min(20), time_ms_max: None },
        budget: Budget { nodes_max: session.plans[0].nodes_max, bytes_max: Some(bytes_max) },
        trigger: None,
    };
    let mut tree = log.dynamic_tree(&Metadata::new(), options).map_err(failed)?;
    let (mut open, mut entered) = (0_u64, 0_u64);
    tree.enter(0).map_err(failed)?;
    for (_, call) in &session.calls {
        match call {
            Call::Enter(last_move, _) => {
                tree.enter(*last_move).map_err(failed)?;
                (open, entered) = (open + 1, entered + 1);
            }
            Call::Leave(values) if open > 0 => {
                tree.leave_values(values).map_err(failed)?;
                open -= 1;
            }
            _ => {}
        }
    }
    let summary = tree.abandon(&Metadata::new()).map_err(failed)?;
    let log = Log::from_bytes(log.into_memory().map_err(failed)?).map_err(failed)?;
    let tree = log.tree(0).map_err(failed)?;
    same("nodes logged and left out", summary.nodes + summary.left_out, entered + 1)?;
    same("nodes left out by rows", tree.left_out().map_err(failed)?, summary.left_out)?;
    let mut asked = Asked::default();
    check::one_tree(tree, &check::read_nodes(tree)?, &[], Thoroughness::Quick, &mut asked)?;
    Ok(asked)
}
