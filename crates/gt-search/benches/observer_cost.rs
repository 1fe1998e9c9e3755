//! What observing nothing costs: alpha-beta of this crate with the observer `()`, against the same alpha-beta written
//! out without one. The counts of both must be equal, and so, but for noise, the times.
//!
//! `cargo bench -p gt-search --bench observer_cost`; with `observed` or `bare` as an argument only that one runs, to
//! count its instructions with `valgrind --tool=callgrind`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use gt_games::chess::{Chess, SixTerms};
use gt_games::connect_four::{ConnectFour, Threats};
use gt_search::{Evaluate, Game, alpha_beta};

/// Many runs, each shorter than a turn on the processor: the best of them are those that nothing disturbed.
const RUNS: usize = 300;

fn main() {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    compare("connect four", &ConnectFour::new(), Threats, 8, only.as_deref());
    compare("chess", &Chess::new(), SixTerms, 4, only.as_deref());
}

fn compare<G: Game, E: Evaluate<G> + Copy>(
    name: &str,
    game: &G,
    evaluation: E,
    depth: u16,
    only: Option<&str>,
) {
    let observed = || {
        let result = alpha_beta(black_box(game), &evaluation, depth, &mut ());
        (result.value, result.nodes, result.evaluations)
    };
    let bare = || bare::alpha_beta(black_box(game), &evaluation, depth);
    match only {
        Some("observed") => println!("{name}: {:?}", observed()),
        Some("bare") => println!("{name}: {:?}", bare()),
        _ => {
            assert_eq!(observed(), bare(), "the same tree");
            let runs: Vec<_> = (0..RUNS).map(|_| (time(observed), time(bare))).collect();
            let best =
                |times: &mut dyn Iterator<Item = Duration>| times.min().unwrap_or_default().as_secs_f64();
            let with = best(&mut runs.iter().map(|run| run.0));
            let without = best(&mut runs.iter().map(|run| run.1));
            println!("{name:<14} with () {with:.4} s, without {without:.4} s, ratio {:.3}", with / without);
        }
    }
}

fn time<T>(run: impl Fn() -> T) -> Duration {
    let started = Instant::now();
    black_box(run());
    started.elapsed()
}

/// The algorithm of `alpha_beta` with its counts, its limits and its line, and no observer.
mod bare {
    use std::time::Instant;

    use gt_search::{Evaluate, Game, INFINITE, Outcome, WIN};

    struct Search<'a, G: Game, E> {
        game: G,
        evaluation: &'a E,
        moves: Vec<G::Move>,
        lines: Vec<Vec<G::Move>>,
        nodes: u64,
        look_at: u64,
        deadline: Option<Instant>,
        stopped: bool,
        evaluations: u64,
    }

    pub(crate) fn alpha_beta<G: Game, E: Evaluate<G>>(
        game: &G,
        evaluation: &E,
        depth: u16,
    ) -> (i32, u64, u64) {
        let mut search = Search {
            game: game.clone(),
            evaluation,
            moves: Vec::with_capacity(256),
            lines: Vec::new(),
            nodes: 0,
            look_at: 0,
            deadline: std::hint::black_box(None),
            stopped: false,
            evaluations: 0,
        };
        let value = search.node(0, depth as i16, -INFINITE, INFINITE);
        (value, search.nodes, search.evaluations)
    }

    impl<G: Game, E: Evaluate<G>> Search<'_, G, E> {
        fn node(&mut self, ply: u16, depth: i16, alpha: i32, beta: i32) -> i32 {
            self.nodes += 1;
            if self.nodes >= self.look_at {
                self.look();
            }
            self.clear_line(ply);
            if self.stopped {
                return alpha;
            }
            if let Some(value) = self.leaf(ply, depth) {
                return value;
            }
            let mut highest = -INFINITE;
            let start = self.moves.len();
            self.game.moves(&mut self.moves);
            for at in start..self.moves.len() {
                let mv = self.moves[at];
                let raised = alpha.max(highest);
                let undo = self.game.make(mv);
                let value = -self.node(ply + 1, depth - 1, -beta, -raised);
                self.game.undo(mv, undo);
                if self.stopped {
                    break;
                }
                if value > raised {
                    self.prefer(ply, mv);
                }
                highest = highest.max(value);
                if highest >= beta {
                    break;
                }
            }
            self.moves.truncate(start);
            highest
        }

        #[cold]
        fn look(&mut self) {
            self.stopped |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.look_at = self.nodes + 1024;
        }

        #[inline]
        fn leaf(&mut self, ply: u16, depth: i16) -> Option<i32> {
            match self.game.outcome() {
                Some(Outcome::Draw) => return Some(0),
                Some(Outcome::Win(player)) if player == self.game.to_move() => {
                    return Some(WIN - i32::from(ply));
                }
                Some(Outcome::Win(_)) => return Some(i32::from(ply) - WIN),
                None => (),
            }
            (depth <= 0).then(|| {
                self.evaluations += 1;
                self.evaluation.evaluate(&self.game)
            })
        }

        #[inline]
        fn clear_line(&mut self, ply: u16) {
            let ply = usize::from(ply);
            if self.lines.len() <= ply {
                self.lines.resize_with(ply + 1, Vec::new);
            }
            self.lines[ply].clear();
        }

        fn prefer(&mut self, ply: u16, mv: G::Move) {
            let (upper, lower) = self.lines.split_at_mut(usize::from(ply) + 1);
            let line = &mut upper[usize::from(ply)];
            line.clear();
            line.push(mv);
            if let Some(child) = lower.first() {
                line.extend_from_slice(child);
            }
        }
    }
}
