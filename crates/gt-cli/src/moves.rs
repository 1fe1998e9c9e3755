//! Moves as the game writes them, where the game and its position are known; else by the log's own names, or as numbers.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use gt_fleet::Notation;
use gt_games::registry::{AnyGame, GameKind, Scribe};
use gt_log::{Log, Tree};
use gt_query::MoveCodec;
use gt_report::{NameMoves, NodeNames};

use crate::tell::tell;

/// How moves are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Moves {
    /// In the game's notation or by the log's names; those that have none as numbers
    Text,
    /// As players write them down: in chess `Nf3`, where the position is known, else as text
    San,
    /// As the numbers that the log has
    Number,
}

/// What writes the moves of a tree down as players do; nothing if they do not write them in a way of their own, and a
/// sentence if they do, and the position is not known.
pub(crate) fn scribe(log: &Log, tree: Tree<'_>) -> Result<Option<Scribe>, String> {
    if !log.game().parse().is_ok_and(GameKind::has_written_moves) {
        return Ok(None);
    }
    gt_picture::position::root(log, tree).map(|root| Some(Scribe::new(root)))
}

/// Says why the moves of a tree cannot be written down as players do, where they could in another tree of the game.
pub(crate) fn tell_unknown_position(path: &Path, log: &Log, tree: Tree<'_>) {
    if let Err(why) = scribe(log, tree) {
        let (path, tree) = (path.display(), tree.number());
        tell(format_args!("{path}, tree {tree}: moves are printed as their squares: {why}"));
    }
}

/// The names of a tree's moves, each in its place: as players write it down, in the game's notation, or by the log's
/// names.
pub(crate) struct TreeMoves<'a> {
    /// Nothing where moves are printed as numbers, or have no texts.
    notation: Option<Notation<'a>>,
    /// What writes moves down as players do, where that is asked for and their positions are known.
    scribe: Option<RefCell<Scribe>>,
}

impl<'a> TreeMoves<'a> {
    pub(crate) fn new(log: &'a Log, tree: Tree<'_>, moves: Moves) -> Self {
        let scribe = (moves == Moves::San).then(|| scribe(log, tree).ok().flatten()).flatten();
        let notation = Notation::of(log).filter(|_| moves != Moves::Number);
        Self { notation, scribe: scribe.map(RefCell::new) }
    }
}

impl NameMoves for TreeMoves<'_> {
    fn name(&self, before: &[i64], number: i64) -> Option<String> {
        let written = self.scribe.as_ref().and_then(|scribe| scribe.borrow_mut().after(before, number));
        written.or_else(|| self.notation?.text(number))
    }
}

/// What the nodes of a tree call their moves, if they do and its game is not known.
pub(crate) fn node_names<'a>(log: &Log, tree: Tree<'a>) -> Option<NodeNames<'a>> {
    if log.game().parse::<GameKind>().is_ok() { None } else { NodeNames::of(tree) }
}

/// A position along a line of a log, as far as the game can be followed.
#[derive(Clone)]
pub(crate) struct Position<'a> {
    game: Option<Rc<Box<dyn AnyGame>>>,
    /// It may have names of its own for moves of a game that is not known here.
    log: &'a Log,
    /// How moves are written.
    moves: Moves,
    /// The move that led here.
    last: Option<Rc<(i64, String)>>,
}

impl<'a> Position<'a> {
    /// The position at a tree's root, where the log tells it.
    pub(crate) fn root(log: &'a Log, tree: Tree<'_>) -> Self {
        Self {
            game: gt_picture::position::root(log, tree).ok().map(Rc::new),
            log,
            moves: Moves::Text,
            last: None,
        }
    }

    /// The same, moves written in another way.
    pub(crate) fn with_moves(self, moves: Moves) -> Self {
        Self { moves, ..self }
    }

    /// The text of a move from here, and the position after it.
    pub(crate) fn play(&self, code: i64) -> (String, Self) {
        let mut game = self.game.as_deref().cloned();
        // Another engine's numbers, or another position than we think, are not followed any further.
        let played = game.as_mut().and_then(|game| game.play_code(code).ok());
        let named = || self.log.move_name(code).map(str::to_owned);
        let text = match self.moves {
            Moves::Number => None,
            Moves::Text => played.clone().or_else(named),
            Moves::San => self.written(code).or_else(|| played.clone()).or_else(named),
        };
        let text = text.unwrap_or_else(|| code.to_string());
        let game = played.and(game).map(Rc::new);
        let last = (self.moves == Moves::San).then(|| Rc::new((code, text.clone())));
        (text, Self { game, last, ..*self })
    }

    /// A move as players write it down; one that the log repeats, as it was written before.
    fn written(&self, code: i64) -> Option<String> {
        let last = self.last.as_ref().filter(|last| last.0 == code).map(|last| last.1.clone());
        self.game.as_ref()?.written_code(code).ok().or(last)
    }

    /// The texts of a line of moves, and the position at its end.
    pub(crate) fn play_all(&self, codes: &[i64]) -> (Vec<String>, Self) {
        let mut position = self.clone();
        let mut texts = Vec::with_capacity(codes.len());
        for &code in codes {
            let (text, next) = position.play(code);
            texts.push(text);
            position = next;
        }
        (texts, position)
    }
}

/// Moves of a line that are printed before its middle is left out, and after.
const LINE_ENDS: usize = 30;

/// A line of moves; of a very long one, the two ends.
pub(crate) fn line_text(moves: &[String]) -> String {
    if moves.len() <= 2 * LINE_ENDS {
        return moves.join(" ");
    }
    let (first, rest) = moves.split_at(LINE_ENDS);
    let (middle, last) = rest.split_at(rest.len() - LINE_ENDS);
    format!("{} … {} moves … {}", first.join(" "), middle.len(), last.join(" "))
}
