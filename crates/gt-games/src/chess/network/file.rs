//! The file of a network: comments that say how it was made, then the weights.
//!
//! ```text
//! # A network for chess.
//! # more lines of comments
//!
//! i16[3072][128] weights of the inputs   i16[128] biases   i16[8][2][128] weights of the squares   i32[8] biases
//! ```
//!
//! Numbers are little-endian; an empty line separates comments and numbers. Where all zones of the king have the same
//! weights, a file has those of one, a fourth of the inputs.

use super::inputs::{INPUTS, ZONE_INPUTS, ZONES};
use super::weights::{HIDDEN, LIMITS, Network, STAGES};
use crate::error::{NotationError, Result};
use std::sync::LazyLock;

const OUTPUT_NUMBERS: usize = STAGES * 2 * HIDDEN;

/// The weights of so many inputs, and the biases.
const fn input_numbers(inputs: usize) -> usize {
    (inputs + 1) * HIDDEN
}

const fn body_bytes(inputs: usize) -> usize {
    2 * (input_numbers(inputs) + OUTPUT_NUMBERS) + 4 * STAGES
}

impl Network {
    /// Returns the network that comes with the program.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Network> = LazyLock::new(|| {
            // A test reads the file; with no weights at all, every position would be level.
            Network::parse(include_bytes!("weights.net"))
                .unwrap_or_else(|_| Network::new(&[], &[], [0; STAGES]))
        });
        &BUILT_IN
    }

    /// The first line of a file.
    pub const HEADER: &str = "# A network for chess.\n";

    /// Whether a file begins as a network's does.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(Self::HEADER.as_bytes())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if the file is not a network's.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let refused = |why: String| Err(NotationError::syntax("the network", why));
        if !Self::begins(bytes) {
            return refused(format!("its first line should be `{}`", Self::HEADER.trim_end()));
        }
        let Some(end) = bytes.windows(2).position(|two| two == b"\n\n") else {
            return refused("its comments should end with an empty line".to_owned());
        };
        let body = &bytes[end + 2..];
        let Some(input_count) =
            [INPUTS, ZONE_INPUTS].into_iter().find(|&inputs| body.len() == body_bytes(inputs))
        else {
            let [most, least] = [INPUTS, ZONE_INPUTS].map(body_bytes);
            return refused(format!(
                "{least} or {most} bytes should follow its comments, not {}",
                body.len()
            ));
        };
        let (small, large) = body.split_at(2 * (input_numbers(input_count) + OUTPUT_NUMBERS));
        let small: Vec<i16> =
            small.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let (inputs, outputs) = small.split_at(input_numbers(input_count));
        let (weights, input_biases) = inputs.split_at(input_count * HIDDEN);
        let inputs = [&weights.repeat(ZONES * ZONE_INPUTS / input_count), input_biases].concat();
        let inputs = &inputs[..];
        let mut biases = [0; STAGES];
        let numbers = large.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes));
        biases.iter_mut().zip(numbers).for_each(|(bias, number)| *bias = number);
        let is_within =
            |numbers: &[i16], most: i16| numbers.iter().all(|number| (-most..=most).contains(number));
        let are_biases_within =
            biases.iter().all(|bias| bias.unsigned_abs() <= LIMITS.output_bias.unsigned_abs());
        if !is_within(inputs, LIMITS.input) || !is_within(outputs, LIMITS.output) || !are_biases_within {
            return refused("a weight is too large".to_owned());
        }
        Ok(Self::new(inputs, outputs, biases))
    }

    /// Returns the bytes of the file, without comments.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let (mut inputs, outputs, biases) = self.numbers();
        let mut zones = inputs[..INPUTS * HIDDEN].chunks_exact(ZONE_INPUTS * HIDDEN);
        let first = zones.next();
        if zones.all(|zone| Some(zone) == first) {
            inputs.drain(ZONE_INPUTS * HIDDEN..INPUTS * HIDDEN);
        }
        let small = inputs.into_iter().chain(outputs).flat_map(i16::to_le_bytes);
        small.chain(biases.into_iter().flat_map(i32::to_le_bytes)).collect()
    }
}
