//! `--show tree`: the last tree that was searched, node by node, with the moves that were not looked at.
//!
//! ```text
//! root        3
//!   left      3
//!     1       3
//!     2       7
//!   right   ≤ 1      cut off
//!     1       1
//!     X              not searched
//! ```

use std::cell::LazyCell;
use std::fmt::Write as _;
use std::io::Write;

use gt_games::registry::Playable;
use gt_play::Algorithm;
use gt_report::grouped;
use gt_search::{Ended, EntryRecord, Observer, Record, is_decided, is_unmeasured, win_distance_plies};

use crate::failure::Failure;

/// A longer drawing says nothing any more.
const LINES_MAX: usize = 400;
/// The column of the values is no farther to the right.
const NAME_WIDTH_MAX: usize = 48;

/// A node, or a move that was not searched.
struct Line {
    ply: usize,
    name: String,
    /// From the view of the root's player; `None` for what was not searched.
    value: Option<String>,
    remark: &'static str,
}

/// Draws what it observes.
pub(super) struct Sketch<G: Playable> {
    root: G,
    /// Whether a node's value is its own player's, and says nothing of the others' (max^n).
    is_each_for_himself: bool,
    /// The open nodes: position, the line that speaks of it, the moves searched below it.
    open: Vec<(G, usize, Vec<G::Move>)>,
    lines: Vec<Line>,
    nodes: u64,
}

impl<G: Playable> Sketch<G> {
    pub(super) fn new(root: &G, algorithm: Algorithm) -> Self {
        let is_each_for_himself = algorithm == Algorithm::MaxN && root.players() > 2;
        Self { root: root.clone(), is_each_for_himself, open: Vec::new(), lines: Vec::new(), nodes: 0 }
    }

    fn add(&mut self, line: Line) -> usize {
        if self.lines.len() < LINES_MAX {
            self.lines.push(line);
            return self.lines.len() - 1;
        }
        usize::MAX
    }

    /// The position below a move, what the move is called, and whether the game lets it be made.
    fn below(&mut self, last_move: Option<G::Move>) -> (G, String) {
        let Some((parent, _, searched)) = self.open.last_mut() else {
            self.lines.clear();
            self.nodes = 0;
            return (self.root.clone(), "root".to_owned());
        };
        let mut game = parent.clone();
        let name = match last_move {
            Some(mv) => {
                let name = game.move_text(mv);
                game.make(mv);
                searched.push(mv);
                name
            }
            None => {
                game.make_null();
                "(pass)".to_owned()
            }
        };
        (game, name)
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let width = |line: &Line| 2 * line.ply + line.name.chars().count();
        let widest = self.lines.iter().map(width).max().unwrap_or(0).min(NAME_WIDTH_MAX);
        let values = self.lines.iter().filter_map(|line| line.value.as_ref());
        let value_width = values.map(|value| value.chars().count()).max().unwrap_or(0);
        writeln!(out)?;
        if self.is_each_for_himself {
            writeln!(out, "a node's value is that of the player to move there")?;
        }
        for line in &self.lines {
            let mut text = format!("{:indent$}{}", "", line.name, indent = 2 * line.ply);
            if line.value.is_some() || !line.remark.is_empty() {
                let pad = (widest + 2).saturating_sub(width(line));
                let _ = write!(text, "{:pad$}{:>value_width$}", "", line.value.as_deref().unwrap_or(""));
            }
            if !line.remark.is_empty() {
                let _ = write!(text, "   {}", line.remark);
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        if self.lines.len() >= LINES_MAX {
            writeln!(out, "… the first {LINES_MAX} lines of {} nodes", grouped(self.nodes))?;
        }
        Ok(())
    }
}

impl<G: Playable> Observer<G::Move> for Sketch<G> {
    fn enter(&mut self, last_move: Option<G::Move>) {
        let (game, name) = self.below(last_move);
        self.nodes += 1;
        let at = self.add(Line { ply: self.open.len(), name, value: None, remark: "" });
        self.open.push((game, at, Vec::new()));
    }

    fn leave(&mut self, record: &Record) {
        let Some((game, at, searched)) = self.open.pop() else { return };
        let mut left = match record.ended {
            Ended::Cutoff | Ended::Stopped => game.legal_moves(),
            _ => Vec::new(),
        };
        left.retain(|mv| !searched.contains(mv));
        if let Some(line) = self.lines.get_mut(at) {
            let is_roots = self.is_each_for_himself || game.to_move() == self.root.to_move();
            line.value = Some(value_text(record, is_roots));
            // A node that cut off with its last move has nothing to show for it.
            line.remark =
                if record.ended == Ended::Cutoff && left.is_empty() { "" } else { remark(record.ended) };
        }
        let ply = self.open.len() + 1;
        for mv in left {
            let name = game.move_text(mv);
            self.add(Line { ply, name, value: None, remark: "not searched" });
        }
    }
}

/// The value for the root's player, with what is known of it where the window told no more.
fn value_text(record: &Record, is_roots: bool) -> String {
    if record.ended == Ended::Stopped {
        return String::new();
    }
    let value = if is_roots { record.best } else { -record.best };
    let is_leaf = matches!(record.ended, Ended::Terminal | Ended::Horizon | Ended::Draw);
    let (fails_high, fails_low) = (record.best >= record.beta, record.best <= record.alpha);
    let sign = match (
        is_leaf,
        if is_roots { fails_high } else { fails_low },
        if is_roots { fails_low } else { fails_high },
    ) {
        (true, ..) | (_, false, false) => "",
        (_, true, _) => "≥ ",
        (_, _, true) => "≤ ",
    };
    match win_distance_plies(value) {
        Some(plies) if is_decided(value) => {
            format!("{sign}{} in {plies}", if value > 0 { "win" } else { "loss" })
        }
        _ if is_unmeasured(value) => format!("{sign}{}", if value > 0 { "win" } else { "loss" }),
        _ => format!("{sign}{value}"),
    }
}

fn remark(ended: Ended) -> &'static str {
    match ended {
        Ended::Searched | Ended::Terminal => "",
        Ended::Horizon => "estimate",
        Ended::Cutoff => "cut off",
        Ended::TableHit => "known by the table",
        Ended::Endgame => "known by an endgame table",
        Ended::StandPat => "stands pat",
        Ended::NullMove => "cut off by a pass",
        Ended::Draw => "drawn by rule",
        Ended::Stopped => "stopped",
    }
}

/// Two observers of the same search. What only one of them asks for is made once, and what neither does not at all.
pub(super) struct Pair<A, B>(pub(super) A, pub(super) B);

impl<M: Copy, A: Observer<M>, B: Observer<M>> Observer<M> for Pair<A, B> {
    fn begin(&mut self, depth: i16) {
        self.0.begin(depth);
        self.1.begin(depth);
    }

    fn begin_line(&mut self, depth: i16, line: usize) {
        self.0.begin_line(depth, line);
        self.1.begin_line(depth, line);
    }

    fn enter(&mut self, last_move: Option<M>) {
        self.0.enter(last_move);
        self.1.enter(last_move);
    }

    #[inline]
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        let (known, code, key) = (LazyCell::new(known), LazyCell::new(code), LazyCell::new(key));
        self.0.enter_known(last_move, || *known, || *code, || *key);
        self.1.enter_known(last_move, || *known, || *code, || *key);
    }

    #[inline]
    fn leave(&mut self, record: &Record) {
        self.0.leave(record);
        self.1.leave(record);
    }

    #[inline]
    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        self.0.leave_valued(record, values);
        self.1.leave_valued(record, values);
    }
}
