//! A term of an evaluation, with each player's share.

/// The value of one of the things that a term counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// The same throughout the game.
    Constant(f64),
    /// One value at the start and one at the end, mixed by the phase.
    Tapered {
        /// The value with everything on the board.
        opening: f64,
        /// The value at the end.
        ending: f64,
    },
}

/// A player's share of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The number of things that the term counts.
    pub count: Option<i64>,
    /// The value at the start and at the end of the game, before they are mixed, in whole numbers of the evaluation.
    pub stages: Option<(i32, i32)>,
    /// The contribution to the player's sum, in [`super::Breakdown::unit`]ths.
    pub value: i64,
}

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The group it belongs to, if any: `material` for `pawns`.
    pub group: Option<&'static str>,
    /// A short name.
    pub name: &'static str,
    /// What it counts, for people.
    pub note: &'static str,
    /// The value of one of them, if all are worth the same.
    pub weight: Option<Weight>,
    /// Each player's share.
    pub shares: Vec<Share>,
}

impl Term {
    /// Makes a term of things that are all worth the same, with a count for each player.
    pub fn counted(name: &'static str, note: &'static str, weight: i32, counts: &[i64]) -> Self {
        let share =
            |&count: &i64| Share { count: Some(count), stages: None, value: count * i64::from(weight) };
        let weight = Some(Weight::Constant(f64::from(weight)));
        Self { group: None, name, note, weight, shares: counts.iter().map(share).collect() }
    }

    /// Makes a term with a value for each player, in whole numbers of an evaluation with a unit of 1.
    pub fn valued(name: &'static str, note: &'static str, values: &[i64]) -> Self {
        let share = |&value: &i64| Share { count: None, stages: None, value };
        Self { group: None, name, note, weight: None, shares: values.iter().map(share).collect() }
    }

    /// Puts the term into a group.
    #[must_use]
    pub fn in_group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }
}
