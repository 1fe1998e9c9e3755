use gt_games::saved;

use super::*;

fn random(game: GameKind, plies: usize, seed: u64) -> Openings {
    Openings::random(game, &Setup::default(), plies, seed).unwrap()
}

fn from_text(game: GameKind, text: &str, plies_max: Option<usize>) -> Result<Openings, String> {
    Openings::from_text(game, &Setup::default(), text.as_bytes(), plies_max)
}

#[test]
fn random_openings_follow_from_the_seed_and_differ() {
    // A hand-written tree is only as deep as its text.
    for game in GameKind::ALL.into_iter().filter(|game| *game != GameKind::Tree) {
        let (one, same, other) = (random(game, 4, 5), random(game, 4, 5), random(game, 4, 6));
        // In any order of requests.
        let last = same.get(19).unwrap();
        let openings: Vec<Arc<Opening>> = (0..20).map(|round| one.get(round).unwrap()).collect();
        assert_eq!(openings[19], last, "{game}");
        assert_ne!(openings[0], other.get(0).unwrap(), "{game}");
        let hashes: HashSet<u64> =
            openings.iter().map(|opening| opening.position(game).unwrap().hash()).collect();
        assert_eq!((hashes.len(), one.repeated(20)), (20, 0), "{game}");
    }
}

#[test]
fn openings_that_run_out_are_repeated_and_told() {
    let openings = random(GameKind::TicTacToe, 1, 1);
    for round in 0..12 {
        assert_eq!(openings.get(round).unwrap().moves.len(), 1);
    }
    assert_eq!(openings.repeated(12), 3);
    let error = Openings::random(GameKind::TicTacToe, &Setup::default(), 9, 1).err().unwrap();
    assert!(error.contains("9 random moves end every game"), "{error}");
}

#[test]
fn positions_are_read_line_by_line() {
    let text = "# two\n1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - - bm Nxd6; id \"x\";\n\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5\n";
    let openings = from_text(GameKind::Chess, text, Some(1)).unwrap();
    assert_eq!(
        openings.get(0).unwrap().setup.position,
        "1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - -"
    );
    assert_eq!(openings.get(1).unwrap().moves, ["e2e4"]);
    assert_eq!(openings.get(2).unwrap(), openings.get(0).unwrap());
    assert_eq!(openings.repeated(5), 3);
}

#[test]
fn saved_games_are_openings() {
    let pgn = "[White \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
    let openings = from_text(GameKind::Chess, pgn, Some(2)).unwrap();
    assert_eq!(openings.get(0).unwrap().moves, ["e2e4", "e7e5"]);
    assert_eq!(openings.get(1).unwrap().moves, ["d2d4"]);
    let line = "game=connect-four\tmoves=d d c\n";
    assert_eq!(from_text(GameKind::ConnectFour, line, None).unwrap().get(0).unwrap().moves, ["d", "d", "c"]);
}

#[test]
fn openings_that_are_none_are_named() {
    let cases = [
        (GameKind::Chess, "\n# nothing\n", "no opening"),
        (GameKind::Chess, "8/8/8/8/8/8/8/8 w - -\n", "line 1: "),
        (GameKind::Chess, "[White \"a\"]\n\n1. e5 *\n", "line 3"),
        (GameKind::Chess, "game=connect-four\tmoves=d\n", "connect-four, not of chess"),
        (GameKind::TicTacToe, "game=tic-tac-toe\tmoves=a1 b1 a2 b2 a3\n", "game 1: the game is over"),
        (GameKind::Chess, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "line 1: the game is over"),
    ];
    for (game, text, part) in cases {
        let error = from_text(game, text, None).err().unwrap_or_default();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// A book with one line: the opening follows it, and ends where it does.
#[test]
fn a_book_is_followed() {
    use gt_book::{BuildOptions, Builder, Format};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.gtb");
    let mut builder = Builder::new(GameKind::ConnectFour, Format::Own, BuildOptions::default()).unwrap();
    for game in saved::read("game=connect-four\tresult=1/2-1/2\tmoves=d d d c\n", None) {
        builder.add(&game.unwrap()).unwrap();
    }
    builder.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
    let open = |plies| {
        let book = Book::open(&path, GameKind::ConnectFour).unwrap();
        Openings::from_book(GameKind::ConnectFour, &Setup::default(), book, plies, 1).unwrap()
    };
    let long = open(9);
    let first = long.get(0).unwrap();
    assert_eq!(&first.moves[..3], ["d", "d", "d"]);
    // The last move may be found in the mirrored position.
    assert!(first.moves.len() <= 4, "{first:?}");
    assert_eq!(open(2).get(0).unwrap().moves, ["d", "d"]);
    assert!(long.get(5).is_ok() && long.repeated(6) > 0);
    assert_eq!(long.description(), "9 plies of a book, seed 1");
}
