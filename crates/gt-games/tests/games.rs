//! The contract suite over all games.

mod contract;

use contract::contract;
use gt_games::amazons::Size;
use gt_games::{Amazons, ConnectFour, TicTacToe};

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
