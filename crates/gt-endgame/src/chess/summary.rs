//! The summary of a table: counts, the longest mate.

use super::position::fen;
use super::solved::{Solved, ending};
use crate::error::{Result, damaged};
use crate::file::Notes;
use cozy_chess::Color;
use gt_search::Ending;

/// The numbers of positions that are won, drawn and lost for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The side to move wins.
    pub wins: u64,
    /// Nobody wins.
    pub draws: u64,
    /// The side to move loses.
    pub losses: u64,
}

impl Counts {
    /// Returns the total.
    #[must_use]
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, ending: Ending, count: u64) {
        match ending {
            Ending::Win { .. } => self.wins += count,
            Ending::Draw => self.draws += count,
            Ending::Loss { .. } => self.losses += count,
        }
    }
}

/// A side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Positions that differ by more than how the board is held.
    pub positions: Counts,
    /// Positions on the whole board, counting each rotation and reflection.
    pub boards: Counts,
    /// The number of moves of the longest win of this side when it is to move.
    pub longest_mate: Option<u16>,
    /// A position with such a win, as FEN.
    pub longest_position: Option<String>,
}

/// The summary of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions with White to move, and with Black to move.
    pub sides: [Side; 2],
    /// The number of moves of the longest mate of either side when it is to move, in its own moves.
    pub longest_mate: Option<u16>,
    /// The largest number of plies to mate from any position.
    pub longest_plies: Option<u16>,
}

impl Summary {
    /// Counts a solved ending.
    #[must_use]
    pub fn of(solved: &Solved) -> Self {
        let mut summary = Self::default();
        for side in [Color::White, Color::Black] {
            let counted = &mut summary.sides[side as usize];
            let mut longest = None;
            for (place, byte) in solved.canonical_values(side) {
                let ending = ending(byte);
                counted.positions.add(ending, 1);
                counted.boards.add(ending, solved.layout.boards(place));
                if let Ending::Win { plies } = ending
                    && longest.is_none_or(|(most, _)| plies > most)
                {
                    longest = Some((plies, place));
                }
                if let Ending::Win { plies } | Ending::Loss { plies } = ending {
                    summary.longest_plies = summary.longest_plies.max(Some(plies));
                }
            }
            counted.longest_mate = longest.map(|(plies, _)| plies.div_ceil(2));
            counted.longest_position = longest.map(|(_, place)| fen(&solved.layout, side, place));
        }
        summary.longest_mate = summary.sides.iter().filter_map(|side| side.longest_mate).max();
        summary
    }

    /// Returns the number of positions that differ by more than how the board is held, both sides to move together.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.sides.iter().map(|side| side.positions.total()).sum()
    }

    /// Returns the number of positions on the whole board.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.sides.iter().map(|side| side.boards.total()).sum()
    }

    pub(super) fn note(&self, mut notes: Notes) -> Notes {
        for (name, side) in ["white", "black"].into_iter().zip(&self.sides) {
            for (what, counts) in [("positions", side.positions), ("boards", side.boards)] {
                let Counts { wins, draws, losses } = counts;
                notes = notes.with(&format!("{name}_{what}"), format_args!("{wins} {draws} {losses}"));
            }
            let longest = side.longest_mate.unwrap_or_default();
            let position = side.longest_position.as_deref().unwrap_or("-");
            notes = notes.with(&format!("{name}_longest"), format_args!("{longest} {position}"));
        }
        notes.with("longest_plies", self.longest_plies.map_or(-1, i32::from))
    }

    pub(super) fn noted(notes: &Notes) -> Result<Self> {
        let side = |name: &str| -> Result<Side> {
            let (longest_mate, longest_position) = longest(notes.get(&format!("{name}_longest"))?);
            Ok(Side {
                positions: counts(notes, &format!("{name}_positions"))?,
                boards: counts(notes, &format!("{name}_boards"))?,
                longest_mate,
                longest_position,
            })
        };
        let sides = [side("white")?, side("black")?];
        let longest_mate = sides.iter().filter_map(|side| side.longest_mate).max();
        let longest_plies = u16::try_from(notes.number::<i32>("longest_plies")?).ok();
        Ok(Self { sides, longest_mate, longest_plies })
    }
}

fn longest(text: &str) -> (Option<u16>, Option<String>) {
    let (number, position) = text.split_once(' ').unwrap_or((text, "-"));
    let moves = number.parse().ok().filter(|&moves| moves > 0);
    (moves, moves.map(|_| position.to_owned()))
}

fn counts(notes: &Notes, name: &str) -> Result<Counts> {
    let text = notes.get(name)?;
    let numbers: Vec<u64> = text.split(' ').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [wins, draws, losses] => Ok(Counts { wins, draws, losses }),
        _ => Err(damaged(format!("the {name} of this table, `{text}`, are no counts"))),
    }
}
