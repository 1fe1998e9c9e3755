//! A report as a table and some lines.

use std::fmt::Write as _;

use super::{Duel, EntrantReport, Report, SprtReport};
use crate::budget::Budget;
use crate::run::EndedBy;
use crate::statistics::{Rate, Verdict};

pub(super) fn text(report: &Report) -> String {
    let mut text = heading(report);
    text.push('\n');
    text.push_str(&table(report));
    let mut lines: Vec<String> = Vec::new();
    if let Some(duel) = &report.duel {
        lines.extend(duel_lines(duel, &report.entrants[0]));
    }
    if report.ratings.as_ref().is_some_and(|ratings| ratings.has_virtual_draws) {
        lines.push(
            "note: somebody won or lost everything; Elo is told with one drawn game added to each pairing"
                .to_owned(),
        );
    }
    lines.extend(report.entrants.iter().filter_map(faults));
    lines.extend(notes(report));
    lines.push(cost(report));
    text.push('\n');
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    text
}

fn heading(report: &Report) -> String {
    let board = report.board.as_ref().map_or(String::new(), |board| format!(" {board}"));
    let players = if report.players > 2 { format!(", {} players", report.players) } else { String::new() };
    let (games, rounds) = (counted(report.games, "game"), counted(report.rounds, "opening"));
    let mut text = format!("{}{board}{players}: {games} from {rounds} ({})\n", report.game, report.openings);
    let has_own = |entrant: &&EntrantReport| entrant.budget.is_some();
    if report.entrants.iter().any(|entrant| entrant.budget.is_none()) {
        let _ = writeln!(text, "{}", report.budget);
    }
    for entrant in report.entrants.iter().filter(has_own) {
        let _ = writeln!(text, "{}: {}", entrant.name, entrant.budget.unwrap_or(Budget::default()));
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn table(report: &Report) -> String {
    let mut rows = match (report.players, &report.ratings) {
        (2, None) => vec![words(&["engine", "games", "won", "drawn", "lost", "score", "Elo", "95%"])],
        (2, Some(_)) => vec![words(&["engine", "Elo", "95%", "games", "won", "drawn", "lost", "score"])],
        _ => vec![placement_heading(report.players)],
    };
    let mut order: Vec<usize> = (0..report.entrants.len()).collect();
    if let Some(ratings) = &report.ratings {
        order.sort_by(|&a, &b| ratings.ratings[b].elo.total_cmp(&ratings.ratings[a].elo));
    }
    for index in order {
        let entrant = &report.entrants[index];
        rows.push(match (report.players, &report.ratings) {
            (2, None) => score_row(entrant),
            (2, Some(ratings)) => {
                let rating = ratings.ratings[index];
                let elo = [elo_text(rating.elo), format!("±{:.0}", rating.error)];
                let [name, counts @ ..] = counts(entrant);
                [name].into_iter().chain(elo).chain(counts).collect()
            }
            _ => placement_row(entrant),
        });
    }
    aligned(&rows)
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The name, games, won, drawn, lost, score.
fn counts(entrant: &EntrantReport) -> [String; 6] {
    let score = &entrant.score;
    let share = if score.seats == 0 { "–".to_owned() } else { percent(score.points / score.seats as f64) };
    let [won, drawn, lost] = [score.won, score.drawn, score.lost].map(|count| count.to_string());
    [entrant.name.clone(), score.seats.to_string(), won, drawn, lost, share]
}

fn score_row(entrant: &EntrantReport) -> Vec<String> {
    let rate = entrant.score.rate.as_ref();
    let elo = rate.map_or("–".to_owned(), |rate| elo_text(rate.elo()));
    let interval = rate.filter(|rate| rate.p_value.is_some()).map_or("–".to_owned(), |rate| {
        let (low, high) = rate.elo_interval();
        format!("{} to {}", elo_text(low), elo_text(high))
    });
    counts(entrant).into_iter().chain([elo, interval]).collect()
}

fn placement_heading(players: usize) -> Vec<String> {
    let places = (1..=players).map(|place| match place {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{place}th"),
    });
    let ends = ["wins", "95%", "p-value", "points"].map(str::to_owned);
    ["engine".to_owned(), "seats".to_owned()].into_iter().chain(places).chain(ends).collect()
}

fn placement_row(entrant: &EntrantReport) -> Vec<String> {
    let score = &entrant.score;
    let places = score.places.iter().map(u64::to_string);
    let share = score.points / score.seats.max(1) as f64;
    let tested = score.rate.as_ref().filter(|rate| rate.p_value.is_some());
    let interval = tested.map_or("–".to_owned(), |rate| {
        format!("{} to {}", percent(rate.interval.0), percent(rate.interval.1))
    });
    let p_value = tested.and_then(|rate| rate.p_value).map_or("–".to_owned(), probability);
    let ends = [percent(share), interval, p_value, format!("{:.3}", score.placement)];
    [entrant.name.clone(), score.seats.to_string()].into_iter().chain(places).chain(ends).collect()
}

/// Aligns names to the left, numbers to the right, with two spaces between columns.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cell = |(column, cell): (usize, &String)| match column {
            0 => format!("{cell:<width$}", width = widths[column]),
            _ => format!("{cell:>width$}", width = widths[column]),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

fn duel_lines(duel: &Duel, first: &EntrantReport) -> Vec<String> {
    let counts = duel.pairs.0.map(|count| count.to_string()).join(" ");
    let mut lines =
        vec![format!("pairs of games by the points of {} (0, ½, 1, 1½, 2): {counts}", first.name)];
    if let Some(Rate { superiority: Some(superiority), p_value: Some(p_value), .. }) = first.score.rate {
        let superior = percent(superiority);
        let p_value = probability(p_value);
        lines.push(format!("{} is stronger with probability {superior}; p-value {p_value}", first.name));
    }
    lines.extend(duel.sprt.map(sprt_line));
    lines
}

fn sprt_line(sprt: SprtReport) -> String {
    let SprtReport { test, ratio, verdict } = sprt;
    let (low, high) = test.bounds();
    let verdict = match verdict {
        Verdict::PlayOn => format!("not decided between {} and {}", test.elo0, test.elo1),
        Verdict::Elo0 => format!("decided for {} Elo, against {}", test.elo0, test.elo1),
        Verdict::Elo1 => format!("decided for {} Elo, against {}", test.elo1, test.elo0),
    };
    format!("SPRT: {verdict}; log-likelihood ratio {ratio:.2}, bounds {low:.2} and {high:.2}")
}

fn faults(entrant: &EntrantReport) -> Option<String> {
    let reason = entrant.score.first_fault.as_ref()?;
    let kinds: Vec<String> =
        entrant.score.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    Some(format!("{} lost by faults: {}; the first: {reason}", entrant.name, kinds.join(", ")))
}

fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if report.repeated > 0 {
        notes.push(format!(
            "note: {} began where an earlier one did; engines without luck repeat their games there",
            counted(report.repeated, "opening")
        ));
    }
    if report.is_crowded {
        notes.push("note: more games were played at once than there are processors, so that engines took each other's time".to_owned());
    }
    if report.ended == EndedBy::Stop {
        notes.push("note: stopped before the end".to_owned());
    }
    notes
}

fn cost(report: &Report) -> String {
    format!(
        "{} in {:.1} s; overhead {:.3} ms a move",
        counted(report.moves, "move"),
        report.elapsed.as_secs_f64(),
        report.overhead_per_move().as_secs_f64() * 1e3
    )
}

fn elo_text(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        elo if elo.round() == 0.0 => "0".to_owned(),
        elo => format!("{elo:+.0}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn probability(number: f64) -> String {
    if number < 0.001 { "< 0.001".to_owned() } else { format!("{number:.3}") }
}
