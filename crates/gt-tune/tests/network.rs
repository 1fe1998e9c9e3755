//! A teacher is read as its file says, and a network learns what it is taught.

use gt_games::Chess;
use gt_games::chess::ByNetwork;
use gt_games::chess::cozy_chess::{Board, Color, Piece};
use gt_games::chess::network::Network;
use gt_search::{Evaluate, Game};
use gt_tune::{Learnt, Lesson, NetworkSettings, Teacher, TeacherError, learn, teach};

const SUMS: usize = 1024;
const INPUTS: usize = 22_528;
const FILE_BYTES: usize = 47_001_499 - 75;

/// A teacher's file by place: the parts that a test sets, and zeros.
struct TeacherFile {
    bytes: Vec<u8>,
}

impl TeacherFile {
    const BIASES: usize = 12 + 4;
    const WEIGHTS: usize = Self::BIASES + 2 * SUMS;
    const WORTHS: usize = Self::WEIGHTS + 2 * SUMS * INPUTS;
    const STAGES: usize = Self::WORTHS + 4 * 8 * INPUTS;
    const STAGE_BYTES: usize = 4 + 4 * 16 + 16 * SUMS + 4 * 32 + 32 * 32 + 4 + 32;

    /// No weights, and no description.
    fn new() -> Self {
        let mut bytes = vec![0; FILE_BYTES];
        bytes[..4].copy_from_slice(&0x7AF3_2F20_u32.to_le_bytes());
        bytes[4..8].copy_from_slice(&0x1C10_2EF2_u32.to_le_bytes());
        assert_eq!(Self::STAGES + 8 * Self::STAGE_BYTES, bytes.len());
        Self { bytes }
    }

    fn set_i16(&mut self, at: usize, number: i16) {
        self.bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
    }

    fn set_i32(&mut self, at: usize, number: i32) {
        self.bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }

