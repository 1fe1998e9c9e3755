//! A fit finds the weights that made the results, and learns from nothing but quiet positions with a result.

use gt_games::GameKind;
use gt_games::chess::evaluate::{FEATURES, FITTED, GROUPS, Score, Weights};
use gt_games::saved::{self, SavedGame};
use gt_tune::{Sample, Samples, Settings, fit};

/// Positions with a few random features, and the points that some weights promise: what is fitted is what made them.
fn made_by(weights: &Weights, features: &[usize], positions: u32) -> Vec<Sample> {
    let mut random = fastrand::Rng::with_seed(3);
    (0..positions)
        .map(|game| {
            let counts: Vec<(u16, f32)> =
                features.iter().map(|&feature| (feature as u16, random.i32(-3..=3) as f32)).collect();
            let opening = random.f32();
            let value: f32 = counts
                .iter()
                .map(|&(feature, count)| {
                    let weight = weights.of(usize::from(feature));
                    count * (opening * weight.opening() as f32 + (1.0 - opening) * weight.ending() as f32)
                })
                .sum();
            let result = 1.0 / (1.0 + 10f32.powf(-value / 400.0));
            Sample { counts, shares: [opening, 1.0 - opening], fixed: 0.0, result, score: None, game }
        })
        .collect()
}

#[test]
fn a_toy_fit_recovers_the_weights_that_made_the_data() {
    let group = |name: &str| GROUPS.iter().find(|group| group.name == name).expect("a group").first;
    let features = [group("tempo"), group("doubled"), group("passed") + 4];
    let truth = [(30, 10), (-25, -60), (15, 90)];
    let made = Weights::from_fn(|feature| match features.iter().position(|&known| known == feature) {
        Some(place) => Score::new(truth[place].0, truth[place].1),
        None => Score::new(0, 0),
    });
    // The start is near enough for the scale, and wrong for every weight.
    let start = Weights::from_fn(|feature| made.of(feature) * 2 + Score::new(3, -3));
    let samples = made_by(&made, &features, 4000);
    let settings = Settings { steps: 600, pull: 0.0, ..Settings::default() };
    let fitted = fit(&samples, &start, &settings).expect("positions");
    assert!(fitted.after.learnt < fitted.before.learnt);
    // Values count only together with the scale.
    for (feature, (opening, ending)) in features.into_iter().zip(truth) {
        let weight = fitted.weights.of(feature);
        let near = |found: i32, made: i32| (f64::from(found) * fitted.scale - f64::from(made)).abs() < 2.0;
        assert!(near(weight.opening(), opening) && near(weight.ending(), ending), "{feature}: {weight:?}");
    }
    for feature in (0..FEATURES).filter(|feature| !features.contains(feature)) {
        assert_eq!(fitted.weights.of(feature), start.of(feature), "nothing was said about {feature}");
    }
}

#[test]
fn the_same_games_and_seed_give_the_same_weights_and_a_pull_keeps_them_near() {
    let features: Vec<usize> = (0..20).collect();
    let samples = made_by(&FITTED, &features, 500);
    let settings = Settings { steps: 20, ..Settings::default() };
    let zero = Weights::from_fn(|_| Score::new(50, 50));
    let once = fit(&samples, &zero, &settings).expect("positions");
    assert_eq!(once.weights, fit(&samples, &zero, &settings).expect("positions").weights);
    let pulled = Settings { pull: 1e6, ..settings };
    let kept = fit(&samples, &zero, &pulled).expect("positions");
    let moved =
        |weights: &Weights| (0..20).map(|feature| (weights.of(feature).opening() - 50).abs()).sum::<i32>();
    assert!(moved(&kept.weights) < moved(&once.weights));
    assert!(fit(&[], &zero, &settings).is_none());
}

fn read(text: &str) -> SavedGame {
    let mut games = saved::read(text, Some(GameKind::Chess));
    games.next().expect("a game").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn quiet_positions_of_games_with_a_result_are_learnt_from() {
    let moves =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. d4 exd4 9. Nxd4 Nxd4";
    let mut samples = Samples::default();
    samples.add(&read(&format!("[Result \"*\"]\n\n{moves} *\n"))).expect("a game");
    assert_eq!((samples.list.len(), samples.games, samples.without_result), (0, 0, 1));
    samples.add(&read(&format!("[Result \"1-0\"]\n\n{moves} 1-0\n"))).expect("a game");
    // From the eleventh ply on: Re1, b5, Bb3, d6 and d4 are quiet moves; exd4 and what follows are not.
    assert_eq!(samples.games, 1);
    assert!((3..=5).contains(&samples.list.len()), "{}", samples.list.len());
    assert!(samples.list.iter().all(|sample| sample.result == 1.0));
}

#[test]
fn scores_are_the_movers_and_turned_to_whites_view() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 {+31/9} b5 {-0.20/8 1.0s} 7. Bb3 {+W9/12} d6 \
        8. h3 {book} 1-0";
    let mut samples = Samples::default();
    samples.add(&read(&format!("[Result \"1-0\"]\n\n{moves}\n"))).expect("a game");
    let scores: Vec<Option<f32>> = samples.list.iter().map(|sample| sample.score).collect();
    assert_eq!(scores, [Some(31.0), Some(20.0), Some(3000.0), None, None]);
    assert_eq!(samples.scored(), 3);
}

/// The results are drawn by lot, the scores are right: with scores the weights are found from far fewer positions.
#[test]
fn scores_teach_what_few_results_do_not() {
    let feature = GROUPS.iter().find(|group| group.name == "tempo").expect("a group").first;
    let made = Weights::from_fn(|at| if at == feature { Score::new(60, 60) } else { Score::new(0, 0) });
    let mut random = fastrand::Rng::with_seed(8);
    let mut samples = made_by(&made, &[feature], 200);
    for sample in &mut samples {
        // Another engine's scores, twice as large as ours.
        sample.score = Some(-800.0 * (1.0 / sample.result - 1.0).log10());
        sample.result = if random.f32() < sample.result { 1.0 } else { 0.0 };
    }
    let start = Weights::from_fn(|at| if at == feature { Score::new(60, 20) } else { Score::new(0, 0) });
    let off = |score_share: f64| {
        let settings =
            Settings { steps: 800, pull: 0.0, held_out_one_in: 0, score_share, ..Settings::default() };
        let weight = fit(&samples, &start, &settings).expect("positions").weights.of(feature);
        (weight.opening() - weight.ending()).abs()
    };
    assert!(off(1.0) <= 3, "opening and ending are alike: {}", off(1.0));
    assert!(off(0.0) > off(1.0), "{} {}", off(0.0), off(1.0));
}
