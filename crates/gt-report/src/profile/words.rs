//! The meaning of the answers, in sentences.
//!
//! Every number in a sentence is an answer or derived from answers; a sentence whose answers are missing is omitted.

use gt_query::{Type, Value};

use super::cell::number;
use super::facts::{Facts, percent};
use super::moves::Moves;
use super::numbers::BELOW_ROOTS;
use crate::chart::Unit;
use crate::number::{counted, grouped, in_unit, plain};

/// The maximum number of moves of a line in a sentence.
const LINE_MOVES_MAX: usize = 8;
/// The number of cut-offs below which a rate means little.
pub(super) const CUTOFFS_MIN: u64 = 20;

/// The subject of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    CutOff,
    PartInTheLog,
    Size,
    Quiescence,
    HeaviestMove,
    Spread,
    Ends,
    Ordering,
    Research,
    Selectivity,
    Minimal,
}

/// All sentences about a tree.
pub(super) fn told(facts: &Facts<'_>, moves: Moves<'_>) -> Vec<(Topic, String)> {
    let all = [
        (Topic::CutOff, cut_off(facts)),
        (Topic::PartInTheLog, part_in_the_log(facts)),
        (Topic::Size, size(facts)),
        (Topic::Quiescence, quiescence(facts, moves)),
        (Topic::HeaviestMove, heaviest_move(facts, moves)),
        (Topic::Spread, spread(facts, moves)),
        (Topic::Ends, ends(facts)),
        (Topic::Ordering, ordering(facts)),
        (Topic::Research, research(facts)),
        (Topic::Selectivity, selectivity(facts)),
        (Topic::Minimal, minimal(facts)),
    ];
    all.into_iter().filter_map(|(told, words)| Some((told, words?))).collect()
}

fn cut_off(facts: &Facts<'_>) -> Option<String> {
    let open = facts.count("unfinished").filter(|_| facts.is_cut_off())?;
    let (nodes, are, they) = (
        counted(open, "node"),
        if open == 1 { "is" } else { "are" },
        if open == 1 { "it carries" } else { "they carry" },
    );
    Some(format!(
        "The log broke off in this tree: {nodes} on the path to the last move {are} unfinished. What {they} is not \
         known, so what depends on it (the depth, the move, the minimal tree) is left out."
    ))
}

fn part_in_the_log(facts: &Facts<'_>) -> Option<String> {
    let (searched, logged) = (facts.searched()?, facts.count("nodes")?);
    let part = share(percent(logged as f64, searched as f64)?);
    (searched > logged).then(|| {
        format!(
            "The search had {} here, of which the log holds {} ({part}). Sizes of subtrees are the search's; all shares by kind \
             are of the nodes that the log holds, and the minimal tree is left out.",
            counted(searched, "node"),
            grouped(logged)
        )
    })
}

fn share(value: f64) -> String {
    in_unit(value, Unit::Percent)
}

fn size(facts: &Facts<'_>) -> Option<String> {
    let (nodes, leaves) = (facts.count("nodes")?, facts.count("leaves")?);
    if nodes == 1 {
        return Some("The tree is a single node.".to_owned());
    }
    let height = facts.count("height")?;
    let depth = facts.count("depth").filter(|&depth| depth > 0 && !facts.is_cut_off());
    let deep = match depth {
        Some(depth) if depth == height => format!("{} deep, as it was meant to be", counted_plies(depth)),
        Some(depth) => format!("{} deep, from a search to depth {depth}", counted_plies(height)),
        None => format!("{} deep", counted_plies(height)),
    };
    let branching = facts.effective_branching().map_or_else(String::new, |branching| {
        let depth = facts.depth().unwrap_or(0);
        format!(" A tree of {} children everywhere would have as many at depth {depth}.", plain(branching))
    });
    let leaves = if leaves == 1 {
        "1 of them a leaf".to_owned()
    } else {
        format!("{} of them leaves", grouped(leaves))
    };
    let tree = if facts.left_out() > 0 { "The part in the log" } else { "The tree" };
    Some(format!("{tree} has {}, {leaves}; it is {deep}.{branching}", counted(nodes, "node")))
}

