//! `/api/library`: ready queries; those that this log has the names for.
//!
//! The first table holds the thesis's queries on engines' trees (its table 5.3); the second what engine developers
//! ask; the rest are the figures of gt-report.

use gt_log::Tree;
use gt_report::profile::{CuttingMove, cutting_move};
use serde::Serialize;

use super::binding::Binding;
use super::differences::READY;
use crate::logs::Opened;
use crate::merged::Merged;

#[derive(Serialize)]
pub(crate) struct Library {
    queries: Vec<Ready>,
}

#[derive(Serialize)]
struct Ready {
    group: &'static str,
    title: String,
    text: String,
    meaning: String,
}

const SEARCH: &str = "Search";
const ORDERING: &str = "Move ordering";
const QUIESCENCE: &str = "Quiescence";
const THESIS: &str = "Thesis, table 5.3";

/// Group, title, text, meaning. `{cutoff}` and `{rank}` stand for what this log's names make of them.
const QUERIES: &[(&str, &str, &str, &str)] = &[
    (
        SEARCH,
        "The largest subtrees, with their lines",
        "node: @ply > 0\nselect node_id, @size, @ply, @line\norder by @size desc\nlimit 100",
        "Where the nodes went.",
    ),
    (
        SEARCH,
        "Nodes whose work lies almost all in one child",
        "let largest = child: max([]@size)\nnode: @size > 100 and @children > 1 and 10 * largest > 9 * @size",
        "One move took more than nine tenths of the nodes: a good cut, or an explosion below it.",
    ),
    (
        SEARCH,
        "The principal variation",
        "node: type & PVNode\npath: all(type & PVNode)",
        "Nodes on lines of PV nodes only.",
    ),
    (
        SEARCH,
        "Searches that were repeated",
        "node: last_move = [<]last_move and @ply > 0\nselect node_id, @ply, @size, @line\norder by @size desc\nlimit 100",
        "A node with its elder sibling's move: a re-search with another window or depth.",
    ),
    (
        SEARCH,
        "Reductions that had to be searched again",
        "node: reduction > 0 and [>]last_move = last_move\nselect node_id, reduction, depth, @size, @line\norder by @size desc\nlimit 100",
        "Reduced moves that came out better than expected.",
    ),
    (
        SEARCH,
        "Null moves that cut",
        "node: ended = NullMoveCutoff\nselect node_id, depth, @size, @line\norder by @size desc\nlimit 100",
        "Nodes that passing the turn was enough for.",
    ),
    (
        SEARCH,
        "Table hits that ended the search",
        "node: ended = TableHit\nselect node_id, depth, best, @bound, @line\norder by depth desc\nlimit 100",
        "Nodes that the transposition table answered.",
    ),
    (
        SEARCH,
        "The deepest nodes",
        "select node_id, @ply, @line\norder by @ply desc\nlimit 50",
        "How far the search looked.",
    ),
    (
        ORDERING,
        "Cut-offs, by the rank of the move that cut",
        "let rank = {rank}\nnode: {cutoff}\ngroup by rank\nselect rank, count(*)\norder by rank\nlimit 50",
        "How many different moves a node had searched when one of them cut it off: 1 is a cut by the first move.",
    ),
    (
        ORDERING,
        "Late cut-offs",
        "let rank = {rank}\nnode: {cutoff} and rank > 10\nselect node_id, rank, depth, @size, @line\norder by @size desc\nlimit 100",
        "Nodes where the move that cut came after ten others: move ordering failed, and it was expensive.",
    ),
    (
        ORDERING,
        "Cut-offs by the first move, for each depth",
        "let rank = {rank}\nnode: {cutoff}\ngroup by depth\nselect depth, count(*), count(rank = 1)\norder by depth",
        "How good the first move is.",
    ),
    (
        QUIESCENCE,
        "The largest quiescence searches",
        "let qsize = subtree: count(*)\nnode: type & QRootNode and qsize > 20\nselect node_id, qsize, @line\norder by qsize desc\nlimit 100",
        "Where quiescence exploded.",
    ),
    (
        QUIESCENCE,
        "The quiescence share of each ply",
        "group by @ply\nselect @ply, count(*), count(type & QNode), count(type & QRootNode)\norder by @ply",
        "Nodes of each ply, how many of them are inside quiescence searches, and how many are the roots of some.",
    ),
    (
        QUIESCENCE,
        "Deep quiescence",
        "node: type & QNode\npath: count(type & QNode) > 8\nselect node_id, @ply, @line\norder by @ply desc\nlimit 100",
        "Lines with more than eight nodes of quiescence.",
    ),
    (THESIS, "Q1: all nodes", "node:count(*)", "The size of the tree."),
    (THESIS, "Q2: PV nodes", "node:count(type & PVNode)", "How many PV nodes there are."),
    (THESIS, "Q3: cut nodes", "node:count(type & CutNode)", "How many nodes were expected to be cut off."),
    (
        THESIS,
        "Q4: all nodes' type",
        "node:count(type & AllNode)",
        "How many nodes were expected to try all moves.",
    ),
    (THESIS, "Q5: quiescence nodes", "node:type & QNode", "Nodes of quiescence searches."),
    (
        THESIS,
        "Q6: within the nominal depth",
        "node:ply<=$nominal_depth and not type & QNode",
        "Full-width nodes no deeper than asked for.",
    ),
    (
        THESIS,
        "Q7: beyond the nominal depth",
        "node:ply>$nominal_depth and not type & QNode",
        "Full-width nodes that extensions brought deeper.",
    ),
    (
        THESIS,
        "Q8: 5 plies beyond",
        "node:ply>$nominal_depth+5 and not type & QNode",
        "Extended by more than 5 plies.",
    ),
    (
        THESIS,
        "Q9: 10 plies beyond",
        "node:ply>$nominal_depth+10 and not type & QNode",
        "Extended by more than 10 plies.",
    ),
    (
        THESIS,
        "Q10: 20 plies beyond",
        "node:ply>$nominal_depth+20 and not type & QNode",
        "Extended by more than 20 plies.",
    ),
    (
        THESIS,
        "Q11: 25 plies beyond",
        "node:ply>$nominal_depth+25 and not type & QNode",
        "Extended by more than 25 plies.",
    ),
    (
        THESIS,
        "Q12: 30 plies beyond",
        "node:ply>$nominal_depth+30 and not type & QNode",
        "Extended by more than 30 plies.",
    ),
    (
        THESIS,
        "Q13: quiescence searches with nodes",
        "node:type & QRootNode subtree:count(*)>0",
        "Quiescence searches that went on.",
    ),
    (
        THESIS,
        "Q14: more than 50 nodes",
        "node:type & QRootNode subtree:count(*)>50",
        "Quiescence searches of more than 50 nodes.",
    ),
    (
        THESIS,
        "Q15: more than 100 nodes",
        "node:type & QRootNode subtree:count(*)>100",
        "Quiescence searches of more than 100 nodes.",
    ),
    (
        THESIS,
        "Q16: more than 150 nodes",
        "node:type & QRootNode subtree:count(*)>150",
        "Quiescence searches of more than 150 nodes.",
    ),
    (
        THESIS,
        "Q17: more than 200 nodes",
        "node:type & QRootNode subtree:count(*)>200",
        "Quiescence searches of more than 200 nodes.",
    ),
    (
        THESIS,
        "Q18: more than 250 nodes",
        "node:type & QRootNode subtree:count(*)>250",
        "Quiescence searches of more than 250 nodes.",
    ),
    (
        THESIS,
        "Q19: more than 2 PV children",
        "node:type & PVNode child:count([]type & PVNode)>2",
        "PV nodes whose best move changed.",
    ),
    (
        THESIS,
        "Q20: more than 5 PV children",
        "node:type & PVNode child:count([]type & PVNode)>5",
        "PV nodes whose best move changed often.",
    ),
    (
        THESIS,
        "Q21: more than 7 PV children",
        "node:type & PVNode child:count([]type & PVNode)>7",
        "The same, more often.",
    ),
    (
        THESIS,
        "Q22: more than 8 PV children",
        "node:type & PVNode child:count([]type & PVNode)>8",
        "The same, more often.",
    ),
    (
        THESIS,
        "Q23: more than 9 PV children",
        "node:type & PVNode child:count([]type & PVNode)>9",
        "The same, more often.",
    ),
    (
        THESIS,
        "Q24: re-searched nodes",
        "node:count(type & ResearchNode)",
        "How many nodes were searched again.",
    ),
];

