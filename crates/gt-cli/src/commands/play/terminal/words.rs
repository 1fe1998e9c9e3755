//! A game in words.

use gt_play::live::{Ending, PlayedMove, SearchSummary, State, Thinking};
use gt_report::{Mates, grouped};

use crate::printable;

/// What a program has played: `black plays e7e5  (value 12, depth 6, 12,345 nodes)`
pub(super) fn played(state: &State, played: &PlayedMove) -> String {
    let side = state.seats[played.player].side;
    let told = |search| summary(state.game, search);
    let found = played.search.as_ref().map_or("from the book".to_owned(), told);
    format!("{side} plays {}  ({found})", played.text)
}

/// What a search has found, in a few words.
pub(super) fn summary(game: &str, search: &SearchSummary) -> String {
    let SearchSummary { depth, value, nodes, .. } = search;
    format!("{}, depth {depth}, {} nodes", value_text(game, *value), grouped(*nodes))
}

/// `mate in 3`, `won in 5 plies`, `value 12`.
fn value_text(game: &str, value: i32) -> String {
    match Mates::of_searches(game).text(i128::from(value), 0) {
        Some(decided) => decided,
        None => format!("value {value}"),
    }
}

/// What a program thinks now, for a line that is written again and again.
pub(super) fn thinking(state: &State, thinking: &Thinking) -> String {
    let side = state.seats[thinking.player].side;
    match &thinking.search {
        None => format!("{side} thinks …"),
        Some(search) => format!("{side} thinks: {}  {}", summary(state.game, search), search.line.join(" ")),
    }
}

/// `white wins: checkmate`
pub(super) fn ending(state: &State, ending: &Ending) -> String {
    let side = |player: usize| state.seats.get(player).map_or("?", |seat| seat.side);
    let last = ending.places.iter().max();
    let loser = ending.places.iter().position(|place| Some(place) == last && *place > 1).map(side);
    let reason = match (ending.reason.as_str(), loser) {
        ("resigned", Some(loser)) => format!("{loser} resigned"),
        ("time", Some(loser)) => format!("{loser} ran out of time"),
        (reason, _) => printable::line(reason).into_owned(),
    };
    match (ending.winner(), loser) {
        (Some(winner), _) => format!("{} wins: {reason}", side(winner)),
        (None, Some(_)) => format!("the game is over: {reason}"),
        (None, None) => format!("draw: {reason}"),
    }
}

/// Who plays, a line each, with clocks and the one to move.
pub(super) fn seats(state: &State) -> String {
    let line = |(player, seat): (usize, &gt_play::live::SeatState)| {
        let level = seat.level.map_or(String::new(), |level| format!(", level {level}"));
        let left = state.clocks.as_ref().map(|clocks| format!("  {}", clock(clocks.left_ms[player])));
        let turn = if state.to_move == player && state.result.is_none() { "  to move" } else { "" };
        let name = printable::line(&seat.name);
        format!("  {:<6}{name}{level}{}{turn}\n", seat.side, left.unwrap_or_default())
    };
    state.seats.iter().enumerate().map(line).collect()
}

/// The moves so far, a line for each round.
pub(super) fn moves_played(state: &State) -> String {
    let texts: Vec<&str> = state.moves.iter().map(|played| played.text.as_str()).collect();
    let rounds = texts.chunks(state.seats.len().max(1)).enumerate();
    rounds.map(|(index, round)| format!("{:>3}. {}\n", index + 1, round.join(" "))).collect()
}

/// What is left on a clock: `4:32`, or `0:07.3` where seconds are few.
pub(super) fn clock(left_ms: u64) -> String {
    let (minutes, seconds) = (left_ms / 60_000, left_ms / 1000 % 60);
    match left_ms {
        0..20_000 => format!("{minutes}:{seconds:02}.{}", left_ms / 100 % 10),
        _ => format!("{minutes}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use gt_search::WIN;

    use super::value_text;

    #[test]
    fn who_wins_is_told_as_elsewhere() {
        let told = |game| [WIN - 5, 2 - WIN, -12].map(|value| value_text(game, value));
        assert_eq!(told("chess"), ["mate in 3", "mated in 1", "value -12"]);
        assert_eq!(told("connect-four"), ["won in 5 plies", "lost in 2 plies", "value -12"]);
    }
}
