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
    // `x` threatens d4: a threat (16) playable at once (8), on an even row. Lines through the places: x has
    // d1, d2, d3 = 7 + 10 + 13, o has c1, c2 = 5 + 8; each disc counts its excess over 3.
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
    let size = "a board of connect four has at least 4 columns and 4 rows, and columns times rows + 1 is at most 64: \
                4x15, 5x11, 6x9, 7x8, 8x7, 9x6, 10x5 and 12x4 are the largest";
    check("7/7/7 x", &format!(", character 1: {size}"));
    check("7/7/7/6 x", ", character 1: the rows of a board have the same length");
    check("7/7/7/7/x6/7 o", ": a disc hangs in the air; discs fall to the lowest empty place");
    check("7/7/7/7/7/x6 x", ": x begins, so x has as many discs as o when x moves, one more when o does");
    let four = ": the mover has four in a line already, so the other could not have moved";
    check("7/7/7/7/oooo3/xxxx3 x", four);
    assert_eq!(played("aaaaaa").parse_move("a").expect_err("full").to_string(), "`a`: the column is full");
    let column = "`h`: a move is a column from a to g, or 1 to 7";
    assert_eq!(played("").parse_move("h").expect_err("off").to_string(), column);
}

/// The places that complete a line, found by trying each.
fn completing_plain(layout: &Layout, discs: u64) -> u64 {
    let empty = (0..64).map(|place| 1 << place).filter(|bit| layout.board & bit != 0 && discs & bit == 0);
    empty.filter(|bit| layout.has_four(discs | bit)).fold(0, |all, bit| all | bit)
}

/// Whether four bits in a line are set, by checking every four of a board of squares.
fn has_four_plain(size: Size, discs: u64) -> bool {
    let is_set = |column: i32, row: i32| {
        let inside = (0..size.columns() as i32).contains(&column) && (0..size.rows() as i32).contains(&row);
        inside && discs >> (column * (size.rows() as i32 + 1) + row) & 1 == 1
    };
    let squares =
        (0..size.columns() as i32).flat_map(|column| (0..size.rows() as i32).map(move |row| (column, row)));
    squares
        .flat_map(|square| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| (square, step)))
        .any(|((column, row), (along, up))| (0..4).all(|disc| is_set(column + disc * along, row + disc * up)))
}

/// Every supported size.
fn sizes() -> Vec<Size> {
    (4..=12).flat_map(|columns| (4..=15).filter_map(move |rows| Size::new(columns, rows).ok())).collect()
}

#[test]
fn boards_come_in_every_size_that_fits_into_64_bits() {
    let largest: Vec<String> = (4..=12)
        .filter_map(|columns| (4..=15).rev().find_map(|rows| Size::new(columns, rows).ok()))
        .map(|size| size.to_string())
        .collect();
    assert_eq!(largest, ["4x15", "5x11", "6x9", "7x8", "8x7", "9x6", "10x5", "11x4", "12x4"]);
    for size in [(3, 6), (7, 3), (8, 8), (13, 4), (0, 0), (usize::MAX / 2, 4)] {
        assert!(Size::new(size.0, size.1).is_err(), "{size:?}");
    }
    let small = ConnectFour::start(Size::new(5, 4).expect("a size"));
    assert_eq!(small.position_text(), "5/5/5/5 x");
    assert_eq!(
        small.parse_move("f").expect_err("off").to_string(),
        "`f`: a move is a column from a to e, or 1 to 5"
    );
    let wide = ConnectFour::start(Size::new(12, 4).expect("a size"));
    assert_eq!(wide.parse_move("12"), wide.parse_move("l"));
}

/// Full columns at the edge of the word neither overflow nor wrap.
#[test]
fn the_largest_boards_fill_up() {
    for size in sizes() {
        let mut game = ConnectFour::start(size);
        let mut discs = 0;
        while let Some(&mv) = game.legal_moves().last() {
            game.make(mv);
            discs += 1;
            assert_eq!(game.filled().count_ones(), discs, "{size}");
            assert_eq!(
                game,
                ConnectFour::parse_position(&game.position_text()).expect("a position"),
                "{size}"
            );
        }
    }
}

proptest! {
    #[test]
    fn threats_are_what_completes_a_line(random in any::<u64>(), thin in any::<u64>()) {
        for size in sizes() {
            let layout = Layout::of(size);
            let discs = random & thin & layout.board;
            prop_assert_eq!(layout.has_four(discs), has_four_plain(size, discs), "{}", size);
            prop_assert_eq!(layout.has_four(discs | random & layout.board), has_four_plain(size, discs | random & layout.board));
            if !layout.has_four(discs) {
                prop_assert_eq!(layout.completing(discs) & !discs, completing_plain(layout, discs), "{}", size);
            }
        }
    }
}
