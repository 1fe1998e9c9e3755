//! Wins keep their distance however a position is reached: a table stores distances from the position, and turns them
//! into distances from the root where it is asked.

use gt_search::{Evaluate, Game, Limits, Options, Outcome, Searcher, WIN, negamax};
use proptest::prelude::*;

/// Take as many matches as one of `takes`; who cannot, loses. Lines of different lengths lead to one position.
#[derive(Clone, Debug)]
struct Takeaway {
    matches: u64,
    to_move: usize,
    takes: Vec<u64>,
}

impl Game for Takeaway {
    type Move = u64;
    type Undo = ();
    fn to_move(&self) -> usize {
        self.to_move
    }
    fn outcome(&self) -> Option<Outcome> {
        let stuck = self.takes.iter().all(|&taken| taken > self.matches);
        stuck.then_some(Outcome::Win(1 - self.to_move))
    }
    fn moves(&self, moves: &mut Vec<u64>) {
        moves.extend(self.takes.iter().filter(|&&taken| taken <= self.matches));
    }
    fn make(&mut self, taken: u64) {
        self.matches -= taken;
        self.to_move = 1 - self.to_move;
    }
    fn undo(&mut self, taken: u64, (): ()) {
        self.matches += taken;
        self.to_move = 1 - self.to_move;
    }
    fn hash(&self) -> u64 {
        self.matches * 2 + self.to_move as u64
    }
    fn encode(&self, taken: u64) -> i64 {
        taken as i64
    }
}

struct Even;
impl Evaluate<Takeaway> for Even {
    fn evaluate(&self, _: &Takeaway) -> i32 {
        0
    }
}

/// The distance to the end by the rules alone: the winner hurries, the loser delays.
fn plies_to_end(takes: &[u64], matches: u64) -> i32 {
    let mut ends: Vec<i32> = Vec::new();
    for matches in 0..=matches as usize {
        let replies =
            takes.iter().filter_map(|&taken| matches.checked_sub(taken as usize)).map(|left| ends[left]);
        let lost = replies.clone().filter(|&value| value <= 0).max();
        let won = replies.clone().max();
        // Lost in n plies is -n, won in n plies is +n; a nearer loss of the opponent is the greater of his values.
        ends.push(match (lost, won) {
            (Some(lost), _) => 1 - lost,
            (None, Some(won)) => -1 - won,
            (None, None) => 0,
        });
    }
    ends[matches as usize]
}

fn takes() -> impl Strategy<Value = Vec<u64>> {
    proptest::sample::subsequence((1..=6u64).collect::<Vec<_>>(), 2..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn a_table_keeps_the_distance_of_wins(
        takes in takes(),
        matches in 1..18u64,
        depth in 1..11u16,
        iterative in any::<bool>(),
    ) {
        let game = Takeaway { matches, to_move: 0, takes };
        let expected = negamax(&game, &Even, depth, &mut ()).value;
        let options = Options { table_bytes: 1 << 16, iterative, ..Options::default() };
        let mut searcher = Searcher::new(Even, options);
        prop_assert_eq!(searcher.search(&game, &Limits::depth(depth)).value, expected);
        // What the table kept answers for the position one move on, too, whose root lies elsewhere.
        let mut after = game.clone();
        if let Some(mv) = game.first_move() {
            after.make(mv);
            let expected = negamax(&after, &Even, depth, &mut ()).value;
            prop_assert_eq!(searcher.search(&after, &Limits::depth(depth)).value, expected, "one move on");
        }
    }

    #[test]
    fn the_distance_is_that_of_the_rules(takes in takes(), matches in 1..40u64) {
        let game = Takeaway { matches, to_move: 0, takes: takes.clone() };
        let plies = plies_to_end(&takes, matches);
        let expected = if plies > 0 { WIN - plies } else { -plies - WIN };
        let value = Searcher::new(Even, Options::default()).search(&game, &Limits::depth(50)).value;
        prop_assert_eq!(value, expected);
    }
}
