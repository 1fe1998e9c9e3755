//! A network's numbers as they are learnt.

use gt_games::chess::network::{HIDDEN, INPUTS, Network, OUTPUT_UNIT, STAGES, UNIT};

/// The numbers of a network while it is learnt, or their slopes.
///
/// The rows of inputs are cut into tiles of a few units each. A tile of all inputs stays in the second cache while a
/// block of lessons adds to it, which whole rows would not.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The inputs' weights, then the biases, for each tile of units.
    pub(super) inputs: Vec<Tile>,
    /// The rows of the mover's view and the other's, for each stage.
    pub(super) outputs: Vec<[f32; HIDDEN]>,
    pub(super) output_biases: [f32; STAGES],
}

/// The number of units of a tile.
pub(super) const LANES: usize = 64;
pub(super) const TILES: usize = HIDDEN / LANES;
/// A power of two from the number of rows on, so that a masked index is always within.
pub(super) const TILE_ROWS: usize = (INPUTS + 1).next_power_of_two();
pub(super) type Tile = [[f32; LANES]; TILE_ROWS];

impl Model {
    pub(super) fn zero() -> Self {
        Self {
            inputs: vec![[[0.0; LANES]; TILE_ROWS]; TILES],
            outputs: vec![[0.0; HIDDEN]; 2 * STAGES],
            output_biases: [0.0; STAGES],
        }
    }

    pub(super) fn random(rng: &mut fastrand::Rng) -> Self {
        let mut model = Self::zero();
        let mut draw = |reach: f32| (rng.f32() * 2.0 - 1.0) * reach;
        for tile in &mut model.inputs {
            tile[..INPUTS].as_flattened_mut().iter_mut().for_each(|number| *number = draw(0.15));
            tile[INPUTS].fill(0.2);
        }
        model.outputs.as_flattened_mut().iter_mut().for_each(|number| *number = draw(0.1));
        model
    }

    pub(super) fn of(network: &Network) -> Self {
        let (inputs, outputs, biases) = network.numbers();
        let mut model = Self::zero();
        for (row, numbers) in inputs.chunks_exact(HIDDEN).enumerate() {
            for (unit, &number) in numbers.iter().enumerate() {
                model.inputs[unit / LANES][row][unit % LANES] = f32::from(number) / UNIT as f32;
            }
        }
        let places = model.outputs.as_flattened_mut().iter_mut().zip(outputs);
        places.for_each(|(place, number)| *place = f32::from(number) / OUTPUT_UNIT as f32);
        model.output_biases = biases.map(|number| number as f32 / (UNIT * OUTPUT_UNIT) as f32);
        model
    }

    pub(super) fn clear(&mut self) {
        self.inputs.as_flattened_mut().as_flattened_mut().fill(0.0);
        self.outputs.as_flattened_mut().fill(0.0);
        self.output_biases.fill(0.0);
    }

    pub(super) fn network(&self) -> Network {
        let whole = |number: f32, unit: i32| (number * unit as f32).round();
        let input =
            |row: usize, unit: usize| whole(self.inputs[unit / LANES][row][unit % LANES], UNIT) as i16;
        let inputs: Vec<i16> =
            (0..=INPUTS).flat_map(|row| (0..HIDDEN).map(move |unit| input(row, unit))).collect();
        let outputs = self.outputs.as_flattened().iter();
        let outputs: Vec<i16> = outputs.map(|&number| whole(number, OUTPUT_UNIT) as i16).collect();
        let biases = std::array::from_fn(|stage| whole(self.output_biases[stage], UNIT * OUTPUT_UNIT) as i32);
        Network::new(&inputs, &outputs, biases)
    }
}
