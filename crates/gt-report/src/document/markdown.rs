//! A report as Markdown, its charts as SVG files beside it.

use std::collections::HashSet;

use super::pieces::pieces;
use super::{Align, Block, Document, Finding, Table};
use crate::chart::Chart;
use crate::plot::{Size, svg};

/// A report as files.
#[derive(Clone, Debug, PartialEq)]
pub struct Markdown {
    /// The text.
    pub text: String,
    /// The pictures: names of files in the text's folder, and their contents.
    pub pictures: Vec<(String, String)>,
}

/// Writes a report; `prefix` is the prefix of the pictures' names.
#[must_use]
pub fn markdown(document: &Document, prefix: &str) -> Markdown {
    let mut writer = Writer { text: String::new(), pictures: Vec::new(), names: HashSet::new(), prefix };
    if !document.title.is_empty() {
        writer.paragraph(&format!("# {}", inline(&document.title)));
    }
    document.blocks.iter().for_each(|block| writer.block(block));
    Markdown { text: writer.text.trim_end().to_owned() + "\n", pictures: writer.pictures }
}

struct Writer<'a> {
    text: String,
    pictures: Vec<(String, String)>,
    names: HashSet<String>,
    prefix: &'a str,
}

impl Writer<'_> {
    fn paragraph(&mut self, text: &str) {
        self.text += text;
        self.text += "\n\n";
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(words) => self.paragraph(&format!("## {}", inline(words))),
            Block::Subheading(words) => self.paragraph(&format!("### {}", inline(words))),
            Block::Paragraph(words) => self.paragraph(&inline(words)),
            Block::List(items) => {
                let items: Vec<String> = items.iter().map(|item| format!("- {}", inline(item))).collect();
                self.paragraph(&items.join("\n"));
            }
            Block::Numbers(numbers) => {
                let line =
                    |(value, what): &(String, String)| format!("- **{}** {}", inline(value), inline(what));
                self.paragraph(&numbers.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
            Block::Findings(findings) => {
                let line = |finding: &Finding| {
                    let next = if finding.next.is_empty() {
                        String::new()
                    } else {
                        format!(" (next: {})", inline(&finding.next))
                    };
                    format!("1. **{}**: {}{next}", finding.level.word(), inline(&finding.words))
                };
                self.paragraph(&findings.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
            Block::Picture(picture) => {
                let name = self.picture_name(&picture.name);
                self.pictures.push((name.clone(), picture.svg.clone()));
                self.paragraph(&format!("![{}]({name})", inline(&picture.caption)));
            }
            Block::Code(lines) => self.code("text", lines),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
        }
    }

    fn code(&mut self, language: &str, lines: &str) {
        let fence = "`".repeat(longest_run(lines).max(2) + 1);
        self.paragraph(&format!("{fence}{language}\n{}\n{fence}", lines.trim_end()));
    }

    fn table(&mut self, table: &Table) {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(table.columns.iter().map(|(heading, _)| cell(heading)).collect());
        let rule = |align: &Align| if *align == Align::Right { "--:" } else { "---" };
        text += &line(table.columns.iter().map(|(_, align)| rule(align).to_owned()).collect());
        for row in &table.rows {
            text += &line(row.iter().map(|text| cell(text)).collect());
        }
        self.paragraph(text.trim_end());
        if !table.note.is_empty() {
            self.paragraph(&inline(&table.note));
        }
        self.query(&table.query);
    }

    fn chart(&mut self, chart: &Chart) {
        let name = self.picture_name(&chart.name);
        self.pictures.push((name.clone(), svg(chart, Size::default())));
        self.paragraph(&format!("![{}]({name})", inline(&chart.title)));
        if !chart.meaning.is_empty() {
            self.paragraph(&inline(&chart.meaning));
        }
        self.query(&chart.query);
    }

    fn query(&mut self, query: &str) {
        if !query.is_empty() {
            self.code("gtql", query);
        }
    }

    /// A unique name of letters, digits and `-`.
    fn picture_name(&mut self, name: &str) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let base: String = name.chars().map(safe).collect();
        let candidates = (1_u32..).map(|number| match number {
            1 => format!("{}{base}.svg", self.prefix),
            number => format!("{}{base}-{number}.svg", self.prefix),
        });
        let free = candidates.into_iter().find(|candidate| !self.names.contains(candidate));
        let name = free.unwrap_or_default();
        self.names.insert(name.clone());
        name
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A cell: one line, without the bar that would end it.
fn cell(text: &str) -> String {
    inline(text).replace('\n', " ")
}

/// Text with its special characters escaped; `code` stays code.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (code, piece) in pieces(text) {
        if code {
            out += &format!("`{}`", piece.replace('|', "\\|"));
            continue;
        }
        for character in piece.chars() {
            if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&') {
                out.push('\\');
            }
            out.push(if character.is_control() { ' ' } else { character });
        }
    }
    out
}
