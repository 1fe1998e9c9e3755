//! The figures that are charts.

use super::draft::Draft;
use super::figure::{Offered, Reading};
use super::numbers::{left_out, with};
use super::offer::{EXPECTATIONS, Offer};
use super::ordering;
use crate::chart::{Axis, ChartKind, Unit};

/// Every chart, in the order of a report.
pub(super) fn all(offer: &Offer<'_>) -> Vec<Offered> {
    let mut all = vec![nodes_per_ply(offer), node_types(offer), ended(offer), branching(offer)];
    // A tree from which nodes were left out is not smaller than the minimal tree because of that.
    if !offer.is_partial() {
        all.push(minimal(offer));
    }
    all.push(quiescence_share(offer));
    all.extend(ordering::all(offer));
    all
}

fn nodes() -> Axis {
    Axis::new("nodes", Unit::Count)
}

/// The kinds of nodes, with their conditions; every node has exactly one kind, if the log's flags exclude each other. A
/// node that was open when the log broke off has no type.
fn kinds(offer: &Offer<'_>) -> Vec<(&'static str, String)> {
    let expectations: Vec<_> = EXPECTATIONS.iter().filter(|(flag, _)| offer.flag(flag)).collect();
    if expectations.is_empty() && offer.quiescence().is_none() {
        return vec![("nodes", "*".to_owned())];
    }
    let mut kinds: Vec<_> =
        expectations.iter().map(|(flag, name)| (*name, offer.main_and(&format!("type & {flag}")))).collect();
    let flags: Vec<&str> = expectations.iter().map(|(flag, _)| *flag).collect();
    if let Some(quiescence) = offer.quiescence() {
        kinds.push(("quiescence", quiescence.to_owned()));
    }
    let other = match flags.as_slice() {
        [] => offer.main().unwrap_or_else(|| "*".to_owned()),
        [flag] => offer.main_and(&format!("not type & {flag}")),
        flags => offer.main_and(&format!("not type & ({})", flags.join(" | "))),
    };
    let name = if flags.is_empty() { "main search" } else { "other" };
    kinds.push((name, other));
    kinds.push(("unknown", "type is unknown".to_owned()));
    kinds
}

fn nodes_per_ply(offer: &Offer<'_>) -> Offered {
    let kinds = kinds(offer);
    let counts: Vec<String> = kinds.iter().map(|(_, condition)| format!("count({condition})")).collect();
    let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    let single = kinds.len() == 1;
    let meaning = if single {
        "How many nodes lie at each distance from the root."
    } else if offer.quiescence().is_none() {
        "How many nodes lie at each distance from the root, by what the search expected of them."
    } else {
        "How many nodes lie at each distance from the root, by what the search expected of them. Nodes of quiescence \
         search stand apart."
    };
    let kind = if single { ChartKind::Bars } else { ChartKind::Stacked };
    Draft {
        name: "nodes-per-ply",
        title: "Nodes per ply",
        meaning,
        kind,
        x: "ply",
        y: nodes(),
        reading: Reading::Columns(vec![]),
    }
    .figure(&names, vec![], format!("group by @ply\nselect @ply,\n       {}", counts.join(",\n       ")))
}

fn node_types(offer: &Offer<'_>) -> Offered {
    const FLAGS: [&str; 8] =
        ["PVNode", "CutNode", "AllNode", "QNode", "QRootNode", "ResearchNode", "NullMove", "Excluded"];
    let (name, title) = ("node-types", "Nodes by type");
    let flags: Vec<&str> = FLAGS.into_iter().filter(|flag| offer.flag(flag)).collect();
    if flags.is_empty() {
        return left_out(name, title, offer.missing(&["type", "PVNode", "CutNode", "AllNode"]));
    }
    let meaning = "How many nodes carry each flag; a node may carry several.";
    let counts: Vec<String> = flags.iter().map(|flag| format!("count(type & {flag})")).collect();
    let reading = Reading::OneRow(flags.iter().map(|flag| (*flag).to_owned()).collect());
    Draft { name, title, meaning, kind: ChartKind::Bars, x: "type", y: nodes(), reading }.figure(
        &["nodes"],
        vec![],
        format!("select {}", counts.join(",\n       ")),
    )
}

/// The names of node endings in our own searches.
const ENDS: [&str; 10] = [
    "Searched",
    "Cutoff",
    "Horizon",
    "Terminal",
    "TableHit",
    "StandPat",
    "NullMoveCutoff",
    "DrawByRule",
    "Stopped",
    "EndgameTable",
];

