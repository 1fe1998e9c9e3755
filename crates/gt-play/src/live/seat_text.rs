//! Seats as text: `person`, `person=Ann`, `program,level=3`, `uct,time=2s,seed=7`.

use std::str::FromStr;

use gt_games::registry::GameKind;

use super::seat::{Program, Seat};
use crate::error::{Error, Result};
use crate::pace::parse_time;
use crate::size::parse_memory;

/// The settings that may follow a program, for lists and help.
pub const PROGRAM_WORDS: &str =
    "level, time, nodes, depth, eval, threads, hash, memory, seed, book, endgames, name, ponder";

const THREADS_MAX: usize = 256;

impl Seat {
    /// Reads a seat of a game for this many players. `person` is a person and `person=NAME` one with a name;
    /// `program` is the engine that fits the game best, and the name of an algorithm one that uses it. Settings such
    /// as `level=3` or `time=2s` follow a program, separated by commas.
    ///
    /// ```
    /// use gt_games::GameKind;
    /// use gt_play::live::Seat;
    ///
    /// let seat = Seat::parse("strong,level=3", GameKind::Chess, 2)?;
    /// assert_eq!(seat.title(), "strong level 3");
    /// assert!(Seat::parse("stron", GameKind::Chess, 2).is_err());
    /// # Ok::<(), gt_play::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a word is not understood.
    pub fn parse(text: &str, kind: GameKind, players: usize) -> Result<Self> {
        match text.trim() {
            "person" => Ok(Self::person()),
            text => match text.strip_prefix("person=") {
                Some(name) => Ok(Self::Person { name: name.to_owned() }),
                None => program(text, kind, players).map(Self::Program),
            },
        }
    }
}

fn program(text: &str, kind: GameKind, players: usize) -> Result<Program> {
    let mut words = text.split(',').map(str::trim);
    let mut program = Program::best_for(kind, players);
    match words.next().unwrap_or_default() {
        "program" => (),
        name => {
            let algorithm =
                name.parse().map_err(|error| Error::Unfit(format!("{error}, person and program")))?;
            program.engine.algorithm = Some(algorithm);
            program.name = algorithm.name().to_owned();
        }
    }
    for word in words {
        match word.split_once('=') {
            Some(("name", value)) => program.name = value.to_owned(),
            Some((key, value)) => set(&mut program, key, value, word)?,
            None if word == "ponder" => program.ponder = true,
            None => return Err(not_understood(word)),
        }
    }
    Ok(program)
}

fn set(program: &mut Program, key: &str, value: &str, word: &str) -> Result<()> {
    let Program { engine, level, budget, .. } = program;
    match key {
        "level" => *level = Some(value.parse()?),
        "time" => budget.time = Some(parse_time(value).map_err(|problem| refused(word, &problem))?),
        "nodes" => budget.nodes = Some(number(word, value, 1..=u64::MAX)?),
        "depth" => budget.depth = Some(number(word, value, 1..=200)?),
        "eval" => engine.evaluation = Some(value.to_owned()),
        "threads" => engine.threads = number(word, value, 1..=THREADS_MAX)?,
        "hash" => engine.table_bytes = memory(word, value)?,
        "memory" => engine.memory_bytes = Some(memory(word, value)?),
        "book" => engine.book = Some(value.into()),
        "endgames" => engine.endgames = Some(value.into()),
        "seed" => engine.seed = number(word, value, 0..=u64::MAX)?,
        _ => return Err(not_understood(word)),
    }
    Ok(())
}

fn number<N: FromStr + PartialOrd + std::fmt::Display + Copy>(
    word: &str,
    value: &str,
    range: std::ops::RangeInclusive<N>,
) -> Result<N> {
    let found = value.parse().ok().filter(|number| range.contains(number));
    let problem = || format!("a number from {} to {} is expected", range.start(), range.end());
    found.ok_or_else(|| refused(word, &problem()))
}

fn memory(word: &str, value: &str) -> Result<usize> {
    parse_memory(value).map_err(|problem| refused(word, &problem))
}

fn refused(word: &str, problem: &str) -> Error {
    Error::Unfit(format!("`{word}`: {problem}"))
}

fn not_understood(word: &str) -> Error {
    refused(word, &format!("a program has {PROGRAM_WORDS}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Algorithm;

    fn parse(text: &str) -> Result<Seat> {
        Seat::parse(text, GameKind::Chess, 2)
    }

    #[test]
    fn persons_and_programs_are_read() {
        assert_eq!(parse("person").unwrap(), Seat::person());
        assert_eq!(parse("person=Ann Lee").unwrap().name(), "Ann Lee");
        let Seat::Program(program) = parse("uct, level=3,time=500ms,nodes=9,depth=4,seed=7,ponder").unwrap()
        else {
            panic!()
        };
        assert_eq!((program.name.as_str(), program.engine.seed, program.ponder), ("uct", 7, true));
        assert_eq!(program.engine.algorithm, Some(Algorithm::Uct));
        assert_eq!(program.budget.time.map(|time| time.as_millis()), Some(500));
        assert_eq!((program.budget.nodes, program.budget.depth), (Some(9), Some(4)));
        assert_eq!(parse("program,hash=2,name=Deep").unwrap().name(), "Deep");
        let Seat::Program(program) = parse("stored-tree,hash=512k,memory=2G").unwrap() else { panic!() };
        assert_eq!((program.engine.table_bytes, program.engine.memory_bytes), (512 << 10, Some(2 << 30)));
        let Seat::Program(program) = parse("program,book=old games.bin").unwrap() else { panic!() };
        assert_eq!(program.engine.book.as_deref(), Some(std::path::Path::new("old games.bin")));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (text, told) in [
            ("", "there is no algorithm ``"),
            ("strongg", "there is no algorithm `strongg`"),
            ("strong,levl=3", "`levl=3`: a program has level"),
            ("strong,level=11", "a level is a number from 1 to 10, not `11`"),
            ("strong,time=fast", "`time=fast`: a time is written"),
            ("strong,depth=0", "`depth=0`: a number from 1 to 200 is expected"),
            ("strong,quick", "`quick`: a program has level"),
        ] {
            let sentence = parse(text).unwrap_err().to_string();
            assert!(sentence.contains(told), "{text}: {sentence}");
        }
    }
}
