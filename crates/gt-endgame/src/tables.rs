//! The available tables: those of a file, or of all files in a folder.

use crate::amazons::{self, AmazonsTable, RegionValue};
use crate::chess::rules::QUIET_HALF_MOVES_MAX;
use crate::chess::{self, ChessTable, ChessTables, PIECES_MAX};
use crate::connect_four::{self, ConnectFourTable};
use crate::error::{Error, Result, damaged};
use crate::file::Blocks;
use crate::syzygy::{self, Progress, Syzygy};
use crate::verified::Verified;
use cozy_chess::{Board, Move};
use gt_games::{Amazons, Chess, ConnectFour, GameKind};
use gt_search::{Ending, Endings, Game, KnownEnding};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The extension of table files.
pub const EXTENSION: &str = "gte";

/// Tables of every game.
#[derive(Debug, Default)]
pub struct Tables {
    /// The tables of chess.
    pub chess: ChessTables,
    amazons: Vec<AmazonsTable>,
    connect_four: Vec<ConnectFourTable>,
    syzygy: Option<Arc<Syzygy>>,
}

impl Tables {
    /// Opens a table, or all tables of a folder, Syzygy's included; several folders stand in a list as the system
    /// writes one. Heads are read now, blocks on demand.
    ///
    /// # Errors
    /// Returns an error that names the file if a file cannot be read or is not a complete table, or if a folder has
    /// none.
    pub fn open(path: &Path) -> Result<Self> {
        let mut tables = Self::default();
        let mut syzygy = Vec::new();
        for path in listed(path) {
            let files = files_of(&path)?;
            let has_syzygy = path.is_dir() && !syzygy::in_folder(&path)?.is_empty();
            if files.is_empty() && !has_syzygy {
                let why = format!("the folder has no table (.{EXTENSION}, .rtbw)");
                return Err(Error::Unfit(format!("{}: {why}", path.display())));
            }
            for file in files {
                let named = |error: Error| Error::Unfit(format!("{}: {error}", file.display()));
                tables.add(&file).map_err(named)?;
            }
            if has_syzygy {
                syzygy.push(path);
            }
        }
        if !syzygy.is_empty() {
            tables.syzygy = Some(Syzygy::open(syzygy)?);
        }
        Ok(tables)
    }

    /// Opens the readable tables of a folder, and skips the others.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn open_readable(folder: &Path) -> Result<Self> {
        let mut tables = Self::default();
        for file in files_of(folder)? {
            // A request for a missing table is reported later.
            let _ = tables.add(&file);
        }
        Ok(tables)
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        self.put(Table::open(path)?);
        Ok(())
    }

    /// Adds a table, replacing one of the same ending.
    pub(crate) fn put(&mut self, table: Table) {
        match table {
            Table::Chess(table) => self.chess.add(table),
            Table::Amazons(table) => self.amazons.push(table),
            Table::ConnectFour(table) => self.connect_four.push(table),
        }
    }

    /// Whether there is a table of this game.
    #[must_use]
    pub fn has(&self, kind: GameKind) -> bool {
        match kind {
            GameKind::Chess => !self.chess.tables().is_empty() || self.syzygy.is_some(),
            GameKind::Amazons => !self.amazons.is_empty(),
            GameKind::ConnectFour => !self.connect_four.is_empty(),
            GameKind::TicTacToe | GameKind::ChineseCheckers | GameKind::Tree | GameKind::Thorns => false,
        }
    }

    /// Returns the tables for a search of this game; `None` if there are none.
    #[must_use]
    pub fn endings<G: Game + 'static>(self: &Arc<Self>) -> Option<Arc<dyn Endings<G>>> {
        let all: [Box<dyn Any>; 3] = [
            Box::new(self.clone() as Arc<dyn Endings<Chess>>),
            Box::new(self.clone() as Arc<dyn Endings<Amazons>>),
            Box::new(self.clone() as Arc<dyn Endings<ConnectFour>>),
        ];
        all.into_iter().find_map(|any| any.downcast().ok().map(|endings| *endings))
    }
}

impl Tables {
    /// The ending of a position of Amazons whose regions are all enclosed and known.
    pub(crate) fn amazons(&self, game: &Amazons) -> Result<Option<Ending>> {
        amazons::ending(&self.amazons, game)
    }

    /// Returns the results for each region of a position of Amazons; regions too large for any table are
    /// omitted.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read, or is damaged.
    pub fn regions(&self, game: &Amazons) -> Result<Vec<RegionValue>> {
        amazons::regions(&self.amazons, game)
    }

