//! Probing: who wins, and which moves make progress.
//!
//! The library keeps the open files in one place for the whole program. So all users of the same folders share a
//! [`Syzygy`], and other folders are refused until it is closed.
//!
//! A folder need not have every table. The library forgets a table, for all who ask, when it looks for a file that is
//! not there, so a position is asked only where its own files are: those of distances are missing more often.
//!
//! Non-goal: finding damage inside a file. Syzygy files have no checksum that a probe could test, and the library
//! follows what they say, so a damaged one may give wrong values or end the program.

use super::Progress;
use super::files;
use super::material::Material;
use super::stock::Stock;
use crate::chess::rules::{QUIET_HALF_MOVES_MAX, can_castle, en_passant_square};
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
    /// Many threads may ask who wins at once where the library finds all of its files. Where it may look for a missing
    /// one, and for distances, one thread asks alone.
    bases: RwLock<TableBases<Attacks>>,
    folders: Vec<PathBuf>,
    stock: Stock,
}

static OPEN: Mutex<Weak<Syzygy>> = Mutex::new(Weak::new());

impl Syzygy {
    /// Opens the tables of some folders.
    ///
    /// # Errors
    /// Returns an error if a file is damaged or misnamed, if none tells who wins, or if tables of other folders are
    /// open.
    pub(crate) fn open(folders: Vec<PathBuf>) -> Result<Arc<Self>> {
        let stock = Stock::of(&folders)?;
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
        let syzygy = Arc::new(Self { bases: RwLock::new(bases), folders, stock });
        *open = Arc::downgrade(&syzygy);
        Ok(syzygy)
    }

    /// Returns the most pieces that one of the tables has.
    pub(crate) fn pieces_max(&self) -> u32 {
        self.stock.pieces_max
    }

    /// Returns who wins with best play, if a table knows it. The fifty-move rule counts from this position: a win that
    /// takes more than fifty moves to the next capture or pawn move is a draw.
    #[must_use]
    pub(crate) fn result(&self, board: &Board) -> Option<KnownEnding> {
        let asked = self.asked(board)?;
        let result = if self.stock.whole.contains(&asked.material) {
            asked.result(&self.bases.read().unwrap_or_else(PoisonError::into_inner))
        } else {
            asked.result(&self.bases.write().unwrap_or_else(PoisonError::into_inner))
        };
        result.map(ending)
    }

    /// Returns who wins with best play, if the tables know it. The moves since the last capture or pawn move count, so
    /// that after some a win or loss is known only where the tables of distances know it too.
    #[must_use]
    pub(crate) fn result_at_clock(&self, board: &Board) -> Option<KnownEnding> {
        let clock = u16::from(board.halfmove_clock());
        let result = self.result(board)?;
        // With fewer moves left, a draw stays one.
        if clock == 0 || result == Ending::Draw.into() {
            return Some(result);
        }
        let Ranked { result, plies, .. } = self.ranked(board)?;
        let rounding = u16::from(plies > 1);
        let is_certain = result == Ending::Draw.into() || clock + plies + rounding <= QUIET_HALF_MOVES_MAX;
        is_certain.then_some(result)
    }

    /// Returns the moves that make progress, if the tables of distances know them. The moves since the last capture or
    /// pawn move count.
    #[must_use]
    pub(crate) fn progress(&self, board: &Board) -> Option<Progress> {
        let Ranked { moves, plies, .. } = self.ranked(board)?;
        Some(Progress { moves, plies })
    }

    /// The best moves. They are compared among themselves: tables may round distances, so that no move keeps the
    /// root's own.
    fn ranked(&self, board: &Board) -> Option<Ranked> {
        let Asked { sets, mover: (en_passant, is_white), material } = self.asked(board)?;
        if !self.stock.distances.contains(&material) {
            return None;
        }
        let bases = self.bases.write().unwrap_or_else(PoisonError::into_inner);
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = sets;
        let clock = u32::from(board.halfmove_clock());
        let probed = bases.probe_root(
            white, black, kings, queens, rooks, bishops, knights, pawns, clock, en_passant, is_white,
        );
        let probed = probed.ok()?;
        let moves = probed.moves.iter().take(probed.num_moves).filter_map(|probed| match probed {
            DtzProbeValue::DtzResult(probed) => Some(self.corrected(&bases, board, probed)),
            DtzProbeValue::Stalemate | DtzProbeValue::Checkmate | DtzProbeValue::Failed => None,
        });
        let moves = moves.collect::<Option<Vec<DtzResult>>>()?;
        let best = moves.iter().max_by_key(|probed| merit(probed))?;
        Some(Ranked {
            moves: moves.iter().filter(|probed| merit(probed) == merit(best)).map(move_of).collect(),
            plies: best.dtz,
            result: ending(best.wdl),
        })
    }

