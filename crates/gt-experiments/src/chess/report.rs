//! Tables 5.2 to 5.7 and Figures 5.4 to 5.6.

use gt_games::Notation;
use gt_games::chess::Chess;
use gt_games::registry::{GameKind, Setup};
use gt_picture::board;
use gt_report::{Axis, Block, Chart, ChartKind, Document, Picture, Series, Table, Unit, X, grouped};

use super::Searched;
use crate::queries::{CHESS, SEARCHED_AGAIN_BELOW};
use crate::thesis::{self, Search};

/// Whether the searches are our own, as opposed to given logs.
fn is_ours(searched: &[Searched]) -> bool {
    searched.iter().any(|search| search.outcome.is_some())
}

pub(crate) fn report(searched: &[Searched], document: &mut Document) {
    if is_ours(searched) {
        document.heading("Chess: nine tactical positions");
        document.paragraph(
            "Positions 15 to 23 of the LCT II suite, each searched by the engine of GT-Tools until an iteration returned \
             the solution; the queries are asked of that iteration's tree. The thesis did the same with Fruit 2.1. The \
             engines differ, so the trees do: what is to be compared is their shape.",
        );
        document.subheading("What the names mean in our logs");
        document.push(Block::List(names()));
    } else {
        document.heading("Chess: the logs that were given");
        document.paragraph(
            "Trees of positions of the LCT II suite from the logs that were given: of each position the iteration that the \
             thesis shows, or the deepest. The thesis's numbers are those of Fruit 2.1.",
        );
    }
    document.table(searches(searched));
    if let Some(words) = missing_names(searched) {
        document.paragraph(&words);
    }
    document.subheading("The queries");
    let queries = crate::queries::table(&CHESS);
    document.table(queries.with_note("Table 5.3. `$x` is the nominal depth of the search.", ""));
    document.subheading("Types of nodes");
    document.table(types(searched));
    document.subheading("Deep lines");
    document.table(depths(searched));
    document.chart(shares("figure-5-4", "Figure 5.4: where the nodes are", &ours(searched)));
    document.chart(shares(
        "figure-5-4-thesis",
        "Figure 5.4 of the thesis, from its Table 5.5",
        &theirs(searched),
    ));
    document.subheading("Large quiescence searches");
    document.table(largest(searched));
    boards(searched, document);
    document.subheading("Changes of the principal variation");
    document.table(variation_changes(searched));
    document.chart(searched_again(searched));
    document.table(both_readings(searched));
    document.subheading("All answers");
    document.table(answers(searched));
    document.subheading("Counting and collecting");
    document.table(counting_and_collecting(searched));
}

/// Which names the logs lack, if any.
fn missing_names(searched: &[Searched]) -> Option<String> {
    let lacking = searched.iter().filter(|search| !search.missing_names.is_empty());
    let lacking: Vec<String> = lacking
        .map(|search| format!("{} has no `{}`", name(search), search.missing_names.join("`, `")))
        .collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "A {UNKNOWN} stands for the answer of a query with a name that the log lacks: {}.",
            lacking.join("; ")
        )
    })
}

/// Q24 as printed, and as the thesis's remark on Figure 5.6 suggests.
fn both_readings(searched: &[Searched]) -> Table {
    let mut table = Table::new(["position", ">Q24", ">of the nodes", ">with all below", ">of the nodes"]);
    for search in searched {
        let share = |part| share(part, search.nodes);
        let (printed, below) = (search.answers[23], search.searched_again_below);
        table.row([name(search), number(printed), share(printed), number(below), share(below)]);
    }
    table.with_note(
        "Two readings of Q24: as it is printed it counts the nodes that were entered again with an open window. The second \
         counts the nodes below them too, which is what the search spent on searching again. The thesis gives no numbers, but \
         says of its Figure 5.6 that position 22 has by far the largest share.",
        SEARCHED_AGAIN_BELOW,
    )
}

