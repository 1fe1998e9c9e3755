//! The calls about the game that is played on the page.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use gt_play::{Level, LiveGame};
use serde::Deserialize;

use super::bodies::JsonBody;
use super::params::{Params, index};
use super::reply;
use crate::app::App;
use crate::calls::evaluation::EvaluationAnswer;
use crate::error::{Answer, Kind, Refusal};
use crate::play::{self, NewGame, Play, PlayState, SeatWish};
use crate::work::Cancel;

type Shared = State<Arc<App>>;

/// Answers a call about the game, on the lane for such calls.
async fn about_game(
    app: Arc<App>,
    call: impl FnOnce(&App, &Play) -> Answer<Response> + Send + 'static,
) -> Answer<Response> {
    let lane = Arc::clone(&app);
    let work = move |_: &Cancel| {
        let no_game = || Refusal::new(Kind::Missing, "no game is played here: `gt play` begins one");
        call(&app, app.play.as_ref().ok_or_else(no_game)?)
    };
    lane.lanes.games.run(work).await
}

/// Does something with the game; the answer is how it stands then.
async fn act(
    app: Arc<App>,
    action: impl FnOnce(&App, &Play) -> Answer<PlayState> + Send + 'static,
) -> Answer<Response> {
    about_game(app, |app, play| reply::json(&action(app, play)?)).await
}

/// Does something with the game that has no result of its own; the answer is the state of the game after it.
async fn simply(
    app: Arc<App>,
    action: impl FnOnce(&LiveGame) -> gt_play::Result<()> + Send + 'static,
) -> Answer<Response> {
    act(app, |app, play| play.act(&app.logs, action)).await
}

/// A body without anything in it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) async fn state(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    Params::read(query, &[])?;
    act(app, |app, play| play.state(&app.logs)).await
}

pub(super) async fn position(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["ply"])?;
    let ply = index(params.number("ply", 0)?);
    about_game(app, move |_, play| reply::json(&play.position(ply)?)).await
}

pub(super) async fn evaluation(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["ply", "evaluation"])?;
    let ply = index(params.number("ply", 0)?);
    let call = move |_: &App, play: &Play| {
        reply::json(&EvaluationAnswer::of(&*play.game_after(ply)?, params.text("evaluation"))?)
    };
    about_game(app, call).await
}

pub(super) async fn games(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    Params::read(query, &[])?;
    about_game(app, |_, _| reply::json(&play::games())).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct MoveBody {
    text: String,
    #[serde(default)]
    ply: Option<u64>,
}

pub(super) async fn make_move(State(app): Shared, JsonBody(body): JsonBody<MoveBody>) -> Answer<Response> {
    act(app, move |app, play| play.play(&app.logs, &body.text, body.ply)).await
}

pub(super) async fn take_back(State(app): Shared, _: JsonBody<Nothing>) -> Answer<Response> {
    simply(app, LiveGame::take_back).await
}

pub(super) async fn hint(State(app): Shared, _: JsonBody<Nothing>) -> Answer<Response> {
    simply(app, LiveGame::hint).await
}

pub(super) async fn now(State(app): Shared, _: JsonBody<Nothing>) -> Answer<Response> {
    simply(app, LiveGame::move_now).await
}

pub(super) async fn pause(State(app): Shared, _: JsonBody<Nothing>) -> Answer<Response> {
    simply(app, LiveGame::pause).await
}

pub(super) async fn resume(State(app): Shared, _: JsonBody<Nothing>) -> Answer<Response> {
    simply(app, LiveGame::resume).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerBody {
    player: u64,
}

pub(super) async fn resign(State(app): Shared, JsonBody(body): JsonBody<PlayerBody>) -> Answer<Response> {
    simply(app, move |game| game.resign(index(body.player))).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct SeatBody {
    player: u64,
    seat: SeatWish,
}

pub(super) async fn seat(State(app): Shared, JsonBody(body): JsonBody<SeatBody>) -> Answer<Response> {
    act(app, move |app, play| play.seat(&app.logs, index(body.player), &body.seat)).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct LevelBody {
    player: u64,
    level: Option<u8>,
}

pub(super) async fn level(State(app): Shared, JsonBody(body): JsonBody<LevelBody>) -> Answer<Response> {
    let change = move |game: &LiveGame| {
        let level = body.level.map(Level::new).transpose()?;
        game.set_level(index(body.player), level)
    };
    simply(app, change).await
}

pub(super) async fn new(State(app): Shared, JsonBody(body): JsonBody<NewGame>) -> Answer<Response> {
    act(app, move |app, play| play.begin_another(&app.logs, &body)).await
}

pub(super) async fn save(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    Params::read(query, &[])?;
    let saved = |_: &App, play: &Play| {
        let file = play.save()?;
        Ok(reply::download(file.content_type, &file.name, Body::from(file.text)))
    };
    about_game(app, saved).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct LoadBody {
    text: String,
}

pub(super) async fn load(State(app): Shared, JsonBody(body): JsonBody<LoadBody>) -> Answer<Response> {
    act(app, move |app, play| play.load(&app.logs, &body.text)).await
}