fn ended(offer: &Offer<'_>) -> Offered {
    let meaning = "Why nodes were left: all moves searched, a cut-off, the horizon, an answer of the transposition table, \
                   standing pat in quiescence search …";
    let reading = Reading::Columns(offer.names_of("ended", &ENDS));
    let made = Draft {
        name: "ended",
        title: "Why nodes ended",
        meaning,
        kind: ChartKind::Bars,
        x: "ended",
        y: nodes(),
        reading,
    }
    .figure(
        &["nodes"],
        vec![],
        "group by ended\nselect ended, count(*)\norder by count(*) desc".to_owned(),
    );
    with(offer, &["ended"], made)
}

fn branching(offer: &Offer<'_>) -> Offered {
    let (name, title, kind) = ("branching", "Branching per ply", ChartKind::Lines);
    let y = Axis::new("children", Unit::Number);
    let reading = Reading::Columns(vec![]);
    let meaning = "How many children a node has on average, of those that have any. Where alpha-beta works it goes up and \
                   down: nodes that are cut off have about one, nodes that are searched through have all.";
    let draft = Draft { name, title, meaning, kind, x: "ply", y, reading };
    let inner = offer.whole("@children > 0");
    match (offer.main(), offer.quiescence()) {
        (Some(main), Some(quiescence)) => draft.figure(
            &["main search", "quiescence"],
            vec![],
            format!(
                "node: {inner}\ngroup by @ply\nselect @ply, avg(@children where {main}),\n       \
                 avg(@children where {quiescence})"
            ),
        ),
        _ => draft.figure(
            &["children"],
            vec![],
            format!("node: {inner}\ngroup by @ply\nselect @ply, avg(@children)"),
        ),
    }
}

fn minimal(offer: &Offer<'_>) -> Offered {
    let meaning = "The nodes of the main search, its horizon included, beside those of the minimal tree: what alpha-beta needs if the best move \
                   always comes first (Knuth and Moore). With b(k) moves at ply k, ply p of it has b(0)·b(2)·… + b(1)·b(3)·… - 1 \
                   nodes, over the plies before p: for a constant b, b^ceil(p/2) + b^floor(p/2) - 1. b(k) is the mean number of moves searched at the nodes of ply k \
                   that no move cut off. A transposition table, null moves and reductions can stay below it.";
    let moves = offer.free("moves");
    let lets = vec![(moves.clone(), offer.moves_searched())];
    // Ply 0 has only the root: this is its depth.
    let depth = if offer.has("depth") { ", max(depth)" } else { "" };
    // Nodes at the horizon are the leaves of the minimal tree; with quiescence they are its roots.
    let filter = if offer.flag("QNode") { "node: not type & QNode\n" } else { "" };
    let through = if offer.flag("QNode") { offer.main_and(&offer.expanded()) } else { offer.expanded() };
    let body =
        format!("{filter}group by @ply\nselect @ply, count(*),\n       avg({moves} where {through}){depth}");
    let y = nodes().logarithmic();
    Draft {
        name: "minimal-tree",
        title: "Nodes against the minimal tree",
        meaning,
        kind: ChartKind::Lines,
        x: "ply",
        y,
        reading: Reading::MinimalTree,
    }
    .figure(&["searched", "minimal tree"], lets, body)
}

fn quiescence_share(offer: &Offer<'_>) -> Offered {
    let (name, title) = ("quiescence-share", "Quiescence share per ply");
    let Some(quiescence) = offer.quiescence() else {
        return left_out(name, title, offer.missing(&["type", "QNode"]));
    };
    let y = Axis::new("of the ply's nodes", Unit::Percent);
    let share = |condition: &str| format!("100.0 * count({condition}) / count(*)");
    let with_roots = share(quiescence);
    let draft = |meaning| Draft {
        name,
        title,
        meaning,
        kind: ChartKind::Lines,
        x: "ply",
        y,
        reading: Reading::Columns(vec![]),
    };
    if !offer.flag("QRootNode") || !offer.flag("QNode") {
        let meaning = "Which part of the nodes at each ply belongs to quiescence search.";
        return draft(meaning).figure(
            &["quiescence"],
            vec![],
            format!("group by @ply\nselect @ply, {with_roots}"),
        );
    }
    let meaning = "Which part of the nodes at each ply belongs to quiescence search, with the roots of quiescence searches \
                   and without.";
    let below = share("type & QNode and not type & QRootNode");
    draft(meaning).figure(
        &["with roots", "without roots"],
        vec![],
        format!("group by @ply\nselect @ply, {with_roots},\n       {below}"),
    )
}
