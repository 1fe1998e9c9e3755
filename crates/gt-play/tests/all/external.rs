//! Programs that misbehave, each in its own way, as shell scripts.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gt_games::registry::{GameKind, Setup};
use gt_play::external::{Budget, External, Fault, ProgramOptions, Question, Reply};

/// A script that greets as it should; `$go` stands for what it does when it is asked for a move.
fn polite(go: &str) -> String {
    format!(
        "while read -r word rest; do case $word in \
           uci) echo 'id name Script 1'; echo 'option name Hash type spin default 1'; echo uciok;; \
           gt) echo gtok;; isready) echo readyok;; quit) exit 0;; go) {go};; \
         esac; done"
    )
}

fn options(script: &str) -> ProgramOptions {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    ProgramOptions { patience: Duration::from_secs(20), ..ProgramOptions::new(words) }
}

fn start(script: &str, game: GameKind) -> Result<External, Fault> {
    External::start(&options(script), game, &Command::spawn)
}

/// Asks a program for the first move of chess.
fn ask(program: &mut External, patience: Duration) -> Result<Reply, Fault> {
    program.new_game(None)?;
    let position = GameKind::Chess.open(&Setup::default()).unwrap();
    let budget = Budget { nodes: Some(1), ..Budget::default() };
    let stop = AtomicBool::new(false);
    program.think(&Question { position: &*position, moves: &[], budget, patience, stop: &stop })
}

fn fault_of(go: &str) -> Fault {
    let mut program = start(&polite(go), GameKind::Chess).unwrap();
    ask(&mut program, Duration::from_secs(20)).unwrap_err()
}

#[test]
fn a_program_that_answers_is_understood() {
    let go = "echo 'info depth 3 score cp 25 nodes 77 pv e2e4'; echo 'bestmove e2e4 ponder e7e5'";
    let mut program = start(&polite(go), GameKind::Chess).unwrap();
    assert_eq!(program.name(), "Script 1");
    for _ in 0..3 {
        let reply = ask(&mut program, Duration::from_secs(20)).unwrap();
        assert_eq!(reply.best, "e2e4");
        assert_eq!((reply.value, reply.depth, reply.nodes), (Some(25), Some(3), Some(77)));
    }
}

#[test]
fn the_other_games_are_asked_in_their_own_words() {
    // What it is told is what it answers, as moves go.
    let script = "while read -r line; do case $line in gt) echo gtok;; isready) echo readyok;; \
                  'position text 3/3/3 x moves a1 b1') said=yes;; go*) test $said && echo bestmove c1;; esac; done";
    let mut program = start(script, GameKind::TicTacToe).unwrap();
    program.new_game(Some("3/3/3 x")).unwrap();
    let moves = ["a1", "b1"].map(str::to_owned);
    let mut position = GameKind::TicTacToe.open(&Setup::default()).unwrap();
    moves.iter().for_each(|mv| position.play(mv).unwrap());
    let stop = AtomicBool::new(false);
    let question = Question {
        position: &*position,
        moves: &moves,
        budget: Budget { depth: Some(1), ..Budget::default() },
        patience: Duration::from_secs(20),
        stop: &stop,
    };
    assert_eq!(program.think(&question).unwrap().best, "c1");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let options = ProgramOptions::new(vec!["no-such-engine".to_owned()]);
    let Err(fault) = External::start(&options, GameKind::Chess, &Command::spawn) else {
        panic!("it started")
    };
    assert!(fault.to_string().starts_with("cannot start `no-such-engine`: "), "{fault}");
}

#[test]
fn a_crash_tells_the_exit_code_and_the_last_words() {
    let fault = fault_of("echo 'first line' >&2; echo 'out of squares' >&2; exit 3");
    assert_eq!(fault.to_string(), "crash: it ended with exit status: 3; it said: out of squares");
    let fault = fault_of("kill -9 $$");
    assert!(fault.to_string().starts_with("crash: it ended with signal: 9"), "{fault}");
    let Err(fault) = start("exit 0", GameKind::Chess) else { panic!("it greeted") };
    assert_eq!(fault.to_string(), "crash: it ended with exit status: 0");
}

#[test]
fn a_program_that_says_nothing_hangs() {
    let mut greeting = options("while read -r line; do :; done");
    greeting.patience = Duration::from_millis(50);
    let Err(fault) = External::start(&greeting, GameKind::Chess, &Command::spawn) else {
        panic!("it greeted")
    };
    assert!(matches!(fault, Fault::Hangs { asked: "uci", .. }), "{fault}");

    let mut program = start(&polite("echo 'still here' >&2"), GameKind::Chess).unwrap();
    let fault = ask(&mut program, Duration::from_millis(50)).unwrap_err();
    assert!(
        matches!(&fault, Fault::Hangs { asked: "go", words: Some(words), .. } if words == "still here"),
        "{fault}"
    );
}

