//! Polyglot's keys and moves, held against the values of its description and against python-chess.

use super::python_chess::python;
use super::{Folder, Random, book};
use gt_book::{Format, polyglot_key};
use gt_games::registry::{GameKind, Setup};
use gt_games::{Chess, Notation};
use gt_search::Game;
use std::fmt::Write as _;

/// The first nine are those of the format's description.
const PINNED: [(&str, u64); 11] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
    ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
    ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
    ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
    ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
    ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
    // The pawn that could take en passant would leave its king in check: that does not matter.
    ("8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1", 0x87fe_0497_a854_0d7e),
    ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", 0x516f_c9d8_c4a8_976a),
];

#[test]
fn keys_of_the_description() {
    for (fen, expected) in PINNED {
        let game = Chess::parse_position(fen).unwrap();
        assert_eq!(polyglot_key(game.board()), expected, "{fen}");
    }
}

/// Positions of random games; pawns are preferred, so that many can be taken en passant.
fn random_positions(count: usize) -> Vec<Chess> {
    let mut random = Random(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = Chess::new();
        for _ in 0..random.below(60) {
            let mut moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            if random.below(2) == 0 {
                let is_pawn = |text: &str| matches!(text.as_bytes()[1], b'2' | b'4' | b'5' | b'7');
                let pawns: Vec<_> =
                    moves.iter().copied().filter(|&mv| is_pawn(&game.move_text(mv))).collect();
                if !pawns.is_empty() {
                    moves = pawns;
                }
            }
            game.make(moves[random.below(moves.len())]);
            positions.push(game.clone());
        }
    }
    positions
}

#[test]
fn keys_of_python_chess() {
    let positions = random_positions(5_000);
    let mut fens = String::new();
    for game in &positions {
        writeln!(fens, "{}", game.position_text()).unwrap();
    }
    let script =
        "\nfor line in sys.stdin:\n    print('%016x' % chess.polyglot.zobrist_hash(chess.Board(line)))\n";
    let Some(told) = python(script, &fens) else { return };
    let mut passing = 0;
    let mut keys = told.lines();
    for game in &positions {
        let key = keys.next().map(|key| u64::from_str_radix(key, 16).unwrap());
        assert_eq!(key, Some(polyglot_key(game.board())), "{}", game.position_text());
        passing += usize::from(game.board().en_passant().is_some());
    }
    assert!(passing > 200, "only {passing} positions have an en passant square");
}

const GAMES: &str = "
1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2
1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 O-O 0-1
1. e4 c5 0-1
[FEN \"r3k2r/P6p/8/8/8/8/8/R3K2R w KQkq - 0 1\"]

1. O-O-O O-O 1-0
";

#[test]
fn python_chess_reads_the_book() {
    let folder = Folder::new();
    let book = book(&folder, GameKind::Chess, Format::Polyglot, GAMES);
    let script = format!(
        "
with chess.polyglot.open_reader({:?}) as book:
    for line in sys.stdin:
        entries = book.find_all(chess.Board(line.strip()))
        print(' '.join(sorted(f'{{entry.move.uci()}}:{{entry.weight}}' for entry in entries)))
",
        folder.0.path().join("book").display()
    );
    let mut positions = Vec::new();
    for game in super::games(GAMES) {
        let mut position = GameKind::Chess.open(&game.setup).unwrap();
        for mv in &game.moves {
            positions.push(position.clone());
            position.play(&mv.text).unwrap();
        }
    }
    let fens: String = positions.iter().map(|position| position.position_text() + "\n").collect();
    let Some(told) = python(&script, &fens) else { return };
    let mut lines = told.lines();
    for position in positions {
        let moves = book.moves(&*position).unwrap();
        let mut ours: Vec<String> = moves.iter().map(|mv| format!("{}:{}", mv.text, mv.weight)).collect();
        ours.sort();
        assert_eq!(lines.next(), Some(ours.join(" ").as_str()), "{}", position.position_text());
    }
    assert_eq!(lines.next(), None);
}

/// A record as the description has it, whatever we would write.
fn record(fen: &str, mv: u16, weight: u16) -> Vec<u8> {
    let key = polyglot_key(Chess::parse_position(fen).unwrap().board());
    [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

#[test]
fn moves_are_read_as_the_description_has_them() {
    const FEN: &str = "r3k2r/P6p/8/8/8/8/7P/R3K2R w KQkq - 0 1";
    let square = |name: &str| {
        let name = name.as_bytes();
        u16::from(name[0] - b'a') | u16::from(name[1] - b'1') << 3
    };
    let number = |from: &str, to: &str, promotion: u16| square(to) | square(from) << 6 | promotion << 12;
    let told = |numbers: &[u16]| {
        let folder = Folder::new();
        let content: Vec<u8> = numbers.iter().flat_map(|&number| record(FEN, number, 1)).collect();
        let book = gt_book::Book::open(&folder.file("x.bin", &content), GameKind::Chess).unwrap();
        let position = GameKind::Chess.open(&Setup::position(FEN)).unwrap();
        let texts: Vec<String> = book.moves(&*position).unwrap().into_iter().map(|mv| mv.text).collect();
        texts.join(" ")
    };
    assert_eq!(told(&[number("e1", "h1", 0)]), "e1g1", "the king takes his rook");
    assert_eq!(told(&[number("e1", "a1", 0)]), "e1c1");
    assert_eq!(told(&[number("e1", "g1", 0)]), "e1g1", "some books have the king's own squares");
    assert_eq!(told(&[number("e1", "g1", 0), number("e1", "h1", 0)]), "e1g1", "it is one move");
    assert_eq!(told(&[number("h2", "h4", 0), number("e1", "e2", 0)]), "e1e2 h2h4");
    assert_eq!(
        told(&[number("e1", "e3", 0), number("a7", "a8", 4), 0xffff]),
        "",
        "what is not legal is no move"
    );
    let promoting = "8/P6k/8/8/8/8/7K/8 w - - 0 1";
    for (promotion, expected) in [(1, "a7a8n"), (2, "a7a8b"), (3, "a7a8r"), (4, "a7a8q")] {
        let folder = Folder::new();
        let path = folder.file("x.bin", &record(promoting, number("a7", "a8", promotion), 1));
        let book = gt_book::Book::open(&path, GameKind::Chess).unwrap();
        let position = GameKind::Chess.open(&Setup::position(promoting)).unwrap();
        assert_eq!(book.moves(&*position).unwrap()[0].text, expected);
    }
}

#[test]
fn castling_is_written_as_the_king_taking_his_rook() {
    let folder = Folder::new();
    let text = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. O-O O-O-O 1/2-1/2\n";
    let book = book(&folder, GameKind::Chess, Format::Polyglot, text);
    assert_eq!(book.info().moves, 2);
    let content = std::fs::read(folder.0.path().join("book")).unwrap();
    let mut moves: Vec<u16> =
        content.chunks(16).map(|record| u16::from_be_bytes([record[8], record[9]])).collect();
    moves.sort_unstable();
    assert_eq!(moves, [7 | 4 << 6, 56 | 60 << 6], "e1h1 and e8a8");
}
