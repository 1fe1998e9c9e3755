//! Learns a network by stochastic gradient descent.
//!
//! ```text
//! promised = 1 / (1 + e^(-output))            the points that the network promises the mover
//! points   = 1 / (1 + e^(-score / SCALE))     the points that the teacher's score promises
//! loss     = (promised - points)², on average
//! ```
//!
//! A step changes the weights by Adam's method along the average slope of a batch of lessons. A batch has a fixed
//! number of parts, whose slopes are added in their order, so the number of processors does not change the result.

use gt_games::chess::network::{HIDDEN, INPUTS, LIMITS, Network, OUTPUT_UNIT, STAGES, UNIT, stage_of};

use crate::fit::Loss;
use crate::lesson::{Lesson, PIECES_MAX};

/// The settings of learning a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkSettings {
    /// How often every lesson is taken.
    pub rounds: u32,
    /// The number of lessons of a step.
    pub batch: usize,
    /// The step size at the beginning; it falls to almost nothing.
    pub rate: f32,
    /// The number of lessons at the end of the list that are held out.
    pub held_out: usize,
    /// The seed of the initial weights and of the lessons' order.
    pub seed: u64,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self { rounds: 10, batch: 8192, rate: 0.0015, held_out: 100_000, seed: 1 }
    }
}

/// A network that was learnt.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The network, rounded as it is stored.
    pub network: Network,
    /// The loss after the last round.
    pub loss: Loss,
}

/// The score that promises e/(1 + e) points, 0.73, in hundredths of a pawn of the teacher.
const SCALE: f32 = 115.0;
/// The number of parts of a batch.
const PARTS: usize = 4;
/// The number of steps after which the step size is whole.
const WARM_UP_STEPS: f32 = 200.0;
/// The last step size, as a share of the first.
const LAST_RATE: f32 = 0.005;
/// How much of the mean and of the spread of slopes a step keeps.
const DECAYS: [f32; 2] = [0.9, 0.999];

/// Learns a network from lessons; `None` if there are none. Reports the loss after each round.
#[must_use]
pub fn learn(
    lessons: &[Lesson],
    settings: &NetworkSettings,
    mut report: impl FnMut(u32, Loss),
) -> Option<Learnt> {
    let (learnt, held_out) = lessons.split_at(lessons.len().saturating_sub(settings.held_out));
    let mut order: Vec<u32> = (0..u32::try_from(learnt.len()).ok()?).collect();
    let batch = settings.batch.max(1);
    let steps = settings.rounds as usize * order.len().div_ceil(batch);
    if steps == 0 {
        return None;
    }
    let mut rng = fastrand::Rng::with_seed(settings.seed);
    let mut pupil = Pupil::new(&mut rng);
    let mut loss = Loss { learnt: 0.0, held_out: None };
    for round in 1..=settings.rounds {
        rng.shuffle(&mut order);
        let mut sum = 0.0;
        for batch in order.chunks(batch) {
            let progress = pupil.steps as f32 / steps as f32;
            let cooling = (0.5 * (1.0 + (progress * std::f32::consts::PI).cos())).max(LAST_RATE);
            sum += pupil.step(learnt, batch, settings.rate * cooling);
        }
        let held_out = (!held_out.is_empty()).then(|| pupil.model.average_loss(held_out));
        loss = Loss { learnt: sum / learnt.len() as f64, held_out };
        report(round, loss);
    }
    Some(Learnt { network: pupil.model.network(), loss })
}

/// The numbers of a network while it is learnt, or their slopes.
///
/// The rows of inputs are cut into tiles of a few units each. A tile of all inputs stays in the nearest cache while a
/// block of lessons adds to it, which whole rows would not.
#[derive(Clone, Debug)]
struct Model {
    /// The inputs' weights, then the biases, for each tile of units.
    inputs: Vec<Tile>,
    /// The rows of the mover's view and the other's, for each stage.
    outputs: Vec<[f32; HIDDEN]>,
    output_biases: Vec<f32>,
}

/// The number of units of a tile.
const LANES: usize = 8;
const TILES: usize = HIDDEN / LANES;
/// A power of two from the number of inputs and biases on, so that a masked index is always within.
const TILE_ROWS: usize = (INPUTS + 1).next_power_of_two();
type Tile = [[f32; LANES]; TILE_ROWS];

impl Model {
    fn zero() -> Self {
        Self {
            inputs: vec![[[0.0; LANES]; TILE_ROWS]; TILES],
            outputs: vec![[0.0; HIDDEN]; 2 * STAGES],
            output_biases: vec![0.0; STAGES],
        }
    }

