//! The weights of a network, and the value that they compute from hidden sums.

use super::inputs::INPUTS;
use cozy_chess::Board;

/// The number of hidden units of a view.
pub const HIDDEN: usize = 256;
/// The number of rows of output weights.
pub const STAGES: usize = 8;
/// The integer for 1 in a hidden unit.
pub const UNIT: i32 = 255;
/// The integer for 1 in an output weight.
pub const OUTPUT_UNIT: i32 = 64;
/// The value of a network's output 1, in hundredths of a pawn.
pub const VALUE_UNIT: i32 = 100;

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(super) inputs: Box<[Row; INPUTS]>,
    pub(super) biases: Row,
    pub(super) outputs: [[Row; 2]; STAGES],
    pub(super) output_biases: [i32; STAGES],
}

/// A row with a number for each hidden unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(in crate::chess) struct Row(pub(in crate::chess) [i16; HIDDEN]);

/// The largest weights; sums of larger ones could overflow.
pub const LIMITS: Limits = Limits { input: 990, output: 127, output_bias: 100 * UNIT * OUTPUT_UNIT };

/// The largest weights of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest weight of an input, in 255ths: the sum of 33 such weights, the most that are added, stays below 2^15.
    pub input: i16,
    /// The largest weight of an output, in 64ths.
    pub output: i16,
    /// The largest bias of an output. With it, values stay far below those of won games.
    pub output_bias: i32,
}

/// The row of output weights for a position with this many pieces, at least 2.
#[inline(always)]
#[must_use]
pub fn stage_of(pieces: usize) -> usize {
    const PIECES_A_STAGE: usize = 4;
    ((pieces - 2) / PIECES_A_STAGE).min(STAGES - 1)
}

impl Network {
    /// Makes a network from its numbers, in the order and form of a file; missing numbers are 0.
    #[must_use]
    pub fn new(inputs: &[i16], outputs: &[i16], output_biases: [i32; STAGES]) -> Self {
        let row = |numbers: &[i16]| Row(std::array::from_fn(|unit| numbers[unit]));
        let mut rows = inputs.chunks_exact(HIDDEN).map(row);
        let mut weights = Box::new([Row([0; HIDDEN]); INPUTS]);
        weights.iter_mut().zip(&mut rows).for_each(|(place, row)| *place = row);
        let mut output_rows = outputs.chunks_exact(HIDDEN).map(row);
        let mut next = || output_rows.next().unwrap_or(Row([0; HIDDEN]));
        Self {
            inputs: weights,
            biases: rows.next().unwrap_or(Row([0; HIDDEN])),
            outputs: std::array::from_fn(|_| [next(), next()]),
            output_biases,
        }
    }

    /// Returns the numbers from which [`Network::new`] makes the network: those of the inputs with the biases, those of the outputs, and
    /// the outputs' biases.
    #[must_use]
    pub fn numbers(&self) -> (Vec<i16>, Vec<i16>, [i32; STAGES]) {
        let inputs = self.inputs.iter().chain([&self.biases]).flat_map(|row| row.0).collect();
        let outputs = self.outputs.as_flattened().iter().flat_map(|row| row.0).collect();
        (inputs, outputs, self.output_biases)
    }

    /// The mover's value, given the sums of White's view and Black's.
    #[inline(always)]
    pub(super) fn output(&self, board: &Board, sums: &[Row; 2]) -> i32 {
        let (mover, stage) = (board.side_to_move() as usize, stage_of(board.occupied().len() as usize));
        let [own, other] = &self.outputs[stage];
        let sum = i64::from(weighted_squares(&sums[mover], own))
            + i64::from(weighted_squares(&sums[1 - mover], other));
        let output = sum / i64::from(UNIT) + i64::from(self.output_biases[stage]);
        (output * i64::from(VALUE_UNIT) / i64::from(UNIT * OUTPUT_UNIT)) as i32
    }
}

/// The squares of hidden units times their weights. The parts cannot overflow: a product of a unit and a weight is at
/// most 255 · 127, and 256 of those times 255 stay below 2^31.
#[inline(always)]
fn weighted_squares(sums: &Row, weights: &Row) -> i32 {
    let part = |(&sum, &weight): (&i16, &i16)| {
        let unit = sum.clamp(0, UNIT as i16);
        i32::from(unit.wrapping_mul(weight)) * i32::from(unit)
    };
    sums.0.iter().zip(&weights.0).map(part).sum()
}
