//! The file of a network: comments that say how it was made, then the weights.
//!
//! ```text
//! # A network for chess.
//! # more lines of comments
//!
//! i16[768][256] weights of the inputs   i16[256] biases   i16[8][2][256] weights of the squares   i32[8] biases
//! ```
//!
//! Numbers are little-endian; an empty line separates comments and numbers.

use super::inputs::INPUTS;
use super::weights::{HIDDEN, LIMITS, Network, STAGES};
use crate::error::{NotationError, Result};
use std::sync::LazyLock;

/// The number of weights of the inputs and biases of the hidden units.
const INPUT_NUMBERS: usize = (INPUTS + 1) * HIDDEN;
const SMALL_NUMBERS: usize = INPUT_NUMBERS + STAGES * 2 * HIDDEN;
const BODY_BYTES: usize = 2 * SMALL_NUMBERS + 4 * STAGES;

impl Network {
    /// Returns the network that comes with the program.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Network> = LazyLock::new(|| {
            // A test reads the file; without any weights, every position would be level.
            Network::parse(include_bytes!("weights.net"))
                .unwrap_or_else(|_| Network::new(&[], &[], [0; STAGES]))
        });
        &BUILT_IN
    }

    /// The first line of a file.
    pub const HEADER: &str = "# A network for chess.\n";

    /// Whether a file begins like that of a network.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(Self::HEADER.as_bytes())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if the file is not that of a network.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let refused = |why: String| Err(NotationError::syntax("the network", why));
        if !Self::begins(bytes) {
            return refused(format!("its first line should be `{}`", Self::HEADER.trim_end()));
        }
        let Some(end) = bytes.windows(2).position(|two| two == b"\n\n") else {
            return refused("its comments should end with an empty line".to_owned());
        };
        let body = &bytes[end + 2..];
        if body.len() != BODY_BYTES {
            return refused(format!("{BODY_BYTES} bytes should follow its comments, not {}", body.len()));
        }
        let (small, large) = body.split_at(2 * SMALL_NUMBERS);
        let small: Vec<i16> =
            small.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let (inputs, outputs) = small.split_at(INPUT_NUMBERS);
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
        let (inputs, outputs, biases) = self.numbers();
        let small = inputs.into_iter().chain(outputs).flat_map(i16::to_le_bytes);
        small.chain(biases.into_iter().flat_map(i32::to_le_bytes)).collect()
    }
}
