//! The tables at hand: those of a file, or of all files of a folder.

use crate::chess::{self, ChessTable, ChessTables, PIECES_MAX};
use crate::error::{Error, Result};
use crate::file::{Blocks, damaged};
use gt_games::{Chess, GameKind};
use gt_search::{Ending, Endings, Game};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the files of tables end.
pub const EXTENSION: &str = "gte";
/// Half-moves without a capture or pawn move after which a game of chess is drawn.
const QUIET_HALF_MOVES_MAX: u16 = 100;

/// Tables of every game.
#[derive(Debug, Default)]
pub struct Tables {
    /// Those of chess.
    pub chess: ChessTables,
}

impl Tables {
    /// Opens a table, or all tables of a folder. Their heads are read; their blocks are read when they are asked for.
    ///
    /// # Errors
    /// A file cannot be read, is no table or only a part of one; or the folder has none. The error names the file.
    pub fn open(path: &Path) -> Result<Self> {
        let mut tables = Self::default();
        let files = files_of(path)?;
        if files.is_empty() {
            return Err(Error::Unfit(format!("{}: the folder has no table (.{EXTENSION})", path.display())));
        }
        for file in files {
            let named = |error: Error| Error::Unfit(format!("{}: {error}", file.display()));
            tables.add(&file).map_err(named)?;
        }
        Ok(tables)
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        match Table::open(path)? {
            Table::Chess(table) => self.chess.add(table),
        }
        Ok(())
    }

    /// Whether there is a table of this game.
    #[must_use]
    pub fn has(&self, kind: GameKind) -> bool {
        match kind {
            GameKind::Chess => !self.chess.tables().is_empty(),
            GameKind::TicTacToe | GameKind::ConnectFour | GameKind::Amazons | GameKind::ChineseCheckers => {
                false
            }
        }
    }

    /// The tables as a search of this game asks them; `None` where there are none of it.
    #[must_use]
    pub fn endings<G: Game + 'static>(self: &Arc<Self>) -> Option<Arc<dyn Endings<G>>> {
        let all: [Box<dyn Any>; 1] = [Box::new(self.clone() as Arc<dyn Endings<Chess>>)];
        all.into_iter().find_map(|any| any.downcast().ok().map(|endings| *endings))
    }
}

impl Endings<Chess> for Tables {
    fn known(&self, game: &Chess) -> Option<Ending> {
        let board = game.board();
        if board.occupied().len() > PIECES_MAX || game.outcome().is_some() {
            return None;
        }
        // Where a table cannot be read any more, the search answers.
        let ending = self.chess.probe(board).ok().flatten()?;
        let plies = match ending {
            Ending::Win { plies } | Ending::Loss { plies } => plies,
            Ending::Draw => 0,
        };
        // Mate may come too late; the table does not count moves since the last capture.
        let in_time = u16::from(board.halfmove_clock()) + plies <= QUIET_HALF_MOVES_MAX;
        in_time.then_some(ending)
    }
}

/// The table of a file, or the tables of a folder, by name.
fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    let named = |error: std::io::Error| Error::Unfit(format!("{}: {error}", path.display()));
    if !std::fs::metadata(path).map_err(named)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(named)? {
        let file = entry.map_err(named)?.path();
        if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION)) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// A table of any game.
#[derive(Debug)]
pub enum Table {
    /// Of chess.
    Chess(ChessTable),
}

impl Table {
    /// Opens a table.
    ///
    /// # Errors
    /// The file cannot be read, is no table, or only a part of one.
    pub fn open(path: &Path) -> Result<Self> {
        let blocks = Blocks::open(path)?;
        match blocks.head.notes.get("game")? {
            chess::GAME => Ok(Self::Chess(ChessTable::new(blocks)?)),
            other => Err(damaged(format!(
                "this table is of `{other}`, a game that this GT-Tools has no tables of"
            ))),
        }
    }
}
