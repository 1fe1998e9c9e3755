//! `/api/drawing`: what the page's picture shows, as an SVG file to take away.

use std::cell::RefCell;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use gt_picture::{Error, PictureOptions, Subject, Theme, View};
use gt_query::MoveCodec;
use gt_query::engine::{NodeSet, Options};
use gt_report::NameMoves;

use super::nodes::{marking, opened};
use super::params::Params;
use super::{reply, runs};
use crate::app::App;
use crate::error::{Answer, Kind, Refusal};
use crate::work::Cancel;

pub(super) async fn drawing(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Answer<Response> {
    let names =
        ["log", "tree", "node", "view", "width", "color", "eachside", "theme", "marks", "result", "moves"];
    let params = Params::read(query, &names)?;
    let work = {
        let app = Arc::clone(&app);
        move |cancel: &Cancel| {
            let Some(run) = marking(&app, &params)? else { return drawn(&app, &params, None, cancel) };
            let what = run.question.text.trim();
            runs::with_matches(&run, params.number("result", 0)?, |matches| {
                drawn(&app, &params, Some((matches, what)), cancel)
            })?
        }
    };
    // All nodes of the subtree are looked at.
    app.lanes.scans.run(work).await
}

fn drawn(app: &App, params: &Params, marks: Option<(&NodeSet, &str)>, cancel: &Cancel) -> Answer<Response> {
    let (opened, tree) = opened(app, params)?;
    let tree = opened.tree(tree)?;
    let notation = opened.notation();
    let moves = notation.has_texts().then_some(&notation as &dyn MoveCodec);
    let scribe = if params.wants_san()? { opened.scribe(tree).map(RefCell::new) } else { None };
    let written = scribe
        .as_ref()
        .map(|scribe| move |before: &[i64], code: i64| scribe.borrow_mut().after(before, code));
    let written = written.as_ref().map(|written| written as &dyn NameMoves);
    let subject = Subject { log: &opened.log, tree, moves, written };
    let title = match opened.log.game() {
        "" => format!("Tree {}", tree.number()),
        game => format!("{game}, tree {}", tree.number()),
    };
    let widths = u64::from(*gt_picture::WIDTHS.start())..=u64::from(*gt_picture::WIDTHS.end());
    let wanted = PictureOptions {
        node: params.number("node", 0)?,
        view: match params.one_of("view", &["icicle", "treemap", "sunburst"])? {
            "treemap" => View::Treemap,
            "sunburst" => View::Sunburst,
            _ => View::Icicle,
        },
        width: params.within("width", 1200, widths)? as u32,
        height: None,
        color: params.text("color").unwrap_or(""),
        one_side: !params.truth("eachside")?,
        theme: match params.one_of("theme", &["light", "dark"])? {
            "dark" => Theme::Dark,
            _ => Theme::Light,
        },
        title: &title,
        marks,
        numbered: false,
    };
    let options = Options { cancel: Some(cancel.flag()), ..Options::default() };
    let svg = gt_picture::draw(&subject, &wanted, &options).map_err(refused)?;
    Ok(reply::download("image/svg+xml", "tree.svg", Body::from(svg)))
}

fn refused(error: Error) -> Refusal {
    match error {
        Error::NoNode { .. } => Refusal::missing("node", error.to_string()),
        Error::Color { .. } => Refusal::bad("color", error.to_string()),
        Error::Engine(failure) => failure.into(),
        Error::Log(error) => Refusal::new(Kind::Log, error.to_string()),
    }
}
