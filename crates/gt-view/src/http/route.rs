//! Which call is made, and its parameters read.

use std::sync::Arc;

use axum::http::Method;
use axum::response::Response;

use gt_query::engine::NodeSet;

use super::params::Params;
use super::{queries, reply};
use crate::app::App;
use crate::calls::{self, Subject};
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Opened;
use crate::picture::{View, Wanted};
use crate::query::runs::Run;

/// A request to the API, read.
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) body: Vec<u8>,
}

impl Asked {
    /// Whether it looks at a few nodes only: not at whole trees, as queries do and colours that are computed.
    pub(super) fn is_quick(&self) -> bool {
        match self.path.as_str() {
            "/api/node" | "/api/children" | "/api/board" | "/api/find" => true,
            "/api/picture" => {
                self.query.split('&').filter_map(|pair| pair.strip_prefix("color=")).all(|color| {
                    let name = color.strip_prefix('@').or_else(|| color.strip_prefix("%40")).unwrap_or(color);
                    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                })
            }
            _ => false,
        }
    }
}

/// Refuses all methods but one.
pub(super) fn only(method: &Method, allowed: Method) -> Answer<()> {
    if *method == allowed {
        return Ok(());
    }
    let name = match allowed {
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "GET",
    };
    let shown: String = method.as_str().chars().take(20).collect();
    Err(Refusal::new(
        Kind::Method(name),
        format!("{} is not for this call: it takes {name}", shown.escape_debug()),
    ))
}

/// Makes the call that is asked for.
pub(super) fn route(app: &Arc<App>, asked: &Asked) -> Answer<Response> {
    let call = asked.path.strip_prefix("/api/").unwrap_or("");
    let get = || only(&asked.method, Method::GET);
    match call {
        "logs" => get().and_then(|()| {
            Params::read(&asked.query, &[])?;
            reply::json(&calls::logs::listing(&app.logs))
        }),
        "node" => get().and_then(|()| node(app, &asked.query)),
        "children" => get().and_then(|()| children(app, &asked.query)),
        "find" => get().and_then(|()| find(app, &asked.query)),
        "picture" => get().and_then(|()| picture(app, &asked.query)),
        "board" => get().and_then(|()| board(app, &asked.query)),
        "check" => queries::check(app, asked),
        "complete" => queries::complete(app, asked),
        "library" => queries::library(app, asked),
        "charts" => queries::charts(app, asked),
        "chart" => queries::chart(app, asked),
        "runs" => queries::start(app, asked),
        _ if call.starts_with("runs/") => queries::run(app, asked, &call["runs/".len()..]),
        _ => {
            let shown: String = asked.path.chars().take(80).collect();
            Err(Refusal::new(Kind::Missing, format!("there is no call `{}`", shown.escape_debug())))
        }
    }
}

/// The log and the tree's number that parameters name.
pub(super) fn subject(app: &App, params: &Params) -> Answer<(Arc<Opened>, usize)> {
    let (log, tree) = (index(params.number("log", 0)?), index(params.number("tree", 0)?));
    Ok((app.logs.get(log)?.opened(), tree))
}

/// A number as a place in a list; beyond all lists where it is too large.
pub(super) fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn node(app: &App, query: &str) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node"])?;
    let (opened, tree) = subject(app, &params)?;
    let mut subject = Subject::new(&app.logs, &opened, tree)?;
    reply::json(&calls::node::node(&mut subject, params.number("node", 0)?)?)
}

fn children(app: &App, query: &str) -> Answer<Response> {
    let names = ["log", "tree", "node", "offset", "limit", "marks", "result"];
    let params = Params::read(query, &names)?;
    let (opened, tree) = subject(app, &params)?;
    let mut subject = Subject::new(&app.logs, &opened, tree)?;
    let (node, offset) = (params.number("node", 0)?, params.number("offset", 0)?);
    let limit = params.within("limit", 100, 0..=1000)?;
    let mut listed =
        |matches: Option<&NodeSet>| calls::children::children(&mut subject, node, offset, limit, matches);
    match marking(app, &params)? {
        Some(run) => reply::json(&queries::with_matches(&run, params.number("result", 0)?, |matches| {
            listed(Some(matches))
        })??),
        None => reply::json(&listed(None)?),
    }
}

fn find(app: &App, query: &str) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node", "line", "from"])?;
    let (opened, tree) = subject(app, &params)?;
    let mut subject = Subject::new(&app.logs, &opened, tree)?;
    let found = match (params.text("line"), params.maybe_number("node")?) {
        (Some(line), None) => calls::find::line(&mut subject, params.number("from", 0)?, line)?,
        (None, Some(node)) => calls::find::node(&mut subject, node)?,
        _ => return Err(Refusal::bad("line", "give either `line` or `node`: what is to be found")),
    };
    reply::json(&found)
}

fn board(app: &App, query: &str) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "node"])?;
    let (opened, tree) = subject(app, &params)?;
    let mut subject = Subject::new(&app.logs, &opened, tree)?;
    reply::json(&calls::board::board(&mut subject, params.number("node", 0)?)?)
}

fn picture(app: &App, query: &str) -> Answer<Response> {
    let names = ["log", "tree", "node", "view", "width", "height", "plies", "color", "marks", "result"];
    let params = Params::read(query, &names)?;
    let (opened, tree) = subject(app, &params)?;
    let view = match params.one_of("view", &["icicle", "treemap"])? {
        "treemap" => View::Treemap,
        _ => View::Icicle,
    };
    let plies = if view == View::Icicle { 40 } else { 8 };
    let wanted = Wanted {
        node: params.number("node", 0)?,
        view,
        width: params.within("width", 1200, 1..=10_000)? as u32,
        height: params.within("height", 700, 1..=10_000)? as u32,
        plies: params.within("plies", plies, 1..=1000)? as u32,
        color: params.text("color").unwrap_or("").to_owned(),
    };
    let drawn = app.picture(&opened, tree, wanted)?;
    let Some(run) = marking(app, &params)? else { return reply::json(&*drawn) };
    let mut marked = (*drawn).clone();
    queries::with_matches(&run, params.number("result", 0)?, |matches| marked.mark(matches))?;
    reply::json(&marked)
}

/// The run whose matches are to be marked.
fn marking(app: &App, params: &Params) -> Answer<Option<Arc<Run>>> {
    let Some(number) = params.maybe_number("marks")? else { return Ok(None) };
    let run = app.runs.get(number).map_err(|refusal| refusal.at("marks"))?;
    let asked = (index(params.number("log", 0)?), index(params.number("tree", 0)?));
    if (run.question.log, run.question.tree) != asked {
        return Err(Refusal::bad("marks", format!("run {number} is about another tree")));
    }
    Ok(Some(run))
}
