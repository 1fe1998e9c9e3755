//! Every parser, given any bytes: it reads them or refuses them, and what it has read holds together.
//!
//! `make fuzz` runs these with a fuzzer that sees which branches an input reaches. `make torture` runs them on seeds that
//! are read, changed here and there (see [`Changed`]), which takes no tool beside cargo.

mod books;
mod bound_query;
mod c_calls;
mod edited_table;
mod endgame_tables;
mod evaluations;
mod importer;
mod positions;
mod query_text;
mod reader;
mod saved_games;
mod seeds;

use proptest::prelude::*;

use seeds::Seeds;

/// A parser: its name, its call, and inputs that it reads.
struct Parser {
    name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> Seeds,
}

const PARSERS: [Parser; 11] = [
    Parser { name: "books", run: books::run, seeds: seeds::books },
    Parser { name: "bound_query", run: bound_query::run, seeds: seeds::queries },
    Parser { name: "c_calls", run: c_calls::run, seeds: seeds::none },
    Parser { name: "edited_table", run: edited_table::run, seeds: seeds::none },
    Parser { name: "endgame_tables", run: endgame_tables::run, seeds: seeds::endgames },
    Parser { name: "evaluations", run: evaluations::run, seeds: seeds::evaluations },
    Parser { name: "importer", run: importer::run, seeds: seeds::tables },
    Parser { name: "positions", run: positions::run, seeds: seeds::positions },
    Parser { name: "query_text", run: query_text::run, seeds: seeds::queries },
    Parser { name: "reader", run: reader::run, seeds: seeds::logs },
    Parser { name: "saved_games", run: saved_games::run, seeds: seeds::saved_games },
];

/// Gives bytes to the parser of this name.
///
/// # Panics
/// There is no such parser, or it has a defect.
pub fn run(name: &str, bytes: &[u8]) {
    let parser = PARSERS.iter().find(|parser| parser.name == name);
    (parser.unwrap_or_else(|| panic!("there is no parser {name}")).run)(bytes);
}

/// A change of an input. Places are shares of its length, so that one change fits every input.
#[derive(Clone, Debug)]
enum Change {
    Byte(u16, u8),
    Bit(u16, u8),
    /// Some bytes are put in.
    Insert(u16, Vec<u8>),
    /// So many bytes are taken out.
    Remove(u16, u8),
    /// So many bytes are there twice.
    Repeat(u16, u8),
    Cut(u16),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |share: u16, length: usize| length * usize::from(share) / usize::from(u16::MAX);
        let (share, some) = match self {
            Self::Byte(share, _) | Self::Bit(share, _) | Self::Cut(share) => (*share, 1),
            Self::Insert(share, _) => (*share, 0),
            Self::Remove(share, some) | Self::Repeat(share, some) => (*share, usize::from(*some)),
        };
        let from = place(share, bytes.len().saturating_sub(some));
        let to = (from + some).min(bytes.len());
        match self {
            Self::Byte(_, byte) => bytes[from..to].fill(*byte),
            Self::Bit(_, bit) => bytes[from..to].iter_mut().for_each(|byte| *byte ^= 1 << (bit % 8)),
            Self::Insert(_, put) => drop(bytes.splice(from..from, put.iter().copied())),
            Self::Remove(..) => drop(bytes.drain(from..to)),
            Self::Repeat(..) => bytes.extend_from_within(from..to),
            Self::Cut(_) => bytes.truncate(from),
        }
    }
}

/// An input of one of the parsers: a seed with some changes, or bytes from nowhere.
#[derive(Clone, Debug)]
pub struct Changed {
    parser: usize,
    bytes: Vec<u8>,
}

impl Changed {
    /// Gives the input to its parser.
    ///
    /// # Panics
    /// The parser has a defect.
    pub fn run(&self) {
        (PARSERS[self.parser].run)(&self.bytes);
    }
}

/// Inputs of all parsers.
pub fn changed() -> impl Strategy<Value = Changed> {
    let all: Vec<Seeds> = PARSERS.iter().map(|parser| (parser.seeds)()).collect();
    let change = prop_oneof![
        4 => (any::<u16>(), any::<u8>()).prop_map(|(place, byte)| Change::Byte(place, byte)),
        4 => (any::<u16>(), any::<u8>()).prop_map(|(place, bit)| Change::Bit(place, bit)),
        2 => (any::<u16>(), proptest::collection::vec(any::<u8>(), 1..6)).prop_map(|(place, put)| Change::Insert(place, put)),
        2 => (any::<u16>(), any::<u8>()).prop_map(|(place, some)| Change::Remove(place, some)),
        2 => (any::<u16>(), any::<u8>()).prop_map(|(place, some)| Change::Repeat(place, some)),
        1 => any::<u16>().prop_map(Change::Cut),
    ];
    let changes = proptest::collection::vec(change, 0..6);
    let anything = proptest::collection::vec(any::<u8>(), 0..400);
    (0..PARSERS.len(), any::<prop::sample::Index>(), changes, anything).prop_map(
        move |(parser, seed, changes, anything)| {
            let seeds = &all[parser];
            let mut bytes = if seeds.is_empty() { anything } else { seeds[seed.index(seeds.len())].clone() };
            changes.iter().for_each(|change| change.apply(&mut bytes));
            Changed { parser, bytes }
        },
    )
}
