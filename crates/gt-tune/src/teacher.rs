//! A teacher: a large network of Stockfish 15.1, read from its file, which judges positions in microseconds.
//!
//! ```text
//! each player's view: 22,528 inputs (a piece on a square, by the own king's square) ──▶ 1,024 sums, 8 worths
//! units   = products of a view's sums 0 to 511 with 512 to 1,023, each held between 0 and 127
//! 1,024 units, the mover's first ──▶ 16 ──▶ 15 of them held, and squared and held ──▶ 32 ──▶ 1
//! value   = half the difference of the worths + the last number + the 16th of the 16
//! ```
//!
//! Everything after the sums exists eight times, by the number of pieces. Stockfish writes the file when it is asked
//! to (`export_net FILE`). The layout is that of its documentation; the numbers are little-endian.

use gt_games::chess::cozy_chess::{BitBoard, Board, Color, File, Piece, Square};

/// A teacher's weights.
#[derive(Debug)]
pub struct Teacher {
    biases: Vec<i16>,
    weights: Vec<Row>,
    worths: Vec<[i32; STAGES]>,
    stages: Vec<Stage>,
}

/// Why a file is not a teacher's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeacherError {
    /// It is another kind of file, or a network of another version.
    Version,
    /// It is too short or too long.
    Size,
}

impl std::fmt::Display for TeacherError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Version => "not a network of Stockfish 15.1 (its command `export_net FILE` writes one)",
            Self::Size => "a network of Stockfish that is cut off, or has bytes too many",
        })
    }
}

impl std::error::Error for TeacherError {}

const SUMS: usize = 1024;
const STAGES: usize = 8;
/// The kinds of pieces that a view tells apart: own and others', but one king as good as the other.
const KINDS: usize = 2 * Piece::NUM - 1;
const KING_PLACES: usize = 32;
const INPUTS: usize = KING_PLACES * KINDS * Square::NUM;
const FIRST: usize = 16;
const SECOND: usize = 32;
/// The file's first number.
const VERSION: u32 = 0x7AF3_2F20;
/// The number that tells the layout of the layers, after the version.
const LAYOUT: u32 = 0x1C10_2EF2;
/// What units at 1 are.
const HELD_MAX: i32 = 127;
/// The bits after the point in a layer's weights.
const WEIGHT_BITS: u32 = 6;
/// What a network's output is divided by.
const OUTPUT_UNIT: i32 = 16;
/// The network's number for a pawn.
const PAWN: i32 = 361;

type Row = [i16; SUMS];

/// The layers for some number of pieces.
#[derive(Debug)]
struct Stage {
    first_biases: [i32; FIRST],
    first: Vec<Row>,
    second_biases: [i32; SECOND],
    second: [[i16; SECOND]; SECOND],
    last_bias: i32,
    last: [i16; SECOND],
}

/// The sums of a position.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pieces: [[BitBoard; Piece::NUM]; 2],
    viewpoints: [Option<Viewpoint>; 2],
    sums: [Row; 2],
    worths: [[i32; STAGES]; 2],
}

/// A player's view: ranks from his side, his king on the right half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Viewpoint {
    color: Color,
    flip: u8,
    king_place: usize,
}

impl Viewpoint {
    fn of(board: &Board, color: Color) -> Self {
        let king = board.king(color);
        let ranks = if color == Color::Black { 0b111_000 } else { 0 };
        let files = if king.file() < File::E { 0b000_111 } else { 0 };
        let flip = ranks | files;
        let seen = usize::from(king as u8 ^ flip);
        let (rank, file) = (seen / 8, seen % 8);
        Self { color, flip, king_place: KING_PLACES - 1 - 4 * rank - (file - 4) }
    }

    fn input(self, owner: Color, piece: Piece, square: Square) -> usize {
        let kind = match piece {
            Piece::King => KINDS - 1,
            _ => 2 * piece as usize + usize::from(owner != self.color),
        };
        (self.king_place * KINDS + kind) * Square::NUM + usize::from(square as u8 ^ self.flip)
    }
}

