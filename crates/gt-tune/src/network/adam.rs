//! A step of Adam's method: along the mean of the slopes, by the root of the mean of their squares.

use gt_games::chess::network::{INPUTS, LIMITS, UNIT};

use super::model::Tile;

/// How much of the mean and of the spread of slopes a step keeps.
const DECAYS: [f32; 2] = [0.9, 0.999];

/// What all numbers of a step have in common.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The share of a lesson in the batch.
    share: f32,
    rate: f32,
    /// What makes up for means that began at 0 and are too small at first.
    corrections: [f32; 2],
}

impl Step {
    /// The step of a number, from 1 on, after a batch of so many lessons.
    pub(super) fn new(number: usize, batch: usize, rate: f32) -> Self {
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        let corrections = DECAYS.map(|decay| 1.0 / (1.0 - decay.powi(number)));
        Self { share: 1.0 / batch as f32, rate, corrections }
    }

    /// The mean slope of a batch, of slopes that its parts summed up.
    #[inline(always)]
    fn slope<const PARTS: usize>(self, parts: [f32; PARTS]) -> f32 {
        parts.into_iter().sum::<f32>() * self.share
    }

    /// How far a number is to fall.
    #[inline(always)]
    fn fall(self, slope: f32, mean: &mut f32, spread: &mut f32) -> f32 {
        *mean = DECAYS[0] * *mean + (1.0 - DECAYS[0]) * slope;
        *spread = DECAYS[1] * *spread + (1.0 - DECAYS[1]) * slope * slope;
        self.rate * *mean * self.corrections[0] / ((*spread * self.corrections[1]).sqrt() + 1e-8)
    }

    /// Changes numbers by the slopes of all parts, none beyond what is the most.
    #[inline(always)]
    pub(super) fn adjust<const N: usize, const PARTS: usize>(
        self,
        numbers: &mut [f32; N],
        slopes: [&[f32; N]; PARTS],
        [means, spreads]: [&mut [f32; N]; 2],
        most: f32,
    ) {
        for at in 0..N {
            let fall = self.fall(self.slope(slopes.map(|part| part[at])), &mut means[at], &mut spreads[at]);
            numbers[at] = (numbers[at] - fall).clamp(-most, most);
        }
    }

    /// Changes a tile's rows of weights, and its biases.
    pub(super) fn adjust_tile<const PARTS: usize>(
        self,
        tile: &mut Tile,
        slopes: [&Tile; PARTS],
        [means, spreads]: [&mut Tile; 2],
    ) {
        let most = f32::from(LIMITS.input) / UNIT as f32;
        for row in 0..=INPUTS {
            let kept = [&mut means[row], &mut spreads[row]];
            self.adjust(&mut tile[row], slopes.map(|part| &part[row]), kept, most);
        }
    }
}
