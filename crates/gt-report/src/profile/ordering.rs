//! The charts about move ordering, and what it saved.

use super::draft::Draft;
use super::figure::{Offered, Reading};
use super::numbers::{RANK, left_out, with};
use super::offer::Offer;
use crate::chart::{Axis, ChartKind, Unit};

/// Every such chart, in the order of a report.
pub(super) fn all(offer: &Offer<'_>) -> [Offered; 5] {
    [
        first_move_cutoffs(offer),
        best_move_rank(offer),
        cutoff_ranks(offer),
        research_rate(offer),
        selectivity(offer),
    ]
}

/// Makes a figure about cut-offs; these share their condition and the rank of the move.
fn of_cutoffs(
    offer: &Offer<'_>,
    draft: Draft<'_>,
    series: &[&str],
    body: impl FnOnce(&str, &str, &str) -> String,
) -> Offered {
    let Some(cutoff) = offer.cutoff() else {
        return left_out(draft.name, draft.title, offer.missing(&["best", "beta"]));
    };
    let rank = offer.free(RANK);
    let lets = vec![(rank.clone(), offer.moves_searched())];
    let (key, _) = offer.depth_key();
    draft.figure(series, lets, body(&offer.main_and(&cutoff), &rank, key))
}

fn first_move_cutoffs(offer: &Offer<'_>) -> Offered {
    let meaning = "Of the nodes of the main search that a move cut off, how many the first move searched cut off already. \
                   Good move ordering reaches 90% and more.";
    let draft = Draft {
        name: "first-move-cutoffs",
        title: "First-move cut-off rate per depth",
        meaning,
        kind: ChartKind::Lines,
        x: offer.depth_key().1,
        y: Axis::new("cut off by the first move", Unit::Percent),
        reading: Reading::Columns(vec![]),
    };
    of_cutoffs(offer, draft, &["first-move cut-offs"], |cutoff, rank, key| {
        format!(
            "node: {cutoff}\ngroup by {key}\nselect {key}, 100.0 * count({rank} = 1) / count(*), count(*)"
        )
    })
}

fn best_move_rank(offer: &Offer<'_>) -> Offered {
    let draft = Draft {
        name: "best-move-rank",
        title: "Rank of the move that cut off per depth",
        meaning: "How many different moves a node had searched on average when one of them cut off, that one included: 1 is \
                  perfect. A move searched again counts once, a null move and a move pruned without a search do not count.",
        kind: ChartKind::Lines,
        x: offer.depth_key().1,
        y: Axis::new("mean rank", Unit::Number),
        reading: Reading::Columns(vec![]),
    };
    of_cutoffs(offer, draft, &["mean rank"], |cutoff, rank, key| {
        format!("node: {cutoff}\ngroup by {key}\nselect {key}, avg({rank})")
    })
}

fn cutoff_ranks(offer: &Offer<'_>) -> Offered {
    let draft = Draft {
        name: "cutoff-ranks",
        title: "Which move cut off",
        meaning: "How many cut-offs the first move searched made, the second, and so on. A long tail is work that better ordering \
                  would save.",
        kind: ChartKind::Bars,
        x: "rank of the move",
        y: Axis::new("cut-offs", Unit::Count).logarithmic(),
        reading: Reading::Bins,
    };
    of_cutoffs(offer, draft, &["cut-offs"], |cutoff, rank, _| {
        format!("node: {cutoff}\ngroup by {rank}\nselect {rank}, count(*)")
    })
}

fn research_rate(offer: &Offer<'_>) -> Offered {
    let (key, x) = offer.depth_key();
    let meaning = "How many of the main search's nodes were entered again with an open window because a null window had \
                   failed high.";
    let y = Axis::new("of the nodes", Unit::Percent);
    let filter = offer.main().map_or_else(String::new, |main| format!("node: {main}\n"));
    let made = Draft {
        name: "re-search-rate",
        title: "Re-search rate per depth",
        meaning,
        kind: ChartKind::Lines,
        x,
        y,
        reading: Reading::Columns(vec![]),
    }
    .figure(
        &["re-searches"],
        vec![],
        format!("{filter}group by {key}\nselect {key}, 100.0 * count(type & ResearchNode) / count(*)"),
    );
    with(offer, &["type", "ResearchNode"], made)
}

fn selectivity(offer: &Offer<'_>) -> Offered {
    let (name, title) = ("selectivity", "Reductions, extensions and table hits per depth");
    let (key, x) = offer.depth_key();
    let all = [
        ("reduced", "reduction", "reduction > 0"),
        ("extended", "extension", "extension > 0"),
        ("in the table", "table_hit", "table_hit"),
    ];
    let there: Vec<_> = all.into_iter().filter(|(_, attribute, _)| offer.has_truth(attribute)).collect();
    if there.is_empty() {
        return left_out(name, title, vec!["reduction", "extension", "table_hit"]);
    }
    let shares: Vec<String> = there
        .iter()
        .map(|(_, attribute, condition)| format!("100.0 * count({condition}) / count({attribute} is known)"))
        .collect();
    let names: Vec<&str> = there.iter().map(|(name, ..)| *name).collect();
    let filter = offer.main().map_or_else(String::new, |main| format!("node: {main}\n"));
    let meaning = "Which part of the main search's nodes was searched less deeply (late-move reductions), more deeply \
                   (extensions), or was found in the transposition table.";
    let y = Axis::new("of the nodes", Unit::Percent);
    Draft { name, title, meaning, kind: ChartKind::Lines, x, y, reading: Reading::Columns(vec![]) }.figure(
        &names,
        vec![],
        format!("{filter}group by {key}\nselect {key},\n       {}", shares.join(",\n       ")),
    )
}
