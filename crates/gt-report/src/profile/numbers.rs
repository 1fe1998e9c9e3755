//! The figures that are one number each; shares are computed from them.

use super::figure::{Figure, Offered, Shape, UnavailableFigure};
use super::offer::Offer;

/// The name in queries for the rank of the cutting move: the number of moves searched up to it.
pub(super) const RANK: &str = "rank";

/// The name of the figure that counts quiescence nodes without the roots.
pub(super) const BELOW_ROOTS: &str = "quiescence-below-roots";

/// Every number, in the order of a report.
pub(super) fn all(offer: &Offer<'_>) -> Vec<Offered> {
    let mut all = vec![
        count("nodes", "Nodes", "All nodes of the tree.", "*"),
        count("leaves", "Leaves", "Nodes without children.", &offer.whole("@children = 0")),
        count(
            "unfinished",
            "Unfinished nodes",
            "Nodes that were open when the log broke off: what they carry is not known.",
            "@unfinished",
        ),
        value("height", "Greatest ply", "The greatest distance from the root.", "max(@ply)"),
        with(
            offer,
            &["depth"],
            value(
                "depth",
                "Depth of the iteration",
                "The remaining depth at the root.",
                "max(depth where @ply = 0 and not @unfinished)",
            ),
        ),
    ];
    if offer.is_partial() {
        let meaning = "Nodes of the search that are not in the log.";
        all.push(value("left-out", "Nodes left out", meaning, "sum(@left_out)"));
    }
    all.extend(quiescence(offer));
    all.extend(cutoffs(offer));
    all.extend(causes(offer));
    all.extend(transpositions(offer));
    all
}

/// Only for logs with a `key` of positions: most have none, and need none.
fn transpositions(offer: &Offer<'_>) -> Option<Offered> {
    if !offer.has("key") || !offer.has("depth") {
        return None;
    }
    let before = offer.free("before");
    let twins = "twin(key): count([]node_id < node_id and []depth >= depth)".to_owned();
    let meaning = "Nodes whose position the tree had searched before, at no lesser depth.";
    let again = count("transpositions", "Positions searched again", meaning, &format!("{before} > 0"));
    Some(again.map(|figure| Figure { lets: vec![(before, twins)], ..figure }))
}

fn quiescence(offer: &Offer<'_>) -> [Offered; 3] {
    let nodes = offer.quiescence().map_or_else(
        || left_out("quiescence-nodes", "Quiescence nodes", offer.missing(&["type", "QNode"])),
        |quiescence| {
            count(
                "quiescence-nodes",
                "Quiescence nodes",
                "Nodes of quiescence search, their roots included.",
                quiescence,
            )
        },
    );
    let roots = count(
        "quiescence-searches",
        "Quiescence searches",
        "Roots of quiescence searches.",
        "type & QRootNode",
    );
    let below = count(
        BELOW_ROOTS,
        "Quiescence nodes below the roots",
        "Nodes of quiescence search without their roots: query Q5 of the thesis.",
        "type & QNode and not type & QRootNode",
    );
    let needed = ["type", "QNode", "QRootNode"];
    [nodes, with(offer, &needed, below), with(offer, &["type", "QRootNode"], roots)]
}

fn cutoffs(offer: &Offer<'_>) -> Vec<Offered> {
    let (title, first_title) = ("Cut-offs", "First-move cut-offs");
    let Some(cutoff) = offer.cutoff() else {
        let missing = offer.missing(&["best", "beta"]);
        return vec![
            left_out("cutoffs", title, missing.clone()),
            left_out("first-move-cutoffs-all", first_title, missing),
        ];
    };
    let cutoff = offer.main_and(&cutoff);
    let rank = offer.free(RANK);
    let meaning = "Those of them that the first move searched ended.";
    let first = count("first-move-cutoffs-all", first_title, meaning, &format!("{cutoff} and {rank} = 1"));
    let lets = vec![(rank, offer.moves_searched())];
    vec![
        count("cutoffs", title, "Main-search nodes that a move ended by failing high.", &cutoff),
        first.map(|figure| Figure { lets, ..figure }),
    ]
}

fn causes(offer: &Offer<'_>) -> Vec<Offered> {
    let simple: [(&str, &str, &str, &str, &[&'static str]); 8] = [
        (
            "re-searches",
            "Re-searches",
            "Nodes entered again with an open window.",
            "type & ResearchNode",
            &["type", "ResearchNode"],
        ),
        (
            "re-searches-raised",
            "Re-searches that paid",
            "Those of them whose value was above alpha.",
            "type & ResearchNode and best > alpha",
            &["type", "ResearchNode", "best", "alpha"],
        ),
        (
            "null-moves",
            "Null moves",
            "Nodes reached by a null move.",
            "type & NullMove",
            &["type", "NullMove"],
        ),
        (
            "null-move-cutoffs",
            "Null-move cut-offs",
            "Nodes that a null move ended.",
            "ended = NullMoveCutoff",
            &["ended", "NullMoveCutoff"],
        ),
        (
            "reduced",
            "Reduced nodes",
            "Nodes that late-move reductions searched less deeply.",
            "reduction > 0",
            &["reduction"],
        ),
        (
            "extended",
            "Extended nodes",
            "Nodes that an extension searched more deeply.",
            "extension > 0",
            &["extension"],
        ),
        (
            "table-hits",
            "Table hits",
            "Nodes that the transposition table had an entry for.",
            "table_hit",
            &["table_hit"],
        ),
        (
            "table-answers",
            "Table answers",
            "Nodes that the transposition table answered.",
            "ended = TableHit",
            &["ended", "TableHit"],
        ),
    ];
    simple
        .into_iter()
        .map(|(name, title, meaning, condition, needed)| {
            with(offer, needed, count(name, title, meaning, condition))
        })
        .collect()
}

fn count(name: &str, title: &str, meaning: &str, condition: &str) -> Offered {
    value(name, title, meaning, &format!("count({condition})"))
}

fn value(name: &str, title: &str, meaning: &str, aggregate: &str) -> Offered {
    Ok(Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        meaning: meaning.to_owned(),
        lets: Vec::new(),
        body: format!("node: {aggregate}"),
        shape: Shape::Number,
    })
}

/// The figure, if the log has these names.
pub(super) fn with(offer: &Offer<'_>, needed: &[&'static str], made: Offered) -> Offered {
    let missing = offer.missing(needed);
    if missing.is_empty() {
        return made;
    }
    let figure = made?;
    Err(UnavailableFigure { name: figure.name, title: figure.title, missing })
}

pub(super) fn left_out(name: &str, title: &str, missing: Vec<&'static str>) -> Offered {
    Err(UnavailableFigure { name: name.to_owned(), title: title.to_owned(), missing })
}
