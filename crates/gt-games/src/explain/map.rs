//! A map: what an evaluation sees on each place of the board.

/// A place of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapCell {
    /// Whose it is: the player whose colour the place gets.
    pub owner: Option<usize>,
    /// A number to write there.
    pub number: Option<i32>,
}

impl MapCell {
    /// A place with a number and nobody's colour.
    pub fn number(number: i32) -> Self {
        Self { owner: None, number: Some(number) }
    }

    /// A place of a player, with a number.
    pub fn owned(owner: usize, number: i32) -> Self {
        Self { owner: Some(owner), number: Some(number) }
    }
}

/// A map of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareMap {
    /// A short name, one word or several with hyphens, unlike those of the position's other maps.
    pub name: &'static str,
    /// What colours and numbers mean, for people.
    pub note: &'static str,
    /// One for each of [`crate::board::Board::cells`], in their order.
    pub cells: Vec<MapCell>,
}

/// The cells of a board of squares, in the order of [`crate::board::Board::cells`]: rows from the top.
pub(crate) fn over_squares(
    columns: usize,
    rows: usize,
    cell: impl Fn(usize, usize) -> MapCell,
) -> Vec<MapCell> {
    let cell = &cell;
    (0..rows).rev().flat_map(|rank| (0..columns).map(move |file| cell(file, rank))).collect()
}

/// Whose a place is that `counts` says how often each player has, the number being the count of the one who has more, or
/// of both if they have it equally often.
pub(crate) fn more_of(counts: [i32; 2]) -> MapCell {
    match counts {
        [0, 0] => MapCell::default(),
        [white, black] if white > black => MapCell::owned(0, white),
        [white, black] if black > white => MapCell::owned(1, black),
        [white, _] => MapCell::number(white),
    }
}
