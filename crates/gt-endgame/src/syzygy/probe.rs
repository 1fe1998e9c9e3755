//! Probing: who wins, and which moves make progress.
//!
//! The library keeps the open files in one place for the whole program. So all users of the same folders share a
//! [`Syzygy`], and other folders are refused until it is closed.
//!
//! Non-goal: finding a flipped bit. Syzygy files have no checksum that a probe could test.

use super::{Progress, files};
use crate::chess::probe::{can_castle, en_passant_square};
use crate::error::{Error, Result};
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use gt_search::{Ending, KnownEnding};
use pyrrhic_rs::{DtzProbeValue, DtzResult, EngineAdapter, TBError, TableBases, WdlProbeResult};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

/// The open Syzygy tables.
pub(crate) struct Syzygy {
    /// Many threads may ask who wins at once; distances are read by one thread alone.
    bases: RwLock<TableBases<Attacks>>,
    folders: Vec<PathBuf>,
    pieces_max: u32,
}

static OPEN: Mutex<Weak<Syzygy>> = Mutex::new(Weak::new());

impl Syzygy {
    /// Opens the tables of some folders.
    ///
    /// # Errors
    /// Returns an error if a file is damaged or misnamed, if there is none, or if tables of other folders are open.
    pub(crate) fn open(folders: Vec<PathBuf>) -> Result<Arc<Self>> {
        let mut pieces_max = 0;
        for folder in &folders {
            for file in files::in_folder(folder)? {
                pieces_max = pieces_max.max(files::check(&file)?);
            }
        }
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(syzygy) = open.upgrade() {
            return match syzygy.folders == folders {
                true => Ok(syzygy),
                false => Err(Error::Unfit(format!(
                    "Syzygy tables of {} are open already, and a program can use one set of them at a time",
                    files::list(&syzygy.folders)
                ))),
            };
        }
        let bases = TableBases::new(search_path(&folders)?).map_err(|error| sentence(error, &folders))?;
        let syzygy = Arc::new(Self { bases: RwLock::new(bases), folders, pieces_max });
        *open = Arc::downgrade(&syzygy);
        Ok(syzygy)
    }

    /// Returns the most pieces that one of the tables has.
    pub(crate) fn pieces_max(&self) -> u32 {
        self.pieces_max
    }

    /// Returns who wins with best play, if a table knows it. The fifty-move rule counts from this position: a win that
    /// takes more than fifty moves to the next capture or pawn move is a draw.
    #[must_use]
    pub(crate) fn result(&self, board: &Board) -> Option<KnownEnding> {
        let sets = self.sets(board)?;
        let bases = self.bases.read().unwrap_or_else(PoisonError::into_inner);
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = sets;
        let (en_passant, is_white) = mover(board);
        let result = bases
            .probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, is_white);
        Some(match result.ok()? {
            WdlProbeResult::Win => KnownEnding::Win,
            WdlProbeResult::Loss => KnownEnding::Loss,
            WdlProbeResult::CursedWin | WdlProbeResult::Draw | WdlProbeResult::BlessedLoss => {
                Ending::Draw.into()
            }
        })
    }

    /// Returns the moves that make progress, if the tables of distances know them. The moves since the last capture or
    /// pawn move count.
    #[must_use]
    pub(crate) fn progress(&self, board: &Board) -> Option<Progress> {
        let sets = self.sets(board)?;
        let bases = self.bases.write().unwrap_or_else(PoisonError::into_inner);
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = sets;
        let (en_passant, is_white) = mover(board);
        let clock = u32::from(board.halfmove_clock());
        let probed = bases.probe_root(
            white, black, kings, queens, rooks, bishops, knights, pawns, clock, en_passant, is_white,
        );
        let probed = probed.ok()?;
        let DtzProbeValue::DtzResult(best) = probed.root else { return None };
        let is_draw = !matches!(best.wdl, WdlProbeResult::Win | WdlProbeResult::Loss);
        let moves = probed.moves.iter().take(probed.num_moves).filter_map(|probed| match probed {
            DtzProbeValue::DtzResult(probed) if probed.wdl == best.wdl => {
                (is_draw || probed.dtz == best.dtz).then(|| move_of(probed))
            }
            _ => None,
        });
        Some(Progress { moves: moves.collect(), plies: best.dtz })
    }

    /// The pieces of a board that a table may know.
    fn sets(&self, board: &Board) -> Option<[u64; 8]> {
        if board.occupied().len() > self.pieces_max || can_castle(board) {
            return None;
        }
        let pieces = |piece: Piece| board.pieces(piece).0;
        let [white, black] = [Color::White, Color::Black].map(|color| board.colors(color).0);
        let [king, queen, rook, bishop, knight, pawn] =
            [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn].map(pieces);
        Some([white, black, king, queen, rook, bishop, knight, pawn])
    }
}

