//! Our searches against the crate `minimax` 0.6, same game, same evaluation, same run; processor time.
//!
//! `cargo bench -p gt-search --bench against_minimax`, and behind `--` a word of the rows that are wanted: `-- connect`

mod timing;

use std::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::time::Duration;

use gt_games::amazons::{Amazons, Mobility};
use gt_games::connect_four::{ConnectFour, Threats};
use gt_search::{Evaluate, Game, Limits, Options, Outcome, Searcher};
use minimax::{Evaluation, IterativeOptions, IterativeSearch, Strategy, Winner};
use timing::processor_time;

const RUNS: usize = 3;
/// What `minimax` takes if not told otherwise; both get it.
const TABLE_BYTES: usize = 1 << 20;

fn main() {
    println!("{:<24} {:>5} {:>9} {:>12} {:>9}", "", "depth", "value", "evaluations", "seconds");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    if is_wanted("amazons") {
        compare("amazons 10x10 mobility", &Amazons::default(), Mobility, 3);
    }
    if is_wanted("connect") {
        compare("connect four threats", &ConnectFour::new(), Threats, 16);
    }
}

fn compare<G, E>(name: &str, game: &G, evaluation: E, depth: u16)
where
    G: Game,
    E: Evaluate<G> + Copy,
{
    let ours = || {
        let result = Searcher::new(evaluation, Options { table_bytes: TABLE_BYTES, ..Options::default() })
            .search(game, &Limits::depth(depth));
        (result.value, result.evaluations)
    };
    let theirs = || search_with_minimax(game, evaluation, depth);
    // In turn, and the best of each: whatever else the machine does then falls on both.
    let runs: Vec<_> = (0..RUNS).map(|_| (processor_time(ours), processor_time(theirs))).collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let ours = line(name, depth, &ours);
    let theirs = line("  crate minimax 0.6", depth, &theirs);
    println!("  ratio {:.2}", theirs.as_secs_f64() / ours.as_secs_f64());
}

fn line(name: &str, depth: u16, runs: &[((i32, u64), Duration)]) -> Duration {
    let ((value, evaluations), time) = runs.iter().min_by_key(|(_, time)| *time).copied().expect("a run");
    println!("{name:<24} {depth:>5} {value:>9} {evaluations:>12} {:>9.3}", time.as_secs_f64());
    time
}

fn search_with_minimax<G: Game, E: Evaluate<G>>(game: &G, evaluation: E, depth: u16) -> (i32, u64) {
    let evaluations = Rc::new(Cell::new(0));
    let evaluator = Theirs { evaluation, evaluations: evaluations.clone(), game: PhantomData };
    let options = IterativeOptions::new().with_table_byte_size(TABLE_BYTES);
    let mut search = IterativeSearch::new(evaluator, options);
    search.set_max_depth(depth as u8);
    search.choose_move(game);
    (i32::from(search.root_value()), evaluations.get())
}

/// Our game as theirs. Positions are copied, which for these games is quicker than taking moves back.
struct Rules<G>(PhantomData<G>);

impl<G: Game> minimax::Game for Rules<G> {
    type S = G;
    type M = G::Move;

    fn generate_moves(state: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        state.moves(moves);
        if moves.is_empty() { Self::get_winner(state) } else { None }
    }
    fn apply(state: &mut G, mv: G::Move) -> Option<G> {
        let mut next = state.clone();
        next.make(mv);
        Some(next)
    }
    fn get_winner(state: &G) -> Option<Winner> {
        state.outcome().map(|outcome| match outcome {
            Outcome::Draw => Winner::Draw,
            Outcome::Win(player) if player == state.to_move() => Winner::PlayerToMove,
            Outcome::Win(_) => Winner::PlayerJustMoved,
        })
    }
    fn zobrist_hash(state: &G) -> u64 {
        state.hash()
    }
}

struct Theirs<G, E> {
    evaluation: E,
    evaluations: Rc<Cell<u64>>,
    game: PhantomData<G>,
}

impl<G: Game, E: Evaluate<G>> minimax::Evaluator for Theirs<G, E> {
    type G = Rules<G>;

    fn evaluate(&self, state: &G) -> Evaluation {
        self.evaluations.set(self.evaluations.get() + 1);
        self.evaluation.evaluate(state) as Evaluation
    }
}
