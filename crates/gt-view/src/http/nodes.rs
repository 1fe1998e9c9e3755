//! The calls about logs and nodes: logs, node, children, find, picture, moment, board, evaluation, why.

use std::ops::Range;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use gt_query::engine::NodeSet;

use super::params::{Params, index};
use super::{reply, runs};
use crate::app::App;
use crate::calls::{self, Subject};
use crate::error::{Answer, Refusal};
use crate::logs::Opened;
use crate::picture::{PictureRequest, View};
use crate::query::runs::Run;
use crate::work::Cancel;

type Shared = State<Arc<App>>;

pub(super) async fn logs(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    Params::read(query, &[])?;
    reply::json(&calls::logs::listing(&app.logs, app.runs.file().as_deref(), app.play.is_some()))
}

/// The log and the tree's number that parameters name.
pub(super) fn opened(app: &App, params: &Params) -> Answer<(Arc<Opened>, usize)> {
    let (log, tree) = (index(params.number("log", 0)?), index(params.number("tree", 0)?));
    Ok((app.logs.get(log)?.opened(), tree))
}

/// Answers a call about the tree that parameters name, on the lane for such calls.
async fn about_tree(
    app: Arc<App>,
    params: Params,
    call: impl FnOnce(&mut Subject<'_>, &App, &Params) -> Answer<Response> + Send + 'static,
) -> Answer<Response> {
    let work = {
        let app = Arc::clone(&app);
        move |cancel: &Cancel| {
            let (opened, tree) = opened(&app, &params)?;
            let mut subject = Subject::new(&app.logs, &opened, tree, cancel)?;
            if params.wants_san()? {
                subject.write_down();
            }
            call(&mut subject, &app, &params)
        }
    };
    app.lanes.nodes.run(work).await
}

pub(super) async fn node(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node", "moves"])?;
    let call = |subject: &mut Subject<'_>, _: &App, params: &Params| {
        reply::json(&calls::node::node(subject, params.number("node", 0)?)?)
    };
    about_tree(app, params, call).await
}

pub(super) async fn board(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node", "moves"])?;
    let call = |subject: &mut Subject<'_>, _: &App, params: &Params| {
        reply::json(&calls::board::board(subject, params.number("node", 0)?)?)
    };
    about_tree(app, params, call).await
}

pub(super) async fn moment(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "after", "moves"])?;
    let call = |subject: &mut Subject<'_>, app: &App, params: &Params| {
        let moves = app.root_moves(subject)?;
        reply::json(&calls::moment::moment(subject, params.maybe_number("after")?, &moves)?)
    };
    about_tree(app, params, call).await
}

pub(super) async fn evaluation(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node", "evaluation"])?;
    let call = |subject: &mut Subject<'_>, _: &App, params: &Params| {
        let node = params.number("node", 0)?;
        reply::json(&calls::evaluation::at_node(subject, node, params.text("evaluation"))?)
    };
    about_tree(app, params, call).await
}

pub(super) async fn why(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node", "moves"])?;
    let lane = Arc::clone(&app);
    let work = move |cancel: &Cancel| {
        let (opened, tree) = opened(&app, &params)?;
        let mut subject = Subject::new(&app.logs, &opened, tree, cancel)?;
        if params.wants_san()? {
            subject.write_down();
        }
        reply::json(&calls::why::why(&mut subject, params.number("node", 0)?)?)
    };
    // All iterations of the search are looked at: the nodes' lane is for what takes no time.
    lane.lanes.scans.run(work).await
}

pub(super) async fn find(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node", "line", "from"])?;
    let call = |subject: &mut Subject<'_>, _: &App, params: &Params| {
        let found = match (params.text("line"), params.maybe_number("node")?) {
            (Some(line), None) => calls::find::line(subject, params.number("from", 0)?, line)?,
            (None, Some(node)) => calls::find::node(subject, node)?,
            _ => return Err(Refusal::bad("line", "give either `line` or `node`: what is to be found")),
        };
        reply::json(&found)
    };
    about_tree(app, params, call).await
}

