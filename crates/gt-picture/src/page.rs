//! A subtree as one page that opens from disk: the picture, the records of its largest nodes, their boards, the
//! matches of a query.
//!
//! ```text
//! draw ──▶ SVG with node numbers ┐
//! records: the largest nodes ────┼──▶ one HTML file: data as JSON, a small script, nothing fetched
//! positions along their lines ───┘
//! ```
//!
//! **Invariant:** the page holds at most [`Page::records`] records and [`records::MATCHES_MAX`] further matches, each text cut
//! at [`records::TEXT_MAX`] letters, and says so.

mod records;

use gt_games::board::Board;
use gt_query::engine::Options;
use gt_report::plot::escape;
use gt_report::{counted, grouped};
use serde_json::{Value as Json, json};

use crate::board::{Geometry, ground};
use crate::error::Error;
use crate::options::PictureOptions;
use crate::question::{Root, Subject};
use crate::{draw, legend, pieces, position};
use records::Records;

/// The default number of records in a page.
pub const RECORDS_DEFAULT: usize = 2000;

/// A page, and its statistics.
#[derive(Clone, Debug)]
pub struct Page {
    /// The file's text.
    pub html: String,
    /// The number of nodes with records.
    pub records: usize,
    /// The number of nodes in the subtree.
    pub nodes: u64,
}

/// Makes the page of a subtree, with the records of at most this many of its largest nodes.
///
/// # Errors
/// Returns the errors of [`draw`].
pub fn page(
    subject: &Subject<'_>,
    wanted: &PictureOptions<'_>,
    records_max: usize,
    options: &Options<'_>,
) -> Result<Page, Error> {
    let root = subject.root(wanted.node, options)?;
    let picture = draw(subject, &PictureOptions { numbered: true, ..wanted.clone() }, options)?;
    let records = Records::of(subject, &root, wanted.marks.map(|(set, _)| set), records_max, options)?;
    let game = position::root(subject.log, subject.tree);
    let notes = notes(&root, &records, game.as_ref().err());
    let board = game.as_ref().ok().and_then(|game| {
        let (kind, board) = (game.kind(), Board::of(&**game));
        let geometry = Geometry::of(&board)?;
        Some(Drawing { kind, ground: ground(kind, &board, &geometry, &[]), geometry, board })
    });
    let data = json!({
        "root": root.node,
        "attributes": subject.log.schema().attributes().iter().map(|attribute| &attribute.name).collect::<Vec<_>>(),
        "records": records.to_json(subject, game.as_deref().ok()),
        "board": board.as_ref().map(Drawing::to_json),
    });
    let symbols = board
        .as_ref()
        .map_or_else(String::new, |drawing| drawing.symbols(&records.pieces(game.as_deref().ok())));
    let about = legend::about(subject, &root);
    let count = records.len();
    let html = assemble(wanted.title, &about, &notes, &picture, &symbols, &data);
    Ok(Page { html, records: count, nodes: root.size })
}

/// Notes on what the page contains, and what it does not.
fn notes(root: &Root, records: &Records, no_board: Option<&String>) -> Vec<String> {
    let mut notes = vec![if records.len() as u64 >= root.size {
        format!("This page holds the records of all {}.", counted(root.size, "node"))
    } else {
        format!(
            "This page holds the records of {} of {}: those with the largest subtrees{}. The picture is of all.",
            grouped(records.len() as u64),
            counted(root.size, "node"),
            if records.has_matches { ", and the first matches" } else { "" }
        )
    }];
    notes.extend(no_board.map(|sentence| format!("No board: {sentence}.")));
    notes
}

/// The board that all positions are drawn on.
struct Drawing {
    kind: gt_games::GameKind,
    ground: String,
    geometry: Geometry,
    board: Board,
}

impl Drawing {
    fn to_json(&self) -> Json {
        let corner = |cell: &gt_games::board::Cell| {
            let (x, y) = self.geometry.middle(cell.x, cell.y);
            json!([x - self.geometry.cell / 2.0, y - self.geometry.cell / 2.0])
        };
        json!({
            "width": self.geometry.width, "height": self.geometry.height, "cell": self.geometry.cell,
            "ground": self.ground, "corners": self.board.cells.iter().map(corner).collect::<Vec<_>>(),
            "places": self.board.cells.iter().map(|cell| &cell.place).collect::<Vec<_>>(),
        })
    }

    fn symbols(&self, letters: &[char]) -> String {
        let symbol = |letter: &char| {
            format!(
                "<symbol id=\"piece-{}\" viewBox=\"0 0 40 40\">{}</symbol>",
                u32::from(*letter),
                pieces::piece(self.kind, *letter)
            )
        };
        format!(
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\">{}</svg>",
            letters.iter().map(symbol).collect::<String>()
        )
    }
}

fn assemble(title: &str, about: &str, notes: &[String], picture: &str, symbols: &str, data: &Json) -> String {
    let title = escape(title);
    let notes: String = notes.iter().map(|note| format!("<p class=\"note\">{}</p>", escape(note))).collect();
    // Nothing in the data can end its script element.
    let data = data.to_string().replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>{title}</h1><p>{}</p></header>\n{symbols}\n\
         <main>\n<section id=\"picture\" tabindex=\"0\" aria-label=\"picture of the tree\">\n{picture}</section>\n\
         <aside><div id=\"board\"></div><div id=\"record\" aria-live=\"polite\"></div></aside>\n</main>\n<footer>{notes}</footer>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(about)
    )
}

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");
