//! A map: an evaluation's view of each place of the board.

/// A place of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapCell {
    /// The player whose colour the place gets.
    pub owner: Option<usize>,
    /// A number to write there.
    pub number: Option<i32>,
}

impl MapCell {
    /// A place with a number and no colour.
    pub fn number(number: i32) -> Self {
        Self { owner: None, number: Some(number) }
    }

    /// A player's place, with a number.
    pub fn owned(owner: usize, number: i32) -> Self {
        Self { owner: Some(owner), number: Some(number) }
    }
}

/// A map of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareMap {
    /// A short name, one word or several with hyphens, unique among the position's maps.
    pub name: &'static str,
    /// The meaning of colours and numbers, for people.
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

/// The owner of a place, given how often each player has it: the player with more, with his count as the number; of
/// equal counts nobody's, with that count.
pub(crate) fn more_of(counts: [i32; 2]) -> MapCell {
    match counts {
        [0, 0] => MapCell::default(),
        [white, black] if white > black => MapCell::owned(0, white),
        [white, black] if black > white => MapCell::owned(1, black),
        [white, _] => MapCell::number(white),
    }
}