pub(super) async fn children(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params =
        Params::read(query, &["log", "tree", "node", "offset", "limit", "marks", "result", "moves"])?;
    let call = |subject: &mut Subject<'_>, app: &App, params: &Params| {
        let (node, offset) = (params.number("node", 0)?, params.number("offset", 0)?);
        let limit = params.within("limit", 100, 0..=1000)?;
        let mut listed =
            |matches: Option<&NodeSet>| calls::children::children(subject, node, offset, limit, matches);
        match marking(app, params)? {
            Some(run) => reply::json(&runs::with_matches(&run, params.number("result", 0)?, |matches| {
                listed(Some(matches))
            })??),
            None => reply::json(&listed(None)?),
        }
    };
    about_tree(app, params, call).await
}

pub(super) async fn picture(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let names = [
        "log", "tree", "node", "view", "width", "height", "plies", "color", "marks", "result", "from", "to",
        "moves",
    ];
    let params = Params::read(query, &names)?;
    let wanted = wanted(&params)?;
    let lane = if is_name(&wanted.color) { &app.lanes.nodes } else { &app.lanes.scans };
    let work = {
        let app = Arc::clone(&app);
        move |cancel: &Cancel| {
            let (opened, tree) = opened(&app, &params)?;
            let drawn = app.picture(&opened, tree, wanted.clone(), cancel)?;
            let Some(run) = marking(&app, &params)? else { return reply::json(&*drawn) };
            let mut marked = (*drawn).clone();
            runs::with_matches(&run, params.number("result", 0)?, |matches| {
                app.mark(&mut marked, &opened, tree, &wanted, matches, cancel)
            })??;
            reply::json(&marked)
        }
    };
    lane.run(work).await
}

fn wanted(params: &Params) -> Answer<PictureRequest> {
    let view = match params.one_of("view", &["icicle", "treemap"])? {
        "treemap" => View::Treemap,
        _ => View::Icicle,
    };
    let plies = if view == View::Icicle { 40 } else { 8 };
    Ok(PictureRequest {
        node: params.number("node", 0)?,
        view,
        width: params.within("width", 1200, 1..=10_000)? as u32,
        height: params.within("height", 700, 1..=10_000)? as u32,
        plies: params.within("plies", plies, 1..=1000)? as u32,
        color: params.text("color").unwrap_or("").to_owned(),
        ids: stretch(params, view)?,
        written: params.wants_san()?,
    })
}

/// The node_ids that an icicle is to show.
fn stretch(params: &Params, view: View) -> Answer<Option<Range<u64>>> {
    let (from, to) = match (params.maybe_number("from")?, params.maybe_number("to")?) {
        (None, None) => return Ok(None),
        (Some(from), Some(to)) => (from, to),
        (Some(_), None) => return Err(Refusal::bad("to", "`from` and `to` go together")),
        (None, Some(_)) => return Err(Refusal::bad("from", "`from` and `to` go together")),
    };
    if view == View::Treemap {
        return Err(Refusal::bad("from", "only an icicle shows a stretch of node_ids"));
    }
    if from >= to {
        return Err(Refusal::bad("to", format!("`to` is beyond `from`, not {to}")));
    }
    Ok(Some(from..to))
}

/// Whether a colour is the name of a column, which is read at the nodes that are drawn: an expression may be a query of
/// the whole tree.
fn is_name(color: &str) -> bool {
    let name = color.strip_prefix('@').unwrap_or(color);
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The run whose matches are to be marked.
pub(super) fn marking(app: &App, params: &Params) -> Answer<Option<Arc<Run>>> {
    let Some(number) = params.maybe_number("marks")? else { return Ok(None) };
    let run = app.runs.get(number).map_err(|refusal| refusal.at("marks"))?;
    let asked = (index(params.number("log", 0)?), index(params.number("tree", 0)?));
    if (run.question.log, run.question.tree) != asked {
        return Err(Refusal::bad("marks", format!("run {number} is about another tree")));
    }
    Ok(Some(run))
}
