//! A table of regions in a file: sorted keys, each with the index of a value; then the values as lines of text.

use super::forms::Form;
use super::region::{Region, SQUARES_MAX};
use super::solve::Solver;
use super::spec::Regions;
use crate::error::{Error, Result, damaged};
use crate::file::{self, Blocks, Notes};
use crate::records;
use std::collections::HashMap;
use std::io::Write;

/// The game's name in the notes of a table.
pub(crate) const GAME: &str = "amazons";
/// The maximum length of the text in a table.
const TEXT_BYTES_MAX: u64 = 64 << 20;

/// Regions with their values.
pub struct RegionsSolved {
    regions: Regions,
    /// The values by key, as indices into the texts.
    values: Vec<(u64, u32)>,
    texts: Vec<String>,
    longest: Option<(i64, String)>,
}

/// Solves all regions of a box.
#[must_use]
pub fn build(regions: Regions) -> RegionsSolved {
    const { assert!(SQUARES_MAX <= 25) };
    let mut solver = Solver::new();
    let mut found: HashMap<u64, Form> = HashMap::new();
    let mut longest: Option<(i64, String)> = None;
    regions.each(|region| {
        let key = region.key();
        if found.contains_key(&key) {
            return;
        }
        let form = solver.value(region);
        found.insert(key, form);
        if region.amazons[1] == 0 {
            let moves = i64::from(solver.moves(region, 0));
            if longest.as_ref().is_none_or(|(most, _)| moves > *most) {
                longest = Some((moves, region.to_string()));
            }
        }
    });
    let mut numbers: HashMap<Form, u32> = HashMap::new();
    let mut texts: Vec<String> = Vec::new();
    let mut values = Vec::with_capacity(found.len());
    let mut sorted: Vec<(u64, Form)> = found.into_iter().collect();
    sorted.sort_unstable();
    for (key, form) in sorted {
        let number = *numbers.entry(form).or_insert_with(|| {
            texts.push(line(&mut solver, form));
            texts.len() as u32 - 1
        });
        values.push((key, number));
    }
    RegionsSolved { regions, values, texts, longest }
}

/// A value with the winner of the region alone: White moving first, Black moving first.
fn line(solver: &mut Solver, form: Form) -> String {
    let [white, black] = [0, 1].map(|player| if solver.forms.wins_first(form, player) { '+' } else { '-' });
    format!("{white}{black} {}", solver.forms.text(form))
}

impl RegionsSolved {
    /// Returns the number of regions that differ by more than how the board is held.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.values.len() as u64
    }

    /// Writes the table's file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let (most, region) = self.longest.clone().unwrap_or_default();
        let notes = Notes::default()
            .with("game", GAME)
            .with("regions", self.regions)
            .with("value", "combinatorial")
            .with("positions", self.values.len())
            .with("values", self.texts.len())
            .with("longest", format_args!("{most} {region}"));
        let mut content = records::content(self.values.clone());
        self.texts.iter().for_each(|text| content.extend(format!("{text}\n").bytes()));
        file::write(out, &notes, &content)
    }
}

/// A value of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Its canonical form.
    pub(super) text: String,
    /// Its integer value, if it is one.
    pub(super) integer: Option<i64>,
    /// Whether each player wins the region alone if he moves first.
    pub(super) wins_first: [bool; 2],
}

impl Value {
    fn parse(line: &str) -> Option<Self> {
        let (signs, text) = line.split_once(' ')?;
        let sign = |letter: char| match letter {
            '+' => Some(true),
            '-' => Some(false),
            _ => None,
        };
        let signs: Vec<bool> = signs.chars().map(sign).collect::<Option<_>>()?;
        let [white, black] = signs[..] else { return None };
        Some(Self { text: text.to_owned(), integer: text.parse().ok(), wins_first: [white, black] })
    }
}

/// An open table of regions.
#[derive(Debug)]
pub struct AmazonsTable {
    regions: Regions,
    pub(crate) blocks: Blocks,
    positions: u64,
    values: Vec<Value>,
    longest: Option<(u32, String)>,
}

impl AmazonsTable {
    pub(crate) fn new(blocks: Blocks) -> Result<Self> {
        let notes = &blocks.head.notes;
        let name = notes.get("regions")?;
        let regions: Regions = name
            .parse()
            .map_err(|_| damaged(format!("this table is of the regions `{name}`, which cannot be")))?;
        let positions: u64 = notes.number("positions")?;
        let start = records::bytes_of(positions).filter(|&start| start <= blocks.head.content_bytes);
        let wrong_size = || damaged(format!("this table of the regions {name} is of the wrong size"));
        let start = start.ok_or_else(wrong_size)?;
        let text_bytes = blocks.head.content_bytes - start;
        if text_bytes > TEXT_BYTES_MAX {
            return Err(wrong_size());
        }
        let mut text = vec![0; text_bytes as usize];
        blocks.read(start, &mut text)?;
        let text = String::from_utf8(text).map_err(|_| damaged("the values of this table cannot be read"))?;
        let values: Option<Vec<Value>> = text.lines().map(Value::parse).collect();
        let values =
            values.filter(|values| notes.number("values").is_ok_and(|count: usize| count == values.len()));
        let values = values.ok_or_else(|| damaged("the values of this table cannot be read"))?;
        let longest = notes.get("longest")?.split_once(' ');
        let longest = longest.and_then(|(moves, region)| Some((moves.parse().ok()?, region.to_owned())));
        Ok(Self { regions, positions, values, longest, blocks })
    }

    /// Returns its regions.
    #[must_use]
    pub fn regions(&self) -> Regions {
        self.regions
    }

    /// Returns the number of regions, regardless of how the board is held.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the number of their distinct values.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.values.len() as u64
    }

    /// Returns the most moves that a player can make in a region of his own, with such a region.
    #[must_use]
    pub fn longest(&self) -> Option<(u32, &str)> {
        self.longest.as_ref().map(|(moves, region)| (*moves, region.as_str()))
    }

    /// The value of a region with White's amazons, or with amazons of both, if the table has it.
    pub(super) fn value(&self, region: &Region) -> Result<Option<&Value>> {
        if !self.regions.has(region) {
            return Ok(None);
        }
        let named = |error| self.blocks.named(error);
        let Some(number) = records::find(&self.blocks, self.positions, region.key()).map_err(named)? else {
            return Ok(None);
        };
        let missing = || named(damaged("a value of this table is missing"));
        self.values.get(number as usize).map(Some).ok_or_else(missing)
    }

    /// Reads every block, and checks that regions are sorted and have values.
    pub(crate) fn verify(&self) -> Result<()> {
        records::each(&self.blocks, self.positions, |_, value| match self.values.get(value as usize) {
            Some(_) => Ok(()),
            None => Err(Error::Damaged("a value of this table is missing".to_owned())),
        })
    }
}
