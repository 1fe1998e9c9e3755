//! Engines that play from a book, and those that make the games for one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use gt_book::{Book, BuildOptions, Builder, Format};
use gt_games::registry::{GameKind, Setup};
use gt_games::saved;
use gt_play::live::{Event as LiveEvent, LiveGame, LiveOptions, Seat, TimeControl};
use gt_play::{EngineOptions, Error, Request, SelfPlay, SelfPlayOptions, protocol};
use gt_search::Limits;

/// A book in a file of its own.
struct Shelf(tempfile::TempDir);

impl Shelf {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, kind: GameKind, games: &str) -> PathBuf {
        let mut builder = Builder::new(kind, Format::of(kind), BuildOptions::default()).unwrap();
        for game in saved::read(games, Some(kind)) {
            builder.add(&game.unwrap()).unwrap();
        }
        let path = self.0.path().join(kind.name());
        builder.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        path
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a session says to some lines.
fn conversation(kind: GameKind, options: EngineOptions, lines: &str) -> Vec<String> {
    let heard = Heard::default();
    let options = EngineOptions { table_bytes: 1 << 20, ..options };
    protocol::run(kind, &Setup::default(), options, lines.as_bytes(), heard.clone()).unwrap();
    let bytes = heard.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

const GRUB: &str = "1. g4 d5 2. Bg2 1-0\n";

fn set_book(path: &Path) -> String {
    format!("setoption name OwnBook value true\nsetoption name BookFile value {}\n", path.display())
}

const FROM_BOOK: &str = "info string the move is from the book";

#[test]
fn a_session_plays_from_its_book_as_long_as_it_can() {
    let shelf = Shelf::new();
    let book = set_book(&shelf.put(GameKind::Chess, GRUB));
    let said =
        |lines: &str| conversation(GameKind::Chess, EngineOptions::default(), &format!("{book}{lines}"));
    assert_eq!(said("position startpos\ngo depth 1\n"), [FROM_BOOK, "bestmove g2g4"]);
    assert_eq!(said("go wtime 1000 btime 1000\n"), [FROM_BOOK, "bestmove g2g4"]);
    assert_eq!(said("position startpos moves g2g4 d7d5\ngo nodes 100\n"), [FROM_BOOK, "bestmove f1g2"]);
    let left = said("position startpos moves g2g4 e7e5\ngo depth 1\n");
    assert!(
        !left.contains(&FROM_BOOK.to_owned()) && left.last().unwrap().starts_with("bestmove"),
        "{left:?}"
    );
}

#[test]
fn whoever_wants_to_find_out_is_not_answered_from_the_book() {
    let shelf = Shelf::new();
    let book = set_book(&shelf.put(GameKind::Chess, GRUB));
    for go in ["go infinite\nstop", "go depth 1 searchmoves e2e4"] {
        let said = conversation(GameKind::Chess, EngineOptions::default(), &format!("{book}{go}\n"));
        assert!(!said.contains(&FROM_BOOK.to_owned()), "{go}: {said:?}");
        assert!(said.last().unwrap().starts_with("bestmove"), "{go}: {said:?}");
    }
}

#[test]
fn the_book_can_be_put_away() {
    let shelf = Shelf::new();
    let path = shelf.put(GameKind::Chess, GRUB);
    let book = set_book(&path);
    for away in ["setoption name OwnBook value false", "setoption name BookFile value <empty>"] {
        let said =
            conversation(GameKind::Chess, EngineOptions::default(), &format!("{book}{away}\ngo depth 1\n"));
        assert!(!said.contains(&FROM_BOOK.to_owned()), "{said:?}");
    }
    let unused = format!("setoption name BookFile value {}\ngo depth 1\n", path.display());
    let said = conversation(GameKind::Chess, EngineOptions::default(), &unused);
    assert!(!said.contains(&FROM_BOOK.to_owned()), "OwnBook is off at first: {said:?}");
    let options = EngineOptions { book: Some(path.clone()), ..EngineOptions::default() };
    let told = conversation(GameKind::Chess, options, "uci\n");
    assert!(told.contains(&"option name OwnBook type check default true".to_owned()), "{told:?}");
    assert!(told.contains(&format!("option name BookFile type string default {}", path.display())));
}

#[test]
fn a_book_that_is_none_changes_nothing() {
    let shelf = Shelf::new();
    let cut = shelf.0.path().join("cut.bin");
    std::fs::write(&cut, [0; 20]).unwrap();
    let said =
        conversation(GameKind::Chess, EngineOptions::default(), &format!("{}go depth 1\n", set_book(&cut)));
    assert!(said[0].starts_with(&format!("info string {}: this is no whole Polyglot book", cut.display())));
    assert!(said.last().unwrap().starts_with("bestmove"), "{said:?}");
    let wrong =
        conversation(GameKind::Chess, EngineOptions::default(), "setoption name OwnBook value maybe\n");
    assert_eq!(wrong, ["info string OwnBook is `true` or `false`, not `maybe`"]);
    let options = EngineOptions { book: Some(cut.clone()), ..EngineOptions::default() };
    let refused = options.open(GameKind::Chess, &Setup::default()).err();
    assert!(matches!(refused, Some(Error::Book { path, .. }) if path == cut));
}

/// Column b is played where the book has f: the board is the other way round.
#[test]
fn other_games_have_books_that_know_their_symmetries() {
    let shelf = Shelf::new();
    let path = shelf.put(GameKind::ConnectFour, "game=connect-four\tresult=0-1\tmoves=c b\n");
    let options = EngineOptions { book: Some(path), ..EngineOptions::default() };
    let reply = |first: &str| {
        let mut engine = options.open(GameKind::ConnectFour, &Setup::default()).unwrap();
        engine.set_position(&Setup::default(), &[first.to_owned()]).unwrap();
        let thought = engine.think(&Request::new(Limits::depth(1)), &mut |_| ());
        (thought.best, thought.is_from_book)
    };
    assert_eq!(reply("c"), (Some("b".to_owned()), true));
    assert_eq!(reply("e"), (Some("f".to_owned()), true));
    assert!(!reply("d").1);
}

#[test]
fn a_seat_plays_from_its_book() {
    let shelf = Shelf::new();
    let path = shelf.put(GameKind::Chess, GRUB);
    let seat = |text: &str| Seat::parse(text, GameKind::Chess, 2);
    let program = format!("program,hash=1,nodes=100,book={}", path.display());
    let seats = vec![seat(&program).unwrap(), Seat::person()];
    let game = LiveGame::new(
        GameKind::Chess,
        &Setup::default(),
        seats,
        TimeControl::Untimed,
        LiveOptions::default(),
    )
    .unwrap();
    let events = game.events().unwrap();
    game.resume().unwrap();
    let moved = events.iter().find(|event| matches!(event, LiveEvent::Moved { .. }));
    assert!(moved.is_some());
    let played = &game.state().unwrap().moves[0];
    assert_eq!((played.text.as_str(), &played.search), ("g2g4", &None), "nothing was searched");
    let broken = vec![seat("program,book=nowhere.bin").unwrap(), Seat::person()];
    let refused = LiveGame::new(
        GameKind::Chess,
        &Setup::default(),
        broken,
        TimeControl::Untimed,
        LiveOptions::default(),
    )
    .err();
    assert!(
        matches!(refused, Some(Error::Book { .. })),
        "a book that is not there is told before the first move"
    );
}

#[test]
fn self_play_gives_different_games_and_the_same_for_a_seed() {
    for (kind, players) in
        [(GameKind::TicTacToe, 2), (GameKind::ConnectFour, 2), (GameKind::ChineseCheckers, 3)]
    {
        let setup = Setup { players: Some(players), ..Setup::default() };
        let games = |seed| {
            let mut options = SelfPlayOptions { nodes: 60, plies_max: 12, ..SelfPlayOptions::default() };
            options.engine.seed = seed;
            let mut play = SelfPlay::new(kind, &setup, options).unwrap();
            (0..8).map(|_| play.play().unwrap().unwrap()).collect::<Vec<_>>()
        };
        let first = games(1);
        assert_eq!(games(1), first);
        let mut lines: Vec<String> = first.iter().map(|game| format!("{:?}", game.moves)).collect();
        lines.sort();
        lines.dedup();
        assert!(lines.len() > 4, "{kind}: {} different games of 8", lines.len());
        for game in &first {
            let end = game.position().unwrap();
            assert_eq!(end.outcome().is_some(), game.result.is_some());
            assert!(end.outcome().is_some() || game.moves.len() == 12);
        }
    }
}

#[test]
fn a_book_of_self_play_has_the_moves_that_were_played() {
    let mut play = SelfPlay::new(
        GameKind::TicTacToe,
        &Setup::default(),
        SelfPlayOptions { nodes: 200, ..SelfPlayOptions::default() },
    )
    .unwrap();
    let shelf = Shelf::new();
    let games: String = (0..20).map(|_| play.play().unwrap().unwrap().text()).collect();
    let book = Book::open(&shelf.put(GameKind::TicTacToe, &games), GameKind::TicTacToe).unwrap();
    assert_eq!(book.info().games, Some(20));
    let start = GameKind::TicTacToe.open(&Setup::default()).unwrap();
    let moves = book.moves(&*start).unwrap();
    let played: f64 = moves.iter().map(|mv| f64::from(mv.tally.unwrap().games) / mv.alike as f64).sum();
    assert!((played - 20.0).abs() < 1e-9, "every game begins with one of them: {moves:?}");
}

#[test]
fn a_game_that_is_told_to_stop_is_given_up() {
    let stop = Arc::new(AtomicBool::new(false));
    let options = SelfPlayOptions { nodes: u64::MAX, ..SelfPlayOptions::default() };
    let mut play = SelfPlay::new(GameKind::Chess, &Setup::default(), options).unwrap().until(stop.clone());
    // Its first move would take for ever.
    let player = std::thread::spawn(move || play.play());
    stop.store(true, Ordering::Relaxed);
    assert_eq!(player.join().unwrap(), Ok(None));
}