#[test]
fn a_program_that_is_late_is_told_to_stop() {
    let script = polite(":").replace("go) :;;", "go) :;; stop) echo bestmove d2d4;;");
    let mut program = start(&script, GameKind::Chess).unwrap();
    let patience = Duration::from_millis(30);
    let reply = ask(&mut program, patience).unwrap();
    assert_eq!(reply.best, "d2d4");
    assert!(reply.elapsed >= patience, "{reply:?}");
}

#[test]
fn moves_against_the_rules_are_named() {
    let fault = fault_of("echo bestmove e2e5");
    assert_eq!(fault.to_string(), "illegal move e2e5: white has no such legal move here");
    assert!(fault.leaves_it_usable());
    assert_eq!(fault_of("echo 'bestmove (none)'"), Fault::NoMove);
    assert_eq!(fault_of("echo bestmove"), Fault::NoMove);
    assert!(matches!(fault_of("printf 'bestmove \\377\\376\\n'"), Fault::IllegalMove { .. }));
}

#[test]
fn a_line_without_an_end_is_garbage() {
    assert_eq!(fault_of("yes x | tr -d '\\n' | head -c 300000; sleep 60"), Fault::Garbage);
}

#[test]
fn a_flood_of_lines_is_read_through() {
    let mut program =
        start(&polite("yes 'info depth 1' | head -n 20000; echo bestmove a2a3"), GameKind::Chess).unwrap();
    assert_eq!(ask(&mut program, Duration::from_secs(60)).unwrap().best, "a2a3");
}

#[test]
fn an_option_that_is_not_there_is_refused() {
    let mut options = options(&polite(":"));
    options.settings = vec![("Trheads".to_owned(), "2".to_owned())];
    let Err(fault) = External::start(&options, GameKind::Chess, &Command::spawn) else {
        panic!("it was set")
    };
    assert_eq!(fault.to_string(), "has no option `Trheads`; it has Hash");
}

#[test]
fn a_search_can_be_given_up() {
    let mut program = start(&polite(":"), GameKind::Chess).unwrap();
    let position = GameKind::Chess.open(&Setup::default()).unwrap();
    let stop = AtomicBool::new(true);
    let question = Question {
        position: &*position,
        moves: &[],
        budget: Budget::default(),
        patience: Duration::from_secs(3600),
        stop: &stop,
    };
    assert_eq!(program.think(&question).unwrap_err(), Fault::GivenUp);
}

/// A program that uses up its CPU time is told to stop, however little of it was spent by the clock.
#[test]
#[cfg(target_os = "linux")]
fn cpu_time_ends_a_search() {
    // It computes for some time, and answers only once it is asked to stop. It reads that when it has computed, which a busy
    // machine must finish within the second that it is given.
    let work = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    let script = polite(work).replace("esac", "stop) echo bestmove e2e4;; esac");
    let mut program = start(&script, GameKind::Chess).unwrap();
    program.new_game(None).unwrap();
    let position = GameKind::Chess.open(&Setup::default()).unwrap();
    let stop = AtomicBool::new(false);
    let question = Question {
        position: &*position,
        moves: &[],
        budget: Budget { cpu: Some(Duration::from_millis(5)), ..Budget::default() },
        patience: Duration::from_secs(3600),
        stop: &stop,
    };
    assert_eq!(program.think(&question).unwrap().best, "e2e4");
}

/// Neither a child that runs on nor a deaf program survives.
#[test]
fn a_program_ends_with_its_children() {
    let folder = std::env::temp_dir().join(format!("gt-external-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pids = folder.join("pids");
    let script = format!(
        "trap '' TERM INT HUP; sleep 1000 & echo $! $$ > '{}'; {}; sleep 1000",
        pids.display(),
        polite(":")
    );
    let program = start(&script.replace("quit) exit 0", "quit) :"), GameKind::Chess).unwrap();
    let text = std::fs::read_to_string(&pids).unwrap();
    let pids: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|pid| is_running(pid)));
    drop(program);
    let deadline = Instant::now() + Duration::from_secs(60);
    while pids.iter().any(|pid| is_running(pid)) {
        assert!(Instant::now() < deadline, "still there: {pids:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A process that has ended and that nobody has waited for runs no more.
fn is_running(pid: &str) -> bool {
    if !Path::new("/proc/self").exists() {
        return Command::new("kill").args(["-0", pid]).status().unwrap().success();
    }
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}