impl Teacher {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if it is not a network of Stockfish 15.1.
    pub fn parse(bytes: &[u8]) -> Result<Self, TeacherError> {
        let mut numbers = Numbers(bytes);
        if numbers.u32()? != VERSION || numbers.u32()? != LAYOUT {
            return Err(TeacherError::Version);
        }
        let description = numbers.u32()?;
        numbers.bytes(description as usize)?;
        numbers.u32()?;
        let biases = numbers.i16s(SUMS)?;
        let rows = numbers.i16s(INPUTS * SUMS)?;
        let weights = rows.as_chunks::<SUMS>().0.to_vec();
        let worths = numbers.i32s(INPUTS * STAGES)?.as_chunks::<STAGES>().0.to_vec();
        let stages = (0..STAGES).map(|_| Stage::read(&mut numbers)).collect::<Result<_, _>>()?;
        if !numbers.0.is_empty() {
            return Err(TeacherError::Size);
        }
        Ok(Self { biases, weights, worths, stages })
    }

    /// Returns the mover's score of a position, in hundredths of a pawn.
    #[must_use]
    pub fn score(&self, board: &Board) -> i32 {
        self.score_by(&self.judge(board), board)
    }

    /// Sums up a position.
    pub(crate) fn judge(&self, board: &Board) -> Judgement {
        let mut judgement = Judgement::NONE;
        judgement.move_to(self, board);
        judgement
    }

    /// Returns the mover's score of a position that is similar to another, whose sums are known; `room` becomes its
    /// sums.
    pub(crate) fn score_after(&self, board: &Board, similar: &Judgement, room: &mut Judgement) -> i32 {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,popcnt")]
            fn score_in_wide_vectors(
                teacher: &Teacher,
                board: &Board,
                similar: &Judgement,
                room: &mut Judgement,
            ) -> i32 {
                teacher.score_similar(board, similar, room)
            }
            #[target_feature(enable = "avx512bw,bmi1,popcnt")]
            fn score_in_widest_vectors(
                teacher: &Teacher,
                board: &Board,
                similar: &Judgement,
                room: &mut Judgement,
            ) -> i32 {
                teacher.score_similar(board, similar, room)
            }
            if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") {
                // SAFETY: both functions require BMI1 and POPCNT, which have just been confirmed; the first requires
                // AVX-512BW and the second AVX2 besides, each of which is confirmed before its call.
                unsafe {
                    if is_x86_feature_detected!("avx512bw") {
                        return score_in_widest_vectors(self, board, similar, room);
                    }
                    if is_x86_feature_detected!("avx2") {
                        return score_in_wide_vectors(self, board, similar, room);
                    }
                }
            }
        }
        self.score_similar(board, similar, room)
    }

    #[inline(always)]
    fn score_similar(&self, board: &Board, similar: &Judgement, room: &mut Judgement) -> i32 {
        room.clone_from(similar);
        room.move_to(self, board);
        self.score_by(room, board)
    }

    #[inline(always)]
    fn score_by(&self, judgement: &Judgement, board: &Board) -> i32 {
        let number = (board.occupied().len() as usize - 1) / 4;
        let mover = board.side_to_move() as usize;
        let worth = (judgement.worths[mover][number] - judgement.worths[1 - mover][number]) / 2;
        let mut units = [0; SUMS];
        for (units, view) in units.chunks_exact_mut(SUMS / 2).zip([mover, 1 - mover]) {
            let (one, other) = judgement.sums[view].split_at(SUMS / 2);
            for at in 0..SUMS / 2 {
                let (one, other) = (one[at].clamp(0, HELD_MAX as i16), other[at].clamp(0, HELD_MAX as i16));
                units[at] = one * other / (HELD_MAX as i16 + 1);
            }
        }
        (worth + self.stages[number].output(&units)) * 100 / (OUTPUT_UNIT * PAWN)
    }
}

impl Stage {
    fn read(numbers: &mut Numbers<'_>) -> Result<Self, TeacherError> {
        numbers.u32()?;
        let first_biases = numbers.i32s(FIRST)?;
        let first = numbers.i8s(FIRST * SUMS)?.as_chunks::<SUMS>().0.to_vec();
        let second_biases = numbers.i32s(SECOND)?;
        let second = numbers.i8s(SECOND * SECOND)?;
        let last_bias = numbers.i32s(1)?[0];
        let last = numbers.i8s(SECOND)?;
        Ok(Self {
            first_biases: std::array::from_fn(|output| first_biases[output]),
            first,
            second_biases: std::array::from_fn(|output| second_biases[output]),
            second: std::array::from_fn(|output| {
                std::array::from_fn(|input| second[output * SECOND + input])
            }),
            last_bias,
            last: std::array::from_fn(|input| last[input]),
        })
    }

