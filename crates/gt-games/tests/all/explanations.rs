//! The laws of explanations, for every evaluation of every game, on random positions.

use crate::random::Random;
use gt_games::board::{Board, Shape};
use gt_games::explain::{Balance, Explain, Explanation};
use gt_games::registry::{AnyEvaluation, AnyGame, GameKind, Playable, Setup, Task};
use gt_search::Evaluate;
use std::collections::HashSet;

/// Random positions of a game, the starts of all its numbers of players and some boards among them.
fn positions(kind: GameKind, games: u64) -> Vec<Box<dyn AnyGame>> {
    let mut positions = Vec::new();
    for &players in kind.player_counts() {
        for seed in 0..games {
            let setup = Setup { players: Some(players), ..Setup::default() };
            let mut game = kind.open(&setup).expect("a start");
            let mut random = Random(seed);
            while game.outcome().is_none() && positions.len() < 100_000 {
                positions.push(game.clone());
                let moves = game.moves();
                game.play(&moves[random.below(moves.len())].text).expect("a legal move");
                // Long games are looked at here and there.
                if moves.len() > 40 && random.below(4) > 0 {
                    positions.pop();
                }
            }
            positions.push(game);
        }
    }
    positions
}

fn explanations(game: &dyn AnyGame) -> Vec<Explanation> {
    let evaluations = game.kind().evaluations().iter();
    evaluations.map(|evaluation| game.explain(Some(evaluation.name)).expect("an evaluation")).collect()
}

#[test]
fn terms_add_up_to_the_value_in_every_evaluation() {
    for kind in GameKind::ALL {
        for game in positions(kind, 6) {
            for explanation in explanations(&*game) {
                terms_add_up(&*game, &explanation);
            }
        }
    }
}

fn terms_add_up(game: &dyn AnyGame, explanation: &Explanation) {
    let text = format!("{} by {}", game.position_text(), explanation.evaluation);
    let breakdown = &explanation.breakdown;
    let values = game.evaluate(Some(explanation.evaluation)).expect("an evaluation");
    assert_eq!(explanation.values, values, "{text}");
    let from_terms = breakdown.values(game.players());
    assert_eq!(from_terms, values.iter().map(|&value| i64::from(value)).collect::<Vec<_>>(), "{text}");
    let mover = game.to_move();
    let others = values.iter().enumerate().filter(|&(player, _)| player != mover);
    let expected = match breakdown.balance {
        Balance::Difference => values[mover],
        Balance::Own => values[mover] - others.map(|(_, &value)| value).max().expect("another player"),
    };
    assert_eq!(explanation.mover_value, expected, "{text}");
    if let Some(phase) = breakdown.phase {
        assert!((0..=phase.of).contains(&phase.now), "{text}: phase {phase:?}");
    }
    for term in &breakdown.terms {
        assert_eq!(term.shares.len(), game.players(), "{text}: {}", term.name);
    }
}

#[test]
fn every_map_covers_the_board_and_has_its_own_name() {
    for kind in GameKind::ALL {
        for game in positions(kind, 1) {
            let board = Board::of(&*game);
            if board.shape == Shape::Text {
                continue;
            }
            for explanation in explanations(&*game) {
                let maps = &explanation.breakdown.maps;
                let names: HashSet<&str> = maps.iter().map(|map| map.name).collect();
                assert_eq!(names.len(), maps.len(), "{kind}: two maps of one name");
                assert!(!maps.is_empty(), "{kind}: {} has no map", explanation.evaluation);
                for map in maps {
                    assert_eq!(map.cells.len(), board.cells.len(), "{kind}: {}", map.name);
                    let owners = map.cells.iter().filter_map(|cell| cell.owner);
                    assert!(owners.into_iter().all(|owner| owner < game.players()), "{kind}: {}", map.name);
                }
            }
        }
    }
}

/// The same position with the colours exchanged, where that is a position of the game: who begins is fixed in
/// tic-tac-toe and connect four by the number of marks.
fn colours_exchanged(game: &dyn AnyGame) -> Option<Box<dyn AnyGame>> {
    let text = game.position_text();
    let fields: Vec<&str> = text.split(' ').collect();
    let exchanged = match game.kind() {
        GameKind::TicTacToe | GameKind::ConnectFour | GameKind::ChineseCheckers => return None,
        GameKind::Thorns | GameKind::Tree => return None,
        GameKind::Amazons => {
            let board: String = fields[0].chars().map(exchanged_amazon).collect();
            format!("{board} {}", if fields[1] == "w" { "b" } else { "w" })
        }
        GameKind::Chess => {
            let rows: Vec<String> = fields[0].split('/').rev().map(case_exchanged).collect();
            let mover = if fields[1] == "w" { "b" } else { "w" };
            let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
            let castling = case_exchanged(fields[2]);
            // Rights are written white's first.
            let (white, black): (String, String) = castling.chars().partition(|letter| letter.is_uppercase());
            format!("{} {mover} {white}{black} {en_passant} {} {}", rows.join("/"), fields[4], fields[5])
        }
    };
    let game = game.kind().open(&Setup::position(&exchanged));
    Some(game.unwrap_or_else(|error| panic!("{exchanged}: {error}")))
}

