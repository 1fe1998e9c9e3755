//! What a line asks for.

use std::path::PathBuf;

use gt_play::Level;

/// A command, or a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Nothing,
    Undo,
    Hint,
    Go,
    Save(PathBuf),
    Load(PathBuf),
    Resign,
    Board,
    Moves,
    Level(Level),
    Seats,
    New,
    Help,
    Quit,
    Move(String),
}

/// The commands with what they do, as `help` lists them.
pub(super) const COMMANDS: [(&str, &str, &str); 13] = [
    ("undo", "", "take back your last move and what followed"),
    ("hint", "", "have a program look for a move"),
    ("go", "", "have a program play this move for you; go on after a pause"),
    ("save", "FILE", "write the game to a file: PGN for chess, a line for other games"),
    ("load", "FILE", "go on with the first game of a file"),
    ("resign", "", "give up"),
    ("board", "", "draw the board"),
    ("moves", "", "list the moves that you can play, and those played so far"),
    ("level", "N", "how strong the programs play, from 1 to 10"),
    ("seats", "", "who plays, and the clocks"),
    ("new", "", "begin again"),
    ("help", "", "this list"),
    ("quit", "", "end"),
];

/// Reads a line; what is no command is taken for a move.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) =
        line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let command = match word {
        "" => return Ok(Command::Nothing),
        "undo" => Command::Undo,
        "hint" => Command::Hint,
        "go" | "now" => Command::Go,
        "save" => return file(word, rest).map(Command::Save),
        "load" => return file(word, rest).map(Command::Load),
        "resign" => Command::Resign,
        "board" => Command::Board,
        "moves" => Command::Moves,
        "level" => {
            return rest.parse().map(Command::Level).map_err(|error: gt_play::Error| error.to_string());
        }
        "seats" => Command::Seats,
        "new" => Command::New,
        "help" | "?" => Command::Help,
        "quit" | "exit" => Command::Quit,
        _ => return Ok(Command::Move(line.to_owned())),
    };
    match rest {
        "" => Ok(command),
        rest => Err(format!("`{word}` stands alone, without `{rest}`")),
    }
}

fn file(word: &str, rest: &str) -> Result<PathBuf, String> {
    match rest {
        "" => Err(format!("`{word}` needs the name of a file")),
        rest => Ok(rest.into()),
    }
}

pub(super) fn help() -> String {
    let lines =
        COMMANDS.map(|(word, rest, what)| format!("  {:<10}  {what}\n", format!("{word} {rest}").trim_end()));
    format!("{}Everything else is a move.\n", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_told_apart() {
        assert_eq!(parse(" undo "), Ok(Command::Undo));
        assert_eq!(parse("save my game.pgn"), Ok(Command::Save("my game.pgn".into())));
        assert_eq!(parse("level 3"), Ok(Command::Level(Level::new(3).unwrap())));
        assert_eq!(parse("e2e4"), Ok(Command::Move("e2e4".to_owned())));
        assert_eq!(parse(""), Ok(Command::Nothing));
        for wrong in ["save", "level", "level x", "undo 3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_command_of_the_list_is_understood() {
        for (word, rest, _) in COMMANDS {
            let argument = if rest == "N" { "5" } else { rest };
            let parsed = parse(&format!("{word} {argument}")).unwrap();
            assert_ne!(parsed, Command::Move(word.to_owned()), "{word}");
        }
    }
}
