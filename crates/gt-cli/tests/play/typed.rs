//! Games that are typed: completion, undo, hints, files, Ctrl-C.

use std::os::unix::process::ExitStatusExt;

use nix::sys::signal::Signal;

use crate::folder::Folder;
use crate::terminal::Terminal;

const CTRL_C: &str = "\x03";

fn play(folder: &Folder, words: &[&str]) -> Terminal {
    let mut terminal = Terminal::run(folder, &[&["play"], words, &["--terminal", "--seed", "1"]].concat());
    terminal.awaits("Ctrl-D ends.");
    terminal
}

#[test]
fn a_whole_game_of_tic_tac_toe() {
    let folder = Folder::new();
    let mut terminal = play(&folder, &["tic-tac-toe", "--seat", "person", "--seat", "program,nodes=2000"]);
    terminal.awaits("x> ");
    terminal.types("b\t\t");
    let offered = terminal.awaits("b3");
    assert!(offered.contains("board") && offered.contains("b1"), "{offered:?}");
    terminal.types("1\r");
    terminal.awaits("o plays ");
    terminal.awaits("x to move");
    // `u` is the beginning of one word only.
    terminal.types("u\t\r");
    let taken_back = terminal.awaits("x to move");
    assert!(taken_back.contains("1 . . ."), "{taken_back:?}");
    terminal.types("hint\r");
    terminal.awaits("hint: ");
    terminal.types("a1\r");
    terminal.awaits("o plays ");
    terminal.awaits("x to move");
    terminal.types("save game.txt\r");
    terminal.awaits("saved to game.txt");
    assert!(folder.read("game.txt").starts_with("game=tic-tac-toe\tplayer0=person"));
    terminal.types("new\r");
    assert!(terminal.awaits("x to move").contains("1 . . ."));
    terminal.types("load ga\t\r");
    assert!(terminal.awaits("x to move").contains("1 x"));
    // The line before the last but one: history.
    terminal.types("\x1b[A\x1b[A\r");
    assert!(terminal.awaits("x to move").contains("1 . . ."));
    for _ in 0..5 {
        terminal.types("go\r");
        terminal.awaits("hint: ");
    }
    terminal.awaits("draw: the board is full");
    terminal.awaits("gt> ");
    terminal.types("quit\r");
    assert!(terminal.ends().success());
    assert_eq!(terminal.mode(), terminal.mode_before);
}

#[test]
fn ctrl_c_makes_the_program_move() {
    let folder = Folder::new();
    let seats = ["chess", "--seat", "person", "--seat", "program,depth=200", "--logs", "logs"];
    let mut terminal = play(&folder, &seats);
    terminal.awaits("white> ");
    terminal.types("e4\r");
    terminal.awaits("black thinks: ");
    terminal.types(CTRL_C);
    terminal.awaits("black plays ");
    terminal.awaits("white> ");
    assert!(folder.prints(&["verify", "logs/ply-002-after-e2e4.gtf"]).contains("sound"));
    terminal.types(CTRL_C);
    terminal.awaits("Ctrl-C again ends the game");
    terminal.types("board\r");
    terminal.awaits("white to move");
    terminal.types(CTRL_C);
    terminal.awaits("Ctrl-C again ends the game");
    terminal.types(CTRL_C);
    assert!(terminal.ends().success());
}

#[test]
fn ctrl_c_brings_the_prompt_where_only_programs_play() {
    let folder = Folder::new();
    let seats = ["chess", "--seat", "program,depth=200", "--seat", "program,depth=200"];
    let mut terminal = play(&folder, &seats);
    for _ in 0..2 {
        terminal.awaits("white thinks: ");
        terminal.types(CTRL_C);
        terminal.awaits("paused");
        terminal.awaits("gt> ");
        terminal.types("go\r");
    }
    terminal.awaits("white thinks: ");
    terminal.types(CTRL_C);
    terminal.awaits("gt> ");
    terminal.types("\x04");
    assert!(terminal.ends().success());
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let folder = Folder::new();
    let mut terminal = play(&folder, &["chess"]);
    terminal.awaits("white> ");
    terminal.signal(Signal::SIGTERM);
    assert_eq!(terminal.ends().signal(), Some(Signal::SIGTERM as i32));
    assert_eq!(terminal.mode(), terminal.mode_before);
}
