//! The suspicions about any log that has the names for them: common mistakes when an engine is logged for the first
//! time.

use super::offer::Offer;

/// Two counts of nodes, and the share from which they make the log doubtful.
pub(super) struct Suspicion {
    pub(super) name: &'static str,
    /// Names and expressions of `let`s that the conditions use.
    lets: Vec<(String, String)>,
    /// The condition for relevant nodes.
    of: String,
    /// The condition for suspicious ones among them.
    counted: String,
    pub(super) limit: Limit,
    /// The observation; `{}` stands for the counts.
    pub(super) seen: String,
    pub(super) question: String,
}

/// The share, in percent, from which there is a doubt.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    Above(f64),
    Below(f64),
}

impl Suspicion {
    fn new(
        name: &'static str,
        (of, counted): (&str, &str),
        limit: Limit,
        seen: &str,
        question: &str,
    ) -> Self {
        Self {
            name,
            lets: Vec::new(),
            of: of.to_owned(),
            counted: counted.to_owned(),
            limit,
            seen: seen.to_owned(),
            question: question.to_owned(),
        }
    }

    /// Both counts as GTQL: first all relevant nodes, then the suspicious ones.
    pub(super) fn queries(&self) -> String {
        let lets: String = self.lets.iter().map(|(name, made)| format!("let {name} = {made}\n")).collect();
        let Self { name, of, counted, .. } = self;
        format!("{lets}[{name}-of]\nnode: count({of})\n[{name}]\nnode: count({of} and {counted})\n\n")
    }
}

/// All suspicions about logs with these names, of a game for two or for more.
pub(super) fn suspicions(offer: &Offer<'_>, is_for_two: bool) -> Vec<Suspicion> {
    let mut all = vec![no_moves()];
    all.extend(windows(offer, is_for_two));
    all.extend(values(offer, is_for_two));
    all.extend(depth_and_ply(offer));
    all.extend(move_index(offer));
    all.extend(types(offer));
    all.extend(first_moves(offer));
    all
}

fn no_moves() -> Suspicion {
    Suspicion::new(
        "no-moves",
        ("@ply > 0", "last_move = 0"),
        Limit::Above(90.0),
        "{} of the nodes below the root have the move 0.",
        "Is the move handed over when a node is entered, as a number of its own?",
    )
}

fn windows(offer: &Offer<'_>, is_for_two: bool) -> Vec<Suspicion> {
    if !offer.has("alpha") || !offer.has("beta") {
        return Vec::new();
    }
    let known = "alpha is known and beta is known";
    let mut all = vec![
        Suspicion::new(
            "window-swapped",
            (known, "alpha > beta"),
            Limit::Above(1.0),
            "{} of the nodes have an `alpha` above `beta`.",
            "Are the two swapped, or logged after the search has changed them instead of as they were passed in?",
        ),
        Suspicion::new(
            "window-empty",
            (known, "alpha = beta"),
            Limit::Above(1.0),
            "{} of the nodes have an `alpha` that equals `beta`.",
            "Is `alpha` logged as it was passed in, before moves raised it?",
        ),
    ];
    if is_for_two {
        let of = "@ply > 0 and alpha is known and beta is known and [^]alpha is known and [^]beta is known";
        let own = "alpha >= -[^]beta and beta <= -[^]alpha";
        let as_parent = "alpha >= [^]alpha and beta <= [^]beta";
        all.push(Suspicion::new(
            "window-of-one-player",
            (of, &format!("{as_parent} and not ({own})")),
            Limit::Above(50.0),
            "{} of the nodes below the root have a window inside their parent's, and not inside the one with both signs changed.",
            "Are windows from the view of one player? They are taken for those of the player to move: (-beta, -alpha) below (alpha, beta).",
        ));
    }
    all
}

