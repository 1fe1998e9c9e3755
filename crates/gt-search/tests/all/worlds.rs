//! Searches of deals: exact where there is nothing to guess, and better than chance where there is.

use gt_games::thorns::Points;
use gt_games::{Notation, Thorns};
use gt_search::{Game, Limits, ManyPlayers, search_worlds};

fn choose(worlds: &[Thorns], nodes: u64) -> <Thorns as Game>::Move {
    let limits = Limits::nodes(nodes);
    let found = search_worlds::<_, _, ()>(worlds, ManyPlayers::Paranoid, &Points, &limits, &mut [], |_| ());
    found.best_move.expect("a move")
}

/// One deal that is known is searched as paranoid searches it.
#[test]
fn one_world_is_the_open_game() {
    for number in 0..5 {
        let mut game = Thorns::deal(3, number).expect("a deal");
        for _ in 0..15 {
            game.make(game.legal_moves()[0]);
        }
        let limits = Limits::depth(9);
        let open = ManyPlayers::Paranoid.search(&game, &Points, &limits, &mut (), |_| ());
        let world =
            search_worlds::<_, _, ()>(&[game], ManyPlayers::Paranoid, &Points, &limits, &mut [], |_| ());
        assert_eq!((world.value, world.best_move), (open.value, open.best_move), "deal {number}");
    }
}

#[test]
fn without_worlds_there_is_no_move() {
    let found = search_worlds::<Thorns, _, ()>(
        &[],
        ManyPlayers::Paranoid,
        &Points,
        &Limits::depth(3),
        &mut [],
        |_| (),
    );
    assert_eq!((found.best_move, found.nodes), (None, 0));
}

/// Twelve deals with the sampling player in each seat in turn: it takes less than a quarter of the points, where a third is chance.
#[test]
fn sampling_beats_chance() {
    let (mut own, mut all) = (0, 0);
    for number in 0..12_u64 {
        let seat = number as usize % 3;
        let mut game = Thorns::deal(3, number).expect("a deal");
        let mut chance = number;
        let mut plies = 0;
        while game.outcome().is_none() {
            let choices = game.legal_moves();
            let card = if game.to_move() == seat {
                let worlds: Vec<Thorns> =
                    (0..10).map(|deal| game.dealt_anew(seat, 1_000 * plies + deal)).collect();
                choose(&worlds, 10_000)
            } else {
                chance =
                    chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                choices[(chance >> 33) as usize % choices.len()]
            };
            game.make(card);
            plies += 1;
        }
        own += u32::from(game.points(seat));
        all += (0..3).map(|player| u32::from(game.points(player))).sum::<u32>();
    }
    println!("{own} of {all}");
    assert_eq!(all, 12 * 9);
    assert!(own * 4 < all, "{own} of {all} points");
}
