//! The lines of the protocol, from the asking side.

use std::fmt::Write as _;

use gt_search::{UNMEASURED_WIN_MIN, WIN, WIN_MIN};

use super::{Budget, Fault};

/// The line that begins a search.
pub(super) fn go(budget: &Budget) -> String {
    let Budget { depth, nodes, time, cpu, clocks } = *budget;
    let mut line = "go".to_owned();
    let mut add = |word: &str, number: u128| {
        let _ = write!(line, " {word} {number}");
    };
    if let Some(([first, second], increment)) = clocks {
        add("wtime", first.as_millis());
        add("btime", second.as_millis());
        add("winc", increment.as_millis());
        add("binc", increment.as_millis());
    }
    if let Some(depth) = depth {
        add("depth", depth.into());
    }
    if let Some(nodes) = nodes {
        add("nodes", nodes.into());
    }
    if let Some(time) = time {
        // A program that gets no time at all may think forever.
        add("movetime", time.as_millis().max(1));
    }
    let is_limited = depth.is_some() || nodes.is_some() || time.is_some() || clocks.is_some();
    if cpu.is_some() && !is_limited {
        line.push_str(" infinite");
    }
    line
}

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EngineLine<'a> {
    /// `uciok` or `gtok`.
    Hello,
    Ready,
    Name(&'a str),
    /// The name of an option.
    Setting(&'a str),
    Info(Info),
    /// `None` if the program has no move to make.
    BestMove(Option<&'a str>),
    /// Anything else.
    Else,
}

/// The reported state of a search; only the fields in the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) value: Option<i32>,
    pub(super) depth: Option<u16>,
    pub(super) nodes: Option<u64>,
}

impl Info {
    pub(super) fn update(&mut self, newer: Self) {
        self.value = newer.value.or(self.value);
        self.depth = newer.depth.or(self.depth);
        self.nodes = newer.nodes.or(self.nodes);
    }
}

pub(super) fn parse(line: &str) -> EngineLine<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "uciok" | "gtok" => EngineLine::Hello,
        "readyok" => EngineLine::Ready,
        "id" => rest.strip_prefix("name ").map_or(EngineLine::Else, |name| EngineLine::Name(name.trim())),
        "option" => setting_name(rest).map_or(EngineLine::Else, EngineLine::Setting),
        "info" => EngineLine::Info(info(rest)),
        "bestmove" => {
            let best = rest.split_whitespace().next();
            EngineLine::BestMove(best.filter(|&best| !matches!(best, "(none)" | "0000" | "none" | "null")))
        }
        _ => EngineLine::Else,
    }
}

/// The name in `name Move Overhead type spin …`.
fn setting_name(rest: &str) -> Option<&str> {
    let named = rest.strip_prefix("name ")?;
    let end = named.find(" type ").unwrap_or(named.len());
    Some(named[..end].trim())
}

/// Ignores lines after the first of several, and words after `string` and `pv`.
fn info(rest: &str) -> Info {
    let mut info = Info::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "string" | "pv" => break,
            "multipv" if words.clone().next() != Some("1") => return Info::default(),
            "depth" => info.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|text| text.parse().ok()),
            "score" => info.value = value(words.next(), words.next()),
            _ => (),
        }
    }
    info
}

/// A value in this workspace's scale.
fn value(unit: Option<&str>, number: Option<&str>) -> Option<i32> {
    let number: i32 = number?.parse().ok()?;
    match unit? {
        // However high, it is an evaluation: no distance, and no ending that is known.
        "cp" => Some(number.clamp(1 - UNMEASURED_WIN_MIN, UNMEASURED_WIN_MIN - 1)),
        "mate" if number > 0 => {
            Some(WIN.saturating_sub(number.saturating_mul(2).saturating_sub(1)).max(WIN_MIN))
        }
        "mate" => Some(number.saturating_neg().saturating_mul(2).saturating_sub(WIN).min(-WIN_MIN)),
        _ => None,
    }
}

/// The program's announcement of itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Announced {
    pub(super) name: Option<String>,
    pub(super) settings: Vec<String>,
}

impl Announced {
    /// The line that sets an option, under the program's name for it.
    pub(super) fn setting(&self, name: &str, value: &str) -> Result<String, Fault> {
        let found = self.settings.iter().find(|known| known.eq_ignore_ascii_case(name));
        let found =
            found.ok_or_else(|| Fault::NoSetting { name: name.to_owned(), known: self.settings.clone() })?;
        Ok(if value.is_empty() {
            format!("setoption name {found}")
        } else {
            format!("setoption name {found} value {value}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn budgets_are_words() {
        let second = Duration::from_secs(1);
        let clocks = Some(([2 * second, second], second / 10));
        assert_eq!(
            go(&Budget { clocks, nodes: Some(9), ..Budget::default() }),
            "go wtime 2000 btime 1000 winc 100 binc 100 nodes 9"
        );
        assert_eq!(go(&Budget { cpu: Some(second), ..Budget::default() }), "go infinite");
        assert_eq!(go(&Budget { time: Some(Duration::ZERO), ..Budget::default() }), "go movetime 1");
    }

    #[test]
    fn lines_are_understood() {
        let told = |value, depth, nodes| EngineLine::Info(Info { value, depth, nodes });
        let cases = [
            ("info depth 7 score cp -31 nodes 900 pv e2e4", told(Some(-31), Some(7), Some(900))),
            ("info depth 7 multipv 2 score cp 500 pv e2e4", told(None, None, None)),
            ("info multipv 1 score mate 2", told(Some(WIN - 3), None, None)),
            ("info score mate -1", told(Some(2 - WIN), None, None)),
            ("info score cp 985000", told(Some(UNMEASURED_WIN_MIN - 1), None, None)),
            ("info score cp -2000000000", told(Some(1 - UNMEASURED_WIN_MIN), None, None)),
            ("info score mate 8000", told(Some(WIN_MIN), None, None)),
            ("info string depth 9", told(None, None, None)),
            ("info score cp", told(None, None, None)),
            ("bestmove e2e4 ponder e7e5", EngineLine::BestMove(Some("e2e4"))),
            ("bestmove (none)", EngineLine::BestMove(None)),
            ("bestmove", EngineLine::BestMove(None)),
            ("option name Move Overhead type spin default 10", EngineLine::Setting("Move Overhead")),
            ("  gtok\r", EngineLine::Hello),
            ("", EngineLine::Else),
        ];
        for (line, expected) in cases {
            assert_eq!(parse(line), expected, "{line}");
        }
    }

    #[test]
    fn options_are_set_under_the_name_that_the_program_knows() {
        let announced = Announced { name: None, settings: vec!["Hash".to_owned(), "Clear Hash".to_owned()] };
        assert_eq!(announced.setting("hash", "16").unwrap(), "setoption name Hash value 16");
        assert_eq!(announced.setting("Clear Hash", "").unwrap(), "setoption name Clear Hash");
        let fault = announced.setting("Treads", "2").unwrap_err();
        assert_eq!(fault.to_string(), "has no option `Treads`; it has Hash, Clear Hash");
    }
}
