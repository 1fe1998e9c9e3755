use super::*;
use crate::{Notation, perft};
use gt_search::Evaluate;
use proptest::prelude::*;

#[test]
fn perft_of_the_start() {
    let counts = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&mut ConnectFour::new(), depth as u32 + 1), count, "depth {}", depth + 1);
    }
}

fn played(columns: &str) -> ConnectFour {
    let mut game = ConnectFour::new();
    for column in columns.chars() {
        let mv = game.parse_move(&column.to_string()).expect("a legal move");
        game.make(mv);
    }
    game
}

#[test]
fn four_in_each_direction_wins() {
    for columns in ["abababa", "aabbccd", "abbcdccdadd", "gffedeedgdd"] {
        let game = played(columns);
        assert_eq!(game.outcome(), Some(Outcome::Win(0)), "{columns}\n{}", game.draw());
        assert!(game.legal_moves().is_empty());
    }
    assert_eq!(played("aebfcgad").outcome(), Some(Outcome::Win(1)));
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let text = "ooxooxx/xxoxxoo/ooxooxx/xxoxxoo/ooxooxx/xxoxxoo x";
    let game = ConnectFour::parse_position(text);
    // The pattern has a fair number of discs, no line, no hole.
    let game = game.expect("a position");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_threat_and_its_drawing() {
    let game = played("dcdcd");
    let drawing = "\
\u{20}6 . . . . . . .
\u{20}5 . . . . . . .
\u{20}4 . . . . . . .
\u{20}3 . . . x . . .
\u{20}2 . . o x . . .
\u{20}1 . . o x . . .
   a b c d e f g
o to move
";
    assert_eq!(game.draw(), drawing);
    assert_eq!(game.position_text(), "7/7/7/3x3/2ox3/2ox3 o");
    // `x` threatens d4: a threat (16) playable at once (8), on an even row. Lines through the places:
    // x has d1, d2, d3 = 7 + 10 + 13, o has c1, c2 = 5 + 8; each disc counts what it has above 3.
    let x = 16 + 8 + (7 + 10 + 13 - 9);
    let o = 5 + 8 - 6;
    assert_eq!(Threats.evaluate(&game), o - x);
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let check = |text: &str, sentence: &str| {
        let error = ConnectFour::parse_position(text).expect_err(text);
        assert_eq!(error.to_string(), format!("`{text}`{sentence}"));
    };
    check("7/7/7 x", ", character 1: the board has six rows of seven");
    check("7/7/7/7/x6/7 o", ": a disc hangs in the air; discs fall to the lowest empty place");
    check("7/7/7/7/7/x6 x", ": x begins, so x has as many discs as o when x moves, one more when o does");
    let four = ": the mover has four in a line already, so the other could not have moved";
    check("7/7/7/7/oooo3/xxxx3 x", four);
    assert_eq!(played("aaaaaa").parse_move("a").expect_err("full").to_string(), "`a`: the column is full");
    let column = "`h`: a move is a column from a to g, or 1 to 7";
    assert_eq!(played("").parse_move("h").expect_err("off").to_string(), column);
}

/// The places that complete a line, by trying each.
fn completing_plain(discs: u64) -> u64 {
    (0..49).map(|place| 1 << place).filter(|bit| BOARD & bit != 0 && discs & bit == 0).fold(0, |all, bit| {
        let completes = has_four(discs | bit) && !has_four(discs);
        if completes { all | bit } else { all }
    })
}

proptest! {
    #[test]
    fn threats_are_what_completes_a_line(random in any::<u64>(), thin in any::<u64>()) {
        let discs = random & thin & BOARD;
        prop_assume!(!has_four(discs));
        prop_assert_eq!(evaluate::completing(discs) & BOARD & !discs, completing_plain(discs));
    }
}
