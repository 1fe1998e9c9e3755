//! Captures and promotions: moves that lead into endings that are already solved.

use super::sets::{PART_WORDS, SIDES, Set};
use crate::chess::geometry::{attackers, attacks, bit, king_moves, squares};
use crate::chess::layout::{At, Layout};
use crate::chess::material::{Man, PROMOTIONS};
use crate::chess::solved::{DRAW, Library, Route};
use crate::error::{Error, Result};
use crate::parallel::over_parts;
use cozy_chess::{Color, Piece};

/// Never lost: there is a conversion that does not lose.
const NEVER: u8 = u8::MAX;

/// The values of captures and promotions, for both sides to move.
pub(super) struct Conversions {
    /// Positions with any legal capture or promotion.
    pub(super) any: [Set; 2],
    /// Positions with one that does not lose: they are never lost.
    pub(super) escapes: [Set; 2],
    /// The places that win by one, by the ply of the win.
    won: [Vec<Vec<u32>>; 2],
    /// The places where every conversion loses, by the ply of the furthest loss.
    lost: [Vec<Vec<u32>>; 2],
    /// Those whose furthest loss is still pending.
    open: [Set; 2],
    /// The last ply at which a conversion takes effect.
    pub(super) ply_last: usize,
}

impl Conversions {
    pub(super) fn find(layout: &Layout, legal: &[Set; 2], library: &Library) -> Result<Self> {
        let mut found = Self {
            any: [vec![0; layout.words()], vec![0; layout.words()]],
            escapes: [vec![0; layout.words()], vec![0; layout.words()]],
            won: [Vec::new(), Vec::new()],
            lost: [Vec::new(), Vec::new()],
            open: [vec![0; layout.words()], vec![0; layout.words()]],
            ply_last: 0,
        };
        for side in SIDES {
            let moves = Moves::new(layout, side, library)?;
            found.add(&moves, &legal[side as usize]);
        }
        Ok(found)
    }

    /// The places that win at this ply by leaving the ending.
    pub(super) fn won_at(&self, side: Color, ply: usize) -> &[u32] {
        self.won[side as usize].get(ply).map_or(&[], Vec::as_slice)
    }

    /// The places whose furthest loss by a conversion is at this ply.
    pub(super) fn lost_at(&self, side: Color, ply: usize) -> &[u32] {
        self.lost[side as usize].get(ply).map_or(&[], Vec::as_slice)
    }

    /// Positions with a conversion whose loss lies beyond the last closed ply.
    pub(super) fn open(&self, side: Color) -> &Set {
        &self.open[side as usize]
    }

    /// Counts the conversions that lose at this ply as lost. Plies come in order.
    pub(super) fn close(&mut self, side: Color, ply: usize) {
        let open = &mut self.open[side as usize];
        for &place in self.lost[side as usize].get(ply).into_iter().flatten() {
            open[place as usize / 64] &= !bit(place as usize % 64);
        }
    }

    /// Makes the search continue to at least this ply.
    pub(super) fn wait_for(&mut self, ply: usize) {
        self.ply_last = self.ply_last.max(ply);
    }

    fn add(&mut self, moves: &Moves<'_>, legal: &Set) {
        let side = moves.mover as usize;
        let mut words: Vec<(u64, u64)> = vec![(0, 0); legal.len()];
        let made = over_parts(&mut words, PART_WORDS, |made: &mut ThreadFindings, part, words| {
            for (offset, (any, escapes)) in words.iter_mut().enumerate() {
                let word = part * PART_WORDS + offset;
                if legal[word] != 0 {
                    let outcomes = moves.outcomes(moves.layout.at(word), legal[word]);
                    (*any, *escapes) = made.take(word, &outcomes);
                }
            }
        });
        (self.any[side], self.escapes[side]) = words.into_iter().unzip();
        for made in made {
            self.ply_last = self.ply_last.max(sort_by_ply(&mut self.won[side], &made.won));
            self.ply_last = self.ply_last.max(sort_by_ply(&mut self.lost[side], &made.lost));
            for (place, _) in made.lost {
                self.open[side][place as usize / 64] |= bit(place as usize % 64);
            }
        }
    }
}

/// Adds each place to the list of its ply, and returns the last ply.
fn sort_by_ply(lists: &mut Vec<Vec<u32>>, places: &[(u32, u8)]) -> usize {
    for &(place, ply) in places {
        let ply = usize::from(ply);
        if lists.len() <= ply {
            lists.resize_with(ply + 1, Vec::new);
        }
        lists[ply].push(place);
    }
    lists.len()
}