fn exchanged_amazon(letter: char) -> char {
    match letter {
        'w' => 'b',
        'b' => 'w',
        other => other,
    }
}

fn case_exchanged(text: &str) -> String {
    let other_case = |letter: char| {
        if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    text.chars().map(other_case).collect()
}

#[test]
fn exchanging_the_colours_exchanges_the_shares() {
    let mut exchanges = 0;
    for kind in GameKind::ALL {
        for game in positions(kind, 4) {
            let Some(other) = colours_exchanged(&*game) else { continue };
            for (one, other) in explanations(&*game).iter().zip(explanations(&*other)) {
                let text = format!("{} by {}", game.position_text(), one.evaluation);
                assert_eq!(one.mover_value, other.mover_value, "{text}");
                for (term, exchanged) in one.breakdown.terms.iter().zip(&other.breakdown.terms) {
                    let mut shares = exchanged.shares.clone();
                    shares.reverse();
                    assert_eq!(term.shares, shares, "{text}: {}", term.name);
                }
                exchanges += 1;
            }
        }
    }
    assert!(exchanges > 500, "only {exchanges} positions had the colours exchanged");
}

/// A task that holds the board in every way it can be held.
struct HeldEveryWay;

impl Task for HeldEveryWay {
    type Output = Vec<(i32, Vec<i64>)>;

    /// The mover's value and the players' sums, in order of size, for each way.
    fn run<G: Playable>(self, game: G, evaluation: AnyEvaluation<G>) -> Self::Output {
        let seen = |symmetry: usize| {
            let turned = game.turned(symmetry);
            let breakdown = evaluation.break_down(&turned);
            let mut sums: Vec<i64> = (0..turned.players()).map(|player| breakdown.sum(player)).collect();
            sums.sort_unstable();
            (evaluation.evaluate(&turned), sums)
        };
        (0..game.symmetries()).map(seen).collect()
    }
}

#[test]
fn how_the_board_is_held_changes_no_sum() {
    for kind in GameKind::ALL {
        for game in positions(kind, 1) {
            for evaluation in kind.evaluations() {
                let setup = Setup::position(&game.position_text());
                let ways = kind.run(&setup, &[], Some(evaluation.name), HeldEveryWay).expect("a position");
                assert!(ways.iter().all(|way| *way == ways[0]), "{}: {ways:?}", game.position_text());
            }
        }
    }
}

/// The number of a map at a place, and whose it is.
fn at(game: &dyn AnyGame, map: &str, place: &str) -> (Option<usize>, Option<i32>) {
    let explanation = game.explain(None).expect("the first evaluation");
    let map = explanation.breakdown.maps.iter().find(|found| found.name == map).expect(map);
    let index = Board::of(game).cells.iter().position(|cell| cell.place == place).expect(place);
    (map.cells[index].owner, map.cells[index].number)
}

fn open(kind: GameKind, position: &str) -> Box<dyn AnyGame> {
    kind.open(&Setup::position(position)).expect(position)
}

#[test]
fn maps_say_what_stands_on_the_board() {
    let amazons = open(GameKind::Amazons, "3b/x3/4/w3 w");
    assert_eq!(at(&*amazons, "territory", "a2"), (Some(0), Some(1)));
    assert_eq!(at(&*amazons, "territory", "d2"), (Some(1), Some(1)));
    assert_eq!(at(&*amazons, "moves-white", "d2"), (Some(0), Some(2)));
    assert_eq!(at(&*amazons, "territory", "a3"), (None, None), "an arrow is nobody's");

    let four = open(GameKind::ConnectFour, "7/7/7/7/oo5/xxx4 o");
    assert_eq!(at(&*four, "threats", "d1"), (Some(0), Some(1)));
    assert_eq!(at(&*four, "open-lines-x", "d1").1, Some(7));
    assert_eq!(at(&*four, "open-lines-o", "d1").1, Some(4));

    let three = open(GameKind::TicTacToe, "3/1x1/3 o");
    assert_eq!(
        (at(&*three, "open-lines-x", "a1").1, at(&*three, "open-lines-o", "a1").1),
        (Some(3), Some(2))
    );

    let chess = open(GameKind::Chess, "4k3/8/8/8/8/5n2/4P3/4K3 w - - 0 1");
    assert_eq!(at(&*chess, "attacks", "f3"), (Some(0), Some(1)));
    assert_eq!(at(&*chess, "king-zones", "e1"), (Some(0), Some(1)), "the knight gives check");

    let star = GameKind::ChineseCheckers.open(&Setup::default()).expect("a start");
    assert_eq!(at(&*star, "pieces", "a1"), (Some(0), Some(16)));
    assert_eq!(at(&*star, "goal-A", "q1"), (Some(0), Some(0)));
}

#[test]
fn an_evaluation_that_is_not_there_is_named() {
    let game = GameKind::Chess.open(&Setup::default()).expect("a start");
    let error = game.explain(Some("beauty")).expect_err("no such evaluation");
    assert_eq!(error.to_string(), "`beauty`: no such evaluation; chess has six-terms, material, network");
}
