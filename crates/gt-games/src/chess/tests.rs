use super::*;
use crate::{Notation, perft};
use gt_search::Evaluate;
use network::Network;
use proptest::prelude::*;

fn position(fen: &str) -> Chess {
    Chess::parse_position(fen).unwrap_or_else(|error| panic!("{error}"))
}

fn played(game: &mut Chess, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.make(mv);
    }
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn perft_of_known_positions() {
    let check = |fen: &str, counts: &[u64]| {
        for (depth, &count) in counts.iter().enumerate() {
            assert_eq!(perft(&mut position(fen), depth as u32 + 1), count, "{fen} depth {}", depth + 1);
        }
    };
    let start = Chess::new().position_text();
    check(&start, &[20, 400, 8_902, 197_281]);
    check(KIWIPETE, &[48, 2_039, 97_862]);
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]);
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379]);
}

#[test]
#[ignore = "a minute: run with --release"]
fn deep_perft() {
    assert_eq!(perft(&mut Chess::new(), 6), 119_060_324);
    assert_eq!(perft(&mut position(KIWIPETE), 5), 193_690_690);
}

#[test]
fn logs_have_the_king_s_own_squares_for_castling() {
    let game = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let code = |text: &str| game.encode(game.parse_move(text).expect(text));
    assert_eq!(code("e1g1"), 4 | 6 << 6);
    assert_eq!(code("O-O"), 4 | 6 << 6);
    assert_eq!(code("0-0-0"), 4 | 2 << 6);
    assert_eq!(game.move_text(game.decode(4 | 2 << 6).expect("a move")), "e1c1");
    assert!(game.parse_move("e1h1").is_err(), "castling is not written as the king taking his rook");
    let promoting = position("8/P6k/8/8/8/8/7K/8 w - - 0 1");
    for (text, promotion) in [("a7a8n", 1), ("a7a8b", 2), ("a7a8r", 3), ("a8=Q", 4)] {
        let mv = promoting.parse_move(text).expect(text);
        assert_eq!(promoting.encode(mv), 48 | 56 << 6 | promotion << 12);
    }
}

#[test]
fn a_log_may_go_on_beyond_a_draw() {
    let game = position("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.decode(4 | 12 << 6).map(|mv| game.move_text(mv)), Ok("e1e2".to_owned()));
}

#[test]
fn algebraic_notation_is_read() {
    let check = |fen: &str, algebraic: &str, uci: &str| {
        let game = position(fen);
        let mv = game.parse_move(algebraic).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.move_text(mv), uci);
    };
    check("1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - -", "Nxd6", "c4d6");
    check("rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ -", "Qxh7+", "h5h7");
    check("rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ -", "O-O", "e1g1");
    check("2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w - -", "exf6!?", "e5f6");
    check("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rad1", "a1d1");
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut game = Chess::new();
    played(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    played(&mut game, "f6g8");
    assert_eq!((game.occurrences(), game.outcome()), (3, Some(Outcome::Draw)));
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.parse_move("e2e4").expect_err("over").to_string(), "`e2e4`: the game is drawn here");
}