fn counting_and_collecting(searched: &[Searched]) -> Table {
    let mut table = Table::new(["position", ">counting, ms", ">collecting, ms", ">more"]);
    for search in searched {
        let more = 100.0 * (search.collecting_seconds / search.counting_seconds.max(1e-9) - 1.0);
        let milliseconds = |seconds: f64| format!("{:.2}", 1e3 * seconds);
        table.row([
            name(search),
            milliseconds(search.counting_seconds),
            milliseconds(search.collecting_seconds),
            format!("{more:+.0}%"),
        ]);
    }
    table.with_note(
        "All queries that the log has names for in one pass, once with matches counted and once with their node_ids collected; the fastest of five \
         runs each. The thesis found no notable difference between the two. It also found that a condition on the node takes 17% off \
         the throughput, `child:` and `subtree:` another 10 to 15%, and over 60% on a tree of 24 plies.",
        "",
    )
}

fn names() -> Vec<String> {
    [
        "`PVNode`, `CutNode`, `AllNode` are what the search expected when it entered the node, as in Fruit: the first \
         child of a PV node is PV and the others Cut, children of Cut nodes All, of All nodes Cut. A move that is searched \
         again with an open window is PV.",
        "`QRootNode` is the node at the horizon itself, `QNode` every node below it; a quiescence root is no `QNode`.",
        "`ResearchNode` is a node entered again with an open window after a null window failed. A late move that \
         failed high at reduced depth is first entered again at full depth with a null window, and not flagged.",
        "`ply` counts moves from the root, null moves included. What goes beyond the nominal depth without being \
         quiescence is extensions: checks, and positions where passing would lose the game.",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn name(searched: &Searched) -> String {
    format!("Pos {}", searched.position.number)
}

fn theirs_of(searched: &Searched) -> Option<&'static Search> {
    thesis::search_of(searched.position.number)
}

fn with_positions<'a>(first: &'a str, names: &'a [String]) -> Table {
    let headings: Vec<String> = names.iter().map(|name| format!(">{name}")).collect();
    Table::new(std::iter::once(first).chain(headings.iter().map(String::as_str)))
}

