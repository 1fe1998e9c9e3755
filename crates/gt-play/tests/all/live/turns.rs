//! Turns, clocks, take back, hints, seats.

use std::time::Duration;

use gt_games::registry::{GameKind, Setup};
use gt_play::live::{Budget, Event, LiveGame, LiveOptions, Program, Seat, TimeControl, TimeSource};
use gt_play::{Algorithm, EngineOptions};

use super::{Watched, endless, program};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn two_programs_play_every_game_to_its_end() {
    for kind in [GameKind::TicTacToe, GameKind::ConnectFour] {
        let seats = vec![program(kind, 2, Budget::nodes(2000)), program(kind, 2, Budget::nodes(50))];
        let table = Watched::untimed(kind, seats);
        let ending = table.until_over();
        let state = table.game.state().unwrap();
        assert_eq!(state.result, Some(ending));
        assert!(state.legal_moves.is_empty() && state.thinking.is_none());
        assert!(state.moves.iter().all(|played| played.search.is_some()));
        let position = table.game.saved().unwrap().position().unwrap();
        assert!(position.outcome().is_some(), "{kind}: {:?}", table.moves());
        table.game.take_back().unwrap_err();
    }
}

#[test]
fn six_seats_move_in_turn() {
    let kind = GameKind::ChineseCheckers;
    let mut seats = vec![program(kind, 6, Budget::nodes(40)); 6];
    seats[2] = Seat::Person { name: "Cleo".to_owned() };
    let table = Watched::untimed(kind, seats);
    for round in 0..2 {
        table.until_ply(6 * round + 2);
        let state = table.game.state().unwrap();
        assert_eq!(state.to_move, 2);
        table.game.play(&state.legal_moves[0].text).unwrap();
        table.until_ply(6 * round + 6);
    }
    let players: Vec<usize> = table.game.state().unwrap().moves.iter().map(|played| played.player).collect();
    assert_eq!(players[..12], [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    table.game.resign(2).unwrap();
    assert_eq!(table.until_over().places, [1, 1, 6, 1, 1, 1]);
    assert_eq!(table.game.saved().unwrap().result.unwrap().to_string(), "1 1 6 1 1 1");
}

#[test]
fn a_move_is_taken_back_with_the_reply() {
    let kind = GameKind::TicTacToe;
    let table = Watched::untimed(kind, vec![Seat::person(), program(kind, 2, Budget::nodes(500))]);
    assert!(!table.game.state().unwrap().can_take_back);
    assert_eq!(table.game.take_back().unwrap_err().to_string(), "there is no person's move to take back");
    table.game.play("a1").unwrap();
    table.until_ply(2);
    table.game.play("c1").unwrap();
    table.until_ply(4);
    let before = table.moves();
    table.game.take_back().unwrap();
    let ply = table.until(|event| match event {
        Event::TakenBack { ply } => Some(*ply),
        _ => None,
    });
    assert_eq!((ply, table.moves()), (2, before[..2].to_vec()));
    table.game.play("c1").unwrap();
    table.until_ply(4);
    assert_eq!(table.moves(), before, "the program answers as before");
}

#[test]
fn a_search_that_runs_is_given_up_by_taking_back() {
    let table = Watched::untimed(GameKind::Chess, vec![Seat::person(), endless()]);
    table.game.play("e2e4").unwrap();
    table.until(|event| match event {
        Event::Thinking(thinking) => thinking.search.clone(),
        _ => None,
    });
    table.game.take_back().unwrap();
    let state = table.game.state().unwrap();
    assert_eq!((state.moves.len(), state.to_move, state.thinking), (0, 0, None));
    // Its late answer is no move: the person's next one is answered on its own.
    table.game.play("d2d4").unwrap();
    assert_eq!(table.game.play("d7d5").unwrap_err().to_string(), "it is a program's turn");
    table.game.move_now().unwrap();
    table.until_ply(2);
    assert_eq!(table.moves()[0], "d2d4");
}

#[test]
fn a_hint_is_a_legal_move_and_goes_with_the_position() {
    let kind = GameKind::TicTacToe;
    let adviser = Program { budget: Budget::nodes(5000), ..Program::best_for(kind, 2) };
    let options = LiveOptions { adviser: Some(adviser), ..LiveOptions::default() };
    let table = Watched::start(kind, vec![Seat::person(), Seat::person()], TimeControl::Untimed, options);
    // Three in a line are to be prevented.
    for mv in ["a1", "b2", "a2"] {
        table.game.play(mv).unwrap();
    }
    table.game.hint().unwrap();
    let hint = table.until(|event| match event {
        Event::Hint(hint) => Some(hint.clone()),
        _ => None,
    });
    assert_eq!((hint.text.as_str(), hint.search.line[0].as_str()), ("a3", "a3"));
    assert_eq!(table.game.state().unwrap().hint, Some(hint));
    table.game.play("a3").unwrap();
    assert_eq!(table.game.state().unwrap().hint, None);
    assert!(table.game.move_now().is_err(), "nobody thinks");
}

#[test]
fn a_flag_that_falls_loses() {
    let time = TimeSource::by_hand();
    let options = LiveOptions { time: time.clone(), ..LiveOptions::default() };
    let control = "1+2".parse().unwrap();
    let table = Watched::start(GameKind::Chess, vec![Seat::person(), Seat::person()], control, options);
    let left = || table.game.state().unwrap().clocks.unwrap().left_ms;
    time.advance(10 * SECOND);
    assert_eq!(left(), [50_000, 60_000]);
    table.game.play("e2e4").unwrap();
    assert_eq!(left(), [52_000, 60_000], "a move adds two seconds");
    time.advance(59 * SECOND);
    table.game.look_at_clocks().unwrap();
    assert_eq!(table.game.state().unwrap().result, None);
    table.game.take_back().unwrap();
    assert_eq!(left(), [60_000, 60_000], "the clocks go back with the move");
    time.advance(20 * SECOND);
    table.game.pause().unwrap();
    time.advance(500 * SECOND);
    assert_eq!(left(), [40_000, 60_000], "no clock runs in a pause");
    table.game.resume().unwrap();
    time.advance(40 * SECOND);
    assert_eq!(table.game.play("e2e4").unwrap_err().to_string(), "the game is over");
    let ending = table.until_over();
    assert_eq!((ending.places, ending.reason.as_str()), (vec![2, 1], "time"));
}

#[test]
fn the_systems_clock_is_looked_at_by_itself() {
    let control = TimeControl::Clock { base: SECOND / 20, increment: Duration::ZERO, moves: None };
    let table = Watched::start(
        GameKind::Chess,
        vec![Seat::person(), Seat::person()],
        control,
        LiveOptions::default(),
    );
    assert_eq!(table.until_over().reason, "time");
}

#[test]
fn a_seat_changes_hands_while_a_program_thinks() {
    let table = Watched::untimed(GameKind::Chess, vec![endless(), Seat::person()]);
    table.until(|event| matches!(event, Event::Thinking(_)).then_some(()));
    table.game.set_seat(0, Seat::person()).unwrap();
    table.game.play("e2e4").unwrap();
    table.game.set_seat(1, program(GameKind::Chess, 2, Budget::nodes(200))).unwrap();
    table.until_ply(2);
    let unfit = Program {
        engine: EngineOptions { evaluation: Some("beauty".to_owned()), ..EngineOptions::default() },
        ..Program::best_for(GameKind::Chess, 2)
    };
    assert!(table.game.set_seat(0, Seat::Program(unfit)).is_err());
    assert!(table.game.set_seat(2, Seat::person()).is_err());
    assert!(table.game.state().unwrap().seats[0].is_person);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |seats: Vec<Seat>, setup: &Setup| {
        let game = LiveGame::new(
            GameKind::ChineseCheckers,
            setup,
            seats,
            TimeControl::Untimed,
            LiveOptions::default(),
        );
        game.err().unwrap().to_string()
    };
    let three = Setup { players: Some(3), ..Setup::default() };
    assert!(refused(vec![Seat::person(); 2], &three).contains("takes 3 seats, not 2"));
    let two_only = Program {
        engine: EngineOptions { algorithm: Some(Algorithm::Pvs), ..EngineOptions::default() },
        ..Program::best_for(GameKind::ChineseCheckers, 3)
    };
    let seats = vec![Seat::person(), Seat::person(), Seat::Program(two_only)];
    assert!(refused(seats, &three).contains("is for two players"));
    for clock in ["", "x", "0", "-1+2", "5+", "0/5", "1e300", "5+3+1"] {
        assert!(clock.parse::<TimeControl>().is_err(), "{clock}");
    }
    for clock in ["5+3", "0.5+1", "40/90+30", "3+0"] {
        assert_eq!(clock.parse::<TimeControl>().unwrap().to_string(), clock);
    }
}
