//! Connect four: every position that can still arise from a given one, solved to the end.
//!
//! There are far too many positions with few empty places to list them all, and almost none of them can arise in one
//! game. So a table has a start: it contains exactly the positions that can be reached from there. With ten fewer
//! empty places it has a thousandth of the size.

use crate::error::{Error, Result, damaged};
use crate::file::{self, Blocks, Notes};
use crate::records;
use gt_games::connect_four::Size;
use gt_games::{ConnectFour, Notation};
use gt_search::{Ending, Game, Outcome};
use std::collections::HashMap;
use std::io::Write;

/// The game's name in the notes of a table.
pub(crate) const GAME: &str = "connect-four";
/// The recommended maximum number of positions in a table: building it then takes some 400 MB.
pub const POSITIONS_MAX: usize = 12_000_000;

/// The positions that can arise from one, with their values.
#[derive(Debug)]
pub struct Reached {
    start: ConnectFour,
    /// The values by hash, which is one-to-one for boards of one size.
    values: HashMap<u64, Ending>,
}

/// Solves every position that can be reached from this one.
///
/// # Errors
/// Returns an error if there are more than `positions_max`, or the game is over.
pub fn build(start: &ConnectFour, positions_max: usize) -> Result<Reached> {
    if start.outcome().is_some() {
        return Err(Error::Unfit("the game is over in this position".to_owned()));
    }
    let mut values = HashMap::new();
    solve(&mut start.clone(), positions_max, &mut values)?;
    Ok(Reached { start: *start, values })
}

fn solve(game: &mut ConnectFour, positions_max: usize, values: &mut HashMap<u64, Ending>) -> Result<Ending> {
    match game.outcome() {
        Some(Outcome::Draw) => return Ok(Ending::Draw),
        // Only the player who has just moved can have won.
        Some(Outcome::Win(_)) => return Ok(Ending::Loss { plies: 0 }),
        None => (),
    }
    let key = game.hash();
    if let Some(&known) = values.get(&key) {
        return Ok(known);
    }
    let mut best: Option<Ending> = None;
    for mv in game.legal_moves() {
        let undo = game.make(mv);
        let after = solve(game, positions_max, values)?.before_move();
        game.undo(mv, undo);
        if best.is_none_or(|best| after.value(0) > best.value(0)) {
            best = Some(after);
        }
    }
    if values.len() == positions_max {
        return Err(Error::Unfit(format!(
            "more than {positions_max} positions can be reached from there; begin with fewer empty places"
        )));
    }
    let best = best.unwrap_or(Ending::Draw);
    values.insert(key, best);
    Ok(best)
}

impl Reached {
    /// Returns the number of positions in which the game goes on.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.values.len() as u64
    }

    /// Writes the table's file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let count =
            |wanted: fn(&Ending) -> bool| self.values.values().filter(|ending| wanted(ending)).count();
        let notes = Notes::default()
            .with("game", GAME)
            .with("position", self.start.position_text())
            .with("value", "plies to the end")
            .with("discs", self.start.discs())
            .with("positions", self.values.len())
            .with("wins", count(|ending| matches!(ending, Ending::Win { .. })))
            .with("draws", count(|ending| matches!(ending, Ending::Draw)))
            .with("losses", count(|ending| matches!(ending, Ending::Loss { .. })));
        let records = self.values.iter().map(|(&key, &ending)| (key, number(ending))).collect();
        file::write(out, &notes, &records::content(records))
    }
}

/// A draw is 0, a decided game its distance plus one: even if the player to move wins.
fn number(ending: Ending) -> u32 {
    match ending {
        Ending::Draw => 0,
        Ending::Win { plies } | Ending::Loss { plies } => u32::from(plies) + 1,
    }
}

fn ending(number: u32) -> Result<Ending> {
    let plies =
        u16::try_from(number.saturating_sub(1)).map_err(|_| damaged("a value of this table cannot be"))?;
    Ok(match number {
        0 => Ending::Draw,
        _ if plies % 2 == 1 => Ending::Win { plies },
        _ => Ending::Loss { plies },
    })
}

/// An open table of connect four.
#[derive(Debug)]
pub struct ConnectFourTable {
    pub(crate) blocks: Blocks,
    /// The board of its positions: hashes are one-to-one for boards of one size.
    size: Size,
    /// Its summary.
    pub summary: ConnectFourSummary,
}

/// The summary of a connect four table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFourSummary {
    /// The position from which all others are reached.
    pub position: String,
    /// The number of its discs.
    pub discs: u32,
    /// The number of positions in which the game goes on.
    pub positions: u64,
    /// The number that the player to move wins.
    pub wins: u64,
    /// The number that nobody wins.
    pub draws: u64,
    /// The number that the player to move loses.
    pub losses: u64,
}

impl ConnectFourTable {
    pub(crate) fn new(blocks: Blocks) -> Result<Self> {
        let notes = &blocks.head.notes;
        let summary = ConnectFourSummary {
            position: notes.get("position")?.to_owned(),
            discs: notes.number("discs")?,
            positions: notes.number("positions")?,
            wins: notes.number("wins")?,
            draws: notes.number("draws")?,
            losses: notes.number("losses")?,
        };
        if records::bytes_of(summary.positions) != Some(blocks.head.content_bytes) {
            return Err(damaged("this table of connect-four is of the wrong size"));
        }
        let start = ConnectFour::parse_position(&summary.position);
        let size = start.map_err(|_| damaged("this table of connect-four begins with no position"))?.size();
        Ok(Self { blocks, size, summary })
    }

    /// The ending of a position in which the game goes on, if the table has it.
    pub(crate) fn value(&self, game: &ConnectFour) -> Result<Option<Ending>> {
        if game.size() != self.size || game.discs() < self.summary.discs {
            return Ok(None);
        }
        let found = records::find(&self.blocks, self.summary.positions, game.hash());
        let ending = found.and_then(|found| found.map(ending).transpose());
        ending.map_err(|error| self.blocks.named(error))
    }

    /// Reads every block, and compares the counts.
    pub(crate) fn verify(&self) -> Result<()> {
        let mut counts = [0; 3];
        records::each(&self.blocks, self.summary.positions, |_, number| {
            counts[match ending(number)? {
                Ending::Win { .. } => 0,
                Ending::Draw => 1,
                Ending::Loss { .. } => 2,
            }] += 1;
            Ok(())
        })?;
        let ConnectFourSummary { wins, draws, losses, .. } = self.summary;
        match counts == [wins, draws, losses] {
            true => Ok(()),
            false => Err(damaged("the counts of this table are not those of its positions")),
        }
    }
}
