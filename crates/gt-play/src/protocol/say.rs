//! Formats events as lines.

use gt_search::{win_distance_plies, written_value};

use crate::engine::{Progress, Thought};

/// The lines that report an iteration.
pub(super) fn progress(progress: &Progress, lines_wanted: usize) -> Vec<String> {
    let Progress { depth, lines, nodes, endings, elapsed } = progress;
    // Omitted if no table was asked.
    let endings = if *endings > 0 { format!(" tbhits {endings}") } else { String::new() };
    let milliseconds = elapsed.as_millis();
    let per_second = (*nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let line = |(index, line): (usize, &crate::LineText)| {
        let place = if lines_wanted > 1 { format!(" multipv {}", index + 1) } else { String::new() };
        let score = score(line.value);
        let moves = line.moves.join(" ");
        format!(
            "info depth {depth}{place} score {score} nodes {nodes} nps {per_second}{endings} time {milliseconds} pv {moves}"
        )
    };
    lines.iter().enumerate().filter(|(_, line)| !line.moves.is_empty()).map(line).collect()
}

/// The answer.
pub(super) fn best_move(thought: &Thought) -> String {
    match (&thought.best, &thought.expected) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(expected)) => format!("bestmove {best} ponder {expected}"),
    }
}

/// A value in the evaluation's units, or the number of the winner's moves to the end of the game.
fn score(value: i32) -> String {
    match win_distance_plies(value) {
        Some(plies) if value > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate -{}", plies / 2),
        None => format!("cp {}", written_value(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gt_search::{KnownEnding, WIN};

    #[test]
    fn mates_count_moves() {
        assert_eq!(score(WIN - 1), "mate 1");
        assert_eq!(score(WIN - 3), "mate 2");
        assert_eq!(score(2 - WIN), "mate -1");
        assert_eq!(score(-35), "cp -35");
        assert_eq!(score(KnownEnding::Win.value(4)), "cp 20000");
    }
}
