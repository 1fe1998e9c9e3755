use super::*;
use crate::{Notation, perft};
use gt_search::{Evaluate, EvaluateAll};
use proptest::prelude::*;

fn start(players: usize) -> ChineseCheckers {
    ChineseCheckers::start(players).expect("a number of players")
}

#[test]
fn perft_of_the_starts() {
    let check = |players, counts: &[u64]| {
        for (depth, &count) in counts.iter().enumerate() {
            let found = perft(&mut start(players), depth as u32 + 1);
            assert_eq!(found, count, "{players} players depth {}", depth + 1);
        }
    };
    check(2, &[14, 196, 4_760, 115_600]);
    check(3, &[14, 196, 2_744, 66_640]);
    check(4, &[14, 199, 2_786, 39_601]);
    check(6, &[14, 199, 2_828, 40_189]);
}

#[test]
fn the_start_and_its_drawing() {
    let game = start(3);
    let text = "A/AA/AAA/AAAA/13/12/11/10/9/C8B/CC7BB/CCC6BBB/CCCC5BBBB/4/3/2/1 A 3 0";
    assert_eq!(game.position_text(), text);
    let drawing = "\
a              A
b             A A
c            A A A
d           A A A A
e  . . . . . . . . . . . . .
f   . . . . . . . . . . . .
g    . . . . . . . . . . .
h     . . . . . . . . . .
i      . . . . . . . . .
j     C . . . . . . . . B
k    C C . . . . . . . B B
l   C C C . . . . . . B B B
m  C C C C . . . . . B B B B
n           . . . .
o            . . .
p             . .
q              .
A to move
";
    assert_eq!(game.draw(), drawing);
}

#[test]
fn chains_of_hops_are_one_move() {
    // a     A         The piece on c1 steps to d2; it hops over c2 to c3 or over d1 to e5; and from c3
    // b    A .        on over d3 to e7 or over d4 to e9.
    // c   A A .
    // d  A . A A
    let text = "A/A1/AA1/A1AA/13/AAA9/11/10/9/10/11/12/13/BBBB/BBB/BB/B A 2 0";
    let game = ChineseCheckers::parse_position(text).expect("a position");
    let texts: Vec<String> = game.legal_moves().into_iter().map(|mv| game.move_text(mv)).collect();
    let from_c1: Vec<&str> = texts.iter().filter_map(|text| text.strip_prefix("c1-")).collect();
    assert_eq!(from_c1, ["c3", "d2", "e5", "e7", "e9"]);
}

#[test]
fn filling_the_opposite_point_wins() {
    let text = "B/BB/BBB/BBB1/5B7/12/11/10/9/10/11/12/5A7/1AAA/AAA/AA/A A 2 30";
    let mut game = ChineseCheckers::parse_position(text).expect("a position");
    assert_eq!(game.outcome(), None);
    let mv = game.parse_move("m6-n1").expect("a legal move");
    let mut values = [0; 2];
    Distance.evaluate_all(&game, &mut values);
    assert_eq!(values, [-1, -1]);
    game.make(mv);
    assert_eq!(game.outcome(), Some(Outcome::Win(0)));
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.parse_move("e6-d4").expect_err("over").to_string(), "`e6-d4`: the game is over");
}

#[test]
fn a_thousand_turns_are_a_draw() {
    let text = start(2).position_text().replace("A 2 0", "A 2 1000");
    let game = ChineseCheckers::parse_position(&text).expect("a position");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn who_cannot_move_passes() {
    // A's pieces fill a point; every hole one step or hop away is taken.
    let text = "A/AA/AAA/AAAA/4CCCCC4/3DDDDDD3/11/10/9/10/11/BBBBBBBBBB2/CCCCCDDDD4/4/3/2/1 A 4 0";
    let game = ChineseCheckers::parse_position(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.legal_moves(), [Move::Pass]);
    assert_eq!(game.parse_move("pass"), Ok(Move::Pass));
    assert_eq!(game.decode(game.encode(Move::Pass)), Ok(Move::Pass));
    let refused = start(2).parse_move("pass").expect_err("there are moves").to_string();
    assert_eq!(refused, "`pass`: A may pass only when no piece of his can move");
}

#[test]
fn every_player_starts_equally_far() {
    for players in [2, 3, 4, 6] {
        let mut values = vec![0; players];
        Distance.evaluate_all(&start(players), &mut values);
        assert_eq!(values, vec![-120; players]);
        assert_eq!(Distance.evaluate(&start(players)), 0);
    }
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let text = start(2).position_text();
    let check = |from: &str, to: &str, end: &str| {
        let error = ChineseCheckers::parse_position(&text.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.ends_with(end), "{error}");
    };
    check("A 2 0", "A 5 0", "there are 2, 3, 4 or 6 players");
    check("A 2 0", "C 2 0", "the mover is one of `AB`");
    check("A 2 0", "A 2 1001", "the number of turns is from 0 to 1000");
    check("A/", "1/", ": with 2 players A has 10 pieces, here 9");
    check("13/", "12/", "the star has rows of 1 2 3 4 13 12 11 10 9 10 11 12 13 4 3 2 1 holes");
    let game = start(2);
    let error = |text: &str| game.parse_move(text).expect_err(text).to_string();
    assert_eq!(error("d1-e1"), "`d1-e1`: no step and no chain of hops leads from d1 to e1");
    assert_eq!(error("e1-e2"), "`e1-e2`: A has no piece on e1");
    assert!(error("d1-z9").starts_with("`d1-z9`, character 4: a hole is its row"));
    assert_eq!(
        ChineseCheckers::start(5).expect_err("five").to_string(),
        "`5`: Chinese checkers is for 2, 3, 4 or 6 players"
    );
}

/// The turns found by trying every single step and hop, as people at a table would.
fn plain_moves(game: &ChineseCheckers) -> Vec<Move> {
    fn hop_on(others: Holes, at: Hole, visited: &mut Vec<Hole>) {
        for (over, landing) in at.hops() {
            let free = others & BIT[landing.index()] == 0;
            if others & BIT[over.index()] != 0 && free && !visited.contains(&landing) {
                visited.push(landing);
                hop_on(others, landing, visited);
            }
        }
    }
    let mut moves = Vec::new();
    for from in game.pieces(game.to_move()) {
        let others = game.occupied() & !BIT[from.index()];
        let mut visited = vec![from];
        hop_on(others, from, &mut visited);
        let steps = NEIGHBOURS[from.index()].into_iter().flatten();
        visited.extend(steps.filter(|next| others & BIT[next.index()] == 0));
        moves.extend(visited.into_iter().filter(|&to| to != from).map(|to| Move::Go(from, to)));
    }
    moves.sort();
    moves.dedup();
    moves
}

proptest! {
    #[test]
    fn moves_are_the_plain_ones_and_distances_are_kept(
        players in prop::sample::select(vec![2usize, 3, 4, 6]),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..150),
    ) {
        let mut game = start(players);
        for choice in choices {
            let mut moves = game.legal_moves();
            if game.outcome().is_some() {
                break;
            }
            game.make(*choice.get(&moves));
            moves = game.legal_moves();
            moves.sort();
            if game.outcome().is_none() && moves != [Move::Pass] {
                prop_assert_eq!(moves, plain_moves(&game));
            }
        }
        let again = ChineseCheckers::from_parts(game.pieces, players, game.to_move(), game.turns);
        prop_assert_eq!(again, game);
    }
}
