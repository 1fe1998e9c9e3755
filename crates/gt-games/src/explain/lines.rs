//! Lines of marks that a player can still complete, for games that a row of marks wins.

use super::{MapCell, SquareMap};
use crate::board::rows_of;

/// A board as rows of letters, from the top.
pub(crate) struct Marks {
    rows: Vec<Vec<Option<char>>>,
    /// The number in a line that wins.
    length: usize,
}

/// The four directions of a line, as steps in column and row.
const WAYS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Marks {
    /// The board of a position's text.
    pub(crate) fn of(position_text: &str, length: usize) -> Self {
        Self { rows: rows_of(position_text), length }
    }

    /// For each empty place, the number of lines through it that hold no other mark than `mark`.
    pub(crate) fn open_lines(&self, name: &'static str, note: &'static str, mark: char) -> SquareMap {
        let mut counts: Vec<Vec<i32>> = self.rows.iter().map(|row| vec![0; row.len()]).collect();
        for line in self.lines() {
            if line.iter().all(|&(column, row)| self.rows[row][column].is_none_or(|found| found == mark)) {
                for (column, row) in line {
                    counts[row][column] += 1;
                }
            }
        }
        let places = self.rows.iter().flatten().zip(counts.into_iter().flatten());
        let cell = |(place, count): (&Option<char>, i32)| match place {
            Some(_) => MapCell::default(),
            None => MapCell::number(count),
        };
        SquareMap { name, note, cells: places.map(cell).collect() }
    }

    /// Every line of the winning length, as its places by column and row from the top.
    fn lines(&self) -> impl Iterator<Item = Vec<(usize, usize)>> + '_ {
        let starts =
            (0..self.rows.len()).flat_map(|row| (0..self.rows[row].len()).map(move |column| (column, row)));
        starts.flat_map(move |start| WAYS.into_iter().filter_map(move |way| self.line(start, way)))
    }

    fn line(
        &self,
        (column, row): (usize, usize),
        (right, down): (isize, isize),
    ) -> Option<Vec<(usize, usize)>> {
        let place = |step: usize| {
            let column = column.checked_add_signed(right * step as isize)?;
            let row = row.checked_add_signed(down * step as isize)?;
            self.rows.get(row)?.get(column).map(|_| (column, row))
        };
        (0..self.length).map(place).collect()
    }
}
