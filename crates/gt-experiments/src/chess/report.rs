//! Tables 5.2 to 5.7 and Figures 5.4 to 5.6.

use gt_games::Notation;
use gt_report::{Axis, Block, Chart, ChartKind, Document, Series, Table, Unit, X, grouped};

use super::Searched;
use crate::queries::CHESS;
use crate::thesis::{self, Search};

pub(crate) fn report(searched: &[Searched], document: &mut Document) {
    document.heading("Chess: nine tactical positions");
    document.paragraph(
        "Positions 15 to 23 of the LCT II suite, each searched by this house's own engine until an iteration returned \
         the solution; the queries are asked of that iteration's tree. The thesis did the same with Fruit 2.1. The \
         engines differ, so the trees do: what is to be compared is their shape.",
    );
    document.subheading("What the names mean in our logs");
    document.push(Block::List(names()));
    document.table(searches(searched));
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
    document.subheading("All answers");
    document.table(answers(searched));
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
    for one in searched {
        let thesis = theirs_of(one);
        let number = |number: Option<u64>| number.map_or_else(String::new, grouped);
        let mut depth = one.depth.to_string();
        if !one.is_solved {
            depth = format!("not by {depth}");
            unsolved.push(format!(
                "{} ({} after {} nodes)",
                name(one),
                one.best_move,
                grouped(one.nodes_total)
            ));
        }
        table.row([
            name(one),
            one.position.solution_text.clone(),
            depth,
            number(thesis.map(|thesis| u64::from(thesis.depth))),
            one.deepest.to_string(),
            number(thesis.map(|thesis| u64::from(thesis.deepest))),
            grouped(one.nodes),
            number(thesis.map(|thesis| thesis.nodes)),
            grouped(one.nodes_total),
            format!("{:.2}", one.seconds),
        ]);
    }
    let solved = searched.iter().filter(|one| one.is_solved).count();
    let mut note = format!("Table 5.2. {solved} of {} positions are solved.", searched.len());
    if !unsolved.is_empty() {
        note += &format!(
            " Not solved within the limit, and shown with their last iteration: {}.",
            unsolved.join(", ")
        );
    }
    note += " The logs are pos15.gtf and so on, a tree for each iteration; depth 8 is tree 7.";
    note += " The thesis's greatest ply of position 15 cannot be 15: its Q9 finds nodes beyond ply 18.";
    table.with_note(&note, "")
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn types(searched: &[Searched]) -> Table {
    let headings = ["position", ">nodes", ">PV", ">thesis", ">Cut", ">thesis", ">All", ">thesis"];
    let mut table = Table::new(headings);
    for one in searched {
        let mut cells = vec![name(one), grouped(one.nodes)];
        for place in 0..3 {
            cells.push(format!("{:.2}%", percent(one.answers[1 + place], one.nodes)));
            let thesis = theirs_of(one).map(|thesis| format!("{:.2}%", thesis.types_percent[place]));
            cells.push(thesis.unwrap_or_default());
        }
        table.row(cells);
    }
    table.with_note("Table 5.4, from Q1 to Q4.", "")
}

fn depths(searched: &[Searched]) -> Table {
    let names: Vec<String> = searched.iter().map(name).collect();
    let mut table = with_positions("query", &names);
    for place in 0..8 {
        let query = format!("Q{}", place + 5);
        let ours = searched.iter().map(|one| grouped(one.answers[4 + place]));
        table.row(std::iter::once(query.clone()).chain(ours));
        let theirs = searched
            .iter()
            .map(|one| theirs_of(one).map_or_else(String::new, |thesis| grouped(thesis.depths[place])));
        table.row(std::iter::once(format!("{query}, thesis")).chain(theirs));
    }
    table.with_note(
        "Table 5.5. Q5 counts quiescence nodes; Q6 the others up to the nominal depth, Q7 those beyond it, Q8 to Q12 \
         those more than 5, 10, 20, 25 and 30 plies beyond. As printed, the thesis's Q5, Q6 and Q7 of position 23 are 1,400 short \
         of its nodes.",
        "",
    )
}

/// Per position: its name, and quiescence, extensions and the rest of a hundred nodes.
type Shares = Vec<(String, [f64; 3])>;

fn shares_of(quiescence: u64, within: u64, beyond: u64) -> [f64; 3] {
    let whole = quiescence + within + beyond;
    [percent(within, whole), percent(beyond, whole), percent(quiescence, whole)]
}

fn ours(searched: &[Searched]) -> Shares {
    searched
        .iter()
        .map(|one| (name(one), shares_of(one.answers[4], one.answers[5], one.answers[6])))
        .collect()
}

fn theirs(searched: &[Searched]) -> Shares {
    let thesis = searched.iter().filter_map(|one| theirs_of(one).map(|thesis| (name(one), thesis.depths)));
    thesis.map(|(name, depths)| (name, shares_of(depths[0], depths[1], depths[2]))).collect()
}

fn shares(file: &str, title: &str, shares: &Shares) -> Chart {
    let x = X::names("position", shares.iter().map(|(name, _)| name.clone()));
    let series = ["within the nominal depth", "extensions beyond it", "quiescence"]
        .iter()
        .enumerate()
        .map(|(part, name)| Series::new(name, shares.iter().map(|(_, parts)| Some(parts[part])).collect()))
        .collect();
    Chart::new(file, title, ChartKind::Stacked, x, series)
        .with_y(Axis::new("share of the nodes", Unit::Percent))
        .with_meaning("The answers of Q6, Q7 and Q5 as shares of all nodes.", "")
}

fn largest(searched: &[Searched]) -> Table {
    let headings = ["position", ">the four largest, nodes", ">thesis: between", "the line to the largest"];
    let mut table = Table::new(headings);
    for one in searched {
        let sizes: Vec<String> = one.largest_quiescence.iter().map(|found| grouped(found.nodes)).collect();
        let thesis = theirs_of(one).map(|thesis| thesis.largest_quiescence);
        let line = one.largest_quiescence.first().map(|found| found.line.join(" ")).unwrap_or_default();
        table.row([
            name(one),
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

/// Figure 5.5: the position whose tree has the largest quiescence search, and where that search begins.
fn boards(searched: &[Searched], document: &mut Document) {
    let size = |one: &Searched| one.largest_quiescence.first().map_or(0, |found| found.nodes);
    let Some(one) = searched.iter().max_by_key(|one| size(one)) else { return };
    let Some(found) = one.largest_quiescence.first() else { return };
    document.paragraph(&format!(
        "Figure 5.5: (a) position {}, and (b) the root of its largest quiescence search, {} nodes, after {}.",
        one.position.number,
        grouped(found.nodes),
        found.line.join(" ")
    ));
    document.code(&beside(&one.position.game.draw(), &found.root.draw()));
}

/// Two drawings, line by line.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 6;
    let line = |(left, right): (&str, &str)| format!("{left:<width$}{right}\n");
    left.lines().zip(right.lines()).map(line).collect()
}

fn variation_changes(searched: &[Searched]) -> Table {
    let names: Vec<String> = searched.iter().map(name).collect();
    let mut table = with_positions("PV children", &names);
    for (place, more_than) in [2, 5, 7, 8, 9].iter().enumerate() {
        let ours = searched.iter().map(|one| grouped(one.answers[18 + place]));
        table.row(std::iter::once(format!("more than {more_than}")).chain(ours));
        let theirs = searched
            .iter()
            .map(|one| theirs_of(one).map_or_else(String::new, |thesis| grouped(thesis.pv_children[place])));
        table.row(std::iter::once("thesis".to_owned()).chain(theirs));
    }
    table.with_note("Table 5.7: nodes with so many PV children, from Q19 to Q23.", "")
}

fn searched_again(searched: &[Searched]) -> Chart {
    let x = X::names("position", searched.iter().map(name));
    let values = searched.iter().map(|one| Some(percent(one.answers[23], one.nodes))).collect();
    let title = "Figure 5.6: nodes searched again with an open window";
    Chart::new("figure-5-6", title, ChartKind::Bars, x, vec![Series::new("searched again", values)])
        .with_y(Axis::new("share of the nodes", Unit::Percent))
        .with_meaning("The answer of Q24 as a share of all nodes.", CHESS[23])
}

fn answers(searched: &[Searched]) -> Table {
    let names: Vec<String> = searched.iter().map(name).collect();
    let mut table = with_positions("query", &names);
    for place in 0..CHESS.len() {
        let cells = searched.iter().map(|one| grouped(one.answers[place]));
        table.row(std::iter::once(format!("Q{}", place + 1)).chain(cells));
    }
    table
}
