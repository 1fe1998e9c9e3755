//! Fits the weights of Amazons' evaluation `phased` to games that it plays against itself.
//!
//! ```text
//! fit-amazons GAMES SIDE NOISE SEED EVALUATION
//! ```
//!
//! Both players take the move whose position is worth most, after a few random turns and with some noise in every value. Each
//! position gives a row: the terms, the share of the board that both sides can reach, and who won. Logistic regression
//! (Newton's method, a little ridge) then finds each term's weight at a few shares, the knots, between which weights are mixed.
//! It prints the table for `weights.rs`, and how well the fit predicts games that it has not seen.

use gt_games::amazons::{
    Amazons, KNOTS, Move, PHASES, Phased, Size, TERM_NOTES, TERMS, Terms, TerritoryMobility, mixture, phase,
};
use gt_search::{Evaluate, Game, Outcome, WIN};

const PARAMETERS: usize = TERMS * KNOTS.len();
/// Hundredths of the logarithm of the odds, in 65,536ths.
const SCALE: f64 = 100.0 * 65_536.0;
const RIDGE: f64 = 1.0;
/// One game in so many is kept to try the fit on.
const HELD_BACK: usize = 8;

/// A position and what became of it.
struct Row {
    inputs: [f64; PARAMETERS],
    won: f64,
    game: usize,
}

struct Settings {
    games: usize,
    size: Size,
    noise: u64,
    seed: u64,
    plays_phased: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings =
        settings().ok_or("fit-amazons GAMES SIDE NOISE SEED EVALUATION, as in 2000 10 40 1 phased")?;
    let mut random = Random(settings.seed);
    let mut rows = Vec::new();
    for game in 0..settings.games {
        match settings.plays_phased {
            true => play(&settings, Phased, game, &mut random, &mut rows),
            false => play(&settings, TerritoryMobility, game, &mut random, &mut rows),
        }
    }
    let (tried, learnt): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.game % HELD_BACK == 0);
    let weights = fit(&learnt);
    println!(
        "// {} positions of {} games; log loss {:.4} on these, {:.4} on {} positions of other games",
        learnt.len(),
        settings.games - settings.games.div_ceil(HELD_BACK),
        loss(&learnt, &weights),
        loss(&tried, &weights),
        tried.len()
    );
    let names: Vec<&str> = TERM_NOTES.iter().map(|(name, _)| *name).collect();
    println!("// {}", names.join(", "));
    for row in weights.chunks(TERMS) {
        let row: Vec<String> = row.iter().map(|weight| format!("{:.0}", weight * SCALE)).collect();
        println!("    [{}],", row.join(", "));
    }
    Ok(())
}

fn settings() -> Option<Settings> {
    let mut words = std::env::args().skip(1);
    let games = words.next()?.parse().ok()?;
    let side = words.next()?.parse().ok()?;
    let (noise, seed) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let plays_phased = match words.next()?.as_str() {
        "phased" => true,
        "territory-mobility" => false,
        _ => return None,
    };
    Some(Settings { games, size: Size::new(side, side).ok()?, noise, seed, plays_phased })
}

/// Plays a game and adds a row for each of its positions.
fn play<E: Evaluate<Amazons>>(
    settings: &Settings,
    evaluation: E,
    number: usize,
    random: &mut Random,
    rows: &mut Vec<Row>,
) {
    let mut game = Amazons::start(settings.size);
    let random_plies = random.below(8);
    let first = rows.len();
    let mut movers = Vec::new();
    let mut moves = Vec::new();
    let mut ply = 0;
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            let Outcome::Win(winner) = outcome else { return };
            break winner;
        }
        moves.clear();
        game.moves(&mut moves);
        let mv = if ply < random_plies {
            moves[random.below(moves.len() as u64) as usize]
        } else {
            rows.push(Row { inputs: inputs(&game), won: 0.0, game: number });
            movers.push(game.to_move());
            best_move(&game, &evaluation, &moves, || random.below(settings.noise + 1) as i32)
        };
        game.make(mv);
        ply += 1;
    };
    for (row, mover) in rows[first..].iter_mut().zip(movers) {
        row.won = f64::from(u8::from(mover == winner));
    }
}

/// The move to the position that is worst for the opponent, give or take the noise.
fn best_move<E: Evaluate<Amazons>>(
    game: &Amazons,
    evaluation: &E,
    moves: &[Move],
    mut noise: impl FnMut() -> i32,
) -> Move {
    let mut best = (i32::MIN, moves[0]);
    for &mv in moves {
        let mut after = *game;
        after.make(mv);
        let value = if after.outcome().is_some() { WIN } else { noise() - evaluation.evaluate(&after) };
        if value > best.0 {
            best = (value, mv);
        }
    }
    best.1
}

fn inputs(game: &Amazons) -> [f64; PARAMETERS] {
    let terms = Terms::of(game);
    let mut inputs = [0.0; PARAMETERS];
    for (knot, part) in mixture(phase(game, &terms)) {
        for term in 0..TERMS {
            let difference = f64::from(terms.mine[term] - terms.theirs[term]);
            inputs[knot * TERMS + term] = difference * part as f64 / f64::from(PHASES);
        }
    }
    inputs
}

fn chance(row: &Row, weights: &[f64; PARAMETERS]) -> f64 {
    let odds: f64 = row.inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum();
    1.0 / (1.0 + (-odds).exp())
}

fn loss(rows: &[Row], weights: &[f64; PARAMETERS]) -> f64 {
    let of = |row: &Row| {
        let chance = chance(row, weights).clamp(1e-9, 1.0 - 1e-9);
        -(row.won * chance.ln() + (1.0 - row.won) * (1.0 - chance).ln())
    };
    rows.iter().map(of).sum::<f64>() / rows.len() as f64
}

/// Newton's method: a dozen steps are more than enough for a convex loss.
fn fit(rows: &[Row]) -> [f64; PARAMETERS] {
    let mut weights = [0.0; PARAMETERS];
    for _ in 0..12 {
        let mut gradient = weights.map(|weight| RIDGE * weight);
        let mut curvature = [[0.0; PARAMETERS]; PARAMETERS];
        for row in rows {
            let chance = chance(row, &weights);
            let (slope, bend) = (chance - row.won, chance * (1.0 - chance));
            for (one, bends) in curvature.iter_mut().enumerate() {
                gradient[one] += slope * row.inputs[one];
                let by_one = bend * row.inputs[one];
                bends.iter_mut().zip(&row.inputs).for_each(|(cell, input)| *cell += by_one * input);
            }
        }
        for (one, bends) in curvature.iter_mut().enumerate() {
            bends[one] += RIDGE;
        }
        let step = solve(curvature, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
    }
    weights
}

/// Gauss's elimination; the matrix is positive definite, so no row need change its place.
fn solve(mut matrix: [[f64; PARAMETERS]; PARAMETERS], mut right: [f64; PARAMETERS]) -> [f64; PARAMETERS] {
    for pivot in 0..PARAMETERS {
        let (row, value) = (matrix[pivot], right[pivot]);
        for below in pivot + 1..PARAMETERS {
            let factor = matrix[below][pivot] / row[pivot];
            matrix[below].iter_mut().zip(row).for_each(|(cell, above)| *cell -= factor * above);
            right[below] -= factor * value;
        }
    }
    for pivot in (0..PARAMETERS).rev() {
        let known: f64 = (pivot + 1..PARAMETERS).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ (mixed >> 31)) * u128::from(end)) >> 64) as u64
    }
}
