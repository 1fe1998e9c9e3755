//! Engines with tables of endgames.

use std::path::{Path, PathBuf};

use gt_endgame::{Tables, chess};
use gt_games::registry::{GameKind, Setup};
use gt_play::{Algorithm, EngineOptions, Request};
use gt_search::{Ending, KnownEnding, Limits, Outcome};

/// Writes the tables of an ending and of those that it leads to.
fn write_tables(folder: &Path, name: &str) {
    chess::build(name.parse().unwrap(), |built| {
        let path = folder.join(format!("{}.gte", built.solved.material()));
        built.solved.write(&mut std::fs::File::create(path).unwrap()).unwrap();
    })
    .unwrap();
}

fn options(endgames: &Path) -> EngineOptions {
    EngineOptions { table_bytes: 1 << 20, endgames: Some(endgames.to_owned()), ..EngineOptions::default() }
}

/// Plays a game of the engine against itself; its plies and who won.
fn play_out(options: &EngineOptions, position: &str) -> (u16, Option<Outcome>) {
    let setup = Setup::position(position);
    let mut engine = options.open(GameKind::Chess, &setup).unwrap();
    let mut moves: Vec<String> = Vec::new();
    while engine.position().outcome().is_none() {
        let thought = engine.think(&Request::new(Limits::depth(2)), &mut |_| ());
        assert!(thought.progress.endings > 0, "{position} after {moves:?}");
        moves.push(thought.best.unwrap());
        engine.set_position(&setup, &moves).unwrap();
    }
    (moves.len() as u16, engine.position().outcome())
}

#[test]
fn bishop_and_knight_mate_in_as_many_moves_as_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(folder.path(), "KBNK");
    let tables = Tables::open(folder.path()).unwrap();
    let longest =
        tables.chess.tables().into_iter().find_map(|table| table.summary().sides[0].longest_position.clone());
    let positions = [
        "8/8/8/8/3k4/8/8/KBN5 w - - 0 1",
        "7k/8/8/3NB3/8/8/8/K7 b - - 0 1",
        // Black has the pieces.
        "8/8/3nb3/8/8/4K3/8/k7 b - - 0 1",
        &longest.unwrap(),
    ];
    for position in positions {
        let game = GameKind::Chess.open(&Setup::position(position)).unwrap();
        let expected = match tables.ending(&*game).unwrap() {
            Some(KnownEnding::Measured(Ending::Win { plies })) => (plies, Some(Outcome::Win(game.to_move()))),
            Some(KnownEnding::Measured(Ending::Loss { plies })) => {
                (plies, Some(Outcome::Win(1 - game.to_move())))
            }
            other => panic!("{position} is {other:?}"),
        };
        assert_eq!(play_out(&options(folder.path()), position), expected, "{position}");
    }
}

#[test]
fn a_draw_is_held() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(folder.path(), "KPK");
    let (_, outcome) = play_out(&options(folder.path()), "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1");
    assert_eq!(outcome, Some(Outcome::Win(0)), "the side with the move loses the opposition");
    let mut engine = options(folder.path())
        .open(GameKind::Chess, &Setup::position("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"))
        .unwrap();
    let thought = engine.think(&Request::new(Limits::depth(1)), &mut |_| ());
    assert_eq!(thought.progress.lines[0].value, 0, "black holds the opposition");
}

#[test]
fn what_does_not_fit_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(folder.path(), "KQK");
    let refused = |options: EngineOptions, game: GameKind| {
        options.open(game, &Setup::default()).err().unwrap().to_string()
    };
    let algorithm = Some(Algorithm::Uct);
    assert!(
        refused(EngineOptions { algorithm, ..options(folder.path()) }, GameKind::Chess)
            .starts_with("`uct` asks no tables")
    );
    assert!(
        refused(options(folder.path()), GameKind::Amazons).ends_with("there is no table of amazons here")
    );
    assert!(refused(options(&PathBuf::from("nowhere")), GameKind::Chess).starts_with("nowhere: "));
    let broken = folder.path().join("kqk2.gte");
    std::fs::write(&broken, b"\x89GTE").unwrap();
    assert!(refused(options(folder.path()), GameKind::Chess).contains("kqk2.gte: "));
}
