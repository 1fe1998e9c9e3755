//! The tactical positions of the LCT II suite that the thesis searched, numbers 15 to 23, with their solutions.

use std::path::Path;

use gt_games::chess::{Epd, Move};
use gt_games::{Chess, NotationError};

use crate::error::{Error, Result};

const SUITE: &str = include_str!("../data/lct2-tactical.epd");
const SUITE_NAME: &str = "lct2-tactical.epd";

/// A position with a solution.
#[derive(Clone, Debug)]
pub struct Position {
    /// Its number in the suite.
    pub number: u32,
    /// The position.
    pub game: Chess,
    /// The moves that solve it.
    pub solutions: Vec<Move>,
    /// The solution in the suite's notation: `Nxd6`.
    pub solution_text: String,
}

/// Returns the positions that come with this crate.
///
/// # Errors
/// Returns no error, unless the file was changed.
///
/// ```
/// let positions = gt_experiments::positions::all()?;
/// assert_eq!((positions.len(), positions[2].number), (9, 17));
/// assert_eq!(positions[2].solution_text, "Qf3");
/// # Ok::<(), gt_experiments::Error>(())
/// ```
pub fn all() -> Result<Vec<Position>> {
    let read = |line: &str| position(line).map_err(|error| Error::new(Path::new(SUITE_NAME), error));
    SUITE.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

fn position(line: &str) -> std::result::Result<Position, NotationError> {
    let epd = Epd::parse(line)?;
    let number = epd.operand("id").and_then(|id| id.rsplit('.').next()?.parse().ok()).unwrap_or(0);
    Ok(Position {
        number,
        solutions: epd.moves("bm")?,
        solution_text: epd.operand("bm").unwrap_or_default().to_owned(),
        game: epd.position,
    })
}
