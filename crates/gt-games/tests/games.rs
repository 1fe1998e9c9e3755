//! The contract suite over all games.

mod contract;
mod random;

use contract::contract;
use gt_games::amazons::Size;
use gt_games::{Amazons, Chess, ChineseCheckers, ConnectFour, Notation, TicTacToe};

#[test]
fn tic_tac_toe() {
    contract(&TicTacToe::new(), 200, 10);
}

#[test]
fn connect_four() {
    contract(&ConnectFour::new(), 200, 43);
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
