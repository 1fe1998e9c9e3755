use super::*;
use crate::{Notation, perft};
use gt_search::{Ending, Endings, Evaluate};
use proptest::prelude::*;

fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).expect("a size within the limits")
}
fn amazon_squares(game: &Amazons, player: usize) -> String {
    let mut squares: Vec<String> = game.amazons(player).map(|square| square.to_string()).collect();
    squares.sort();
    squares.join(" ")
}

#[test]
fn starts_are_the_standard_ones() {
    let check = |width, height, white: &str, black: &str| {
        let game = Amazons::start(size(width, height));
        assert_eq!(amazon_squares(&game, 0), white, "white on {width}x{height}");
        assert_eq!(amazon_squares(&game, 1), black, "black on {width}x{height}");
    };
    check(10, 10, "a4 d1 g1 j4", "a7 d10 g10 j7");
    check(8, 8, "a3 c1 f1 h3", "a6 c8 f8 h6");
    check(6, 6, "a2 b1 e1 f2", "a5 b6 e6 f5");
    check(5, 5, "a2 b1 d1 e2", "a4 b5 d5 e4");
    check(4, 4, "a2 b1 c1 d2", "a3 b4 c4 d3");
    check(5, 4, "a2 b1 d1 e2", "a3 b4 d4 e3");
}

#[test]
fn perft_of_the_starts() {
    let check = |side, counts: &[u64]| {
        for (depth, &count) in counts.iter().enumerate() {
            let found = perft(&mut Amazons::start(size(side, side)), depth as u32 + 1);
            assert_eq!(found, count, "{side}x{side} depth {}", depth + 1);
        }
    };
    check(10, &[2_176, 4_307_152]);
    check(8, &[1_232, 1_331_198]);
    check(6, &[544, 238_532]);
    check(5, &[260, 50_422, 7_940_210]);
    check(4, &[88, 4_336, 139_500, 2_918_258]);
}

#[test]
#[ignore = "some minutes: run with --release"]
fn deep_perft_of_the_starts() {
    let check = |side, depth, count| {
        assert_eq!(perft(&mut Amazons::start(size(side, side)), depth), count, "{side}x{side} depth {depth}");
    };
    check(4, 5, 39_395_660);
    check(5, 4, 970_203_644);
    check(6, 3, 91_074_224);
    check(8, 3, 1_358_441_750);
    check(10, 3, 8_350_439_170);
    check(6, 4, 28_857_914_846);
}

#[test]
fn a_move_and_its_drawing() {
    let mut game = Amazons::start(size(6, 6));
    let mv = game.parse_move("b1-b4/e4").expect("a legal move");
    assert_eq!(game.move_text(mv), "b1-b4/e4");
    assert_eq!(mv.code(), 1 | 31 << 7 | 34 << 14);
    game.make(mv);
    let drawing = "\
\u{20}6 . b . . b .
\u{20}5 b . . . . b
\u{20}4 . w . . x .
\u{20}3 . . . . . .
\u{20}2 w . . . . w
\u{20}1 . . . . w .
   a b c d e f
black (b) to move
";
    assert_eq!(game.draw(), drawing);
    assert_eq!(game.position_text(), "1b2b1/b4b/1w2x1/6/w4w/4w1 b");
}

#[test]
fn an_arrow_may_go_back_to_where_the_amazon_came_from() {
    let mut game = Amazons::start(size(4, 4));
    let before = game;
    let mv = game.parse_move("b1-b2/b1").expect("a legal move");
    let undo = game.make(mv);
    assert_eq!(game.position_text(), "1bb1/b2b/ww1w/1xw1 b");
    assert_eq!(game.hash(), game.recomputed_hash());
    game.undo(mv, undo);
    assert_eq!(game, before);
}