    fn i16(&self, at: usize) -> i64 {
        i64::from(i16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    fn i32(&self, at: usize) -> i64 {
        let bytes = [0, 1, 2, 3].map(|byte| self.bytes[at + byte]);
        i64::from(i32::from_le_bytes(bytes))
    }

    fn i8(&self, at: usize) -> i64 {
        i64::from(self.bytes[at] as i8)
    }

    /// The score of a position, computed from the file as the module's head describes it.
    fn score(&self, board: &Board) -> i64 {
        let number = (board.occupied().len() as usize - 1) / 4;
        let (mut units, mut worths) = (Vec::new(), Vec::new());
        for color in [board.side_to_move(), !board.side_to_move()] {
            let inputs = inputs(board, color);
            let sum = |unit: usize| -> i64 {
                let row = |&input: &usize| self.i16(Self::WEIGHTS + 2 * (SUMS * input + unit));
                self.i16(Self::BIASES + 2 * unit) + inputs.iter().map(row).sum::<i64>()
            };
            let held = |unit: usize| sum(unit).clamp(0, 127);
            units.extend((0..SUMS / 2).map(|unit| held(unit) * held(unit + SUMS / 2) / 128));
            worths.push(
                inputs.iter().map(|input| self.i32(Self::WORTHS + 4 * (8 * input + number))).sum::<i64>(),
            );
        }
        let mut at = Self::STAGES + number * Self::STAGE_BYTES + 4;
        let mut layer = |inputs: &[i64], width: usize, outputs: usize| -> Vec<i64> {
            let (biases, weights) = (at, at + 4 * outputs);
            at = weights + width * outputs;
            let sum = |output: usize| {
                let weight = |input: usize| self.i8(weights + width * output + input);
                let products = inputs.iter().enumerate().map(|(input, number)| number * weight(input));
                self.i32(biases + 4 * output) + products.sum::<i64>()
            };
            (0..outputs).map(sum).collect()
        };
        let held = |sum: &i64| (sum >> 6).clamp(0, 127);
        let first = layer(&units, SUMS, 16);
        let squares = first[..15].iter().map(|sum| ((sum * sum) >> 19).min(127));
        let between: Vec<i64> = squares.chain(first[..15].iter().map(held)).collect();
        let second: Vec<i64> = layer(&between, 32, 32).iter().map(held).collect();
        let last = layer(&second, 32, 1)[0] + first[15] * 9600 / 8128;
        ((worths[0] - worths[1]) / 2 + last) * 100 / (16 * 361)
    }
}

/// A view's inputs: by the king's place, the kind of piece, and the square.
fn inputs(board: &Board, color: Color) -> Vec<usize> {
    let turn = |file: usize, rank: usize| {
        let file = if (board.king(color).file() as usize) < 4 { 7 - file } else { file };
        (file, if color == Color::White { rank } else { 7 - rank })
    };
    let king = board.king(color);
    let (file, rank) = turn(king.file() as usize, king.rank() as usize);
    let place = 31 - (4 * rank + file - 4);
    let kind = |piece: Piece, is_own: bool| match piece {
        Piece::King => 10,
        _ => 2 * piece as usize + usize::from(!is_own),
    };
    let input = |square: gt_games::chess::cozy_chess::Square| {
        let (file, rank) = turn(square.file() as usize, square.rank() as usize);
        let kind = kind(board.piece_on(square).expect("a piece"), board.colors(color).has(square));
        64 * (11 * place + kind) + 8 * rank + file
    };
    board.occupied().into_iter().map(input).collect()
}

fn boards() -> Vec<Board> {
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "3r2k1/p4ppp/1p2p3/3n4/3P4/P2B4/1P3PPP/2R3K1 b - - 0 22",
    ]
    .map(|fen| fen.parse().expect("a position"))
    .to_vec()
}

#[test]
fn a_teacher_computes_what_its_file_says() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut file = TeacherFile::new();
    for unit in 0..SUMS {
        file.set_i16(TeacherFile::BIASES + 2 * unit, random.i16(-100..200));
    }
    // Rows that no position here has stay empty: a million numbers are enough.
    for board in boards() {
        for color in Color::ALL {
            for input in inputs(&board, color) {
                for unit in 0..SUMS {
                    file.set_i16(TeacherFile::WEIGHTS + 2 * (SUMS * input + unit), random.i16(-30..30));
                }
                for stage in 0..8 {
                    file.set_i32(TeacherFile::WORTHS + 4 * (8 * input + stage), random.i32(-9000..9000));
                }
            }
        }
    }
    for stage in 0..8 {
        let start = TeacherFile::STAGES + stage * TeacherFile::STAGE_BYTES + 4;
        for at in start..start + TeacherFile::STAGE_BYTES - 4 {
            file.bytes[at] = random.u8(..);
        }
        // Biases of four random bytes would drown everything else.
        for at in (0..16).map(|bias| start + 4 * bias) {
            file.set_i32(at, random.i32(-3000..3000));
        }
        for at in (0..32).map(|bias| start + 4 * 16 + 16 * SUMS + 4 * bias) {
            file.set_i32(at, random.i32(-3000..3000));
        }
        file.set_i32(start + 4 * 16 + 16 * SUMS + 4 * 32 + 32 * 32, random.i32(-3000..3000));
    }
    let teacher = Teacher::parse(&file.bytes).expect("a teacher");
    let scores: Vec<i64> = boards().iter().map(|board| i64::from(teacher.score(board))).collect();
    let expected: Vec<i64> = boards().iter().map(|board| file.score(board)).collect();
    assert_eq!(scores, expected);
    assert!(scores.iter().any(|&score| score != scores[0]), "{scores:?}");
}

#[test]
fn what_is_not_a_teacher_is_refused() {
    let file = TeacherFile::new().bytes;
    let error = |bytes: &[u8]| Teacher::parse(bytes).expect_err("an error");
    assert_eq!(error(&file[..file.len() - 1]), TeacherError::Size);
    assert_eq!(error(&[&file[..], &[0]].concat()), TeacherError::Size);
    assert_eq!(error(b"tempo 1 2\n"), TeacherError::Version);
    assert_eq!(error(&[]), TeacherError::Size);
    let mut other = file;
    other[4] ^= 1;
    assert_eq!(error(&other), TeacherError::Version);
}