#[test]
fn below_a_search_root_the_second_occurrence_is_a_draw() {
    let mut game = Chess::new();
    played(&mut game, "g1f3 g8f6 f3g1 f6g8");
    let mut game = game.into_search_root();
    assert_eq!((game.occurrences(), game.outcome()), (2, None), "the root itself has moves");
    played(&mut game, "g1f3");
    assert_eq!((game.occurrences(), game.outcome()), (2, None), "what was before the root counts as ever");
    played(&mut game, "g8f6 b1c3 b8c6 c3b1");
    assert_eq!(game.outcome(), None);
    played(&mut game, "c6b8");
    assert_eq!((game.occurrences(), game.outcome()), (3, Some(Outcome::Draw)));

    let mut game = Chess::new().into_search_root();
    played(&mut game, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!((game.occurrences(), game.outcome()), (2, Some(Outcome::Draw)));
}

#[test]
fn an_en_passant_square_counts_only_if_a_pawn_can_take() {
    // After e2e4 no black pawn can take, so the position comes back when the knights do.
    let mut game = Chess::new();
    played(&mut game, "e2e4");
    let hash = game.hash();
    played(&mut game, "g8f6 g1f3 f6g8 f3g1");
    assert_eq!((game.hash() == hash, game.occurrences()), (true, 2));
    // Here one can.
    let with = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    let without = position("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    assert_ne!(with.hash(), without.hash());
}

#[test]
fn a_null_move_hides_what_was_before_from_repetition() {
    let mut game = Chess::new();
    played(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
    assert!(game.make_null().is_some());
    played(&mut game, "f6g8 f3g1 g8f6");
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn fifty_moves_draw_but_mate_comes_first() {
    assert_eq!(position("4k3/8/8/8/8/8/8/R3K3 w - - 100 80").outcome(), Some(Outcome::Draw));
    assert_eq!(position("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").outcome(), None);
    assert_eq!(position("R3k3/8/4K3/8/8/8/8/8 b - - 100 80").outcome(), Some(Outcome::Win(0)));
}

#[test]
fn bare_kings_and_one_minor_piece_are_drawn() {
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1").outcome(), Some(Outcome::Draw));
    assert_eq!(position("4k3/8/8/8/8/8/8/4KN2 w - - 0 1").outcome(), Some(Outcome::Draw));
    assert_eq!(position("4k3/8/8/8/8/8/8/4KR2 w - - 0 1").outcome(), None);
    assert_eq!(position("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1").outcome(), None);
}

#[test]
fn noisy_moves_are_captures_and_queen_promotions() {
    let game = position("1n2k3/P6p/8/3pP3/8/8/8/4K2R w K d6 0 1");
    let mut noisy = Vec::new();
    game.noisy_moves(&mut noisy);
    let mut texts: Vec<String> = noisy.into_iter().map(|mv| game.move_text(mv)).collect();
    texts.sort();
    assert_eq!(texts, ["a7a8q", "a7b8q", "e5d6", "h1h7"]);
}

#[test]
fn the_order_hint_likes_cheap_takers_of_dear_pieces() {
    let game = position("4k3/8/3q4/2P5/3N4/3R1n2/8/7K w - - 0 1");
    let hint = |text: &str| game.order_hint(game.parse_move(text).expect(text));
    let order = ["c5d6", "d4f3", "d3f3", "d4f5"].map(hint);
    assert!(order.is_sorted_by(|left, right| left > right), "{order:?}");
    assert_eq!(hint("d4f5"), 0);
}

#[test]
fn bad_positions_are_refused_with_a_sentence() {
    let check = |text: &str, end: &str| {
        let error = Chess::parse_position(text).expect_err(text).to_string();
        assert!(error.ends_with(end), "{error}");
    };
    check("8/8/8/8/8/8/8/8 w - - 0 1", "and the mover's opponent not in check");
    check("kK6/8/8/8/8/8/8/7R w - - 0 1", "the kings stand side by side, on b8 and a8");
    check("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "character 21: the mover is `w` or `b`");
    check("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "castling is `-` or some of KQkq, with king and rook at home");
    check(
        "4k3/8/8/8/8/8/8/3K3R w K - 0 1",
        "character 24: white may castle only with his king on the e-file",
    );
    check("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "the square behind a pawn that has just gone two squares");
    check("4k3/8/8/8/8/8/8/4K3 w - - 101 1", "character 27: the half-move clock is a number from 0 to 100");
    check("4k3/8/8/8/8/8/8/4K3 w", "this one 2");
    check("4k3/8/8/8/8/8/4K3 w - -", "character 1: the board has eight ranks with `/` between them");
}

#[test]
fn bad_moves_are_refused_with_a_sentence() {
    let game = Chess::new();
    let error = |text: &str| game.parse_move(text).expect_err(text).to_string();
    assert_eq!(error("e2e5"), "`e2e5`: white has no such legal move here");
    assert_eq!(
        error("Qd9"),
        "`Qd9`: no legal move of white is written so; a move is written e2e4, e7e8q or e1g1, or in algebraic \
         notation as Nxd6 or O-O"
    );
}

#[test]
fn the_drawing() {
    let drawing = "\
\u{20}8 r n b q k b n r
\u{20}7 p p p p p p p p
\u{20}6 . . . . . . . .
\u{20}5 . . . . . . . .
\u{20}4 . . . . . . . .
\u{20}3 . . . . . . . .
\u{20}2 P P P P P P P P
\u{20}1 R N B Q K B N R
   a b c d e f g h
white to move
";
    assert_eq!(Chess::new().draw(), drawing);
}

#[test]
fn each_term_speaks_for_the_side_that_it_should() {
    let terms = |fen: &str| Terms::of(&position(fen));
    let start = terms(&Chess::new().position_text());
    assert_eq!(start.total(), start.board_control, "but for the move the players stand alike");
    assert_eq!(start.mix.phase, 24);
    // A knight up; a developed knight; doubled and isolated black pawns; a castled king; an exposed black king.
    assert!(terms("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").material.opening() > 300);
    assert!(terms("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1").development.opening() > 0);
    assert!(terms("4k3/p1p5/p7/8/8/8/PP1P4/4K3 w - - 0 1").pawn_formation.ending() > 0);
    assert!(terms("r3k2r/8/8/8/8/8/8/R4RK1 b - - 0 1").development.opening() > 0);
    assert!(terms("6k1/8/8/8/8/5Q2/5PPP/5RK1 w - - 0 1").king_safety.opening() > 0);
    assert!(terms("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 1").board_control.opening() > 0);
    assert!(terms("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 1").mobility.opening() > 0);
}

#[test]
fn endings_that_hardly_win_count_less() {
    let scale = |fen: &str| Terms::of(&position(fen)).mix.scale;
    // Bishops of one colour, of two, a bishop ahead without a pawn, a rook ahead.
    assert_eq!(scale("4kb2/5p2/8/8/8/8/3PPP2/2B1K3 w - - 0 1"), 64);
    assert!(scale("2b1k3/5p2/8/8/8/8/3PPP2/2B1K3 w - - 0 1") < 64);
    assert!(scale("4k3/5p2/8/8/8/8/8/2B1K3 w - - 0 1") < 16);
    assert_eq!(scale("4k3/5p2/8/8/8/8/8/2R1K3 w - - 0 1"), 64);
}

/// A bishop and a knight can mate only in a corner of the bishop's colour.
#[test]
fn a_bare_king_is_driven_to_the_right_corner() {
    let value = |fen: &str| {
        let value = SixTerms.evaluate(&position(fen));
        assert_eq!(value, ByNetwork(Network::built_in()).evaluate(&position(fen)));
        value
    };
    assert!(value("k7/8/2K5/3N4/8/8/8/3B4 w - - 0 1") > value("7k/8/5K2/4N3/8/8/8/3B4 w - - 0 1"));
    assert!(value("7k/8/5K2/4N3/8/8/8/4B3 w - - 0 1") > value("k7/8/2K5/3N4/8/8/8/4B3 w - - 0 1"));
    assert!(value("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > value("8/8/4k3/8/2K5/8/8/R7 w - - 0 1"));
}

#[test]
fn the_solutions_of_the_test_suite_are_legal_moves() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data/lct2.epd");
    let Ok(lines) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path} is not there");
        return;
    };
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{error}"));
        let solutions = epd.moves("bm").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(solutions.len(), 1, "{line}");
        assert!(epd.operand("id").is_some_and(|id| id.starts_with("LCTII.")), "{line}");
    }
}

/// The same position with the colours exchanged.
fn mirrored(game: &Chess) -> Chess {
    let text = game.position_text();
    let fields: Vec<&str> = text.split(' ').collect();
    let exchanged = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let board: Vec<&str> = fields[0].split('/').rev().collect();
    let mover = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "_").replace('6', "3").replace('_', "6");
    let castling = exchanged(fields[2]);
    position(&format!("{} {mover} {castling} {en_passant} 0 1", exchanged(&board.join("/"))))
}

/// A position after some random moves.
fn random_positions() -> impl Strategy<Value = Chess> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..120).prop_map(|choices| {
        let mut game = Chess::new();
        for choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.make(*choice.get(&moves));
        }
        game
    })
}

proptest! {
    #[test]
    fn exchanging_the_colours_changes_nothing_for_the_mover(game in random_positions()) {
        let mirror = mirrored(&game);
        prop_assert_eq!(SixTerms.evaluate(&mirror), SixTerms.evaluate(&game));
        prop_assert_eq!(Material.evaluate(&mirror), Material.evaluate(&game));
        let network = ByNetwork(Network::built_in());
        prop_assert_eq!(network.evaluate(&mirror), network.evaluate(&game));
        let (terms, turned) = (Terms::of(&game), Terms::of(&mirror));
        prop_assert_eq!(turned.total(), -terms.total());
        prop_assert_eq!(turned.king_safety, -terms.king_safety);
        prop_assert_eq!(turned.mix.phase, terms.mix.phase);
        prop_assert_eq!(turned.mix.scale, terms.mix.scale);
    }

    #[test]
    fn passing_turns_the_sign_but_for_the_move_itself(mut game in random_positions()) {
        let before = Terms::of(&game);
        if game.make_null().is_some() {
            let after = Terms::of(&game);
            let tempo = after.board_control - before.board_control;
            prop_assert_eq!(after.total() - before.total(), tempo);
        }
    }

    /// Only for plain moves: nobody asks what castling, promotions and en passant threaten.
    #[test]
    fn a_move_threatens_if_it_gives_check(mut game in random_positions()) {
        for mv in game.legal_moves() {
            let piece = game.board().piece_on(mv.from);
            let castles = game.board().colors(game.board().side_to_move()).has(mv.to);
            let takes_aside =
                piece == Some(Piece::Pawn) && mv.from.file() != mv.to.file() && game.board().piece_on(mv.to).is_none();
            if mv.promotion.is_none() && !castles && !takes_aside {
                let threatens = game.threatens(mv);
                let before = game.make(mv);
                prop_assert_eq!(game.in_check(), threatens, "{}", mv);
                game.undo(mv, before);
            }
        }
    }

    #[test]
    fn every_legal_move_is_read_in_algebraic_notation(game in random_positions()) {
        for mv in game.legal_moves() {
            prop_assert_eq!(game.parse_move(&game.algebraic(mv)), Ok(mv));
        }
    }
}

/// Checks random games with castling, en passant and promotions, move by move and back: each square's piece is the board's, noisy moves are
/// exactly those that take or promote to a queen, and a game is over exactly if no move is left.
#[test]
fn what_a_game_keeps_beside_its_board_is_the_board_s() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/pPpPpPpP/PpPpPpPp/8/8/4K3 w - - 0 1",
    ];
    let mut state = 5_u64;
    for start in starts.iter().cycle().take(200) {
        let mut game = position(start);
        let mut made = Vec::new();
        for _ in 0..80 {
            let moves = game.legal_moves();
            assert_eq!(
                moves::has_any(game.board()),
                game.board().generate_moves(|_| true),
                "{}",
                game.board()
            );
            assert_eq!(game.position, Position::of(game.board().clone()), "{}", game.board());
            let noisy: Vec<Move> = moves.iter().copied().filter(|&mv| game.is_noisy(mv)).collect();
            let mut listed = Vec::new();
            game.noisy_moves(&mut listed);
            assert_eq!(listed, noisy, "{}", game.board());
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let Some(&mv) = moves.get((state >> 33) as usize % moves.len().max(1)) else { break };
            made.push((mv, game.clone(), game.make(mv)));
        }
        for (mv, earlier, before) in made.into_iter().rev() {
            game.undo(mv, before);
            assert_eq!(game, earlier);
        }
    }
}
