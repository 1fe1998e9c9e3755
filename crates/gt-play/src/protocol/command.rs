//! Parses lines into commands.

use std::time::Duration;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A greeting, which is answered by its word with `ok` at the end.
    Hello(&'static str),
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        start: Start,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    /// Draw the board.
    Show,
    Quit,
    /// An empty line, or one that an engine ignores (`debug`, `register`).
    Nothing,
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Usual,
    Text(String),
}

/// The limits of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u64>,
    pub(super) perft: Option<u64>,
    pub(super) movetime: Option<Duration>,
    /// The time left on the clocks, and the increments; for the first and the second player.
    pub(super) left: [Option<Duration>; 2],
    pub(super) increment: [Duration; 2],
    pub(super) moves_to_go: Option<u32>,
    pub(super) root_moves: Vec<String>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
}

pub(super) fn parse(line: &str) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [] => Command::Nothing,
        ["uci", ..] => Command::Hello("uci"),
        ["gt", ..] => Command::Hello("gt"),
        ["isready", ..] => Command::IsReady,
        ["ucinewgame" | "newgame", ..] => Command::NewGame,
        ["setoption", rest @ ..] => set_option(rest),
        ["position", rest @ ..] => position(rest),
        ["go", rest @ ..] => Command::Go(go(rest)),
        ["stop", ..] => Command::Stop,
        ["ponderhit", ..] => Command::PonderHit,
        ["d" | "show", ..] => Command::Show,
        ["quit", ..] => Command::Quit,
        ["debug" | "register", ..] => Command::Nothing,
        _ => Command::Unknown(line.trim().chars().take(80).collect()),
    }
}

/// `name WORDS value WORDS`; a button has no value.
fn set_option(words: &[&str]) -> Command {
    let words = words.strip_prefix(&["name"]).unwrap_or(words);
    let split = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let value = words.get(split + 1..).unwrap_or_default();
    Command::SetOption { name: words[..split].join(" "), value: value.join(" ") }
}

fn position(words: &[&str]) -> Command {
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.get(split + 1..).unwrap_or_default().iter().map(|&mv| mv.to_owned()).collect();
    let start = match &words[..split] {
        ["startpos" | "start"] => Start::Usual,
        ["fen" | "text", text @ ..] => Start::Text(text.join(" ")),
        _ => return Command::Unknown(format!("position {}", words.join(" ")).chars().take(80).collect()),
    };
    Command::Position { start, moves }
}

/// Ignores words that name no limit, and invalid numbers.
fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = rest.next_if(|word| !is_limit(word)) {
                    go.root_moves.push(mv.to_owned());
                }
            }
            word if is_limit(word) => {
                if let Some(number) = rest.next_if(|word| !is_limit(word)).and_then(|text| text.parse().ok())
                {
                    go.take(word, number);
                }
            }
            _ => (),
        }
    }
    go
}

fn is_limit(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "nodes"
            | "mate"
            | "perft"
            | "movetime"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "infinite"
            | "ponder"
            | "searchmoves"
    )
}

impl Go {
    /// Whether something other than time ends the search.
    pub(super) fn is_counted(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.mate.is_some()
    }

    /// A clock that has already run down has nothing left.
    fn take(&mut self, limit: &str, number: i64) {
        let count = number.unsigned_abs();
        let time = Duration::from_millis(u64::try_from(number).unwrap_or(0));
        match limit {
            "depth" => self.depth = Some(count),
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = Some(count),
            "perft" => self.perft = Some(count),
            "movetime" => self.movetime = Some(time),
            "wtime" => self.left[0] = Some(time),
            "btime" => self.left[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            "movestogo" => self.moves_to_go = u32::try_from(count).ok(),
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_of_the_protocol_are_understood() {
        assert_eq!(parse("  uci \r"), Command::Hello("uci"));
        let Command::SetOption { name, value } = parse("setoption name Move Overhead value 30") else {
            panic!()
        };
        assert_eq!((name.as_str(), value.as_str()), ("Move Overhead", "30"));
        let Command::Position { start, moves } =
            parse("position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves e2e4 e7e5")
        else {
            panic!()
        };
        assert_eq!((start, moves.len()), (Start::Text("8/8/8/8/8/8/8/8 w - - 0 1".to_owned()), 2));
        let Command::Go(go) = parse("go wtime 1000 btime -5 winc 10 searchmoves e2e4 d2d4 depth 7 ponder")
        else {
            panic!()
        };
        assert_eq!(go.left, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!((go.root_moves.len(), go.depth, go.ponder), (2, Some(7), true));
    }

    #[test]
    fn a_limit_without_its_number_is_passed_over() {
        let Command::Go(go) = parse("go depth nodes 5 movetime x") else { panic!() };
        assert_eq!((go.depth, go.nodes, go.movetime), (None, Some(5), None));
    }

    proptest! {
        #[test]
        fn any_line_is_a_command(line in ".*", words in proptest::collection::vec("(go|position|moves|fen|depth|name|value|setoption|-?[0-9]{1,30}|[a-h][1-8]){0,2}", 0..9)) {
            parse(&line);
            parse(&words.join(" "));
        }
    }
}