/// A thread's findings: places, each with the ply of its conversion.
#[derive(Default)]
struct ThreadFindings {
    won: Vec<(u32, u8)>,
    lost: Vec<(u32, u8)>,
}

impl ThreadFindings {
    /// Stores the outcomes of a word, and returns which of its positions have a conversion, and which have one that
    /// does not lose.
    fn take(&mut self, word: usize, outcomes: &Outcomes) -> (u64, u64) {
        let mut escapes = 0;
        for square in squares(outcomes.any) {
            let place = (word * 64 + square) as u32;
            if outcomes.won[square] != 0 {
                self.won.push((place, outcomes.won[square]));
            }
            match outcomes.lost[square] {
                NEVER => escapes |= bit(square),
                ply => self.lost.push((place, ply)),
            }
        }
        (outcomes.any, escapes)
    }
}

/// The outcomes of the conversions of 64 positions.
struct Outcomes {
    any: u64,
    /// The nearest win, in plies; 0 for none.
    won: [u8; 64],
    /// The furthest loss, in plies, or [`NEVER`].
    lost: [u8; 64],
}

impl Outcomes {
    /// Adds a conversion after which the opponent has a position of this byte.
    #[inline]
    fn add(&mut self, square: usize, byte: u8) {
        self.any |= bit(square);
        // A byte is one ply more than the distance, and so is the distance before the move.
        let plies = byte;
        if byte == DRAW || plies % 2 == 1 {
            self.lost[square] = NEVER;
            if byte != DRAW && (self.won[square] == 0 || plies < self.won[square]) {
                self.won[square] = plies;
            }
        } else {
            self.lost[square] = self.lost[square].max(plies);
        }
    }
}

/// The captures and promotions of one side, with the routes to the endings they lead to.
struct Moves<'a> {
    layout: &'a Layout,
    mover: Color,
    /// The routes without the first man, and without the second.
    without: [Option<Route>; 2],
    /// The routes with the first man promoted, and the second; with and without the other man.
    promoted: [Vec<Route>; 2],
    promoted_alone: [Vec<Route>; 2],
}

impl<'a> Moves<'a> {
    fn new(layout: &'a Layout, mover: Color, library: &Library) -> Result<Self> {
        let missing = || Error::Unfit("an ending that this one leads to is missing".to_owned());
        let route = |men: &[Man]| Route::to(men, library).ok_or_else(missing);
        let second = layout.second;
        let both: Vec<Man> = layout.first.into_iter().chain([second]).collect();
        let others = |place: usize| -> Vec<Man> {
            both.iter().enumerate().filter(|&(at, _)| at != place).map(|(_, &man)| man).collect()
        };
        let last = both.len() - 1;
        let promoted = |place: usize, is_alone: bool| -> Result<Vec<Route>> {
            let pawn = both[place];
            let kinds = PROMOTIONS.into_iter().filter(|_| pawn.is_pawn() && pawn.color == mover);
            kinds
                .map(|kind| {
                    let mut men = both.clone();
                    men[place] = Man { kind, ..pawn };
                    route(if is_alone { std::slice::from_ref(&men[place]) } else { &men })
                })
                .collect()
        };
        let firsts = |is_alone| if last == 1 { promoted(0, is_alone) } else { Ok(Vec::new()) };
        Ok(Self {
            layout,
            mover,
            without: [layout.first.map(|_| route(&others(0))).transpose()?, Some(route(&others(last))?)],
            promoted: [firsts(false)?, promoted(last, false)?],
            promoted_alone: [firsts(true)?, promoted(last, true)?],
        })
    }

    fn outcomes(&self, at: At, legal: u64) -> Outcomes {
        let mut outcomes = Outcomes { any: 0, won: [0; 64], lost: [0; 64] };
        self.king_takes_first(at, legal, &mut outcomes);
        self.king_takes_second(at, legal, &mut outcomes);
        self.men_take(at, legal, &mut outcomes);
        self.first_promotes(at, legal, &mut outcomes);
        self.second_promotes(at, legal, &mut outcomes);
        outcomes
    }

    /// The mover's king and the other one.
    fn kings(&self, at: At) -> (usize, usize) {
        match self.mover {
            Color::White => (at.white_king, at.black_king),
            Color::Black => (at.black_king, at.white_king),
        }
    }

