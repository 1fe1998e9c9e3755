//! The regions of a table.

use super::region::Region;
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The largest box of a region with one player's amazons, in squares.
const ENCLOSED_SQUARES_MAX: usize = 16;
/// The largest box of a region with both players' amazons.
const CONTESTED_SQUARES_MAX: usize = 9;
/// The maximum number of amazons of a player in a region.
const AMAZONS_MAX: u32 = 2;

/// All regions that fit into a box, with a maximum number of amazons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regions {
    /// The longer side of the box.
    pub width: usize,
    /// The shorter side.
    pub height: usize,
    /// The maximum number of amazons of the one player, and of the other.
    pub amazons: [u32; 2],
}

impl Regions {
    /// Whether a region is among them. A region of one player alone counts for either player.
    pub(super) fn has(&self, region: &Region) -> bool {
        let (long, short) = (region.width.max(region.height), region.width.min(region.height));
        let [white, black] = region.amazons.map(u32::count_ones);
        let [most, other] = self.amazons;
        let fits = (white <= most && black <= other) || (black <= most && white == 0);
        long <= self.width && short <= self.height && white + black > 0 && fits
    }

    /// Calls `body` with every region once for each way to hold the board, smaller boxes first.
    pub(super) fn each(&self, mut body: impl FnMut(&Region)) {
        for height in 1..=self.height {
            for width in height..=self.width {
                for open in 1..1_u32 << (width * height) {
                    let bare = Region { width, height, open, amazons: [0, 0] };
                    if bare.is_connected() && fills_its_box(&bare) {
                        self.each_with_amazons(bare, &mut body);
                    }
                }
            }
        }
    }

    fn each_with_amazons(&self, bare: Region, body: &mut impl FnMut(&Region)) {
        for white in subsets(bare.open, self.amazons[0]) {
            for black in subsets(bare.open & !white, self.amazons[1]) {
                if white != 0 || black != 0 {
                    body(&Region { amazons: [white, black], ..bare });
                }
            }
        }
    }
}

fn fills_its_box(region: &Region) -> bool {
    let files = region.squares().fold(0_u32, |files, square| files | 1 << (square % region.width));
    let ranks = region.squares().fold(0_u32, |ranks, square| ranks | 1 << (square / region.width));
    files.count_ones() as usize == region.width && ranks.count_ones() as usize == region.height
}

/// The subsets of at most `most` squares; there are few squares, and at most two of them are taken.
fn subsets(set: u32, most: u32) -> Vec<u32> {
    let squares: Vec<u32> = super::region::bits(set).map(|square| 1 << square).collect();
    let mut found = vec![0];
    if most >= 1 {
        found.extend(&squares);
    }
    if most >= 2 {
        let pairs =
            squares.iter().enumerate().flat_map(|(at, one)| squares[..at].iter().map(move |two| one | two));
        found.extend(pairs.collect::<Vec<_>>());
    }
    found
}

impl fmt::Display for Regions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.amazons;
        write!(out, "{}x{}:{one}-{other}", self.width, self.height)
    }
}

impl FromStr for Regions {
    type Err = Error;

    /// Parses `4x3`, `4x4:2`, `3x3:1-1`.
    fn from_str(text: &str) -> Result<Self> {
        let refuse = |problem: String| Error::Unfit(format!("`{text}`: {problem}"));
        let form =
            || refuse("regions are written as a box and amazons, as in 4x3, 4x4:2 or 3x3:1-1".to_owned());
        let (size, amazons) = text.split_once(':').unwrap_or((text, "1"));
        let (one, other) = size.split_once('x').ok_or_else(form)?;
        let side = |text: &str| text.parse::<usize>().map_err(|_| form());
        let (one, other) = (side(one)?, side(other)?);
        let (width, height) = (one.max(other), one.min(other));
        let (white, black) = amazons.split_once('-').unwrap_or((amazons, "0"));
        let count = |text: &str| text.parse::<u32>().map_err(|_| form());
        let amazons = [count(white)?, count(black)?];
        if amazons[0] == 0 || amazons.iter().any(|&count| count > AMAZONS_MAX) {
            return Err(refuse(format!(
                "a player has 1 or {AMAZONS_MAX} amazons in a region, the other one 0 to {AMAZONS_MAX}"
            )));
        }
        let most = if amazons[1] == 0 { ENCLOSED_SQUARES_MAX } else { CONTESTED_SQUARES_MAX };
        let squares = width.saturating_mul(height);
        if height == 0 || squares > most || width > 8 {
            let whose = if amazons[1] == 0 { "one player's amazons" } else { "amazons of both players" };
            return Err(refuse(format!("a box with {whose} has at most {most} squares and 8 on a side")));
        }
        Ok(Self { width, height, amazons })
    }
}
