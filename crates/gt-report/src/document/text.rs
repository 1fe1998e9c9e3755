//! A report for a terminal.
//!
//! Lines are at most as wide as the terminal; in a wider table, the cells of its widest column of words are cut.

use unicode_width::UnicodeWidthStr;

use super::{Align, Block, Document, Finding, Level, Table};
use crate::plot::{Style, terminal};

/// The line length above which prose is hard to read, in characters.
const PROSE_MAX: usize = 96;
const GAP: usize = 2;

/// Writes a report.
#[must_use]
pub fn text(document: &Document, style: Style) -> String {
    let mut out = String::new();
    if !document.title.is_empty() {
        let title = style.cut(&style.shown(&document.title), style.width);
        let rule = if style.unicode { "═" } else { "=" };
        out += &format!("{}\n{}\n", style.bold(&title), style.faint(&rule.repeat(title.width())));
    }
    for block in &document.blocks {
        if !out.is_empty() {
            out += "\n";
        }
        out += &block_text(block, style);
    }
    out
}

fn block_text(block: &Block, style: Style) -> String {
    match block {
        Block::Heading(words) => {
            let words = style.cut(&style.shown(words), style.width);
            let rule = if style.unicode { "─" } else { "-" };
            format!("{}\n{}\n", style.bold(&words), style.faint(&rule.repeat(words.width())))
        }
        Block::Subheading(words) => format!("{}\n", style.bold(&style.cut(&style.shown(words), style.width))),
        Block::Paragraph(words) => wrapped(&style.shown(words), style.width, ""),
        Block::List(items) => {
            let bullet = if style.unicode { "• " } else { "- " };
            items
                .iter()
                .map(|item| format!("{bullet}{}", wrapped(&style.shown(item), style.width - 2, "  ")))
                .collect()
        }
        Block::Table(table) => table_text(table, style),
        Block::Chart(chart) => {
            let meaning = wrapped(&style.shown(&chart.meaning), style.width, "");
            let meaning: String = meaning.lines().map(|line| style.faint(line) + "\n").collect();
            terminal(chart, style) + &meaning
        }
        Block::Code(lines) => lines.lines().map(|line| format!("  {}\n", style.shown(line))).collect(),
        Block::Numbers(numbers) => numbers_text(numbers, style),
        Block::Findings(findings) => findings.iter().map(|finding| finding_text(finding, style)).collect(),
        Block::Picture(picture) => {
            let lines = picture.lines.lines().map(|line| format!("  {}\n", style.shown(line)));
            lines.chain([wrapped(&style.shown(&picture.caption), style.width, "")]).collect()
        }
    }
}

/// Words on lines of at most this width (and of a readable width); the lines after the first are indented.
pub(crate) fn wrapped(words: &str, width: usize, indent: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let width = width.min(PROSE_MAX);
    let (mut out, mut line) = (String::new(), 0);
    for word in words.split_whitespace() {
        if line > 0 && line + 1 + word.width() > width {
            out += "\n";
            out += indent;
            line = 0;
        }
        if line > 0 {
            out += " ";
            line += 1;
        }
        line += word.width();
        out += word;
    }
    out + "\n"
}

/// The sign of its level, the sentence, and the figure to look at next.
fn finding_text(finding: &Finding, style: Style) -> String {
    let sign = if style.unicode { finding.level.sign() } else { finding.level.ascii_sign() };
    let words = wrapped(&style.shown(&finding.words), style.width.saturating_sub(2), "  ");
    let next = match (finding.next.as_str(), finding.level) {
        ("", _) | (_, Level::Good | Level::Note) => String::new(),
        (next, Level::Look | Level::Fair) => {
            let arrow = if style.unicode { "→" } else { "->" };
            format!("  {}\n", style.faint(&style.shown(&format!("{arrow} {next}"))))
        }
    };
    format!("{sign} {words}{next}")
}

/// One value per line, with its description beside it.
fn numbers_text(numbers: &[(String, String)], style: Style) -> String {
    let widest = numbers.iter().map(|(value, _)| value.width()).max().unwrap_or(0);
    let line = |(value, what): &(String, String)| {
        let indent = " ".repeat(widest - value.width());
        let what =
            wrapped(&style.shown(what), style.width.saturating_sub(widest + 4), &" ".repeat(widest + 4));
        format!("  {indent}{}  {what}", style.bold(&style.shown(value)))
    };
    numbers.iter().map(line).collect()
}

fn table_text(table: &Table, style: Style) -> String {
    let widths = widths(table, style);
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for ((cell, width), (_, align)) in cells.zip(&widths).zip(&table.columns) {
            let cell = style.cut(&style.shown(cell), *width);
            let space = " ".repeat(width - cell.width().min(*width));
            text += &match align {
                Align::Right => format!("{space}{cell}"),
                Align::Left => format!("{cell}{space}"),
            };
            text += &" ".repeat(GAP);
        }
        text.truncate(text.trim_end().len());
        text
    };
    let heading = line(&mut table.columns.iter().map(|(heading, _)| heading.as_str()));
    let mut out = style.faint(&heading) + "\n";
    for row in &table.rows {
        out += &(line(&mut row.iter().map(String::as_str)) + "\n");
    }
    if table.rows.is_empty() {
        out += "(none)\n";
    }
    let note = wrapped(&style.shown(&table.note), style.width, "");
    out + &note.lines().map(|line| style.faint(line) + "\n").collect::<String>()
}

/// The columns' widths; if they do not all fit, the widest column of words shrinks.
fn widths(table: &Table, style: Style) -> Vec<usize> {
    const LEFT_MIN: usize = 12;
    let mut widths: Vec<usize> =
        table.columns.iter().map(|(heading, _)| style.shown(heading).width()).collect();
    for row in &table.rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = style.shown(cell).width().max(*width);
        }
    }
    let all = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    let words =
        table.columns.iter().zip(&widths).enumerate().filter(|(_, ((_, align), _))| *align == Align::Left);
    let widest = words.max_by_key(|(_, (_, width))| **width).map(|(place, _)| place);
    if let (Some(widest), Some(over)) = (widest, all.checked_sub(style.width)) {
        widths[widest] = widths[widest].saturating_sub(over).max(LEFT_MIN.min(widths[widest]));
    }
    widths
}