    #[inline(always)]
    fn output(&self, units: &Row) -> i32 {
        const HELD: usize = FIRST - 1;
        let mut first = self.first_biases;
        for (output, weights) in first.iter_mut().zip(&self.first) {
            *output += product(units, weights);
        }
        let mut inputs = [0; SECOND];
        for input in 0..HELD {
            let square = i64::from(first[input]).pow(2) >> (2 * WEIGHT_BITS);
            inputs[input] = (square / i64::from(HELD_MAX + 1)).min(i64::from(HELD_MAX)) as i16;
            inputs[HELD + input] = held(first[input]);
        }
        let mut second = [0; SECOND];
        for ((output, weights), bias) in second.iter_mut().zip(&self.second).zip(self.second_biases) {
            *output = held(product(&inputs, weights) + bias);
        }
        // The scale of an output beside that of a unit's weight.
        let direct = first[HELD] * (600 * OUTPUT_UNIT) / (HELD_MAX << WEIGHT_BITS);
        product(&second, &self.last) + self.last_bias + direct
    }
}

#[inline(always)]
fn held(sum: i32) -> i16 {
    (sum >> WEIGHT_BITS).clamp(0, HELD_MAX) as i16
}

#[inline(always)]
fn product<const N: usize>(numbers: &[i16; N], weights: &[i16; N]) -> i32 {
    let mut sum = 0;
    for at in 0..N {
        sum += i32::from(numbers[at]) * i32::from(weights[at]);
    }
    sum
}

impl Judgement {
    const NONE: Self = Self {
        pieces: [[BitBoard::EMPTY; Piece::NUM]; 2],
        viewpoints: [None; 2],
        sums: [[0; SUMS]; 2],
        worths: [[0; STAGES]; 2],
    };

    /// Goes on to a position, by the pieces that differ.
    #[inline(always)]
    pub(crate) fn move_to(&mut self, teacher: &Teacher, board: &Board) {
        let pieces = Color::ALL.map(|color| Piece::ALL.map(|piece| board.colored_pieces(color, piece)));
        for color in Color::ALL {
            let (view, viewpoint) = (color as usize, Viewpoint::of(board, color));
            let mut before = self.pieces;
            if self.viewpoints[view] != Some(viewpoint) {
                self.viewpoints[view] = Some(viewpoint);
                self.sums[view].copy_from_slice(&teacher.biases);
                self.worths[view] = [0; STAGES];
                before = Self::NONE.pieces;
            }
            for owner in Color::ALL {
                for piece in Piece::ALL {
                    let [before, now] = [&before, &pieces].map(|all| all[owner as usize][piece as usize]);
                    for square in before & !now {
                        self.change::<-1>(teacher, view, viewpoint.input(owner, piece, square));
                    }
                    for square in now & !before {
                        self.change::<1>(teacher, view, viewpoint.input(owner, piece, square));
                    }
                }
            }
        }
        self.pieces = pieces;
    }

    /// Adds an input, or takes it away.
    #[inline(always)]
    fn change<const SIGN: i16>(&mut self, teacher: &Teacher, view: usize, input: usize) {
        let (sums, weights) = (&mut self.sums[view], &teacher.weights[input]);
        for at in 0..SUMS {
            sums[at] = sums[at].wrapping_add(weights[at].wrapping_mul(SIGN));
        }
        let (sums, worths) = (&mut self.worths[view], &teacher.worths[input]);
        for at in 0..STAGES {
            sums[at] = sums[at].wrapping_add(worths[at].wrapping_mul(i32::from(SIGN)));
        }
    }
}

/// The rest of a file.
struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], TeacherError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(TeacherError::Size)?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, TeacherError> {
        Ok(self.i32s(1)?[0].cast_unsigned())
    }

    fn i8s(&mut self, count: usize) -> Result<Vec<i16>, TeacherError> {
        Ok(self.bytes(count)?.iter().map(|&byte| i16::from(byte.cast_signed())).collect())
    }

    fn i16s(&mut self, count: usize) -> Result<Vec<i16>, TeacherError> {
        let bytes = self.bytes(2 * count)?;
        Ok(bytes.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
    }

    fn i32s(&mut self, count: usize) -> Result<Vec<i32>, TeacherError> {
        let bytes = self.bytes(4 * count)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
    }
}
