//! `gt repl` on a terminal: what Enter does, long answers, and how the terminal is left; and the bar of `gt query -o`.

use nix::sys::signal::Signal;
use nix::sys::termios::LocalFlags;
use std::os::unix::process::ExitStatusExt;

use crate::folder::Folder;
use crate::terminal::Terminal;

const PROMPT: &str = "gt> ";

/// A log of 341 nodes, five plies of four children each.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.prints(&["gen", "--depth", "4", "--branching", "4", "--seed", "1", "-o", "t.gtf"]);
    folder
}

fn repl(folder: &Folder) -> Terminal {
    let mut terminal = Terminal::run(folder, &["repl", "t.gtf"]);
    terminal.awaits("Ctrl-D ends.");
    terminal.awaits(PROMPT);
    terminal
}

#[test]
fn a_query_goes_on_after_a_semicolon_and_by_alt_enter() {
    let folder = folder();
    let whole = folder.prints(&["query", "t.gtf", "node: best > 0; child: count(*) > 0", "--count"]);
    let mut terminal = repl(&folder);
    terminal.types("node: best > 0;\rchild: count(*) > 0 \\\rselect count(*), 4711\r");
    assert!(!terminal.awaits("4711\r\n").contains("1 row"), "the first line alone is no query");
    terminal.awaits(&format!("{}  4711\r\n1 row", whole.trim()));
    terminal.awaits(PROMPT);
    terminal.types("node: best > 0;\rchild: count(*) > 0\x1b\rselect count(*), 4712\r");
    terminal.awaits(&format!("{}  4712\r\n1 row", whole.trim()));
    terminal.awaits(PROMPT);
    terminal.types("node: @ply = 1;\r\r");
    terminal.awaits("4 nodes\r\n");
    terminal.awaits(PROMPT);
    terminal.types("node: @ply = 1; node: @ply = 2\r");
    terminal.awaits("gt: these are 2 queries: parts stand in the order");
}

#[test]
fn a_let_is_kept_from_prompt_to_prompt() {
    let folder = folder();
    let mut terminal = repl(&folder);
    // Two lines in one breath: what is typed ahead is not lost.
    terminal.types("let z = @ply\rnode: z = 1 select 4000 + z limit 1\r");
    terminal.awaits("4001\r\n1 row");
    terminal.types("node: z = 2 select 4000 + z limit 1\r");
    terminal.awaits("4002\r\n1 row");
}

#[test]
fn single_keys_turn_pages() {
    let folder = folder();
    let mut terminal = repl(&folder);
    terminal.types("node: *\r");
    terminal.awaits("-- 320 more lines: Space goes on, Enter by a line, q stops --");
    terminal.types(" ");
    let page = terminal.awaits("-- 297 more lines");
    assert_eq!(page.lines().count(), 23, "{page}");
    let keys =
        [("\r", 296), ("\x1b[B", 295), ("\x1bOB", 294), ("j", 293), ("\x1b[6~", 270), ("\x1b[A\x0cx ", 247)];
    for (key, left) in keys {
        terminal.types(key);
        let printed = terminal.awaits(&format!("-- {left} more lines"));
        assert!(!printed.contains('^') && !printed.contains('x'), "a key is shown: {printed:?}");
    }
    terminal.types("G");
    terminal.awaits("341 nodes\r\n");
}

#[test]
fn what_follows_the_last_key_of_a_pager_is_typed_at_the_prompt() {
    let folder = folder();
    let mut terminal = repl(&folder);
    for (stop, answer) in [("q", 4001), ("\x03", 4002), ("\x04", 4003)] {
        terminal.types("node: *\r");
        terminal.awaits("-- 320 more lines");
        terminal.types(&format!("{stop}node: @ply = 0 select {answer}\r"));
        let printed = terminal.awaits(&format!("{answer}\r\n1 row"));
        assert!(!printed.contains("more lines"), "{printed}");
    }
    terminal.types("node: *\r");
    terminal.awaits("-- 320 more lines");
    terminal.types("\x1b");
    terminal.awaits(PROMPT);
}

#[test]
fn another_pager_gets_the_whole_answer() {
    let folder = folder();
    let mut terminal = Terminal::with_pager(&folder, &["repl", "t.gtf"], "tail -n 1; echo seen");
    terminal.awaits(PROMPT);
    terminal.types("node: *\r");
    terminal.awaits("\n341 nodes\r\nseen\r\n");
    terminal.awaits(PROMPT);
}

#[test]
fn the_terminal_is_left_as_it_was() {
    let folder = folder();
    let start = |keys: &str, awaited: &str| {
        let mut terminal = Terminal::run(&folder, &["repl", "t.gtf"]);
        let before = terminal.mode_before.clone();
        assert!(before.local_flags.contains(LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::ISIG));
        terminal.awaits(PROMPT);
        terminal.types(keys);
        terminal.awaits(awaited);
        (terminal, before)
    };
    let (mut terminal, before) = start("node: *\r", "-- 320 more lines");
    assert_ne!(terminal.mode(), before, "the pager has a mode of its own");
    terminal.types("q.quit\r");
    assert!(terminal.ends().success());
    assert_eq!(terminal.mode(), before);
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        for (keys, awaited) in [("node: *\r", "-- 320 more lines"), ("let x = 1\r", PROMPT)] {
            let (mut terminal, before) = start(keys, awaited);
            terminal.signal(signal);
            assert_eq!(terminal.ends().signal(), Some(signal as i32));
            assert_eq!(terminal.mode(), before, "{signal} {keys}");
        }
    }
}

#[test]
fn ctrl_c_does_not_end_the_program() {
    let folder = folder();
    let mut terminal = repl(&folder);
    terminal.types("node: be\x03");
    terminal.awaits(PROMPT);
    terminal.signal(Signal::SIGINT);
    // The signal may arrive when the query has begun already, and stops it then.
    terminal.types("node: @ply = 0 select 4711\r");
    if terminal.awaits_one(["4711\r\n1 row", "the query was stopped"]) == 1 {
        terminal.awaits(PROMPT);
        terminal.types("node: @ply = 0 select 4711\r");
        terminal.awaits("4711\r\n1 row");
    }
    // Before the prompt the terminal takes Ctrl-D for the end of a line, and the prompt finds nothing of it.
    terminal.awaits(PROMPT);
    terminal.types("\x04");
    assert!(terminal.ends().success());
}

/// With `-o` a terminal shows how much is done, and the bar is gone at the end.
#[test]
fn a_file_comes_with_a_bar() {
    let folder = Folder::with_log();
    let words = ["query", "t.gtf", "--tree", "0", "select best", "--format", "csv", "-o", "best.csv"];
    let mut terminal = Terminal::run(&folder, &words);
    terminal.awaits("asking");
    terminal.awaits("best.csv: 20 bytes");
    assert!(terminal.ends().success());
    assert_eq!(folder.read("best.csv"), "best\n10\n-10\n20\n-5\n7\n");
}