#[test]
fn bad_positions_are_refused_with_a_sentence() {
    let check = |text: &str, sentence: &str| {
        let error = Amazons::parse_position(text).expect_err(text);
        assert_eq!(error.to_string(), format!("`{text}`{sentence}"));
    };
    check("4/4/4/4", ": a position has 2 fields (board and mover), this one 1");
    check("4/4/4/4 white", ", character 9: the mover is `w` or `b`");
    check("4/4/4/4q w", ", character 8: `q` is not one of `wbx` or a number");
    check("4/5/4/4 w", ", character 1: all rows are equally long, but row 2 has 5 squares and row 1 4");
    check("3/3/3 w", ", character 1: an Amazons board has 4 to 10 files and ranks, as in 6x6");
    check("4/4/4/99999999999999999999 w", ", character 7: a run of empty places is a number from 1 to 13");
}

#[test]
fn bad_moves_are_refused_with_a_sentence() {
    let game = Amazons::start(size(6, 6));
    let check = |text: &str, sentence: &str| {
        let error = game.parse_move(text).expect_err(text);
        assert_eq!(error.to_string(), format!("`{text}`{sentence}"));
    };
    let form = "a move is written from-to/arrow, as in d1-d7/g7";
    check("b1b4", &format!(": {form}"));
    check("b1-b7/b1", &format!(", character 4: this board's squares are a1 to f6; {form}"));
    check("b1-b04/b1", &format!(", character 4: this board's squares are a1 to f6; {form}"));
    check("a1-a2/a3", ": the mover has no amazon on a1");
    let queen = "a queen's move over empty squares is needed";
    check("b1-b6/b1", &format!(": the amazon on b1 cannot go to b6: {queen}"));
    check("b1-b4/a1", &format!(": an arrow from b4 cannot reach a1: {queen}"));
}

#[test]
fn evaluations_of_a_small_board_counted_by_hand() {
    //  4  w . . x     White goes to b4 or c4, black to d3. From d3 black could go on to c4, and white from c4
    //  3  x x x .     to d3: each a move too late. So b4 and c4 are white's and d3 is black's, each seen by
    //  2  x x x b     one amazon of its owner.
    //  1  x x x x
    let game = Amazons::parse_position("w2x/xxx1/xxxb/xxxx w").expect("a position");
    assert_eq!(Mobility.evaluate(&game), 2 - 1);
    assert_eq!(Territory.evaluate(&game), 2 - 1);
    assert_eq!(TerritoryMobility.evaluate(&game), 2 * (4 + 1) - (4 + 1));
}

#[test]
fn regions_of_a_small_board() {
    //  4  w . x b     White's region has b4 and a3; black's d3. They meet nowhere, and b1 belongs to nobody.
    //  3  . x x .
    //  2  x x x x
    //  1  x . x x
    let game = Amazons::parse_position("w1xb/1xx1/xxxx/x1xx w").expect("a position");
    let found: Vec<(u32, Option<usize>)> =
        game.regions().iter().map(|region| (region.squares(), region.owner())).collect();
    assert_eq!(found, [(1, None), (2, Some(0)), (1, Some(1))]);
    let turns = game.turns_left().expect("nobody meets anybody");
    assert_eq!(turns.map(|turns| (turns.least, turns.most)), [(2, 2), (1, 1)]);
    assert_eq!(Filling.known(&game), Some(Ending::Win { plies: 3 }.into()));
}

/// Solves the game exhaustively: wins as soon as possible, losses as late as possible.
fn solved(game: &Amazons) -> Ending {
    let replies = game.legal_moves().into_iter().map(|mv| {
        let mut after = *game;
        after.make(mv);
        solved(&after).before_move()
    });
    let worth = |ending: &Ending| ending.value(0);
    replies.max_by_key(worth).unwrap_or(Ending::Loss { plies: 0 })
}