fn values(offer: &Offer<'_>, is_for_two: bool) -> Vec<Suspicion> {
    if !offer.has("best") {
        return Vec::new();
    }
    let mut all = vec![Suspicion::new(
        "values-zero",
        ("best is known", "best = 0"),
        Limit::Above(99.9),
        "{} of the values are 0.",
        "Is `best` set before the node is left, on every way out of the search?",
    )];
    if is_for_two {
        let (mirrored, same) = (offer.free("mirrored"), offer.free("same"));
        let mut signs = Suspicion::new(
            "values-of-one-player",
            (
                &format!("best != 0 and ({mirrored} > 0 or {same} > 0)"),
                &format!("{same} > 0 and {mirrored} = 0"),
            ),
            Limit::Above(50.0),
            "{} of the nodes with a child's value have it with the child's own sign.",
            "Are values from the view of one player? They are taken for those of the player to move, so that a node is worth minus its best child.",
        );
        signs.lets = vec![
            (mirrored, "child: count([]best = -best)".to_owned()),
            (same, "child: count([]best = best)".to_owned()),
        ];
        all.push(signs);
    }
    all
}

fn depth_and_ply(offer: &Offer<'_>) -> Vec<Suspicion> {
    let depth = offer.has("depth").then(|| {
        Suspicion::new(
            "depth-grows",
            ("@ply > 0 and depth != [^]depth", "depth > [^]depth"),
            Limit::Above(50.0),
            "{} of the nodes whose `depth` differs from their parent's have a greater one.",
            "Is `depth` the distance from the root? It is taken for what remains of the depth.",
        )
    });
    let ply = offer.has("ply").then(|| {
        Suspicion::new(
            "ply-differs",
            ("ply is known", "ply != @ply"),
            Limit::Above(50.0),
            "{} of the nodes have a `ply` that is not their distance from the root of the tree.",
            "Is it counted from the start of the game or from 1, or never set? (`@ply` is always right.)",
        )
    });
    depth.into_iter().chain(ply).collect()
}

fn move_index(offer: &Offer<'_>) -> Option<Suspicion> {
    // In a log from which nodes were left out, the first child is unknown.
    if !offer.has("move_index") || offer.is_partial() {
        return None;
    }
    let by_a_move = offer.no_move().map_or_else(String::new, |flags| format!(" and not type & {flags}"));
    Some(Suspicion::new(
        "move-index-from-1",
        (&format!("@ply > 0 and @index = 0 and move_index is known{by_a_move}"), "move_index >= 1"),
        Limit::Above(99.0),
        "{} of the first moves have a `move_index` of 1 or more.",
        "Is it counted from 1? The first move is taken for 0.",
    ))
}

fn types(offer: &Offer<'_>) -> Vec<Suspicion> {
    if !offer.flag("CutNode") {
        return Vec::new();
    }
    let mut all = Vec::new();
    let others: Vec<&str> = ["PVNode", "AllNode"].into_iter().filter(|flag| offer.flag(flag)).collect();
    if !others.is_empty() {
        all.push(Suspicion::new(
            "no-cut-nodes",
            (&format!("type & (CutNode | {})", others.join(" | ")), "type & CutNode"),
            Limit::Below(0.1),
            "{} of the nodes with a type are `CutNode`.",
            "Does `type` say what was expected of every node, cut nodes too?",
        ));
    }
    if offer.has_windows() && offer.flag("AllNode") {
        let as_expected = "(type & CutNode and best >= beta or type & AllNode and best <= alpha)";
        all.push(Suspicion::new(
            "types-swapped",
            (
                "type & (CutNode | AllNode) and @children > 0 and (best >= beta or best <= alpha)",
                as_expected,
            ),
            Limit::Below(25.0),
            "{} of the inner nodes that fail high or low do what their type says: `CutNode` high, `AllNode` low.",
            "Are the two swapped, or is `type` that of the parent?",
        ));
    }
    all
}

fn first_moves(offer: &Offer<'_>) -> Option<Suspicion> {
    let cutoff = offer.main_and(&offer.cutoff()?);
    let rank = offer.free("doubted_rank");
    let mut first = Suspicion::new(
        "first-move-cutoffs",
        (&cutoff, &format!("{rank} = 1")),
        Limit::Below(5.0),
        "{} of the cut-offs come from the first move searched.",
        "Are moves logged in the order of the search, only those that are searched, and do `best` and `beta` have the same view?",
    );
    first.lets = vec![(rank, offer.moves_searched())];
    Some(first)
}