    /// The byte after the move, with the mover's king on `king`.
    #[inline]
    fn after(&self, route: &Route, at: At, king: usize, men: [usize; 2]) -> u8 {
        match self.mover {
            Color::White => route.value(Color::Black, king, at.black_king, men),
            Color::Black => route.value(Color::White, at.white_king, king, men),
        }
    }

    fn king_takes_first(&self, at: At, legal: u64, outcomes: &mut Outcomes) {
        let (king, other) = self.kings(at);
        let (Some(first), [Some(route), _]) = (self.layout.first, &self.without) else { return };
        if first.color == self.mover || king_moves(king) & !king_moves(other) & bit(at.first) == 0 {
            return;
        }
        let second = self.layout.second;
        let guards = if second.color == self.mover {
            0
        } else {
            attackers(second.kind, second.color, at.first, bit(other))
        };
        for square in squares(legal & !guards) {
            outcomes.add(square, self.after(route, at, at.first, [square, 0]));
        }
    }

    fn king_takes_second(&self, at: At, legal: u64, outcomes: &mut Outcomes) {
        let (king, other) = self.kings(at);
        let [_, Some(route)] = &self.without else { return };
        if self.layout.second.color == self.mover {
            return;
        }
        let guarded = match self.layout.first {
            Some(first) if first.color != self.mover => {
                attacks(first.kind, first.color, at.first, bit(other))
            }
            _ => 0,
        };
        for square in squares(legal & king_moves(king) & !king_moves(other) & !guarded) {
            outcomes.add(square, self.after(route, at, square, [at.first, 0]));
        }
    }

    /// Captures of the other side's only man: no check can prevent them.
    fn men_take(&self, at: At, legal: u64, outcomes: &mut Outcomes) {
        let Some(first) = self.layout.first.filter(|first| first.color != self.layout.second.color) else {
            return;
        };
        let second = self.layout.second;
        let king = self.kings(at).0;
        let kings = bit(at.white_king) | bit(at.black_king);
        let (place, targets) = if first.color == self.mover {
            (0, attacks(first.kind, first.color, at.first, kings))
        } else {
            (1, attackers(second.kind, second.color, at.first, kings))
        };
        for square in squares(legal & targets) {
            let to = if place == 0 { square } else { at.first };
            let taker = if place == 0 { first } else { second };
            if taker.kind == Piece::Pawn && !(8..56).contains(&to) {
                for route in &self.promoted_alone[place] {
                    outcomes.add(square, self.after(route, at, king, [to, 0]));
                }
            } else if let Some(route) = &self.without[1 - place] {
                outcomes.add(square, self.after(route, at, king, [to, 0]));
            }
        }
    }

    /// The square where a pawn on this one promotes.
    fn last_step(&self, from: usize) -> Option<usize> {
        match self.mover {
            Color::White => (from >> 3 == 6).then(|| from + 8),
            Color::Black => (from >> 3 == 1).then(|| from - 8),
        }
    }

    fn first_promotes(&self, at: At, legal: u64, outcomes: &mut Outcomes) {
        if self.promoted[0].is_empty() {
            return;
        }
        let (king, other) = self.kings(at);
        let kings = bit(king) | bit(other);
        let Some(to) = self.last_step(at.first).filter(|&to| kings & bit(to) == 0) else { return };
        let second = self.layout.second;
        let checks = if second.color == self.mover {
            0
        } else {
            attackers(second.kind, second.color, king, bit(other) | bit(to))
        };
        for square in squares(legal & !checks & !bit(to)) {
            for route in &self.promoted[0] {
                outcomes.add(square, self.after(route, at, king, [to, square]));
            }
        }
    }

    fn second_promotes(&self, at: At, legal: u64, outcomes: &mut Outcomes) {
        if self.promoted[1].is_empty() {
            return;
        }
        let (king, other) = self.kings(at);
        let first = self.layout.first;
        let occupied = bit(king) | bit(other) | first.map_or(0, |_| bit(at.first));
        for square in squares(legal) {
            let Some(to) = self.last_step(square).filter(|&to| occupied & bit(to) == 0) else { continue };
            let is_checked = first.is_some_and(|first| {
                first.color != self.mover
                    && attacks(first.kind, first.color, at.first, bit(other) | bit(to)) & bit(king) != 0
            });
            if is_checked {
                continue;
            }
            let men = if first.is_some() { [at.first, to] } else { [to, 0] };
            for route in &self.promoted[1] {
                outcomes.add(square, self.after(route, at, king, men));
            }
        }
    }
}
