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

use gt_games::chess::network::{HIDDEN, INPUTS, LIMITS, Network, OUTPUT_UNIT, UNIT, stage_of};

use self::adam::Step;
use self::model::{LANES, Model, TILE_ROWS, TILES};
use crate::fit::Loss;
use crate::lesson::{Lesson, PIECES_MAX};

mod adam;
mod model;

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
/// The first step size for a network that has learnt before, as a share of that for a new one.
const LATER_RATE: f32 = 0.3;
/// The last step size, as a share of the first.
const LAST_RATE: f32 = 0.005;

/// Learns a network from lessons; `None` if there are none. Begins with random weights, or with a network that has
/// learnt before: then with smaller steps. Reports the loss after each round. Shuffles the lessons that are not held out.
///
/// The lessons of a batch lie side by side in memory, because to gather them from everywhere would take as long as to
/// learn from them. So they are shuffled once; in each round batches begin at other places and come in another order.
#[must_use]
pub fn learn(
    lessons: &mut [Lesson],
    settings: &NetworkSettings,
    start: Option<&Network>,
    mut report: impl FnMut(u32, Loss),
) -> Option<Learnt> {
    let (learnt, held_out) = lessons.split_at_mut(lessons.len().saturating_sub(settings.held_out));
    let batch = settings.batch.max(1);
    let steps = settings.rounds as usize * (learnt.len().div_ceil(batch) + 1);
    if learnt.is_empty() || settings.rounds == 0 {
        return None;
    }
    let mut rng = fastrand::Rng::with_seed(settings.seed);
    rng.shuffle(learnt);
    let mut pupil = Pupil::new(start.map_or_else(|| Model::random(&mut rng), Model::of));
    let rate = settings.rate * if start.is_some() { LATER_RATE } else { 1.0 };
    let mut loss = Loss { learnt: 0.0, held_out: None };
    for round in 1..=settings.rounds {
        let (first, rest) = learnt.split_at(rng.usize(0..batch).min(learnt.len()));
        let mut batches: Vec<_> = rest.chunks(batch).chain((!first.is_empty()).then_some(first)).collect();
        rng.shuffle(&mut batches);
        let mut sum = 0.0;
        for batch in batches {
            let progress = pupil.steps as f32 / steps as f32;
            let cooling = (0.5 * (1.0 + (progress * std::f32::consts::PI).cos())).max(LAST_RATE);
            sum += pupil.step(batch, rate * cooling);
        }
        let held_out = (!held_out.is_empty()).then(|| average_loss(&pupil.model, held_out));
        loss = Loss { learnt: sum / learnt.len() as f64, held_out };
        report(round, loss);
    }
    Some(Learnt { network: pupil.model.network(), loss })
}

/// The average loss of a model in some lessons.
fn average_loss(model: &Model, lessons: &[Lesson]) -> f64 {
    let mut block = Block::default();
    let mut loss = 0.0;
    for lessons in lessons.chunks(BLOCK) {
        block.forward(model, lessons);
        for (lesson, &output) in lessons.iter().zip(&block.outputs) {
            let error = points(output) - promised_by(lesson);
            loss += f64::from(error * error);
        }
    }
    loss / lessons.len() as f64
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
    fn forward(&mut self, model: &Model, lessons: &[Lesson]) {
        self.counts.clear();
        self.outputs.clear();
        for (lesson, inputs) in lessons.iter().zip(&mut self.inputs) {
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
            let mut sums = [0.0; LANES];
            sums[0] = model.output_biases[stage];
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
    fn backward(&mut self, model: &Model, lessons: &[Lesson], slopes: &mut Model) -> f64 {
        self.forward(model, lessons);
        let mut loss = 0.0;
        for (at, lesson) in lessons.iter().enumerate() {
            let promised = points(self.outputs[at]);
            let error = promised - promised_by(lesson);
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
    fn new(model: Model) -> Self {
        Self {
            model,
            means: std::array::from_fn(|_| Model::zero()),
            slopes: std::array::from_fn(|_| Model::zero()),
            steps: 0,
        }
    }

    /// Learns a batch; returns the sum of its losses.
    fn step(&mut self, batch: &[Lesson], rate: f32) -> f64 {
        let model = &self.model;
        // A small batch may have fewer parts; the slopes of the others are 0.
        let parts = batch.chunks(batch.len().div_ceil(PARTS)).chain(std::iter::repeat(&[][..]));
        let parts = self.slopes.iter_mut().zip(parts);
        let loss = std::thread::scope(|scope| {
            let tasks: Vec<_> = parts
                .map(|(slopes, part)| {
                    scope.spawn(move || {
                        slopes.clear();
                        add_slopes(model, part, slopes)
                    })
                })
                .collect();
            tasks.into_iter().map(|task| task.join().unwrap_or(f64::NAN)).sum()
        });
        self.steps += 1;
        let rate = rate * (self.steps as f32 / WARM_UP_STEPS).min(1.0);
        self.adjust(Step::new(self.steps, batch.len(), rate));
        loss
    }

    /// Goes a step down the average slope.
    fn adjust(&mut self, step: Step) {
        let [means, spreads] = &mut self.means;
        let slopes = self.slopes.each_ref();
        std::thread::scope(|scope| {
            let tiles = self.model.inputs.iter_mut().zip(&mut means.inputs).zip(&mut spreads.inputs);
            for (number, ((tile, means), spreads)) in tiles.enumerate() {
                let slopes = slopes.map(|part| &part.inputs[number]);
                scope.spawn(move || step.adjust_tile(tile, slopes, [means, spreads]));
            }
        });
        let most = f32::from(LIMITS.output) / OUTPUT_UNIT as f32;
        for (row, numbers) in self.model.outputs.iter_mut().enumerate() {
            let kept = [&mut means.outputs[row], &mut spreads.outputs[row]];
            step.adjust(numbers, slopes.map(|part| &part.outputs[row]), kept, most);
        }
        let most = (LIMITS.output_bias / (UNIT * OUTPUT_UNIT)) as f32;
        let kept = [&mut means.output_biases, &mut spreads.output_biases];
        step.adjust(&mut self.model.output_biases, slopes.map(|part| &part.output_biases), kept, most);
    }
}

/// Adds the slopes of some lessons; returns the sum of their losses.
fn add_slopes(model: &Model, lessons: &[Lesson], slopes: &mut Model) -> f64 {
    #[inline(always)]
    fn add(model: &Model, lessons: &[Lesson], slopes: &mut Model) -> f64 {
        let (mut block, mut loss) = (Block::default(), 0.0);
        // A loop, and not `map`: a closure would be compiled without wide vectors.
        for lessons in lessons.chunks(BLOCK) {
            loss += block.backward(model, lessons, slopes);
        }
        loss
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        fn add_in_wide_vectors(model: &Model, lessons: &[Lesson], slopes: &mut Model) -> f64 {
            add(model, lessons, slopes)
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: `add_in_wide_vectors` requires the CPU features that `is_x86_feature_detected!` has just
            // confirmed.
            return unsafe { add_in_wide_vectors(model, lessons, slopes) };
        }
    }
    add(model, lessons, slopes)
}
