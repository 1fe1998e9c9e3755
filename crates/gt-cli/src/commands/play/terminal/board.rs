//! The board on a terminal: in colours where there are some, else as the game draws itself.
//!
//! Squares that have changed since the board was drawn last are of another colour, so that one sees what the others did.

use std::fmt::Write;

use gt_games::board::{Board, Cell, Shape};
use gt_games::registry::{AnyGame, GameKind};

/// Draws boards.
pub(super) struct Painter {
    coloured: bool,
    /// The cells that were drawn last.
    before: Option<Vec<Cell>>,
}

/// Colours of the 256 that terminals have: of fields, of fields that changed, and of the players' pieces.
struct Palette {
    fields: [u8; 2],
    changed: [u8; 2],
    players: &'static [u8],
}

const WOOD: Palette = Palette { fields: [137, 180], changed: [100, 143], players: &[231, 16] };
const BLUE: Palette = Palette { fields: [24, 25], changed: [30, 31], players: &[226, 210] };
/// Holes have the terminal's own ground.
const STAR: Palette = Palette { fields: [0, 0], changed: [0, 0], players: &[203, 78, 75, 221, 177, 80] };

impl Painter {
    /// In colours, unless the user or the terminal does not want them.
    pub(super) fn for_terminal() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self { coloured: !is_set("NO_COLOR") && !is_dumb, before: None }
    }

    /// Without colours.
    pub(super) fn plain() -> Self {
        Self { coloured: false, before: None }
    }

    /// Nothing counts as changed when the board is drawn next.
    pub(super) fn forget(&mut self) {
        self.before = None;
    }

    pub(super) fn draw(&mut self, position: &dyn AnyGame) -> String {
        if !self.coloured {
            return plain(position);
        }
        let board = Board::of(position);
        let before = self.before.take().unwrap_or_else(|| board.cells.clone());
        let has_changed =
            |index: usize| before.get(index).is_none_or(|cell| cell.piece != board.cells[index].piece);
        let drawing = match board.shape {
            Shape::Squares { columns, .. } => squares(position.kind(), &board, columns, has_changed),
            Shape::Star => star(&board, has_changed),
            Shape::Text => plain(position),
        };
        self.before = Some(board.cells);
        drawing
    }
}

/// As the game draws itself; nobody is to move when it is over.
fn plain(position: &dyn AnyGame) -> String {
    let drawing = position.draw();
    let is_board = |line: &&str| position.outcome().is_none() || !line.ends_with(" to move\n");
    drawing.split_inclusive('\n').filter(is_board).collect()
}

fn squares(kind: GameKind, board: &Board, columns: usize, has_changed: impl Fn(usize) -> bool) -> String {
    let palette = palette(kind);
    let mut drawing = String::new();
    for (index, cell) in board.cells.iter().enumerate() {
        if cell.x == 0 {
            let _ = write!(drawing, "{:>3} ", cell.place.trim_start_matches(char::is_alphabetic));
        }
        let ground = if has_changed(index) { palette.changed } else { palette.fields }[(cell.x + cell.y) % 2];
        let piece = cell.piece.unwrap_or(' ');
        let colour = owner(kind, piece).map_or(240, |player| palette.players[player]);
        let _ = write!(drawing, "\x1b[48;5;{ground};38;5;{colour};1m {piece} ");
        if cell.x + 1 == columns {
            drawing += "\x1b[0m\n";
        }
    }
    let files = board.cells.iter().take(columns);
    let letters = files.map(|cell| format!(" {} ", cell.place.trim_end_matches(char::is_numeric)));
    let _ = writeln!(drawing, "    {}", letters.collect::<String>());
    drawing
}

fn star(board: &Board, has_changed: impl Fn(usize) -> bool) -> String {
    let mut drawing = String::new();
    let mut column = 0;
    for (index, cell) in board.cells.iter().enumerate() {
        if index == 0 || board.cells[index - 1].y != cell.y {
            let row = cell.place.trim_end_matches(char::is_numeric);
            let _ = write!(drawing, "{}{row}  ", if index == 0 { "" } else { "\n" });
            column = 0;
        }
        let _ = write!(drawing, "{:indent$}", "", indent = cell.x.saturating_sub(column));
        column = cell.x + 1;
        let mark = if has_changed(index) { "7" } else { "1" };
        match cell.piece {
            None => drawing += if has_changed(index) { "\x1b[7m.\x1b[0m" } else { "\x1b[2m.\x1b[0m" },
            Some(piece) => {
                let colour =
                    owner(GameKind::ChineseCheckers, piece).map_or(240, |player| STAR.players[player]);
                let _ = write!(drawing, "\x1b[38;5;{colour};{mark}m{piece}\x1b[0m");
            }
        }
    }
    drawing + "\n"
}

fn palette(kind: GameKind) -> Palette {
    match kind {
        GameKind::Chess | GameKind::Amazons => WOOD,
        GameKind::TicTacToe | GameKind::ConnectFour => BLUE,
        GameKind::ChineseCheckers | GameKind::Thorns | GameKind::Tree => STAR,
    }
}

/// Whose piece a letter is; an arrow of Amazons is nobody's.
fn owner(kind: GameKind, piece: char) -> Option<usize> {
    match kind {
        GameKind::Chess => piece.is_ascii_alphabetic().then_some(usize::from(piece.is_ascii_lowercase())),
        GameKind::Amazons => ['w', 'b'].iter().position(|&own| own == piece),
        GameKind::TicTacToe | GameKind::ConnectFour => ['x', 'o'].iter().position(|&own| own == piece),
        GameKind::ChineseCheckers => ('A'..='F').position(|own| own == piece),
        GameKind::Thorns | GameKind::Tree => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gt_games::registry::Setup;

    fn without_colours(text: &str) -> String {
        let pieces = text.split('\x1b').enumerate();
        pieces
            .map(|(number, piece)| if number == 0 { piece } else { piece.split_once('m').unwrap().1 })
            .collect()
    }

    /// Every piece and every hole of the position stands in the drawing, rows from the top.
    #[test]
    fn colours_hide_no_piece() {
        for kind in GameKind::ALL {
            let position = kind.open(&Setup::default()).unwrap();
            let drawing = Painter { coloured: true, before: None }.draw(&*position);
            let wanted: String = Board::of(&*position).cells.iter().filter_map(|cell| cell.piece).collect();
            let labels = |line: &str| line.chars().skip(4).collect::<String>();
            let drawn: String = without_colours(&drawing).lines().map(labels).collect();
            let found: String = drawn.chars().filter(|c| wanted.contains(*c)).collect();
            assert!(found.starts_with(&wanted), "{kind}: {drawing}");
        }
    }

    #[test]
    fn what_has_changed_looks_different() {
        let mut position = GameKind::Chess.open(&Setup::default()).unwrap();
        let mut painter = Painter { coloured: true, before: None };
        let count =
            |drawing: &str| WOOD.changed.map(|ground| drawing.matches(&format!("[48;5;{ground};")).count());
        assert_eq!(count(&painter.draw(&*position)), [0, 0]);
        position.play("e2e4").unwrap();
        assert_eq!(count(&painter.draw(&*position)).iter().sum::<usize>(), 2);
        assert_eq!(Painter::plain().draw(&*position), position.draw());
    }
}
