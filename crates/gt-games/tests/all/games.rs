//! The contract suite over all games.

use crate::contract::contract;
use gt_games::amazons::Size;
use gt_games::{Amazons, Chess, ChineseCheckers, ConnectFour, Notation, Thorns, TicTacToe, Tree};

#[test]
fn tic_tac_toe() {
    contract(&TicTacToe::new(), 200, 10);
}

#[test]
fn connect_four() {
    contract(&ConnectFour::new(), 200, 43);
    for (columns, rows) in [(4, 4), (5, 4), (12, 4), (8, 7), (4, 15), (7, 8)] {
        let size = gt_games::connect_four::Size::new(columns, rows).expect("a size");
        contract(&ConnectFour::start(size), 20, 65);
    }
}

#[test]
fn amazons_of_every_size() {
    for width in 4..=10 {
        for height in 4..=10 {
            contract(&Amazons::start(Size::new(width, height).expect("a size")), 1, 100);
        }
    }
}

#[test]
fn chess() {
    contract(&Chess::new(), 20, 300);
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    ] {
        contract(&Chess::parse_position(fen).expect(fen), 20, 100);
    }
}

#[test]
fn chinese_checkers() {
    for players in [2, 3, 4, 6] {
        contract(&ChineseCheckers::start(players).expect("a number of players"), 2, 200);
    }
}

#[test]
fn trees() {
    for text in [
        "(left:(3 7) right:(1 X:9))",
        "players 3 turns 1,3,2 (a:~1,2,3 (x:4,5,6 7,8,9) b:@2 (=x 1,1,1))",
        "(inf (-inf 0) ((1 2) (3 4 (5 6))))",
    ] {
        contract(&Tree::parse_position(text).expect(text), 20, 10);
    }
}

#[test]
fn thorns() {
    for players in [3, 4] {
        for number in 0..5 {
            contract(&Thorns::deal(players, number).expect("a deal"), 4, 30);
        }
    }
}
