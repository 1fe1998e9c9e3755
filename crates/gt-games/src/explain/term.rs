//! A term of an evaluation, with what each player has of it.

/// What one of the things that a term counts is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// The same throughout the game.
    Constant(f64),
    /// One at the start and one at the end, mixed by the phase.
    Tapered {
        /// With everything on the board.
        opening: f64,
        /// At the end.
        ending: f64,
    },
}

/// What a player has of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many of the things that the term counts.
    pub count: Option<i64>,
    /// The value at the start and at the end of the game, before they are mixed, in whole numbers of the evaluation.
    pub stages: Option<(i32, i32)>,
    /// What it adds to the player's sum, in [`super::Breakdown::unit`]ths.
    pub value: i64,
}

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The terms that it belongs with, where there are several: `material` for `pawns`.
    pub group: Option<&'static str>,
    /// A short name.
    pub name: &'static str,
    /// What it counts, for people.
    pub note: &'static str,
    /// What one of them is worth, if all are worth the same.
    pub weight: Option<Weight>,
    /// What each player has.
    pub shares: Vec<Share>,
}

impl Term {
    /// Things that all are worth the same, so many for each player.
    pub fn counted(name: &'static str, note: &'static str, weight: i32, counts: &[i64]) -> Self {
        let share =
            |&count: &i64| Share { count: Some(count), stages: None, value: count * i64::from(weight) };
        let weight = Some(Weight::Constant(f64::from(weight)));
        Self { group: None, name, note, weight, shares: counts.iter().map(share).collect() }
    }

    /// A value for each player, in whole numbers of the evaluation that has a unit of 1.
    pub fn valued(name: &'static str, note: &'static str, values: &[i64]) -> Self {
        let share = |&value: &i64| Share { count: None, stages: None, value };
        Self { group: None, name, note, weight: None, shares: values.iter().map(share).collect() }
    }

    /// The same term as one of a group.
    #[must_use]
    pub fn in_group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }
}