#[test]
fn filling_tells_what_playing_on_finds() {
    let check = |text: &str| {
        let game = Amazons::parse_position(text).expect(text);
        assert_eq!(Filling.known(&game), Some(solved(&game).into()), "{text}");
    };
    check("w1xx/1xx1/xxxb/xxxx b");
    check("w1xx/2x1/xxx1/xxxb w");
    check("w1xx/2x1/xxx1/xxxb b");
    check("1wxx/1xx1/xxx1/x1xb w");
    check("w1xx/1xx1/xx1b/wxx1 b");
    check("1w1x/xxxx/xxxb/xxx1 w");
    // Three squares around white's amazon, but any move traps it: one turn, not three.
    check("xxxb/x1x1/xwxx/1x1x w");
    check("xxxb/x1x1/xwxx/1x1x b");
}

/// Any arrangement of pieces on any board, mostly empty.
fn positions() -> impl Strategy<Value = Amazons> {
    let cells = prop::collection::vec((0u8..100, any::<u8>()), 100);
    (4usize..=10, 4usize..=10, 10u8..100, cells, 0u8..2).prop_map(|(width, height, full, cells, to_move)| {
        let size = size(width, height);
        let mut sets: [Bits; 4] = [0; 4];
        for rank in 0..height {
            for file in 0..width {
                let (roll, piece) = cells[rank * 10 + file];
                let piece = if roll >= full {
                    0
                } else if piece < 40 {
                    1
                } else if piece < 80 {
                    2
                } else {
                    3
                };
                sets[piece] |= Square::new(file, rank).bit();
            }
        }
        Amazons::from_parts(size, [sets[1], sets[2]], sets[0], to_move)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn fast_evaluations_are_the_plain_ones(game in positions()) {
        prop_assert_eq!(Mobility.evaluate(&game), plain::mobility(&game));
        prop_assert_eq!(Territory.evaluate(&game), plain::territory(&game));
        prop_assert_eq!(TerritoryMobility.evaluate(&game), plain::territory_mobility(&game));
        prop_assert_eq!(Terms::of(&game), plain::terms(&game));
    }

    #[test]
    fn what_mobility_foresees_comes_true(game in positions()) {
        let moves = game.legal_moves();
        let mut foreseen = Vec::new();
        Mobility.foresee(&game, &moves, &mut foreseen);
        let found: Vec<i32> = moves.iter().map(|&mv| {
            let mut after = game;
            after.make(mv);
            if after.outcome().is_some() { gt_search::WIN } else { -plain::mobility(&after) }
        }).collect();
        prop_assert_eq!(foreseen, found);
    }

    #[test]
    fn regions_are_apart_and_all_there(game in positions()) {
        let regions = game.regions();
        let squares: u32 = regions.iter().map(|region| region.squares()).sum();
        prop_assert_eq!(squares, game.empty.count_ones());
        let terms = plain::terms(&game);
        let is_contested = regions.iter().any(Region::is_contested);
        // Both sides can reach a square only where they can meet; amazons that touch each other meet without
        // one.
        prop_assert!(is_contested || terms.contested == 0);
        prop_assert_eq!(game.turns_left().is_none(), is_contested);
    }

    #[test]
    fn moves_are_the_plain_ones(game in positions()) {
        let mut expected = Vec::new();
        for from in game.amazons(game.to_move()) {
            for to in plain::queen_moves(&game, from) {
                let mut moved = game;
                moved.empty ^= from.bit() | to.bit();
                expected.extend(plain::queen_moves(&moved, to).into_iter().map(|arrow| Move::new(from, to, arrow)));
            }
        }
        expected.sort();
        let mut found = game.legal_moves();
        prop_assert_eq!(game.outcome().is_some(), found.is_empty());
        found.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_stored_board_comes_back(game in positions()) {
        prop_assert_eq!(Amazons::restore(&game.store(), game.size(), game.to_move()), game);
        prop_assert_eq!(game.pack().and_then(|packed| Amazons::unpack(&packed)), Some(game));
    }

    #[test]
    fn any_bytes_restore_to_a_board(bytes in any::<[u8; 25]>(), width in 4usize..=10, height in 4usize..=10) {
        let game = Amazons::restore(&Stored(bytes), size(width, height), 0);
        prop_assert_eq!(Amazons::restore(&game.store(), game.size(), 0), game);
    }
}
