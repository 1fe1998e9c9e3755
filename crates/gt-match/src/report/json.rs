//! A report as one JSON object; `docs/match.md` lists its keys. An unbounded number is `null`.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Duel, EntrantReport, Report};
use crate::budget::Budget;
use crate::run::EndedBy;
use crate::statistics::{Rate, Verdict};

pub(super) fn json(report: &Report) -> Value {
    let engines: Vec<Value> = (0..report.entrants.len()).map(|index| engine(report, index)).collect();
    json!({
        "game": report.game.name(),
        "board": report.board,
        "players": report.players,
        "seed": report.seed,
        "openings": {
            "source": report.openings,
            "played": report.rounds,
            "repeated": report.repeated,
        },
        "budget": budget(&report.budget),
        "games": report.games,
        "ended_by": match report.ended {
            EndedBy::Schedule => "schedule",
            EndedBy::Sprt => "sprt",
            EndedBy::Stop => "stop",
        },
        "engines": engines,
        "pairs": report.duel.as_ref().map(|duel| duel.pairs.0),
        "sprt": report.duel.as_ref().and_then(sprt),
        "virtual_draws": report.ratings.as_ref().map(|ratings| ratings.has_virtual_draws),
        "moves": report.moves,
        "seconds": report.elapsed.as_secs_f64(),
        "engine_seconds": report.engine_time.as_secs_f64(),
        "overhead_ms_per_move": report.overhead_per_move().as_secs_f64() * 1e3,
    })
}

fn engine(report: &Report, index: usize) -> Value {
    let EntrantReport { name, budget: own, score } = &report.entrants[index];
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| {
        object.insert(key.to_owned(), value);
    };
    set("name", json!(name));
    set("budget", own.as_ref().map_or(Value::Null, budget));
    set("seats", json!(score.seats));
    set("won", json!(score.won));
    set("drawn", json!(score.drawn));
    set("lost", json!(score.lost));
    set("points", json!(score.points));
    set("share", json!(score.points / score.seats.max(1) as f64));
    let tested: Option<&Rate> = score.rate.as_ref().filter(|rate| rate.p_value.is_some());
    set("share_interval", json!(tested.map(|rate| [rate.interval.0, rate.interval.1])));
    set("p_value", json!(tested.and_then(|rate| rate.p_value)));
    set("superiority", json!(tested.and_then(|rate| rate.superiority)));
    if report.players == 2 {
        let rating = report.ratings.as_ref().map(|ratings| ratings.ratings[index]);
        let elo = rating.map(|rating| rating.elo).or(score.rate.map(|rate| rate.elo()));
        let interval = rating
            .map(|rating| (rating.elo - rating.error, rating.elo + rating.error))
            .or(tested.map(Rate::elo_interval));
        set("elo", json!(elo.filter(|elo| elo.is_finite())));
        set("elo_interval", json!(interval.map(|(low, high)| [finite(low), finite(high)])));
    } else {
        set("places", json!(score.places));
        set("placement", json!(score.placement));
    }
    set("faults", json!(score.faults));
    set("first_fault", json!(score.first_fault));
    Value::Object(object)
}

fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

fn sprt(duel: &Duel) -> Option<Value> {
    let sprt = duel.sprt?;
    let (low, high) = sprt.test.bounds();
    Some(json!({
        "elo0": sprt.test.elo0,
        "elo1": sprt.test.elo1,
        "alpha": sprt.test.alpha,
        "beta": sprt.test.beta,
        "log_likelihood_ratio": sprt.ratio,
        "bounds": [low, high],
        "verdict": match sprt.verdict {
            Verdict::PlayOn => "play on",
            Verdict::Elo0 => "elo0",
            Verdict::Elo1 => "elo1",
        },
    }))
}

fn budget(budget: &Budget) -> Value {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    json!({
        "time": seconds(budget.time),
        "cpu": seconds(budget.cpu),
        "nodes": budget.nodes,
        "depth": budget.depth,
        "clock": budget.clock.map(|clock| [clock.base.as_secs_f64(), clock.increment.as_secs_f64()]),
    })
}