    fn random(rng: &mut fastrand::Rng) -> Self {
        let mut model = Self::zero();
        let mut draw = |reach: f32| (rng.f32() * 2.0 - 1.0) * reach;
        for tile in &mut model.inputs {
            tile[..INPUTS].as_flattened_mut().iter_mut().for_each(|number| *number = draw(0.15));
            tile[INPUTS].fill(0.2);
        }
        model.outputs.as_flattened_mut().iter_mut().for_each(|number| *number = draw(0.1));
        model
    }

    fn parts(&mut self) -> [&mut [f32]; 3] {
        let inputs = self.inputs.as_flattened_mut().as_flattened_mut();
        [inputs, self.outputs.as_flattened_mut(), &mut self.output_biases]
    }

    fn clear(&mut self) {
        self.parts().into_iter().for_each(|part| part.fill(0.0));
    }

    fn network(&self) -> Network {
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

    fn average_loss(&self, lessons: &[Lesson]) -> f64 {
        let mut block = Block::default();
        let mut loss = 0.0;
        for lessons in lessons.chunks(BLOCK) {
            block.forward(self, lessons.iter());
            for (lesson, &output) in lessons.iter().zip(&block.outputs) {
                let error = points(output) - promised_by(lesson);
                loss += f64::from(error * error);
            }
        }
        loss / lessons.len() as f64
    }
}

/// The points of an output.
fn points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

fn promised_by(lesson: &Lesson) -> f32 {
    points(f32::from(lesson.score()) / SCALE)
}

/// The number of lessons that go through a tile one after another.
const BLOCK: usize = 128;

/// What is computed on the way to the outputs of some lessons.
struct Block {
    inputs: Vec<[[u16; 2]; PIECES_MAX]>,
    counts: Vec<usize>,
    /// The units of both views; on the way back, their slopes.
    units: Vec<[[f32; HIDDEN]; 2]>,
    outputs: Vec<f32>,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            inputs: vec![[[0; 2]; PIECES_MAX]; BLOCK],
            counts: Vec::with_capacity(BLOCK),
            units: vec![[[0.0; HIDDEN]; 2]; BLOCK],
            outputs: Vec::with_capacity(BLOCK),
        }
    }
}

impl Block {
    /// Computes the outputs of at most [`BLOCK`] lessons.
    #[inline(always)]
    fn forward<'a>(&mut self, model: &Model, lessons: impl Iterator<Item = &'a Lesson>) {
        self.counts.clear();
        self.outputs.clear();
        for (lesson, inputs) in lessons.zip(&mut self.inputs) {
            lesson.list_inputs(inputs);
            self.counts.push(lesson.pieces());
        }
        for (number, tile) in model.inputs.iter().enumerate() {
            for ((inputs, &count), units) in self.inputs.iter().zip(&self.counts).zip(&mut self.units) {
                for view in 0..2 {
                    let mut sums = tile[INPUTS];
                    for input in &inputs[..count] {
                        let row = &tile[usize::from(input[view]) & (TILE_ROWS - 1)];
                        for lane in 0..LANES {
                            sums[lane] += row[lane];
                        }
                    }
                    for lane in 0..LANES {
                        units[view][number * LANES + lane] = sums[lane].clamp(0.0, 1.0);
                    }
                }
            }
        }
        for (&count, units) in self.counts.iter().zip(&self.units) {
            let stage = stage_of(count);
            let mut sums = [model.output_biases[stage], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            for (units, weights) in units.iter().zip(&model.outputs[2 * stage..]) {
                for tile in 0..TILES {
                    for lane in 0..LANES {
                        let unit = units[tile * LANES + lane];
                        sums[lane] += unit * unit * weights[tile * LANES + lane];
                    }
                }
            }
            self.outputs.push(sums.iter().sum());
        }
    }

    /// Adds the slopes of the losses of at most [`BLOCK`] lessons; returns the sum of the losses.
    #[inline(always)]
    fn backward(&mut self, model: &Model, lessons: &[Lesson], places: &[u32], slopes: &mut Model) -> f64 {
        self.forward(model, places.iter().map(|&place| &lessons[place as usize]));
        let mut loss = 0.0;
        for (at, &place) in places.iter().enumerate() {
            let promised = points(self.outputs[at]);
            let error = promised - promised_by(&lessons[place as usize]);
            loss += f64::from(error * error);
            let slope = 2.0 * error * promised * (1.0 - promised);
            let stage = stage_of(self.counts[at]);
            slopes.output_biases[stage] += slope;
            for view in 0..2 {
                let row = 2 * stage + view;
                let (weights, sums) = (&model.outputs[row], &mut slopes.outputs[row]);
                let units = &mut self.units[at][view];
                for unit in 0..HIDDEN {
                    let value = units[unit];
                    sums[unit] += slope * value * value;
                    // Outside of its range a unit stays as it is, whatever its inputs do.
                    let is_inside = value > 0.0 && value < 1.0;
                    units[unit] = if is_inside { 2.0 * slope * weights[unit] * value } else { 0.0 };
                }
            }
        }
        for (number, tile) in slopes.inputs.iter_mut().enumerate() {
            for ((inputs, &count), units) in self.inputs.iter().zip(&self.counts).zip(&self.units) {
                for view in 0..2 {
                    let mut part = [0.0; LANES];
                    part.copy_from_slice(&units[view][number * LANES..(number + 1) * LANES]);
                    for lane in 0..LANES {
                        tile[INPUTS][lane] += part[lane];
                    }
                    for input in &inputs[..count] {
                        let row = &mut tile[usize::from(input[view]) & (TILE_ROWS - 1)];
                        for lane in 0..LANES {
                            row[lane] += part[lane];
                        }
                    }
                }
            }
        }
        loss
    }
}

