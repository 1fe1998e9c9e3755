//! The pieces of an ending, whichever side is White: `KRPvKR`.

/// The pieces beside the kings, in the order of names.
const LETTERS: &str = "QRBNP";
const PAWN: usize = 4;
/// The most pieces of a Syzygy table, kings included.
const PIECES_MAX: u32 = 7;

/// How many queens, rooks, bishops, knights and pawns a side has.
type Men = [u8; 5];

/// The pieces of both sides, the stronger one first: that with more men, or with the better ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Material([Men; 2]);

impl Material {
    pub(super) fn of(one: Men, other: Men) -> Self {
        let strength = |men: Men| (count(men), men);
        Self(if strength(one) < strength(other) { [other, one] } else { [one, other] })
    }

    /// The material of a name like KRPvKR; `None` if it is no name of a table.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (stronger, weaker) = name.split_once('v')?;
        let men = [men(stronger)?, men(weaker)?];
        let material = Self::of(men[0], men[1]);
        (material.0 == men && (3..=PIECES_MAX).contains(&material.pieces())).then_some(material)
    }

    /// The number of pieces, kings included.
    pub(super) fn pieces(self) -> u32 {
        2 + self.0.into_iter().map(count).sum::<u32>()
    }

    pub(super) fn is_bare_kings(self) -> bool {
        self.pieces() == 2
    }

    /// The materials that a capture can lead to, those with a promotion included.
    pub(super) fn after_capture(self) -> Vec<Self> {
        let [first, second] = self.0;
        let mut materials = Vec::new();
        for (taker, taken) in [(first, second), (second, first)] {
            for left in each_less(taken) {
                materials.push(Self::of(taker, left));
                if taker[PAWN] > 0 {
                    let promoted = (0..PAWN).map(|piece| {
                        let mut men = taker;
                        men[PAWN] -= 1;
                        men[piece] += 1;
                        Self::of(men, left)
                    });
                    materials.extend(promoted);
                }
            }
        }
        materials
    }
}

fn count(men: Men) -> u32 {
    men.into_iter().map(u32::from).sum()
}

/// A side of a name, such as KRP.
fn men(side: &str) -> Option<Men> {
    let others = side.strip_prefix('K')?;
    let places = others.chars().map(|letter| LETTERS.find(letter)).collect::<Option<Vec<usize>>>()?;
    let mut men = Men::default();
    for &place in &places {
        men[place] = men[place].checked_add(1)?;
    }
    places.is_sorted().then_some(men)
}

/// The same men without one of them, for each kind.
fn each_less(men: Men) -> impl Iterator<Item = Men> {
    (0..men.len()).filter(move |&place| men[place] > 0).map(move |place| {
        let mut less = men;
        less[place] -= 1;
        less
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_pieces() {
        let pieces = |name: &str| Material::parse(name).map(Material::pieces);
        assert_eq!(pieces("KRvK"), Some(3));
        assert_eq!(pieces("KRvKB"), Some(4));
        assert_eq!(pieces("KQRBvKNP"), Some(7));
        let wrong = ["KvK", "KRK", "KXvK", "KRQvK", "RKvK", "KQRBNvKNP", "KvKv", "", "v"];
        let weaker_first = ["KvKR", "KBvKR", "KPvKRP", "KQvKNN"];
        for name in wrong.into_iter().chain(weaker_first) {
            assert_eq!(pieces(name), None, "{name}");
        }
    }

    #[test]
    fn captures_lead_to_smaller_endings() {
        let after = |name: &str| Material::parse(name).map(Material::after_capture).unwrap_or_default();
        let named = |name: &str| Material::parse(name).unwrap_or(Material([Men::default(); 2]));
        assert_eq!(after("KRvK"), [named("KvK")]);
        assert_eq!(after("KRvKB"), ["KRvK", "KBvK"].map(named));
        assert_eq!(after("KRvKP"), ["KRvK", "KPvK", "KQvK", "KRvK", "KBvK", "KNvK"].map(named));
    }
}
