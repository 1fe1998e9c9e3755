//! A report as one HTML file: styles and pictures inside, nothing fetched, no script.

use super::{Align, Block, Document, Table, pieces};
use crate::chart::Chart;
use crate::plot::{Size, escape, svg};

/// How wide charts are drawn; the page scales them down where it is narrower.
const CHART: Size = Size { width: 860.0, height: 330.0 };

/// Writes a report.
#[must_use]
pub fn html(document: &Document) -> String {
    let title = escape(&document.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n"
    );
    out += &contents(document);
    let mut sections = 0;
    for block in &document.blocks {
        if let Block::Heading(words) = block {
            sections += 1;
            out += &format!("<h2 id=\"s{sections}\">{}</h2>\n", inline(words));
        } else {
            out += &block_html(block);
        }
    }
    out + "</main>\n</body>\n</html>\n"
}

/// Links to the headings, where there are several.
fn contents(document: &Document) -> String {
    let headings = document.blocks.iter().filter_map(|block| match block {
        Block::Heading(words) => Some(words),
        _ => None,
    });
    let links: Vec<String> = headings
        .enumerate()
        .map(|(k, words)| format!("<a href=\"#s{}\">{}</a>", k + 1, inline(words)))
        .collect();
    if links.len() < 2 { String::new() } else { format!("<nav>{}</nav>\n", links.join("\n")) }
}

fn block_html(block: &Block) -> String {
    match block {
        Block::Heading(words) => format!("<h2>{}</h2>\n", inline(words)),
        Block::Subheading(words) => format!("<h3>{}</h3>\n", inline(words)),
        Block::Paragraph(words) => format!("<p>{}</p>\n", inline(words)),
        Block::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Numbers(numbers) => {
            let card = |(value, what): &(String, String)| {
                format!("<div><b>{}</b><span>{}</span></div>\n", escape(value), inline(what))
            };
            format!("<div class=\"numbers\">\n{}</div>\n", numbers.iter().map(card).collect::<String>())
        }
        Block::Code(lines) => format!("<pre>{}</pre>\n", escape(lines.trim_end())),
        Block::Table(table) => table_html(table),
        Block::Chart(chart) => chart_html(chart),
    }
}

fn table_html(table: &Table) -> String {
    let cell = |element: &str, text: &str, align: &Align| {
        let class = if *align == Align::Right { " class=\"n\"" } else { "" };
        format!("<{element}{class}>{}</{element}>", inline(text))
    };
    let heads: String = table.columns.iter().map(|(heading, align)| cell("th", heading, align)).collect();
    let mut out = format!("<div class=\"table\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        let cells: String =
            row.iter().zip(&table.columns).map(|(text, (_, align))| cell("td", text, align)).collect();
        out += &format!("<tr>{cells}</tr>\n");
    }
    out += "</tbody></table></div>\n";
    if !table.note.is_empty() {
        out += &format!("<p class=\"note\">{}</p>\n", inline(&table.note));
    }
    out + &query_html(&table.query)
}

fn chart_html(chart: &Chart) -> String {
    let caption = if chart.meaning.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>\n", inline(&chart.meaning))
    };
    format!("<figure>\n{}{caption}{}</figure>\n", svg(chart, CHART), query_html(&chart.query))
}

fn query_html(query: &str) -> String {
    if query.is_empty() {
        return String::new();
    }
    format!("<details><summary>GTQL</summary><pre>{}</pre></details>\n", escape(query.trim_end()))
}

fn inline(text: &str) -> String {
    let piece = |(code, piece): (bool, &str)| {
        if code { format!("<code>{}</code>", escape(piece)) } else { escape(piece) }
    };
    pieces(text).into_iter().map(piece).collect()
}

const STYLE: &str = "\
:root{--ink:#1c2430;--muted:#5b6675;--line:#e2e6ec;--page:#f6f7f9;--paper:#ffffff;--accent:#1f4e8c}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf0;--muted:#9aa5b4;--line:#2b323d;--page:#0f1318;--paper:#14181f;--accent:#8fc0f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",sans-serif}
main{max-width:940px;margin:0 auto;padding:40px 20px 80px}
h1{font-size:32px;line-height:1.2;letter-spacing:-.01em;margin:0 0 12px}
h2{font-size:23px;margin:56px 0 12px;padding-top:20px;border-top:1px solid var(--line)}
h3{font-size:17px;margin:32px 0 8px}
p,ul{max-width:70ch;margin:10px 0}
ul{padding-left:22px}li{margin:4px 0}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
nav{display:flex;flex-wrap:wrap;gap:6px 20px;margin:16px 0 8px;font-size:14px}
.numbers{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px;margin:20px 0}
.numbers div{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:14px 16px}
.numbers b{display:block;font-size:24px;line-height:1.25;font-variant-numeric:tabular-nums}
.numbers span{display:block;font-size:13px;line-height:1.4;color:var(--muted);margin-top:2px}
figure,.table,pre{background:var(--paper);border:1px solid var(--line);border-radius:10px}
figure{margin:18px 0;padding:14px 16px 12px}
figure svg{display:block;width:100%;height:auto}
figcaption,.note{font-size:14px;line-height:1.5;color:var(--muted);max-width:80ch}
figcaption{margin:6px 0 4px}
.table{margin:16px 0 6px;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:6px 14px;text-align:left;vertical-align:top}
th{color:var(--muted);font-weight:500;border-bottom:1px solid var(--line);white-space:nowrap}
tbody tr+tr td{border-top:1px solid var(--line)}
.n{text-align:right;white-space:nowrap}
code,pre{font:13px/1.5 ui-monospace,\"SF Mono\",Menlo,Consolas,monospace}
pre{margin:12px 0;padding:12px 16px;overflow-x:auto}
figure pre{background:var(--page)}
details{margin:6px 0}summary{cursor:pointer;font-size:13px;color:var(--muted)}
";
