//! Two threads against one: the time to the same depth.

use std::time::Instant;

use gt_bench::row;
use gt_games::registry::{GameKind, Setup};
use gt_play::{EngineOptions, Request};
use gt_search::Limits;

use crate::Outcome;

/// What threads race for differs from run to run.
const RUNS: usize = 3;

struct Course {
    game: GameKind,
    name: &'static str,
    board: Option<&'static str>,
    depth: u16,
    /// The positions, as moves from the start.
    lines: &'static [&'static str],
}

const COURSES: [Course; 3] = [
    Course {
        game: GameKind::Chess,
        name: "chess, depth 12",
        board: None,
        depth: 12,
        lines: &[
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
            "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5",
            "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 b8d7",
            "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5",
            "e2e4 e7e6 d2d4 d7d5 b1c3 f8b4 e4e5 c7c5 a2a3 b4c3 b2c3 g8e7",
            "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5 e4g3 f5g6 h2h4 h7h6",
            "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5",
            "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8",
        ],
    },
    Course {
        game: GameKind::Amazons,
        name: "Amazons 10x10, depth 3",
        board: None,
        depth: 3,
        lines: &["", "d1-d7/g7 j7-g4/b4", "d1-d7/g7 a7-f2/f1", "g1-g7/d7 a7-d4/i4"],
    },
    Course {
        game: GameKind::Amazons,
        name: "Amazons 8x8, depth 4",
        board: Some("8x8"),
        depth: 4,
        lines: &["", "c1-c7/f4 f8-c5/e7"],
    },
];

pub(crate) fn run() -> Outcome<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("time to depth, the shortest of {RUNS} runs, {cores} cores");
    for course in &COURSES {
        let mut logs = Vec::new();
        for line in course.lines {
            let moves: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let (mut one, mut two) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..RUNS {
                one = one.min(seconds(course, &moves, 1)?);
                two = two.min(seconds(course, &moves, 2)?);
            }
            logs.push((two / one).ln());
        }
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        let each: Vec<String> = logs.iter().map(|log| format!("{:.2}", log.exp())).collect();
        row(
            &format!("two threads, {}", course.name),
            &format!("{mean:.2} ×"),
            &format!("at most 0.65 ×; each {}", each.join(" ")),
        );
    }
    Ok(())
}

/// The time of a fresh engine to the course's depth.
fn seconds(course: &Course, moves: &[String], threads: usize) -> Outcome<f64> {
    let setup = Setup { board: course.board.map(str::to_owned), ..Setup::default() };
    let mut engine = EngineOptions { threads, ..EngineOptions::default() }.open(course.game, &setup)?;
    engine.set_position(&setup, moves)?;
    let start = Instant::now();
    engine.think(&Request::new(Limits::depth(course.depth)), &mut |_| ());
    Ok(start.elapsed().as_secs_f64())
}