    pub(crate) fn connect_four(&self, game: &ConnectFour) -> Result<Option<Ending>> {
        for table in &self.connect_four {
            if let Some(ending) = table.value(game)? {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }
}

impl Endings<Amazons> for Tables {
    fn known(&self, game: &Amazons) -> Option<KnownEnding> {
        if self.amazons.is_empty() || game.outcome().is_some() {
            return None;
        }
        self.amazons(game).ok().flatten().map(KnownEnding::from)
    }
}

impl Endings<ConnectFour> for Tables {
    fn known(&self, game: &ConnectFour) -> Option<KnownEnding> {
        let discs_min = self.connect_four.iter().map(|table| table.summary.discs).min()?;
        if game.discs() < discs_min || game.outcome().is_some() {
            return None;
        }
        self.connect_four(game).ok().flatten().map(KnownEnding::from)
    }
}

impl Endings<Chess> for Tables {
    fn known(&self, game: &Chess) -> Option<KnownEnding> {
        let board = game.board();
        // Nearly every position of a search ends here.
        if board.occupied().len() > self.chess_pieces_max() || game.outcome().is_some() {
            return None;
        }
        // If a table can no longer be read, the search answers.
        let Some(ending) = self.chess.probe(board).ok().flatten() else {
            // Syzygy's results count the fifty moves from the position on.
            let syzygy = self.syzygy.as_ref().filter(|_| board.halfmove_clock() == 0)?;
            return syzygy.result(board);
        };
        let plies = match ending {
            Ending::Win { plies } | Ending::Loss { plies } => plies,
            Ending::Draw => 0,
        };
        // Mate may come too late: the table does not count moves since the last capture.
        let in_time = u16::from(board.halfmove_clock()) + plies <= QUIET_HALF_MOVES_MAX;
        in_time.then_some(ending.into())
    }

    fn progress(&self, game: &Chess) -> Option<Vec<Move>> {
        let is_measured = matches!(self.chess.probe(game.board()), Ok(Some(_)));
        if is_measured || game.outcome().is_some() {
            return None;
        }
        self.syzygy.as_ref()?.progress(game.board()).map(|progress| progress.moves)
    }
}

impl Tables {
    /// The most pieces that a table of chess has.
    fn chess_pieces_max(&self) -> u32 {
        self.syzygy.as_ref().map_or(PIECES_MAX, |syzygy| syzygy.pieces_max().max(PIECES_MAX))
    }

    /// The ending of a position of chess: from our own tables with its distance, or from Syzygy's without, which count
    /// the moves since the last capture or pawn move.
    pub(crate) fn chess_ending(&self, board: &Board) -> Result<Option<KnownEnding>> {
        let ending = self.chess.probe(board)?.map(KnownEnding::from);
        Ok(ending.or_else(|| self.syzygy.as_ref()?.result_at_clock(board)))
    }

    /// The moves that make progress by Syzygy's distances.
    pub(crate) fn chess_progress(&self, board: &Board) -> Option<Progress> {
        self.syzygy.as_ref()?.progress(board)
    }
}

/// The paths of a list, unless it is the name of one that is there.
fn listed(path: &Path) -> Vec<PathBuf> {
    if path.exists() {
        return vec![path.to_owned()];
    }
    std::env::split_paths(path).collect()
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
    /// A chess table.
    Chess(ChessTable),
    /// A table of Amazons regions.
    Amazons(AmazonsTable),
    /// A connect four table.
    ConnectFour(ConnectFourTable),
}

impl Table {
    /// Opens a table.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a complete table.
    pub fn open(path: &Path) -> Result<Self> {
        if syzygy::is_file(path) {
            return Err(Error::Unfit("a Syzygy file is asked through its folder: name that".to_owned()));
        }
        let blocks = Blocks::open(path)?;
        match blocks.head.notes.get("game")? {
            chess::GAME => Ok(Self::Chess(ChessTable::new(blocks)?)),
            amazons::GAME => Ok(Self::Amazons(AmazonsTable::new(blocks)?)),
            connect_four::GAME => Ok(Self::ConnectFour(ConnectFourTable::new(blocks)?)),
            other => Err(damaged(format!(
                "this table is of `{other}`, a game that this GT-Tools has no tables of"
            ))),
        }
    }

    fn blocks(&self) -> &Blocks {
        match self {
            Self::Chess(table) => &table.blocks,
            Self::Amazons(table) => &table.blocks,
            Self::ConnectFour(table) => &table.blocks,
        }
    }

    /// Returns its file's properties.
    #[must_use]
    pub fn file(&self) -> FileInfo {
        let head = &self.blocks().head;
        FileInfo { version: head.version, bytes: head.file_bytes(), blocks: head.blocks.len() as u64 }
    }

    /// Reads every block and checks it.
    ///
    /// # Errors
    /// Returns an error if a block cannot be read, or is damaged.
    pub fn check_blocks(&self) -> Result<()> {
        self.blocks().each_block(|_| ())
    }

    /// Checks blocks and counts, and this many positions, evenly spread, against their moves. Moves that leave the
    /// ending are looked up in `others`.
    ///
    /// # Errors
    /// Returns an error if a block is damaged, counts differ, or the value of a position does not follow from
    /// those of its moves.
    pub fn verify(self, mut others: Tables, positions: u64) -> Result<Verified> {
        match self {
            Self::Chess(table) => {
                table.verify()?;
                let places = table.spread(positions);
                others.put(Self::Chess(table));
                others.chess.verify(&places)
            }
            Self::Amazons(table) => {
                table.verify()?;
                Ok(Verified::default())
            }
            Self::ConnectFour(table) => {
                table.verify()?;
                Ok(Verified::default())
            }
        }
    }
}

/// The file of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The version of its format.
    pub version: (u16, u16),
    /// Its length.
    pub bytes: u64,
    /// The number of blocks in its content.
    pub blocks: u64,
}