    /// What a move leads to. The library forgets that a pawn can be taken in passing after a double step, so the
    /// position there is asked by itself.
    fn corrected(&self, bases: &TableBases<Attacks>, board: &Board, probed: &DtzResult) -> Option<DtzResult> {
        let mut after = board.clone();
        after.try_play(move_of(probed)).ok()?;
        if en_passant_square(&after).is_none() {
            return Some(*probed);
        }
        let wdl = match self.asked(&after)?.result(bases)? {
            WdlProbeResult::Loss => WdlProbeResult::Win,
            WdlProbeResult::BlessedLoss => WdlProbeResult::CursedWin,
            WdlProbeResult::Draw => WdlProbeResult::Draw,
            WdlProbeResult::CursedWin => WdlProbeResult::BlessedLoss,
            WdlProbeResult::Win => WdlProbeResult::Loss,
        };
        Some(DtzResult { wdl, dtz: 1, ..*probed })
    }

    /// The pieces of a board, if there is a file that tells who wins with them.
    fn asked(&self, board: &Board) -> Option<Asked> {
        if board.occupied().len() > self.stock.pieces_max || can_castle(board) {
            return None;
        }
        let material = material(board);
        if !self.stock.results.contains(&material) {
            return None;
        }
        let pieces = |piece: Piece| board.pieces(piece).0;
        let [white, black] = [Color::White, Color::Black].map(|color| board.colors(color).0);
        let [king, queen, rook, bishop, knight, pawn] =
            [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn].map(pieces);
        let sets = [white, black, king, queen, rook, bishop, knight, pawn];
        Some(Asked { sets, mover: mover(board), material })
    }
}

/// A position as the library is asked about it.
struct Asked {
    /// White's and Black's squares, and those of the kings, queens, rooks, bishops, knights and pawns.
    sets: [u64; 8],
    /// The square behind a pawn that can be taken in passing, or 0, and whether White is to move.
    mover: (u32, bool),
    material: Material,
}

impl Asked {
    fn result(&self, bases: &TableBases<Attacks>) -> Option<WdlProbeResult> {
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = self.sets;
        let (en_passant, is_white) = self.mover;
        let result = bases
            .probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, is_white);
        result.ok()
    }
}

/// The best moves of a position.
struct Ranked {
    moves: Vec<Move>,
    /// The number of plies to the next capture or pawn move.
    plies: u16,
    /// The result, the moves since the last capture or pawn move counted.
    result: KnownEnding,
}

fn material(board: &Board) -> Material {
    let men = |color: Color| {
        [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn]
            .map(|piece| board.colored_pieces(color, piece).len() as u8)
    };
    Material::of(men(Color::White), men(Color::Black))
}

/// The result as the fifty-move rule has it.
fn ending(result: WdlProbeResult) -> KnownEnding {
    match result {
        WdlProbeResult::Win => KnownEnding::Win,
        WdlProbeResult::Loss => KnownEnding::Loss,
        WdlProbeResult::CursedWin | WdlProbeResult::Draw | WdlProbeResult::BlessedLoss => Ending::Draw.into(),
    }
}

/// The higher, the better the move: by its result, and of those that win the one nearest to a capture or pawn move, of
/// those that lose the furthest.
fn merit(probed: &DtzResult) -> (i32, i32) {
    let plies = i32::from(probed.dtz);
    match probed.wdl {
        WdlProbeResult::Win => (4, -plies),
        WdlProbeResult::CursedWin => (3, 0),
        WdlProbeResult::Draw => (2, 0),
        WdlProbeResult::BlessedLoss => (1, 0),
        WdlProbeResult::Loss => (0, plies),
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