pub(crate) fn library(opened: &Opened, tree: Tree<'_>) -> Library {
    let binding = Binding::new(opened, tree);
    let cutting = cutting_move(opened.log.schema());
    let own = QUERIES.iter().filter_map(|&(group, title, text, meaning)| {
        let text = filled_in(text, cutting.as_ref())?;
        let ready = Ready { group, title: title.to_owned(), text, meaning: meaning.to_owned() };
        binding.compile(&ready.text).is_ok().then_some(ready)
    });
    let figures = super::charts::figures(opened).figures.into_iter().map(|figure| Ready {
        group: "Profile",
        text: figure.query(),
        title: figure.title,
        meaning: figure.meaning,
    });
    let merged = differences(opened, &binding);
    Library { queries: merged.into_iter().chain(own).chain(figures).collect() }
}

/// The queries of two merged trees; none of any other log.
fn differences(opened: &Opened, binding: &Binding<'_>) -> Vec<Ready> {
    let is_merged = Merged::of(&opened.log).is_some();
    let ready = READY.iter().filter(|_| is_merged).map(|&(title, text, meaning)| Ready {
        group: "Differences",
        title: title.to_owned(),
        text: text.to_owned(),
        meaning: meaning.to_owned(),
    });
    ready.filter(|ready| binding.compile(&ready.text).is_ok()).collect()
}

/// The text with this log's words for a cut-off and its rank; `None` where it needs them and there are none.
fn filled_in(text: &str, cutting: Option<&CuttingMove>) -> Option<String> {
    if !text.contains("{cutoff}") {
        return Some(text.to_owned());
    }
    let cutting = cutting?;
    Some(text.replace("{cutoff}", &cutting.cutoff).replace("{rank}", &cutting.rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of children is no rank: the library asks gt-report what is.
    #[test]
    fn cut_offs_and_ranks_are_those_of_the_profile() {
        let about_cutoffs = QUERIES.iter().filter(|(group, ..)| *group == ORDERING);
        for (_, title, text, _) in about_cutoffs {
            assert!(text.starts_with("let rank = {rank}\nnode: {cutoff}"), "{title}: {text}");
            assert_eq!(filled_in(text, None), None, "{title}");
        }
        let cutting = CuttingMove { cutoff: "a".to_owned(), rank: "b".to_owned() };
        let filled = filled_in("let rank = {rank}\nnode: {cutoff}", Some(&cutting));
        assert_eq!(filled.as_deref(), Some("let rank = b\nnode: a"));
    }
}