fn searches(searched: &[Searched]) -> Table {
    let headings = [
        "position",
        "solution",
        ">depth",
        ">thesis",
        ">deepest ply",
        ">thesis",
        ">nodes",
        ">thesis",
        ">nodes, all iterations",
        ">seconds",
    ];
    let mut table = Table::new(headings);
    let mut unsolved = Vec::new();
    for search in searched {
        let thesis = theirs_of(search);
        let printed = |number: Option<u64>| number.map_or_else(String::new, grouped);
        let mut depth = search.depth.to_string();
        if let Some(ended) = search.outcome.as_ref().filter(|ended| !ended.is_solved) {
            depth = format!("not by {depth}");
            unsolved.push(format!(
                "{} ({} after {} nodes)",
                name(search),
                ended.best_move,
                grouped(ended.nodes_total)
            ));
        }
        table.row([
            name(search),
            search.position.solution_text.clone(),
            depth,
            printed(thesis.map(|thesis| u64::from(thesis.depth))),
            search.deepest.to_string(),
            printed(thesis.map(|thesis| u64::from(thesis.deepest))),
            grouped(search.nodes),
            printed(thesis.map(|thesis| thesis.nodes)),
            search.outcome.as_ref().map_or_else(String::new, |ended| grouped(ended.nodes_total)),
            search.outcome.as_ref().map_or_else(String::new, |ended| format!("{:.2}", ended.seconds)),
        ]);
    }
    let mut note = "Table 5.2.".to_owned();
    if is_ours(searched) {
        let solved = searched
            .iter()
            .filter_map(|search| search.outcome.as_ref())
            .filter(|ended| ended.is_solved)
            .count();
        note += &format!(" {solved} of {} positions are solved.", searched.len());
    }
    if !unsolved.is_empty() {
        note += &format!(
            " Not solved within the limit, and shown with their last iteration: {}.",
            unsolved.join(", ")
        );
    }
    note += &match is_ours(searched) {
        true => " The logs are pos15.gtf and so on, a tree for each iteration; depth 8 is tree 7.".to_owned(),
        false => {
            let places = searched
                .iter()
                .map(|search| format!("{} is tree {} of {}", name(search), search.tree, search.log));
            format!(" {}.", places.collect::<Vec<_>>().join("; "))
        }
    };
    note += " In the thesis's greatest ply of position 15, 15 is a misprint for 25: its Q9 finds nodes beyond ply 18.";
    table.with_note(&note, "")
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Stands for an answer that a log has no names for.
const UNKNOWN: &str = "–";

fn number(answer: Option<u64>) -> String {
    answer.map_or_else(|| UNKNOWN.to_owned(), grouped)
}

fn share(part: Option<u64>, whole: u64) -> String {
    part.map_or_else(|| UNKNOWN.to_owned(), |part| format!("{:.2}%", percent(part, whole)))
}

fn types(searched: &[Searched]) -> Table {
    let headings = ["position", ">nodes", ">PV", ">thesis", ">Cut", ">thesis", ">All", ">thesis"];
    let mut table = Table::new(headings);
    for search in searched {
        let mut cells = vec![name(search), grouped(search.nodes)];
        for place in 0..3 {
            cells.push(share(search.answers[1 + place], search.nodes));
            let thesis = theirs_of(search).map(|thesis| format!("{:.2}%", thesis.types_percent[place]));
            cells.push(thesis.unwrap_or_default());
        }
        table.row(cells);
    }
    table.with_note(
        "Table 5.4, from Q1 to Q4. The thesis prints 2,382 nodes for position 16 there, and 2,383 in Table 5.2: the first is a \
         misprint.",
        "",
    )
}

fn depths(searched: &[Searched]) -> Table {
    let names: Vec<String> = searched.iter().map(name).collect();
    let mut table = with_positions("query", &names);
    for place in 0..8 {
        let query = format!("Q{}", place + 5);
        let ours = searched.iter().map(|search| number(search.answers[4 + place]));
        table.row(std::iter::once(query.clone()).chain(ours));
        let theirs = searched
            .iter()
            .map(|search| theirs_of(search).map_or_else(String::new, |thesis| grouped(thesis.depths[place])));
        table.row(std::iter::once(format!("{query}, thesis")).chain(theirs));
    }
    table.with_note(
        "Table 5.5. Q5 counts quiescence nodes; Q6 the others up to the nominal depth, Q7 those beyond it, Q8 to Q12 \
         those more than 5, 10, 20, 25 and 30 plies beyond. As printed, the thesis's Q5, Q6 and Q7 of position 23 are 1,400 short \
         of its nodes.",
        "",
    )
}

/// For each position its name, and the percentages of quiescence, extensions and other nodes.
type Shares = Vec<(String, [Option<f64>; 3])>;

fn shares_of([quiescence, within, beyond]: [Option<u64>; 3]) -> [Option<f64>; 3] {
    let whole =
        quiescence.zip(within).zip(beyond).map(|((quiescence, within), beyond)| quiescence + within + beyond);
    [within, beyond, quiescence].map(|part| Some(percent(part?, whole?)))
}

fn ours(searched: &[Searched]) -> Shares {
    searched
        .iter()
        .map(|search| (name(search), shares_of([4, 5, 6].map(|place| search.answers[place]))))
        .collect()
}

fn theirs(searched: &[Searched]) -> Shares {
    let thesis =
        searched.iter().filter_map(|search| theirs_of(search).map(|thesis| (name(search), thesis.depths)));
    thesis.map(|(name, depths)| (name, shares_of([0, 1, 2].map(|place| Some(depths[place]))))).collect()
}

fn shares(file: &str, title: &str, shares: &Shares) -> Chart {
    let x = X::names("position", shares.iter().map(|(name, _)| name.clone()));
    let series = ["within the nominal depth", "extensions beyond it", "quiescence"]
        .iter()
        .enumerate()
        .map(|(part, name)| Series::new(name, shares.iter().map(|(_, parts)| parts[part]).collect()))
        .collect();
    Chart::new(file, title, ChartKind::Stacked, x, series)
        .with_y(Axis::new("share of the nodes", Unit::Percent))
        .with_meaning("The answers of Q6, Q7 and Q5 as shares of all nodes.", "")
}

fn largest(searched: &[Searched]) -> Table {
    let headings = ["position", ">the four largest, nodes", ">thesis: between", "the line to the largest"];
    let mut table = Table::new(headings);
    for search in searched {
        let sizes: Vec<String> = search.largest_quiescence.iter().map(|found| grouped(found.nodes)).collect();
        let thesis = theirs_of(search).map(|thesis| thesis.largest_quiescence);
        let line = search.largest_quiescence.first().map(|found| found.line.join(" ")).unwrap_or_default();
        table.row([
            name(search),
            sizes.join(" "),
            thesis.map_or_else(String::new, |(least, most)| format!("{least} and {most}")),
            line,
        ]);
    }
    table.with_note(
        "Table 5.6: the nodes below the roots of the four largest quiescence searches.",
        crate::queries::LARGEST_QUIESCENCE,
    )
}

/// Figure 5.5: the position whose tree has the largest quiescence search, and the root of that search.
fn boards(searched: &[Searched], document: &mut Document) {
    let size = |search: &Searched| search.largest_quiescence.first().map_or(0, |found| found.nodes);
    let Some(search) = searched.iter().max_by_key(|search| size(search)) else { return };
    let Some(found) = search.largest_quiescence.first() else { return };
    let Some(root) = &found.root else { return };
    document.paragraph(&format!(
        "Figure 5.5: (a) position {}, and (b) the root of its largest quiescence search, {} nodes, after {}.",
        search.position.number,
        grouped(found.nodes),
        found.line.join(" ")
    ));
    for (name, game, caption) in [
        ("figure-5-5a", &search.position.game, format!("(a) {}", self::name(search))),
        ("figure-5-5b", root, "(b) the root of the quiescence search".to_owned()),
    ] {
        document.push(Block::Picture(Picture {
            name: name.to_owned(),
            svg: drawn(game),
            caption,
            lines: game.draw(),
            width_max: BOARD_WIDTH,
        }));
    }
}

/// The width of a board.
const BOARD_WIDTH: u32 = 320;

fn drawn(game: &Chess) -> String {
    let setup = Setup::position(&game.position_text());
    GameKind::Chess.open(&setup).map(|game| board::svg(&*game, &[])).unwrap_or_default()
}

fn variation_changes(searched: &[Searched]) -> Table {
    let names: Vec<String> = searched.iter().map(name).collect();
    let mut table = with_positions("PV children", &names);
    for (place, more_than) in [2, 5, 7, 8, 9].iter().enumerate() {
        let ours = searched.iter().map(|search| number(search.answers[18 + place]));
        table.row(std::iter::once(format!("more than {more_than}")).chain(ours));
        let theirs = searched.iter().map(|search| {
            theirs_of(search).map_or_else(String::new, |thesis| grouped(thesis.pv_children[place]))
        });
        table.row(std::iter::once("thesis".to_owned()).chain(theirs));
    }
    table.with_note("Table 5.7: nodes with so many PV children, from Q19 to Q23.", "")
}

fn searched_again(searched: &[Searched]) -> Chart {
    let x = X::names("position", searched.iter().map(name));
    let values = searched.iter().map(|search| Some(percent(search.answers[23]?, search.nodes))).collect();
    let title = "Figure 5.6: nodes searched again with an open window";
    Chart::new("figure-5-6", title, ChartKind::Bars, x, vec![Series::new("searched again", values)])
        .with_y(Axis::new("share of the nodes", Unit::Percent))
        .with_meaning("The answer of Q24 as a share of all nodes.", CHESS[23])
}

fn answers(searched: &[Searched]) -> Table {
    let names: Vec<String> = searched.iter().map(name).collect();
    let mut table = with_positions("query", &names);
    for place in 0..CHESS.len() {
        let cells = searched.iter().map(|search| number(search.answers[place]));
        table.row(std::iter::once(format!("Q{}", place + 1)).chain(cells));
    }
    table
}
