//! Maps of the board, side by side as far as the terminal is wide.
//!
//! ```text
//! in colours   a place has its owner's colour, with the number on it
//! plain        w1 b2      a letter for the owner before the number
//! ```
//!
//! Where a map says nothing the piece stands, or a point.

use std::io::{IsTerminal, Write};

use gt_games::board::{Board, Cell, Shape};
use gt_games::explain::{MapCell, SquareMap};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;

use crate::failure::Failure;

/// How wide a line may be where nobody says.
const WIDTH_DEFAULT: usize = 100;
/// What stands between two maps.
const GAP: &str = "    ";
/// The players' colours among the 256 of terminals, and the colour of the numbers on them.
const PLAYERS: [(u8, u8); 6] = [(223, 16), (60, 231), (78, 16), (221, 16), (177, 16), (80, 16)];

/// Draws maps.
pub(super) struct Painter {
    coloured: bool,
    width: usize,
}

impl Painter {
    /// In colours on a terminal that has them, unless the user does not want any.
    pub(super) fn for_output() -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let width =
            terminal_size::terminal_size().filter(|_| is_terminal).map(|(width, _)| usize::from(width.0));
        Self {
            coloured: is_terminal && !is_set("NO_COLOR") && !is_dumb,
            width: width.unwrap_or(WIDTH_DEFAULT),
        }
    }

    /// Prints maps, several in a row where they fit.
    pub(super) fn print(
        &self,
        game: &dyn AnyGame,
        maps: &[&SquareMap],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let board = Board::of(game);
        let drawings: Vec<Drawing> = maps.iter().map(|map| self.drawing(game, &board, map)).collect();
        let Some(width) = drawings.iter().map(|drawing| drawing.width).max() else { return Ok(()) };
        for map in maps {
            writeln!(out, "{}: {}", map.name, map.note)?;
        }
        let in_a_row = ((self.width + GAP.len()) / (width + GAP.len())).max(1);
        for row in drawings.chunks(in_a_row) {
            writeln!(out)?;
            for line in 0..row.iter().map(|drawing| drawing.lines.len()).max().unwrap_or(0) {
                let parts: Vec<String> = row.iter().map(|drawing| drawing.padded(line, width)).collect();
                writeln!(out, "{}", parts.join(GAP).trim_end())?;
            }
        }
        Ok(())
    }

    fn drawing(&self, game: &dyn AnyGame, board: &Board, map: &SquareMap) -> Drawing {
        let letters = letters(game);
        let cell = |index: usize| self.cell(&board.cells[index], map.cells[index], &letters);
        let widest = (0..board.cells.len()).map(|index| cell(index).width).max().unwrap_or(0);
        // Even, since two half holes of a star are as wide as a square.
        let step = (widest + 1).max(CELL_WIDTH_MIN).next_multiple_of(2);
        let mut drawing = Drawing::new(map.name);
        match board.shape {
            Shape::Squares { columns, rows } => {
                for y in 0..rows {
                    let label = format!("{:>2} ", rows - y);
                    drawing.push(&label, (0..columns).map(|x| (x * step, cell(y * columns + x))));
                }
                let file = |x: usize| (x * step, Painted::plain(&board.cells[x].place[..1]));
                drawing.push("   ", (0..columns).map(file));
            }
            Shape::Star => {
                let rows = board.cells.iter().map(|cell| cell.y).max().map_or(0, |last| last + 1);
                for y in 0..rows {
                    let row = board.cells.iter().enumerate().filter(|(_, cell)| cell.y == y);
                    let placed = row.map(|(index, found)| (found.x * step / 2, cell(index)));
                    drawing.push(&format!("{} ", char::from(b'a' + y as u8)), placed);
                }
            }
            // Without a board there is nothing to paint.
            Shape::Text => (),
        }
        drawing
    }

    fn cell(&self, place: &Cell, found: MapCell, letters: &[char]) -> Painted {
        let number = found.number.map(|number| number.to_string()).unwrap_or_default();
        match (found.owner, place.piece) {
            (None, Some(piece)) if number.is_empty() => Painted::plain(&piece.to_string()),
            (None, None) if number.is_empty() => Painted::plain("."),
            (None, _) => Painted::plain(&format!("{number:>2}")),
            (Some(owner), _) if self.coloured => {
                let (ground, ink) = PLAYERS[owner % PLAYERS.len()];
                let text = format!("{number:>2} ");
                Painted { width: text.len(), text: format!("\x1b[48;5;{ground};38;5;{ink}m{text}\x1b[0m") }
            }
            (Some(owner), _) => Painted::plain(&format!("{}{number}", letters.get(owner).unwrap_or(&'?'))),
        }
    }
}

/// How far apart two squares are at least.
const CELL_WIDTH_MIN: usize = 4;

/// The letters that stand for the players.
fn letters(game: &dyn AnyGame) -> Vec<char> {
    (0..game.players()).filter_map(|player| side_name(game.kind(), player).chars().next()).collect()
}

/// A text and how wide it is on the screen.
struct Painted {
    text: String,
    width: usize,
}

impl Painted {
    fn plain(text: &str) -> Self {
        Self { text: format!("{text:>2}"), width: text.len().max(2) }
    }
}

/// A map, line by line.
struct Drawing {
    lines: Vec<Painted>,
    width: usize,
}

impl Drawing {
    fn new(name: &str) -> Self {
        let title = Painted { text: name.to_owned(), width: name.len() };
        Self { width: title.width, lines: vec![title] }
    }

    /// A line of a label and texts that stand so far from it.
    fn push(&mut self, label: &str, cells: impl Iterator<Item = (usize, Painted)>) {
        let mut line = Painted { text: label.to_owned(), width: label.len() };
        for (at, cell) in cells {
            let gap = (label.len() + at).saturating_sub(line.width);
            line.text += &" ".repeat(gap);
            line.text += &cell.text;
            line.width += gap + cell.width;
        }
        self.width = self.width.max(line.width);
        self.lines.push(line);
    }

    fn padded(&self, line: usize, width: usize) -> String {
        let Some(Painted { text, width: used }) = self.lines.get(line) else { return " ".repeat(width) };
        format!("{text}{}", " ".repeat(width.saturating_sub(*used)))
    }
}
