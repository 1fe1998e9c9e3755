//! `/api/find`: the node at the end of a line of moves.
//!
//! Siblings can have the same move (a search that was repeated with another window), so a line can lead to several
//! nodes: of those that can be followed to the end, the one with the largest subtrees on the way is taken.

use std::ops::ControlFlow;

use gt_games::registry::AnyGame;
use serde::Serialize;

use super::Subject;
use crate::error::{Answer, Refusal};
use crate::moves::follow;
use crate::nodes::{Children, Located, Node};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FindAnswer {
    generation: u64,
    node: u64,
    ply: u64,
}

/// The maximum number of moves in a line, and of nodes that are looked at to follow it.
const MOVES_MAX: usize = 10_000;
const TRIES_MAX: usize = 100_000;
/// The number of children, or runs of leaves, that are collected before their moves are read.
const BATCH: usize = 4096;

pub(crate) fn node(subject: &mut Subject<'_>, id: u64) -> Answer<FindAnswer> {
    let located = subject.nodes.locate(id)?;
    Ok(FindAnswer { generation: subject.opened.generation, node: id, ply: located.ply() })
}

pub(crate) fn line(subject: &mut Subject<'_>, from: u64, line: &str) -> Answer<FindAnswer> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() > MOVES_MAX {
        return Err(Refusal::bad(
            "line",
            format!("the line has {} moves; at most {MOVES_MAX} are followed", words.len()),
        ));
    }
    let start = subject.nodes.locate(from)?;
    let game = start_position(subject, &start)?;
    let mut search = Search { subject, words: &words, tries: 0, furthest: 0 };
    match search.follow(start.node, game)? {
        Some(node) => {
            let ply = start.ply() + words.len() as u64;
            Ok(FindAnswer { generation: subject.opened.generation, node: node.id, ply })
        }
        None => {
            let at = search.furthest;
            Err(search.not_there(at))
        }
    }
}

fn start_position(subject: &mut Subject<'_>, start: &Located) -> Answer<Option<Box<dyn AnyGame>>> {
    let Ok(root) = subject.opened.root_position(subject.tree) else { return Ok(None) };
    let codes = subject.codes(start)?;
    Ok(follow(root, &codes, subject.cancel).ok())
}

struct Search<'s, 'a, 'w> {
    subject: &'s mut Subject<'a>,
    words: &'w [&'w str],
    tries: usize,
    /// The most moves that could be followed.
    furthest: usize,
}

/// A node on the way, and the children that are still to be tried from there.
struct Step {
    game: Option<Box<dyn AnyGame>>,
    /// The smallest subtree first: they are taken from the end.
    candidates: Vec<Node>,
    code: Option<i64>,
}

impl Search<'_, '_, '_> {
    /// Goes down as far as the words lead, and back where they lead nowhere.
    fn follow(&mut self, start: Node, game: Option<Box<dyn AnyGame>>) -> Answer<Option<Node>> {
        if self.words.is_empty() {
            return Ok(Some(start));
        }
        let mut way = vec![self.step(start, game, 0)?];
        while let Some(step) = way.last_mut() {
            let Some(node) = step.candidates.pop() else {
                way.pop();
                continue;
            };
            let game = step.game.clone().and_then(|mut game| game.play_code(step.code?).ok().map(|_| game));
            let depth = way.len();
            self.furthest = self.furthest.max(depth);
            self.tries += 1;
            if depth == self.words.len() {
                return Ok(Some(node));
            }
            if self.tries > TRIES_MAX {
                return Ok(None);
            }
            way.push(self.step(node, game, depth)?);
        }
        Ok(None)
    }

    fn step(&mut self, node: Node, game: Option<Box<dyn AnyGame>>, depth: usize) -> Answer<Step> {
        let Some(code) = self.code(self.words[depth], game.as_deref()) else {
            return Ok(Step { game, candidates: Vec::new(), code: None });
        };
        let mut candidates = Vec::new();
        let mut after = None;
        loop {
            let mut batch: Vec<Children> = Vec::new();
            self.subject.nodes.siblings_backward(node, after, |children| {
                batch.push(children);
                if batch.len() < BATCH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            let Some(last) = batch.last() else { break };
            after = Some(last.first());
            for children in batch {
                for child in (0..children.count).map(|back| children.back(back)) {
                    self.subject.nodes.hop()?;
                    if self.subject.nodes.last_move(child.row)? == code {
                        candidates.push(child);
                    }
                }
            }
        }
        candidates.sort_by_key(|child| child.size);
        Ok(Step { game, candidates, code: Some(code) })
    }

    /// The number of a move as it was written.
    fn code(&self, word: &str, game: Option<&dyn AnyGame>) -> Option<i64> {
        use gt_query::MoveCodec as _;
        let spoken = self.subject.notation.number(word);
        spoken.or_else(|| game.and_then(|game| game.encode(word).ok())).or_else(|| word.parse().ok())
    }

    fn not_there(&self, at: usize) -> Refusal {
        let shown = |word: &str| word.chars().take(40).collect::<String>().escape_debug().to_string();
        let word = self.words.get(at).map(|word| shown(word)).unwrap_or_default();
        let before = match at {
            0 => "at the start of the line".to_owned(),
            _ => format!(
                "after `{}`",
                self.words[at.saturating_sub(8)..at].iter().map(|w| shown(w)).collect::<Vec<_>>().join(" ")
            ),
        };
        let form = match self.subject.opened.game {
            Some(kind) if self.code(self.words.get(at).unwrap_or(&""), None).is_none() => {
                format!("; {}", kind.move_form())
            }
            _ => String::new(),
        };
        Refusal::missing("line", format!("{before} the tree has no move `{word}`{form}"))
    }
}