/// Positions of random games; a pawn's worth of material is a score of 100.
fn lessons_about_material(count: usize) -> Vec<Lesson> {
    let mut random = fastrand::Rng::with_seed(2);
    let mut lessons = Vec::new();
    while lessons.len() < count {
        let mut game = Chess::new();
        for ply in 0..120 {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let Some(&mv) = random.choice(&moves) else { break };
            game.make(mv);
            // Neighbours are too much alike to teach anything new.
            if ply % 20 == 19 {
                lessons.push(Lesson::new(game.board(), material(game.board())));
            }
        }
    }
    lessons.truncate(count);
    lessons
}

fn material(board: &Board) -> i16 {
    let worth = |color: Color| {
        let counted =
            [(Piece::Pawn, 1), (Piece::Knight, 3), (Piece::Bishop, 3), (Piece::Rook, 5), (Piece::Queen, 9)];
        counted
            .map(|(piece, worth)| worth * board.colored_pieces(color, piece).len() as i16)
            .iter()
            .sum::<i16>()
    };
    100 * (worth(board.side_to_move()) - worth(!board.side_to_move()))
}

fn settings(rounds: u32, lessons: usize, seed: u64) -> NetworkSettings {
    NetworkSettings { rounds, batch: 128, rate: 0.004, held_out: lessons / 10, seed }
}

fn learn_material(count: usize, rounds: u32) -> Learnt {
    let settings = settings(rounds, count, 4);
    learn(&mut lessons_about_material(count), &settings, None, |_, _| ()).expect("lessons")
}

#[test]
fn a_network_learns_what_pieces_are_worth() {
    const COUNT: usize = 12_000;
    let learnt = learn_material(COUNT, 10);
    // Who knows nothing promises half a point everywhere.
    let points = |lesson: &Lesson| 1.0 / (1.0 + (f64::from(-lesson.score()) / 115.0).exp());
    let held_out = &lessons_about_material(COUNT)[COUNT - COUNT / 10..];
    let knows_nothing =
        held_out.iter().map(|lesson| (points(lesson) - 0.5).powi(2)).sum::<f64>() / held_out.len() as f64;
    let knows = learnt.loss.held_out.expect("held out");
    assert!(knows < knows_nothing / 4.0, "{knows} of {knows_nothing}");
    let network: &'static Network = Box::leak(Box::new(learnt.network));
    let value = |fen: &str| ByNetwork(network).evaluate(&Chess::from_board(fen.parse().expect("a position")));
    assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1") < -100);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 100);

    // Who has learnt already goes on from there.
    let settings = settings(1, COUNT, 5);
    let after_another_round = |start: Option<&Network>| {
        let learnt = learn(&mut lessons_about_material(COUNT), &settings, start, |_, _| ());
        learnt.and_then(|learnt| learnt.loss.held_out).expect("held out")
    };
    let (goes_on, begins) = (after_another_round(Some(network)), after_another_round(None));
    assert!(goes_on < 1.1 * knows && begins > 2.0 * knows, "{knows}, {goes_on}, {begins}");
}

#[test]
fn the_same_lessons_make_the_same_network() {
    assert_eq!(learn_material(200, 2).network, learn_material(200, 2).network);
}

#[test]
fn courses_give_the_lessons_that_their_seeds_say() {
    let teacher = Teacher::parse(&TeacherFile::new().bytes).expect("a teacher");
    let take = |count, courses, seed| teach(&teacher, count, courses, seed, &|_| ());
    let lessons = take(40, 2, 3);
    assert_eq!(lessons.len(), 40);
    assert_eq!(lessons, [take(20, 1, 3), take(20, 1, 4)].concat());
    assert!(lessons.iter().all(|lesson| lesson.score() == 0), "nothing has a weight");
    assert!(learn(&mut [], &NetworkSettings::default(), None, |_, _| ()).is_none());
}