fn counted_plies(number: u64) -> String {
    if number == 1 { "1 ply".to_owned() } else { format!("{} plies", grouped(number)) }
}

fn quiescence(facts: &Facts<'_>, moves: Moves<'_>) -> Option<String> {
    let nodes = facts.count("quiescence-nodes")?;
    if nodes == 0 {
        return Some("There is no quiescence search in it.".to_owned());
    }
    let mut text = match facts.percent(BELOW_ROOTS, "nodes") {
        None => {
            format!(
                "Quiescence search took {} of the nodes",
                share(facts.percent("quiescence-nodes", "nodes")?)
            )
        }
        Some(below) => format!(
            "Quiescence search took {} of the nodes with its roots, {} without them",
            share(facts.percent("quiescence-nodes", "nodes")?),
            share(below)
        ),
    };
    if let Some(searches) = facts.count("quiescence-searches").filter(|&searches| searches > 0) {
        let mean = plain(nodes as f64 / searches as f64);
        text += &format!(", in {} of {mean} nodes on average", counted(searches, "search"));
    }
    if let Some((size, line)) = largest(facts, "largest-quiescence", moves) {
        text += &format!("; the largest of them, {}, hangs below {line}", counted(size, "node"));
    }
    Some(text + ".")
}

/// The size and the line of the first row of a table: node, nodes, …, line.
fn largest(facts: &Facts<'_>, name: &str, moves: Moves<'_>) -> Option<(u64, String)> {
    let row = facts.rows(name)?.first()?;
    let size = number(row.get(1)?.as_ref())? as u64;
    match row.last()?.as_ref()? {
        Value::Line(line) if line.is_empty() => Some((size, "the root".to_owned())),
        Value::Line(line) => Some((size, moves.line(&line.moves(), LINE_MOVES_MAX))),
        _ => None,
    }
}

fn heaviest_move(facts: &Facts<'_>, moves: Moves<'_>) -> Option<String> {
    let rows = facts.rows("heaviest-moves")?;
    let first = rows.first()?;
    let name = moves.cell(first.get(1)?.as_ref(), Type::Move);
    let size = number(first.get(2)?.as_ref())?;
    let all = facts.searched()? as f64;
    let (nodes, part) = (counted(size as u64, "node"), share(percent(size, all)?));
    let second_size = rows.get(1).and_then(|row| number(row.get(2)?.as_ref()));
    if second_size == Some(size) {
        return Some(format!("No move of the root took more than {name}: {nodes}, {part} of all."));
    }
    let mut text = format!("Of the root's moves {name} took most: {nodes}, {part} of all");
    if let Some(second) = rows.get(1) {
        let other = moves.cell(second.get(1)?.as_ref(), Type::Move);
        let size = number(second.get(2)?.as_ref())?;
        text += &format!("; then {other} with {}", share(percent(size, all)?));
    }
    Some(text + ".")
}

fn spread(facts: &Facts<'_>, moves: Moves<'_>) -> Option<String> {
    let (size, line) = largest(facts, "heaviest-subtrees", moves)?;
    let part = share(percent(size as f64, facts.searched()? as f64)?);
    Some(format!(
        "Deeper down the work fans out most below {line}: {} hang there ({part}), and no reply has half of them.",
        counted(size, "node")
    ))
}

fn ends(facts: &Facts<'_>) -> Option<String> {
    let chart = facts.answered("ended")?.chart()?;
    let all = facts.number("nodes")?;
    let labels = chart.x.labels();
    let part = |place: usize| {
        Some((labels.get(place)?, percent(chart.series.first()?.values.get(place).copied()??, all)?))
    };
    let told: Vec<String> =
        (0..3).filter_map(part).map(|(name, part)| format!("{name} ({})", share(part))).collect();
    (!told.is_empty()).then(|| format!("Nodes ended most often by {}.", told.join(", ")))
}

