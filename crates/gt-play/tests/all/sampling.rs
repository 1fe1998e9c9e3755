//! A player who does not see the others' hands.

use gt_games::registry::{GameKind, Setup};
use gt_games::{Notation, Thorns};
use gt_log::{Log, LogWriter};
use gt_play::{Algorithm, DEALS, EngineOptions, Request, deals};
use gt_search::{Game, Limits};

fn engine(setup: &Setup, seed: u64) -> Box<dyn gt_play::Engine> {
    let options = EngineOptions { algorithm: Some(Algorithm::Sampling), seed, ..EngineOptions::default() };
    options.open(GameKind::Thorns, setup).unwrap()
}

#[test]
fn deals_keep_what_the_player_knows_and_are_the_same_again() {
    let game = Thorns::deal(4, 9).unwrap();
    let dealt = deals(&game, 5);
    assert_eq!((dealt.len(), &dealt), (DEALS, &deals(&game, 5)));
    assert!(dealt.iter().all(|deal| deal.hand(0).eq(game.hand(0))));
    assert!(dealt.iter().any(|deal| !deal.hand(1).eq(game.hand(1))), "others are dealt anew");
}

/// What a player chooses does not depend on what the others really have.
#[test]
fn hands_that_are_hidden_change_no_choice() {
    let game = Thorns::deal(3, 4).unwrap();
    let think = |position: &Thorns| {
        let setup = Setup::position(&position.position_text());
        engine(&setup, 1).think(&Request::new(Limits::depth(3)), &mut |_| ()).best
    };
    let others: Vec<Thorns> = (0..4).map(|seed| game.dealt_anew(0, seed)).collect();
    assert!(others.iter().any(|other| other != &game));
    assert!(others.iter().all(|other| think(other) == think(&game)));
}

/// Twenty-four deals, the sampling player in each seat in turn: it takes less than a quarter of the points, where a third is chance.
#[test]
fn sampling_beats_chance() {
    let (mut own, mut all) = (0, 0);
    for number in 0..24 {
        let setup = Setup { position: format!("deal {number}"), ..Setup::default() };
        let seat = number as usize % 3;
        let mut player = engine(&setup, number);
        let mut game = Thorns::deal(3, number).unwrap();
        let mut moves = Vec::new();
        let mut chance = number;
        while game.outcome().is_none() {
            let choices = game.legal_moves();
            let text = if game.to_move() == seat {
                player.set_position(&setup, &moves).unwrap();
                player.think(&Request::new(Limits::nodes(20_000)), &mut |_| ()).best.unwrap()
            } else {
                chance =
                    chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                choices[(chance >> 33) as usize % choices.len()].to_string()
            };
            let card = game.parse_move(&text).unwrap();
            game.make(card);
            moves.push(text);
        }
        own += u32::from(game.points(seat));
        all += (0..3).map(|player| u32::from(game.points(player))).sum::<u32>();
    }
    assert_eq!(all, 24 * 9);
    assert!(own * 4 < all, "{own} of {all} points; a third would be chance");
}

#[test]
fn a_log_has_a_tree_for_each_deal_with_its_hands() {
    let setup = Setup { position: "deal 3".to_owned(), ..Setup::default() };
    let log = LogWriter::to_memory(gt_record::header("thorns").unwrap()).unwrap();
    let request = Request { log: Some(&log), ..Request::new(Limits::depth(2)) };
    let thought = engine(&setup, 1).think(&request, &mut |_| ());
    assert_eq!(thought.log_error, None);
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    assert_eq!(log.tree_count(), 2 * DEALS, "two depths");
    let start = Thorns::deal(3, 3).unwrap();
    for tree in log.trees() {
        let position = Thorns::parse_position(tree.metadata().get("position").unwrap()).unwrap();
        assert!(position.hand(0).eq(start.hand(0)), "the player's own hand");
        assert!(tree.metadata().get("deal").is_some());
        assert!(tree.nodes() > 8);
    }
}
