//! Builds a book from games, and from other books.

use crate::book::{Book, Content, Format};
use crate::error::{Error, Result};
use crate::tally::Tally;
use crate::{own, polyglot};
use gt_games::saved::{SavedGame, SavedResult};
use gt_games::{Chess, GameKind, Notation};
use gt_search::Game;
use std::collections::BTreeMap;
use std::io::Write;

/// The selection of moves for a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// The number of plies of a game that are used.
    pub plies_max: usize,
    /// The minimum number of games in which a move was played.
    pub games_min: u32,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { plies_max: 20, games_min: 1 }
    }
}

/// The data of a move.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    tally: Tally,
    /// The weight from a merged book that does not record the number of games.
    given: u32,
}

impl Known {
    fn weight(self) -> u32 {
        self.tally.weight().saturating_add(self.given)
    }
}

/// Builds a book.
#[derive(Debug)]
pub struct Builder {
    kind: GameKind,
    format: Format,
    options: BuildOptions,
    /// By key and the move's number.
    moves: BTreeMap<(u64, u32), Known>,
    games: u64,
}

impl Builder {
    /// Makes a book without moves.
    ///
    /// # Errors
    /// Returns an error if Polyglot's format is requested for a game other than chess.
    pub fn new(kind: GameKind, format: Format, options: BuildOptions) -> Result<Self> {
        if format == Format::Polyglot && kind != GameKind::Chess {
            return Err(Error::NotChess(kind));
        }
        Ok(Self { kind, format, options, moves: BTreeMap::new(), games: 0 })
    }

    /// Adds the moves of a game. A move counts as won or drawn if the player who made it won or drew the game; a game
    /// without a result counts as drawn.
    ///
    /// # Errors
    /// Returns an error, and adds nothing, if the game is of another kind, or one of its moves cannot be
    /// played.
    pub fn add(&mut self, game: &SavedGame) -> Result<()> {
        if game.kind != self.kind {
            return Err(Error::GameOfOtherKind { found: game.kind, book: self.kind });
        }
        let moves = match self.format {
            Format::Polyglot => polyglot_moves(game, self.options.plies_max)?,
            Format::Own => own_moves(game, self.options.plies_max)?,
        };
        for (place, player) in moves {
            self.moves.entry(place).or_default().tally.add(tally(game.result.as_ref(), player));
        }
        self.games += 1;
        Ok(())
    }

    /// Adds the contents of another book of the same game and format.
    ///
    /// # Errors
    /// Returns an error if the book does not fit, or can no longer be read.
    pub fn merge(&mut self, book: &Book) -> Result<()> {
        if book.kind() != self.kind {
            return Err(Error::OtherGame { found: book.kind().name().to_owned(), wanted: self.kind });
        }
        match (&book.content, self.format) {
            (Content::Polyglot(other), Format::Polyglot) => {
                other.records.scan(|record| {
                    let entry = polyglot::Entry::read(record);
                    let known = self.moves.entry((entry.key, u32::from(entry.mv))).or_default();
                    known.given = known.given.saturating_add(u32::from(entry.weight));
                })?;
            }
            (Content::Own(other), Format::Own) => {
                other.records.scan(|record| {
                    let entry = own::Entry::read(record);
                    self.moves.entry((entry.key, entry.mv)).or_default().tally.add(entry.tally);
                })?;
                self.games += other.head.games;
            }
            _ => return Err(Error::OtherFormat),
        }
        Ok(())
    }

    /// Returns the number of games added.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Writes the book, and returns the number of its moves.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, out: &mut impl Write) -> Result<u64> {
        let min = self.options.games_min;
        let kept: Vec<((u64, u32), Known)> = self
            .moves
            .iter()
            .filter(|(_, known)| known.given > 0 || known.tally.games >= min)
            .map(|(&place, &known)| (place, known))
            .collect();
        match self.format {
            Format::Polyglot => write_polyglot(&kept, out),
            Format::Own => self.write_own(&kept, out),
        }
    }

    fn write_own(&self, kept: &[((u64, u32), Known)], out: &mut impl Write) -> Result<u64> {
        let record =
            |&((key, mv), known): &((u64, u32), Known)| own::Entry { key, mv, tally: known.tally }.bytes();
        let crc32c = kept.iter().fold(0, |crc, entry| crc32c::crc32c_append(crc, &record(entry)));
        let head = own::Head::new(self.kind, kept.len() as u64, self.games, crc32c);
        out.write_all(&head.bytes())?;
        for entry in kept {
            out.write_all(&record(entry))?;
        }
        Ok(kept.len() as u64)
    }
}

/// Writes a position's moves together, the heaviest first, without those of weight 0.
fn write_polyglot(kept: &[((u64, u32), Known)], out: &mut impl Write) -> Result<u64> {
    let mut written = 0;
    for position in kept.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let most = position.iter().map(|(_, known)| known.weight()).max().unwrap_or(0);
        let mut entries: Vec<polyglot::Entry> = position
            .iter()
            .filter(|(_, known)| known.weight() > 0)
            .map(|&((key, mv), known)| polyglot::Entry {
                key,
                mv: mv as u16,
                weight: scaled(known.weight(), most),
            })
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        for entry in &entries {
            out.write_all(&entry.bytes())?;
        }
        written += entries.len() as u64;
    }
    Ok(written)
}

/// A weight scaled to sixteen bits, `most` being the largest of its position; a positive weight does not
/// become 0.
fn scaled(weight: u32, most: u32) -> u16 {
    let max = u64::from(u16::MAX);
    let weight = u64::from(weight);
    let scaled = if u64::from(most) > max { (weight * max / u64::from(most)).max(1) } else { weight };
    u16::try_from(scaled).unwrap_or(u16::MAX)
}

/// The tally of one game for a move of this player.
fn tally(result: Option<&SavedResult>, player: usize) -> Tally {
    let is_first = result.is_none_or(|result| result.places().get(player) == Some(&1));
    let is_alone = result.is_some_and(|result| result.winner().is_some());
    Tally { games: 1, wins: u32::from(is_first && is_alone), draws: u32::from(is_first && !is_alone) }
}

/// The key and the number of each move, and its player.
type Places = Vec<((u64, u32), usize)>;

fn polyglot_moves(saved: &SavedGame, plies_max: usize) -> Result<Places> {
    let text = saved.setup.position.trim();
    let mut game = if text.is_empty() { Chess::new() } else { Chess::parse_position(text)? };
    let mut places = Vec::new();
    for saved_move in saved.moves.iter().take(plies_max) {
        let mv = game.parse_move(&saved_move.text)?;
        places.push(((polyglot::key(game.board()), u32::from(polyglot::move_number(mv))), game.to_move()));
        game.make(mv);
    }
    Ok(places)
}

fn own_moves(saved: &SavedGame, plies_max: usize) -> Result<Places> {
    let mut game = saved.kind.open(&saved.setup)?;
    let mut places = Vec::new();
    for saved_move in saved.moves.iter().take(plies_max) {
        let code = game.canonical_code(&saved_move.text)?;
        // Every game's numbers fit: those of Amazons, the largest, have 21 bits.
        places.push(((own::key(&game.canonical_text()), code as u32), game.to_move()));
        game.play(&saved_move.text)?;
    }
    Ok(places)
}
