//! A course of lessons: games in which a teacher judges every move.
//!
//! ```text
//! some random moves ──▶ position ── every move ──▶ the positions after them, judged by the teacher
//!                          ▲                            │
//!                          │                            ├── some of them, by lot ──▶ lessons
//!                          └──── one of the best ───────┘
//!                                or any move
//! ```
//!
//! A search judges positions after bad moves more often than those after good ones. So lessons come from all moves,
//! and games go on after blunders.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use gt_games::chess::Chess;
use gt_games::chess::cozy_chess::{Board, GameStatus, Move};
use gt_games::chess::network::has_bare_king;
use gt_search::Game;

use crate::lesson::Lesson;
use crate::samples::nothing_hangs;
use crate::teacher::{Judgement, Teacher};

/// Takes lessons with a teacher in several courses, each on a thread of its own. Calls `report` with the number of
/// lessons now and then.
///
/// The courses have a seed each, from `seed` on, and an equal number of lessons, so these numbers alone determine them.
#[must_use]
pub fn teach(
    teacher: &Teacher,
    lessons: usize,
    courses: usize,
    seed: u64,
    report: &(dyn Fn(usize) + Sync),
) -> Vec<Lesson> {
    let share = lessons.div_ceil(courses.max(1));
    let done = AtomicUsize::new(0);
    let take = |seed: u64| {
        let mut course = Course::new(teacher, seed);
        let mut taken = Vec::with_capacity(share);
        while taken.len() < share {
            let before = taken.len();
            course.advance(&mut taken);
            report(done.fetch_add(taken.len() - before, Ordering::Relaxed));
        }
        taken.truncate(share);
        taken
    };
    std::thread::scope(|scope| {
        let seeds = (0..courses.max(1) as u64).map(|course| seed.wrapping_add(course));
        let take = &take;
        let tasks: Vec<_> = seeds.map(|seed| scope.spawn(move || take(seed))).collect();
        tasks.into_iter().flat_map(|task| task.join().unwrap_or_default()).collect()
    })
}

/// A game under way, and those that follow it.
struct Course<'a> {
    teacher: &'a Teacher,
    rng: Rng,
    board: Board,
    judgement: Judgement,
    plies: u32,
    moves: Vec<JudgedMove>,
}

struct JudgedMove {
    mv: Move,
    /// The mover's score after the move.
    score: i32,
}

/// The fewest random plies at the beginning of a game.
const RANDOM_PLIES_MIN: u32 = 4;
/// The number of different counts of random plies.
const RANDOM_PLIES_COUNTS: u32 = 8;
/// How often any legal move is made later.
const ANY_MOVE_SHARE: f32 = 0.06;
/// How much better a move than the best one may seem, in hundredths of a pawn.
const NOISE_MAX: i32 = 45;
/// The average number of lessons from a position's moves.
const LESSONS_A_POSITION: f32 = 6.0;
/// How often a position is a lesson although something hangs there.
const NOISY_SHARE: f32 = 0.25;
/// The highest score of a lesson: a game is won long before.
const SCORE_MAX: i32 = 2500;
/// The score from which on a game may end.
const DECIDED_MIN: i32 = 500;
/// How often a decided game ends at a move.
const DECIDED_SHARE: f32 = 0.1;
/// The longest game.
const PLIES_MAX: u32 = 240;
/// The most plies without a capture or a pawn's move.
const IDLE_PLIES_MAX: u8 = 40;

impl<'a> Course<'a> {
    fn new(teacher: &'a Teacher, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let (board, plies) = opening(&mut rng);
        let judgement = teacher.judge(&board);
        Self { teacher, rng, board, judgement, plies, moves: Vec::new() }
    }

    /// Makes a move, after lessons from all moves.
    fn advance(&mut self, lessons: &mut Vec<Lesson>) {
        self.judge_moves(lessons);
        let best = self.moves.iter().map(|judged| judged.score).max();
        let is_decided = best.is_none_or(|score| score.abs() > DECIDED_MIN);
        if let Some(mv) = self.choose() {
            self.board.play_unchecked(mv);
            self.plies += 1;
        }
        let is_over = is_decided && self.rng.f32() < DECIDED_SHARE
            || self.plies > PLIES_MAX
            || self.board.status() != GameStatus::Ongoing
            || self.board.halfmove_clock() > IDLE_PLIES_MAX
            || has_bare_king(&self.board);
        if is_over {
            (self.board, self.plies) = opening(&mut self.rng);
        }
        self.judgement.move_to(self.teacher, &self.board);
    }

    fn judge_moves(&mut self, lessons: &mut Vec<Lesson>) {
        self.moves.clear();
        let moves = legal_moves(&self.board);
        let share = LESSONS_A_POSITION / moves.len() as f32;
        let mut after = self.judgement.clone();
        for mv in moves {
            let mut board = self.board.clone();
            board.play_unchecked(mv);
            let score = self.teacher.score_after(&board, &self.judgement, &mut after);
            self.moves.push(JudgedMove { mv, score: -score });
            if self.rng.f32() < share && self.is_lesson(&board) && score.abs() <= SCORE_MAX {
                lessons.push(Lesson::new(&board, score as i16));
            }
        }
    }

    /// Whether an evaluation can be right about a position.
    fn is_lesson(&mut self, board: &Board) -> bool {
        board.checkers().is_empty()
            && board.status() == GameStatus::Ongoing
            // Bare kings are not the network's to judge.
            && !has_bare_king(board)
            && (nothing_hangs(&Chess::from_board(board.clone())) || self.rng.f32() < NOISY_SHARE)
    }

    fn choose(&mut self) -> Option<Move> {
        if self.rng.f32() < ANY_MOVE_SHARE {
            return self.rng.choice(&self.moves).map(|judged| judged.mv);
        }
        let game = Chess::from_board(self.board.clone());
        let mut best = None;
        for judged in &self.moves {
            // The teacher's score does not see what the answer takes.
            let loses = !game.wins_at_least(judged.mv, 0);
            let seeming = (!loses, judged.score + self.rng.i32(0..=NOISE_MAX));
            if best.is_none_or(|(other, _)| seeming > other) {
                best = Some((seeming, judged.mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}

fn opening(rng: &mut Rng) -> (Board, u32) {
    loop {
        let mut board = Board::startpos();
        let plies = RANDOM_PLIES_MIN + rng.u32(0..RANDOM_PLIES_COUNTS);
        for _ in 0..plies {
            let Some(&mv) = rng.choice(&legal_moves(&board)) else { break };
            board.play_unchecked(mv);
        }
        if board.status() == GameStatus::Ongoing {
            return (board, plies);
        }
    }
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|some| {
        moves.extend(some);
        false
    });
    moves
}