impl std::fmt::Debug for Syzygy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Syzygy").field("folders", &self.folders).finish_non_exhaustive()
    }
}

/// The square behind a pawn that can be taken in passing, or 0, and whether white is to move.
fn mover(board: &Board) -> (u32, bool) {
    let en_passant = en_passant_square(board).map_or(0, |square| square as u32);
    (en_passant, board.side_to_move() == Color::White)
}

fn move_of(probed: &DtzResult) -> Move {
    let promotion = match probed.promotion {
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    };
    let square = |index: u8| Square::index(usize::from(index & 63));
    Move { from: square(probed.from_square), to: square(probed.to_square), promotion }
}

/// The folders as the library takes them: as text, with colons between them.
fn search_path(folders: &[PathBuf]) -> Result<String> {
    let text = |folder: &PathBuf| {
        let folder = without_drive(folder);
        let text = folder.to_str().filter(|text| !text.contains([':', '\0'])).map(str::to_owned);
        let why = "the path of a folder with Syzygy tables must be text without a colon";
        text.ok_or_else(|| Error::Unfit(format!("{}: {why}", folder.display())))
    };
    Ok(folders.iter().map(text).collect::<Result<Vec<String>>>()?.join(":"))
}

/// Without the letter of the drive that the program runs on: a colon would end the path.
#[cfg(windows)]
fn without_drive(folder: &Path) -> PathBuf {
    let text = folder.to_string_lossy();
    let here = std::env::current_dir().unwrap_or_default();
    let drive: String = here.to_string_lossy().chars().take(2).collect();
    match text.strip_prefix(&drive) {
        Some(rest) if drive.ends_with(':') => PathBuf::from(rest),
        _ => folder.to_owned(),
    }
}

#[cfg(not(windows))]
fn without_drive(folder: &Path) -> PathBuf {
    folder.to_owned()
}

fn sentence(error: TBError, folders: &[PathBuf]) -> Error {
    let why = match error {
        TBError::AlreadyInitialized | TBError::NotSingleton => "other Syzygy tables are open already",
        TBError::BadPath | TBError::InitFailed | TBError::ProbeFailed => "the Syzygy tables cannot be opened",
    };
    Error::Unfit(format!("{}: {why}", files::list(folders)))
}

/// The attacks of pieces, which the library asks for.
#[derive(Clone, Copy)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::index(index as usize & 63)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = if color == pyrrhic_rs::Color::White { Color::White } else { Color::Black };
        get_pawn_attacks(square(from), color).0
    }

    fn knight_attacks(from: u64) -> u64 {
        get_knight_moves(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(from), BitBoard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        get_rook_moves(square(from), BitBoard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(from, occupied) | Self::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        get_king_moves(square(from)).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_a_colon_is_refused() {
        assert!(search_path(&["a:b".into()]).unwrap_err().to_string().contains("without a colon"));
        assert_eq!(search_path(&["a".into(), "b c".into()]).unwrap(), "a:b c");
    }
}
