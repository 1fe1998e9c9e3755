//! The pieces of an ending: `KRK`, `KQKR`, `KPKP`.
//!
//! The side with more men is White and comes first; with one man each, the one that comes first in `QRBNP`. Within a
//! side, men are in that order too. So every ending has one name, and one table that serves both colours.

use crate::error::{Error, Result};
use cozy_chess::{Color, Piece};
use std::fmt;
use std::str::FromStr;

/// The maximum number of men beside the two kings.
const MEN_MAX: usize = 2;
/// From the strongest to the weakest, as in names.
const ORDER: [(Piece, char); 5] =
    [(Piece::Queen, 'Q'), (Piece::Rook, 'R'), (Piece::Bishop, 'B'), (Piece::Knight, 'N'), (Piece::Pawn, 'P')];

/// A piece that is not a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Man {
    pub(super) kind: Piece,
    pub(super) color: Color,
}

impl Man {
    fn rank(self) -> usize {
        ORDER.iter().position(|&(kind, _)| kind == self.kind).unwrap_or(ORDER.len())
    }

    fn letter(self) -> char {
        ORDER.get(self.rank()).map_or('K', |&(_, letter)| letter)
    }

    pub(super) fn is_pawn(self) -> bool {
        self.kind == Piece::Pawn
    }

    pub(super) fn other_color(self) -> Self {
        Self { color: !self.color, ..self }
    }
}

/// The pieces of an ending of chess: two kings and one or two men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// White's first, each side in the order of names. The second is absent with three pieces.
    men: [Option<Man>; MEN_MAX],
}

impl Material {
    /// The ending of these men, in the order of names, and whether their colours must be exchanged for it; `None` for
    /// bare kings and for more than two men.
    pub(super) fn of_men(men: &[Man]) -> Option<(Self, bool)> {
        if men.is_empty() || men.len() > MEN_MAX {
            return None;
        }
        let side = |color: Color| {
            let mut ranks: Vec<usize> =
                men.iter().filter(|man| man.color == color).map(|man| man.rank()).collect();
            ranks.sort_unstable();
            (std::cmp::Reverse(ranks.len()), ranks)
        };
        let is_exchanged = side(Color::Black) < side(Color::White);
        let mut ordered: Vec<Man> =
            men.iter().map(|man| if is_exchanged { man.other_color() } else { *man }).collect();
        ordered.sort_by_key(|man| (man.color as usize, man.rank()));
        Some((Self { men: [ordered.first().copied(), ordered.get(1).copied()] }, is_exchanged))
    }

    pub(super) fn men(self) -> impl Iterator<Item = Man> {
        self.men.into_iter().flatten()
    }

    /// Returns the number of pieces, including the kings.
    #[must_use]
    pub fn pieces(self) -> usize {
        2 + self.men().count()
    }

    /// Whether there is a pawn.
    #[must_use]
    pub fn has_pawns(self) -> bool {
        self.men().any(Man::is_pawn)
    }

    /// Whether both men are of the same kind and colour.
    pub(super) fn has_twins(self) -> bool {
        self.men[0] == self.men[1]
    }

    /// Returns the endings that a capture or a promotion leads to, each once.
    #[must_use]
    pub fn successors(self) -> Vec<Self> {
        let men: Vec<Man> = self.men().collect();
        let mut found: Vec<Self> = Vec::new();
        let mut add = |men: &[Man]| {
            if let Some((material, _)) = Self::of_men(men)
                && !found.contains(&material)
            {
                found.push(material);
            }
        };
        for place in 0..men.len() {
            let mut fewer = men.clone();
            fewer.remove(place);
            add(&fewer);
            for kind in PROMOTIONS.into_iter().filter(|_| men[place].is_pawn()) {
                let promoted = Man { kind, ..men[place] };
                let mut after = men.clone();
                after[place] = promoted;
                add(&after);
                add(&[promoted]);
            }
        }
        found
    }
}

/// The pieces that a pawn may become.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

impl fmt::Display for Material {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in [Color::White, Color::Black] {
            out.write_str("K")?;
            for man in self.men().filter(|man| man.color == color) {
                write!(out, "{}", man.letter())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Material {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = |problem: String| Error::Material { text: text.to_owned(), problem };
        let upper = text.to_ascii_uppercase();
        let known = |letter: char| letter == 'K' || ORDER.iter().any(|&(_, known)| known == letter);
        if let Some(other) = upper.chars().find(|&letter| !known(letter)) {
            return Err(refuse(format!("`{other}` is no piece; pieces are K, Q, R, B, N and P, as in KRK")));
        }
        if upper.matches('K').count() != 2 || !upper.starts_with('K') {
            return Err(refuse("each side begins with its king, as in KRK or KQKR".to_owned()));
        }
        let second_king = upper.rfind('K').unwrap_or_default();
        let man = |(place, letter): (usize, char)| {
            let kind = ORDER.iter().find(|&&(_, known)| known == letter)?.0;
            let color = if place < second_king { Color::White } else { Color::Black };
            Some(Man { kind, color })
        };
        let men: Vec<Man> = upper.char_indices().filter_map(man).collect();
        match Self::of_men(&men) {
            None if men.is_empty() => {
                Err(refuse("two kings alone are a draw; there is nothing to build".to_owned()))
            }
            None => Err(refuse(format!("tables have three or four pieces, and these are {}", men.len() + 2))),
            Some((material, _)) if material.to_string() == upper => Ok(material),
            Some((material, _)) => Err(refuse(format!(
                "the stronger side comes first and its pieces in the order K, Q, R, B, N, P: {material}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_one_name() {
        for name in ["KQK", "KPK", "KBNK", "KQKR", "KPKP", "KRKP", "KQQK", "KPPK", "KNKP"] {
            assert_eq!(name.parse::<Material>().unwrap().to_string(), name);
        }
        for name in
            ["", "K", "KK", "KKK", "KKR", "KNBK", "KRKQ", "KPKR", "XYZ", "KQRBK", "QKK", "KRKR K", "KRRKR"]
        {
            let error = name.parse::<Material>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")), "{error}");
        }
        assert!("KKR".parse::<Material>().unwrap_err().to_string().ends_with(": KRK"));
    }

    #[test]
    fn captures_and_promotions_lead_to_other_endings() {
        let successors = |name: &str| -> Vec<String> {
            let mut names: Vec<String> =
                name.parse::<Material>().unwrap().successors().iter().map(Material::to_string).collect();
            names.sort();
            names
        };
        assert!(successors("KRK").is_empty());
        assert_eq!(successors("KPK"), ["KBK", "KNK", "KQK", "KRK"]);
        assert_eq!(successors("KRKP"), ["KBK", "KNK", "KPK", "KQK", "KQKR", "KRK", "KRKB", "KRKN", "KRKR"]);
    }
}
