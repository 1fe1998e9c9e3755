//! The games' rules: positions, moves, counts, values.

use gt_games::GameKind;
use gt_games::registry::{AnyGame, Setup};
use gt_search::Outcome;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board;
use crate::error::{self, GameError};
use crate::work::{guarded, interruptible};

/// The games, each with a line about it, its evaluations and its numbers of players.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for kind in GameKind::ALL {
        let about = PyDict::new(py);
        about.set_item("description", kind.description())?;
        let names: Vec<&str> = kind.evaluations().iter().map(|evaluation| evaluation.name).collect();
        about.set_item("evaluations", names)?;
        about.set_item("players", kind.player_counts().to_vec())?;
        all.set_item(kind.name(), about)?;
    }
    Ok(all)
}

pub(crate) fn kind(name: &str) -> PyResult<GameKind> {
    name.parse().map_err(|error| error::game(&error))
}

/// A position of a game; playing a move gives another.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Position {
    game: std::sync::Mutex<Box<dyn AnyGame>>,
    last: Option<String>,
}

impl Position {
    pub(crate) fn new(game: Box<dyn AnyGame>, last: Option<String>) -> Self {
        Self { game: std::sync::Mutex::new(game), last }
    }

    fn copy(&self) -> Box<dyn AnyGame> {
        self.game.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

/// No count of sequences is asked deeper than this; it would not end.
const PERFT_DEPTH_MAX: u32 = 50;

#[pymethods]
impl Position {
    /// A position of a game: its start, or the one that a text describes (chess: FEN), after some moves.
    #[new]
    #[pyo3(signature = (game, position = "", *, board = None, players = None, moves = Vec::new()))]
    fn open(
        game: &str,
        position: &str,
        board: Option<String>,
        players: Option<usize>,
        moves: Vec<String>,
    ) -> PyResult<Self> {
        let kind = kind(game)?;
        guarded(|| {
            let setup = Setup { position: position.to_owned(), board, players };
            let mut opened = kind.open(&setup).map_err(|error| error::game(&error))?;
            for text in &moves {
                opened.play(text).map_err(|error| error::game(&error))?;
            }
            Ok(Self::new(opened, moves.last().cloned()))
        })
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.copy().kind().name()
    }

    /// The position as one line of text (chess: FEN).
    #[getter]
    fn text(&self) -> String {
        self.copy().position_text()
    }

    /// How many players take part.
    #[getter]
    fn players(&self) -> usize {
        self.copy().players()
    }

    /// The player to move, from 0.
    #[getter]
    fn to_move(&self) -> usize {
        self.copy().to_move()
    }

    /// The legal moves, in the game's notation.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        guarded(|| Ok(self.copy().moves().into_iter().map(|named| named.text).collect()))
    }

    /// The result once the game is over: the number of the player who won, or "draw"; else `None`.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        use pyo3::IntoPyObjectExt;
        match self.copy().outcome() {
            None => Ok(py.None()),
            Some(Outcome::Draw) => "draw".into_py_any(py),
            Some(Outcome::Win(player)) => player.into_py_any(py),
        }
    }

    /// The position after a move, or after several.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Self> {
        guarded(|| {
            let mut game = self.copy();
            for text in &moves {
                game.play(text).map_err(|error| error::game(&error))?;
            }
            Ok(Self::new(game, moves.last().cloned().or_else(|| self.last.clone())))
        })
    }

    /// The number that a legal move has in logs.
    fn encode(&self, text: &str) -> PyResult<i64> {
        guarded(|| self.copy().encode(text).map_err(|error| error::game(&error)))
    }

    /// The text of the legal move that has this number in logs.
    fn decode(&self, number: i64) -> PyResult<String> {
        guarded(|| self.copy().decode(number).map_err(|error| error::game(&error)))
    }

    /// How many sequences of so many moves there are.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth == 0 {
            return Ok(1);
        }
        Ok(self.counts(py, depth)?.into_iter().map(|(_, count)| count).sum())
    }

    /// The same for each legal move.
    fn divide<'py>(&self, py: Python<'py>, depth: u32) -> PyResult<Bound<'py, PyDict>> {
        let divided = PyDict::new(py);
        for (text, count) in self.counts(py, depth)? {
            divided.set_item(text, count)?;
        }
        Ok(divided)
    }

    /// The value for each player, by the game's first evaluation or the one named.
    #[pyo3(signature = (evaluation = None))]
    fn evaluate(&self, evaluation: Option<&str>) -> PyResult<Vec<i32>> {
        guarded(|| self.copy().evaluate(evaluation).map_err(|error| error::game(&error)))
    }

    /// The board, drawn with letters.
    #[getter]
    fn board(&self) -> PyResult<String> {
        guarded(|| Ok(self.copy().draw()))
    }

    /// The board as a picture.
    #[getter]
    fn svg(&self) -> PyResult<String> {
        guarded(|| Ok(self._repr_svg_()))
    }

    pub(crate) fn _repr_svg_(&self) -> String {
        board::svg(&*self.copy(), self.last.as_deref())
    }

    fn __str__(&self) -> PyResult<String> {
        self.board()
    }

    fn __repr__(&self) -> String {
        format!("<gt_tools.Position {}: {}>", self.game(), self.text())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game() == other.game() && self.text() == other.text()
    }

    fn __hash__(&self) -> u64 {
        self.copy().hash()
    }
}

impl Position {
    /// The counts below each move; Ctrl-C ends the wait between two moves of the root.
    fn counts(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        if depth > PERFT_DEPTH_MAX {
            return Err(GameError::new_err(format!(
                "sequences of {depth} moves are beyond counting; at most {PERFT_DEPTH_MAX} are tried"
            )));
        }
        let game = self.copy();
        if depth <= 1 {
            return interruptible(py, move |_| {
                game.perft(depth).into_iter().map(|(named, count)| (named.text, count)).collect()
            });
        }
        interruptible(py, move |cancel| {
            let mut counts = Vec::new();
            for named in game.moves() {
                let mut after = game.clone();
                if cancel.load(std::sync::atomic::Ordering::Relaxed) || after.play(&named.text).is_err() {
                    break;
                }
                counts.push((named.text, after.perft(depth - 1).into_iter().map(|(_, count)| count).sum()));
            }
            counts
        })
    }
}
