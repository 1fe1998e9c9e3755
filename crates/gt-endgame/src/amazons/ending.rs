//! Splits a position into regions, and looks them up.

use super::region::Region;
use super::table::AmazonsTable;
use crate::error::Result;
use gt_games::Amazons;
use gt_games::amazons::Square;
use gt_search::{Ending, Game};

/// The tables' result for a region of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionValue {
    /// The region, rows from the top: `w` and `b` are amazons, `x` closed squares or those of other regions, `.`
    /// empty ones.
    pub region: String,
    /// Its lower left square, by file and rank from 0.
    pub corner: (usize, usize),
    /// Its canonical form for White: the number of moves left to him in a region of his own, negative in one of
    /// Black's.
    pub value: Option<String>,
    /// Whether White and Black each win the region alone if they move first.
    pub wins_first: Option<[bool; 2]>,
}

/// A region and its position.
pub(super) struct Part {
    pub(super) region: Region,
    pub(super) corner: (usize, usize),
}

/// The squares of a position, by file and rank.
struct Squares {
    width: usize,
    height: usize,
    /// `None` under an arrow; otherwise the player whose amazon is there, 2 for none.
    at: Vec<Option<usize>>,
}

const NOBODY: usize = 2;

impl Squares {
    fn of(game: &Amazons) -> Self {
        let (width, height) = (game.size().width(), game.size().height());
        let mut at = vec![None; width * height];
        for (place, content) in at.iter_mut().enumerate() {
            if game.is_empty(Square::new(place % width, place / width)) {
                *content = Some(NOBODY);
            }
        }
        for player in 0..2 {
            for square in game.amazons(player) {
                at[square.rank() * width + square.file()] = Some(player);
            }
        }
        Self { width, height, at }
    }

    fn neighbours(&self, place: usize) -> impl Iterator<Item = usize> {
        let (file, rank) = (place % self.width, place / self.width);
        let files = file.saturating_sub(1)..=(file + 1).min(self.width - 1);
        let ranks = rank.saturating_sub(1)..=(rank + 1).min(self.height - 1);
        let width = self.width;
        ranks.flat_map(move |rank| files.clone().map(move |file| rank * width + file))
    }

    /// Removes the connected squares without an arrow from `left`, and returns them.
    fn take(&self, from: usize, left: &mut [bool]) -> Vec<usize> {
        let mut part = vec![from];
        left[from] = false;
        let mut done = 0;
        while let Some(&place) = part.get(done) {
            done += 1;
            for next in self.neighbours(place) {
                if left[next] {
                    left[next] = false;
                    part.push(next);
                }
            }
        }
        part
    }
}

/// The regions of a position with an amazon; `None` for one that is larger than any table supports.
pub(super) fn parts(game: &Amazons) -> Vec<Option<Part>> {
    let squares = Squares::of(game);
    let mut left: Vec<bool> = squares.at.iter().map(Option::is_some).collect();
    let mut parts = Vec::new();
    for place in 0..left.len() {
        if left[place] {
            let part = squares.take(place, &mut left);
            if part.iter().any(|&place| squares.at[place].is_some_and(|whose| whose != NOBODY)) {
                parts.push(cut_out(&squares, &part));
            }
        }
    }
    parts
}

fn cut_out(squares: &Squares, part: &[usize]) -> Option<Part> {
    let files = || part.iter().map(|place| place % squares.width);
    let ranks = || part.iter().map(|place| place / squares.width);
    let (left, low) = (files().min()?, ranks().min()?);
    let (width, height) = (files().max()? - left + 1, ranks().max()? - low + 1);
    if width * height > super::region::SQUARES_MAX {
        return None;
    }
    let mut region = Region { width, height, open: 0, amazons: [0, 0] };
    for &place in part {
        let bit = 1 << ((place / squares.width - low) * width + place % squares.width - left);
        region.open |= bit;
        if let Some(player @ 0..2) = squares.at[place] {
            region.amazons[player] |= bit;
        }
    }
    Some(Part { region, corner: (left, low) })
}

/// The ending of a position whose regions are all enclosed and known to one of the tables.
pub(crate) fn ending(tables: &[AmazonsTable], game: &Amazons) -> Result<Option<Ending>> {
    let mut moves = [0_u32; 2];
    for part in parts(game) {
        let Some(Part { region, .. }) = part else { return Ok(None) };
        let player = match region.amazons {
            [_, 0] => 0,
            [0, _] => 1,
            _ => return Ok(None),
        };
        let Some(count) = enclosed_moves(tables, region, player)? else { return Ok(None) };
        moves[player] += count;
    }
    let mover = game.to_move();
    let (own, other) = (moves[mover], moves[1 - mover]);
    // Players move in turn; a player without a move left loses.
    let plies = |plies: u32| u16::try_from(plies).unwrap_or(u16::MAX);
    Ok(Some(match own > other {
        true => Ending::Win { plies: plies(2 * other + 1) },
        false => Ending::Loss { plies: plies(2 * own) },
    }))
}

fn enclosed_moves(tables: &[AmazonsTable], region: Region, player: usize) -> Result<Option<u32>> {
    let region = if player == 0 { region } else { region.exchanged() };
    for table in tables {
        if let Some(moves) = table.value(&region)?.and_then(|value| value.integer) {
            return Ok(u32::try_from(moves).ok());
        }
    }
    Ok(None)
}

/// The tables' results for each region of a position.
pub(crate) fn regions(tables: &[AmazonsTable], game: &Amazons) -> Result<Vec<RegionValue>> {
    let mut found = Vec::new();
    for Part { region, corner } in parts(game).into_iter().flatten() {
        let mut value = RegionValue { region: region.to_string(), corner, value: None, wins_first: None };
        for table in tables {
            let known = match region.amazons {
                [0, _] => table.value(&region.exchanged())?.map(|value| {
                    let [white, black] = value.wins_first;
                    let text = value.integer.map_or_else(String::new, |moves| (-moves).to_string());
                    (text, [black, white])
                }),
                _ => table.value(&region)?.map(|value| (value.text.clone(), value.wins_first)),
            };
            if let Some((text, wins_first)) = known {
                (value.value, value.wins_first) = (Some(text), Some(wins_first));
                break;
            }
        }
        found.push(value);
    }
    Ok(found)
}
