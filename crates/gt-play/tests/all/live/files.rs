//! Games that are saved and loaded, and the logs of searches.

use std::path::PathBuf;

use gt_games::registry::GameKind;
use gt_games::saved;
use gt_log::Log;
use gt_play::live::{Budget, Event, LiveOptions, LogFolder, Program, Seat, TimeControl};

use super::{Watched, endless, program};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gt-live-{name}-{}", std::process::id()));
    // What an earlier process of this number left.
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    for kind in [GameKind::Chess, GameKind::ConnectFour] {
        let seats = || vec![Seat::person(), program(kind, 2, Budget::nodes(100))];
        let table = Watched::untimed(kind, seats());
        let first = table.game.state().unwrap().legal_moves[0].text.clone();
        table.game.play(&first).unwrap();
        table.until_ply(2);
        let text = table.game.saved().unwrap().text();
        let other = Watched::untimed(kind, seats());
        let read = saved::read(&text, Some(kind)).next().unwrap().unwrap();
        other.game.load(read).unwrap();
        let (before, after) = (table.game.state().unwrap(), other.game.state().unwrap());
        assert_eq!((before.position, before.to_move), (after.position, after.to_move));
        other.game.take_back().unwrap();
        assert_eq!(other.game.state().unwrap().position, after.start);
        other.game.resign(0).unwrap();
        let text = other.game.saved().unwrap().text();
        table.game.load(saved::read(&text, None).next().unwrap().unwrap()).unwrap();
        let result = table.game.state().unwrap().result.unwrap();
        assert_eq!((result.places, result.reason.as_str()), (vec![2, 1], "resigned"), "{text}");
    }
    let table = Watched::untimed(GameKind::Chess, vec![Seat::person(), Seat::person()]);
    let other = saved::SavedGame::new(GameKind::TicTacToe);
    let told = table.game.load(other).unwrap_err().to_string();
    assert_eq!(told, "this is a game of tic-tac-toe, and chess is being played");
}

#[test]
fn every_search_has_a_log_until_there_are_too_many() {
    let (kind, folder) = (GameKind::ConnectFour, folder("logs"));
    let logs = Some(LogFolder { folder: folder.clone(), bytes_max: 1 });
    let options = LiveOptions { logs, ..LiveOptions::default() };
    let seats = vec![program(kind, 2, Budget::nodes(300)), Seat::person()];
    let table = Watched::start(kind, seats, TimeControl::Untimed, options);
    table.until_ply(1);
    let first = table.game.state().unwrap().moves[0].log.clone().unwrap();
    assert_eq!(first, folder.join("ply-001-start.gtf"));
    assert!(Log::open(&first).unwrap().tree_count() > 0, "the log is whole when the move is told");
    table.game.play("d").unwrap();
    table.until_ply(3);
    let moves = table.game.state().unwrap().moves;
    assert_eq!(moves[0].log, None, "beyond the bound the oldest goes");
    assert!(!first.exists() && moves[2].log.as_ref().is_some_and(|log| log.exists()));
    // Taking back and playing the same replaces no file.
    table.game.take_back().unwrap();
    table.game.play("d").unwrap();
    table.until_ply(3);
    let log = table.game.state().unwrap().moves[2].log.clone().unwrap();
    assert!(log.ends_with("ply-003-after-d-2.gtf"), "{}", log.display());
    drop(table);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_log_of_a_search_that_was_given_up_is_removed() {
    let folder = folder("given-up");
    let options = LiveOptions { logs: Some(LogFolder::new(&folder)), ..LiveOptions::default() };
    let table =
        Watched::start(GameKind::Chess, vec![endless(), Seat::person()], TimeControl::Untimed, options);
    let log = table.until(|event| match event {
        Event::Thinking(thinking) => thinking.log.clone(),
        _ => None,
    });
    assert!(log.exists());
    drop(table);
    assert!(!log.exists());
    std::fs::remove_dir_all(folder).unwrap();
}

/// The log of a search that ponders is there before the reply is played, and it is the log of the next move if the reply
/// is the expected one.
#[test]
fn a_program_ponders_on_the_reply_that_it_expects() {
    let (kind, folder) = (GameKind::ConnectFour, folder("ponder"));
    let budget = Budget { depth: Some(5), ..Budget::default() };
    let Seat::Program(plain) = program(kind, 2, budget) else { panic!() };
    let seats = vec![Seat::Program(Program { ponder: true, ..plain }), Seat::person()];
    let options = LiveOptions { logs: Some(LogFolder::new(&folder)), ..LiveOptions::default() };
    let table = Watched::start(kind, seats, TimeControl::Untimed, options);
    table.until_ply(1);
    for (ply, is_expected) in [(1, true), (3, false)] {
        let state = table.game.state().unwrap();
        let expected = &state.moves[ply - 1].search.as_ref().unwrap().line[1];
        let pondered = folder.join(format!("ply-{:03}-after-{expected}.gtf", ply + 2));
        assert!(pondered.exists(), "{}", pondered.display());
        let other = state.legal_moves.iter().map(|mv| &mv.text).find(|text| *text != expected).unwrap();
        table.game.play(if is_expected { expected } else { other }).unwrap();
        table.until_ply(ply + 2);
        let log = table.game.state().unwrap().moves[ply + 1].log.clone().unwrap();
        assert_eq!(log == pondered, is_expected, "{}", log.display());
        assert_eq!(pondered.exists(), is_expected);
    }
    drop(table);
    std::fs::remove_dir_all(folder).unwrap();
}