/// A network that learns.
struct Pupil {
    model: Model,
    /// The mean of the slopes, and of their squares.
    means: [Model; 2],
    /// The slopes of each part of a batch.
    slopes: [Model; PARTS],
    steps: usize,
}

impl Pupil {
    fn new(rng: &mut fastrand::Rng) -> Self {
        Self {
            model: Model::random(rng),
            means: std::array::from_fn(|_| Model::zero()),
            slopes: std::array::from_fn(|_| Model::zero()),
            steps: 0,
        }
    }

    /// Learns a batch; returns the sum of its losses.
    fn step(&mut self, lessons: &[Lesson], batch: &[u32], rate: f32) -> f64 {
        self.slopes.iter_mut().for_each(Model::clear);
        let model = &self.model;
        let parts = self.slopes.iter_mut().zip(batch.chunks(batch.len().div_ceil(PARTS)));
        let loss = std::thread::scope(|scope| {
            let tasks: Vec<_> = parts
                .map(|(slopes, part)| scope.spawn(move || add_slopes(model, lessons, part, slopes)))
                .collect();
            tasks.into_iter().map(|task| task.join().unwrap_or(f64::NAN)).sum()
        });
        self.steps += 1;
        self.adjust(batch.len(), rate * (self.steps as f32 / WARM_UP_STEPS).min(1.0));
        loss
    }

    fn adjust(&mut self, batch: usize, rate: f32) {
        let [sum, rest @ ..] = &mut self.slopes;
        for part in rest {
            for (sums, part) in sum.parts().into_iter().zip(part.parts()) {
                sums.iter_mut().zip(part).for_each(|(sum, slope)| *sum += *slope);
            }
        }
        // Means that began at 0 are too small at first.
        let corrections =
            DECAYS.map(|decay| 1.0 / (1.0 - decay.powi(i32::try_from(self.steps).unwrap_or(i32::MAX))));
        let most = [
            f32::from(LIMITS.input) / UNIT as f32,
            f32::from(LIMITS.output) / OUTPUT_UNIT as f32,
            (LIMITS.output_bias / (UNIT * OUTPUT_UNIT)) as f32,
        ];
        let [mean, spread] = &mut self.means;
        let numbers = self.model.parts().into_iter().zip(sum.parts()).zip(mean.parts()).zip(spread.parts());
        for ((((numbers, slopes), means), spreads), most) in numbers.zip(most) {
            let each = numbers.iter_mut().zip(slopes).zip(means.iter_mut().zip(spreads));
            for ((number, slope), (mean, spread)) in each {
                let slope = *slope / batch as f32;
                *mean = DECAYS[0] * *mean + (1.0 - DECAYS[0]) * slope;
                *spread = DECAYS[1] * *spread + (1.0 - DECAYS[1]) * slope * slope;
                let step = rate * *mean * corrections[0] / ((*spread * corrections[1]).sqrt() + 1e-8);
                *number = (*number - step).clamp(-most, most);
            }
        }
    }
}

/// Adds the slopes of some lessons; returns the sum of their losses.
fn add_slopes(model: &Model, lessons: &[Lesson], places: &[u32], slopes: &mut Model) -> f64 {
    #[inline(always)]
    fn add(model: &Model, lessons: &[Lesson], places: &[u32], slopes: &mut Model) -> f64 {
        let (mut block, mut loss) = (Block::default(), 0.0);
        // A loop, and not `map`: a closure would be compiled without wide vectors.
        for places in places.chunks(BLOCK) {
            loss += block.backward(model, lessons, places, slopes);
        }
        loss
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        fn add_in_wide_vectors(model: &Model, lessons: &[Lesson], places: &[u32], slopes: &mut Model) -> f64 {
            add(model, lessons, places, slopes)
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: `add_in_wide_vectors` requires the CPU features that `is_x86_feature_detected!` has just
            // confirmed.
            return unsafe { add_in_wide_vectors(model, lessons, places, slopes) };
        }
    }
    add(model, lessons, places, slopes)
}
