//! Late positions of connect four against plain search.

use gt_endgame::connect_four::{POSITIONS_MAX, build};
use gt_endgame::{Table, Tables};
use gt_games::connect_four::{ConnectFour, Threats};
use gt_games::registry::Setup;
use gt_games::{GameKind, Notation};
use gt_search::{Ending, Endings, Game, negamax, win_distance_plies};

/// Four columns full and nobody has won: twelve places are empty, and two more.
const MOVES: &str = "a a a a a a b b b b b b d c c c c c c d d d d d e e e g";

fn late() -> ConnectFour {
    let mut game = ConnectFour::new();
    for text in MOVES.split(' ') {
        let mv = game.parse_move(text).unwrap();
        game.make(mv);
    }
    assert!(game.outcome().is_none());
    game
}

fn searched(game: &ConnectFour) -> Ending {
    let value = negamax(game, &Threats, 20, &mut ()).value;
    match win_distance_plies(value) {
        None => Ending::Draw,
        Some(plies) if value > 0 => Ending::Win { plies: plies as u16 },
        Some(plies) => Ending::Loss { plies: plies as u16 },
    }
}

#[test]
fn every_position_that_can_come_up_has_its_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.gte");
    let reached = build(&late(), POSITIONS_MAX).unwrap();
    reached.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
    let Table::ConnectFour(table) = Table::open(&path).unwrap() else { panic!("it is of connect four") };
    assert_eq!(table.summary.positions, reached.positions());
    Table::open(&path).unwrap().verify(Tables::default(), 0).unwrap();

    let tables = Tables::open(&path).unwrap();
    let mut open = vec![late()];
    for round in 0..200 {
        let game = open[(round * 7919) % open.len()];
        assert_eq!(
            Endings::<ConnectFour>::known(&tables, &game),
            Some(searched(&game).into()),
            "{}",
            game.position_text()
        );
        for mv in game.legal_moves() {
            let mut after = game;
            after.make(mv);
            if after.outcome().is_none() {
                open.push(after);
            }
        }
    }
    let start = GameKind::ConnectFour.open(&Setup::default()).unwrap();
    assert_eq!(tables.ending(&*start).unwrap(), None, "nothing before the beginning is in the table");
}

#[test]
fn what_is_too_much_is_refused() {
    let sentence = build(&ConnectFour::new(), 1000).unwrap_err().to_string();
    assert!(sentence.contains("begin with fewer empty places"), "{sentence}");
}