fn ordering(facts: &Facts<'_>) -> Option<String> {
    let cutoffs = facts.count("cutoffs")?;
    if cutoffs == 0 {
        return Some("No node of the main search was cut off.".to_owned());
    }
    let rate = facts.percent("first-move-cutoffs-all", "cutoffs")?;
    let mut text =
        format!("The first move made {} of the main search's {}", share(rate), counted(cutoffs, "cut-off"));
    if let Some((depth, worst, key)) = worst_ordering(facts) {
        text += &format!("; the least, {}, at {key} {depth}", share(worst));
    }
    Some(text + ".")
}

/// The depth at which the first move cut off least often, of those with enough cut-offs.
fn worst_ordering(facts: &Facts<'_>) -> Option<(String, f64, String)> {
    let chart = facts.answered("first-move-cutoffs")?.chart()?;
    let counts = facts.rows("first-move-cutoffs")?;
    let rates = chart.series.first()?.values.iter().zip(chart.x.labels()).zip(counts);
    let enough = rates.filter_map(|((rate, depth), row)| {
        let count = number(row.get(2)?.as_ref())? as u64;
        (count >= CUTOFFS_MIN).then_some((depth, (*rate)?))
    });
    let worst = enough.min_by(|left, right| left.1.total_cmp(&right.1))?;
    Some((worst.0, worst.1, chart.x.name))
}

fn research(facts: &Facts<'_>) -> Option<String> {
    let again = facts.count("re-searches")?;
    if again == 0 {
        return Some("No node was searched again with an open window.".to_owned());
    }
    let rate = share(facts.percent("re-searches", "nodes")?);
    let nodes = if again == 1 { "1 node was".to_owned() } else { format!("{} nodes were", grouped(again)) };
    let mut text = format!("{nodes} searched again with an open window ({rate})");
    if let Some(raised) = facts.count("re-searches-raised") {
        text += &match (raised, again) {
            (1, 1) => "; its value was above alpha".to_owned(),
            (0, 1) => "; its value was not above alpha".to_owned(),
            (raised, again) if raised == again => "; all of them found a value above alpha".to_owned(),
            (raised, _) => format!("; {} of them found a value above alpha", grouped(raised)),
        };
    }
    Some(text + ".")
}

fn selectivity(facts: &Facts<'_>) -> Option<String> {
    let parts = [
        ("table-answers", "the transposition table answered #"),
        ("null-move-cutoffs", "a null move ended #"),
        ("reduced", "# were searched less deeply by late-move reductions"),
        ("extended", "# were extended"),
        ("transpositions", "# had a position that was searched before at no lesser depth"),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .filter_map(|(name, what)| {
            let part = facts.percent(name, "nodes").filter(|part| *part > 0.0)?;
            Some(what.replace('#', &share(part)))
        })
        .collect();
    (!told.is_empty()).then(|| format!("Of all nodes, {}.", told.join(", ")))
}

fn minimal(facts: &Facts<'_>) -> Option<String> {
    let share_of = facts.minimal()?;
    let above = share_of.above_percent();
    let against = if above >= 0.0 {
        format!("{} of them are above the minimal tree", share(above))
    } else {
        let below = 100.0 * (1.0 - share_of.nodes as f64 / share_of.minimal);
        format!(
            "{} fewer than the minimal tree has, which table, null moves and reductions can do",
            share(below)
        )
    };
    Some(format!(
        "Down to ply {} the main search entered {}; the minimal tree of Knuth and Moore, with the same numbers of moves, \
         has {}: {against}.",
        share_of.plies,
        counted(share_of.nodes, "node"),
        in_unit(share_of.minimal.round(), Unit::Count)
    ))
}
