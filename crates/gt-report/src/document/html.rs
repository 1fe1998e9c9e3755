//! A report as one HTML file: styles and pictures inside, nothing fetched, no script.

use super::pieces::pieces;
use super::{Align, Block, Document, Finding, Picture, Table};
use crate::chart::Chart;
use crate::plot::{Size, escape, svg};

/// The width at which charts are drawn; a narrower page scales them down.
const CHART: Size = Size { width: 720.0, height: 300.0 };

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
    for (place, block) in document.blocks.iter().enumerate() {
        match block {
            Block::Heading(words) => {
                sections += 1;
                out += &format!("<h2 id=\"s{sections}\">{}</h2>\n", inline(words));
            }
            Block::Findings(findings) => out += &findings_html(findings, &document.blocks, place),
            block => out += &block_html(block, place),
        }
    }
    out + "</main>\n</body>\n</html>\n"
}

/// Links to the headings, if there are several.
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

/// The findings, each with a link to the later figure that shows more.
fn findings_html(findings: &[Finding], blocks: &[Block], place: usize) -> String {
    let figure = |title: &str| {
        let after = blocks.iter().enumerate().skip(place);
        after.filter_map(|(at, block)| (title_of(block)? == title).then_some(at)).next()
    };
    let item = |finding: &Finding| {
        let (word, sign) = (finding.level.word(), finding.level.sign());
        let class = word.split(' ').next().unwrap_or("");
        let next = match figure(&finding.next) {
            Some(at) => format!(
                "<p class=\"next\">Look next at <a href=\"#b{at}\">{}</a>.</p>",
                inline(&finding.next)
            ),
            None => String::new(),
        };
        format!(
            "<li class=\"is-{class}\"><span class=\"level\"><i aria-hidden=\"true\">{sign}</i> {word}</span><div><p>{}</p>{next}{}</div></li>\n",
            inline(&finding.words),
            query_html(&finding.query)
        )
    };
    format!("<ol class=\"findings\">\n{}</ol>\n", findings.iter().map(item).collect::<String>())
}

/// The title of a block that findings may point to.
fn title_of(block: &Block) -> Option<&str> {
    match block {
        Block::Subheading(words) => Some(words),
        Block::Chart(chart) => Some(&chart.title),
        Block::Heading(_)
        | Block::Paragraph(_)
        | Block::List(_)
        | Block::Table(_)
        | Block::Code(_)
        | Block::Numbers(_)
        | Block::Findings(_)
        | Block::Picture(_) => None,
    }
}

fn picture_html(picture: &Picture) -> String {
    let caption = match picture.caption.as_str() {
        "" => String::new(),
        caption => format!("<figcaption>{}</figcaption>\n", inline(caption)),
    };
    format!(
        "<figure class=\"picture\"><div class=\"scroll\" style=\"max-width:{}px\">{}</div>{caption}</figure>\n",
        picture.width_max, picture.svg
    )
}

fn block_html(block: &Block, place: usize) -> String {
    match block {
        Block::Heading(words) => format!("<h2>{}</h2>\n", inline(words)),
        Block::Findings(findings) => findings_html(findings, &[], place),
        Block::Picture(picture) => picture_html(picture),
        Block::Subheading(words) => format!("<h3 id=\"b{place}\">{}</h3>\n", inline(words)),
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
        Block::Chart(chart) => chart_html(chart, place),
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

fn chart_html(chart: &Chart, place: usize) -> String {
    let caption = if chart.meaning.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>\n", inline(&chart.meaning))
    };
    let drawn = svg(chart, CHART);
    format!(
        "<figure id=\"b{place}\">\n<div class=\"scroll\">{drawn}</div>{caption}{}</figure>\n",
        query_html(&chart.query)
    )
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

/// The viewer's colours, light and dark.
const STYLE: &str = "\
:root{--ink:#17202b;--muted:#51606f;--line:#d9dee5;--page:#eef0f3;--paper:#ffffff;--accent:#1464b4;--look:#b3261e;--fair:#8a5a00;--good:#1a7f4b;\
--gt-ink:#17202b;--gt-muted:#51606f;--gt-grid:#d9dee5;--gt-paper:#ffffff;--gt-series-1:#2b7fc0;--gt-series-2:#e8a33d;--gt-series-3:#1f9a7a;--gt-series-4:#6b6fb5;--gt-series-5:#7cc3ec;--gt-series-6:#d9cf3c;--gt-series-7:#c4501a;--gt-series-8:#dc9cc2}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebf1;--muted:#a6b3c1;--line:#2e3845;--page:#12161c;--paper:#1a2029;--accent:#6db3f5;--look:#ff8a80;--fair:#e8bd6a;--good:#5fce95;\
--gt-ink:#e6ebf1;--gt-muted:#a6b3c1;--gt-grid:#2e3845;--gt-paper:#1a2029;--gt-series-1:#3f8fd2;--gt-series-3:#2aa585;--gt-series-4:#8084cc;--gt-series-5:#8accf0;--gt-series-6:#d9cf4a;--gt-series-7:#d8632a;--gt-series-8:#e3a9cb}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",Arial,sans-serif;overflow-wrap:break-word}
main{max-width:940px;margin:0 auto;padding:40px 20px 80px}
h1{font-size:32px;line-height:1.2;letter-spacing:-.01em;margin:0 0 12px}
h2{font-size:23px;margin:56px 0 12px;padding-top:20px;border-top:1px solid var(--line)}
h3{font-size:17px;margin:32px 0 8px}
p,ul{max-width:70ch;margin:10px 0}
ul{padding-left:22px}li{margin:4px 0}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
nav{display:flex;flex-wrap:wrap;gap:6px 20px;margin:16px 0 8px;font-size:14px}
.numbers{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(200px,100%),1fr));gap:12px;margin:20px 0}
.numbers div{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:14px 16px}
.numbers b{display:block;font-size:24px;line-height:1.25;font-variant-numeric:tabular-nums}
.numbers span{display:block;font-size:13px;line-height:1.4;color:var(--muted);margin-top:2px}
.findings{list-style:none;margin:20px 0;padding:0;background:var(--paper);border:1px solid var(--line);border-radius:8px}
.findings li{display:grid;grid-template-columns:96px 1fr;gap:12px;margin:0;padding:12px 16px}
.findings li+li{border-top:1px solid var(--line)}
.findings p{margin:0}.findings .next{font-size:14px;margin-top:4px}
.level{font-size:13px;font-weight:600;line-height:1.9;color:var(--muted);white-space:nowrap}.level i{font-style:normal}
.is-look .level{color:var(--look)}.is-fair .level{color:var(--fair)}.is-good .level{color:var(--good)}
figure,.table,pre{background:var(--paper);border:1px solid var(--line);border-radius:8px}
figure{margin:18px 0;padding:14px 16px 12px}
.scroll{overflow-x:auto}
figure svg{display:block;width:100%;height:auto}
figure .gt-chart,figure .gt-picture{min-width:520px}
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
figure pre,.findings pre{background:var(--page)}
details{margin:6px 0;min-width:0}summary{cursor:pointer;font-size:13px;color:var(--muted)}
@media(max-width:600px){main{padding:20px 12px 48px}h1{font-size:25px}h2{font-size:20px;margin-top:36px}\
.numbers{grid-template-columns:1fr 1fr;gap:8px}.numbers div{padding:10px 12px}.numbers b{font-size:19px;overflow-wrap:anywhere}\
.findings li{grid-template-columns:1fr;gap:2px;padding:10px 12px}.findings div{min-width:0}figure{padding:10px}th,td{padding:6px 10px}}
";
