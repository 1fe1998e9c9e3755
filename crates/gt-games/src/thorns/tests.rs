use super::*;
use crate::Notation;
use proptest::prelude::*;

fn played(game: &mut Thorns, cards: &str) {
    for name in cards.split(' ') {
        let card = game.parse_move(name).unwrap_or_else(|error| panic!("{error}"));
        game.make(card);
    }
}

#[test]
fn a_trick_is_taken_by_the_highest_card_of_the_suit_that_was_led() {
    let mut game = Thorns::parse_position("9cAh/TcQs/AcAd - 1 5,0,0 -,-,-").expect("a position");
    played(&mut game, "9c Tc Ac");
    assert_eq!((game.to_move(), game.points), (2, [5, 0, 0, 0]));
    // A heart and the queen of spades are thrown on the ace of diamonds.
    played(&mut game, "Ad Ah Qs");
    assert_eq!(game.points, [5, 0, 4, 0]);
    assert_eq!(game.outcome(), Some(Outcome::Win(1)));
    assert_eq!([0, 1, 2].map(|player| game.final_value(player)), [Some(-5), Some(0), Some(-4)]);
    assert!(game.legal_moves().is_empty());
}

#[test]
fn who_can_must_follow_suit() {
    let mut game = Thorns::parse_position("9c9h/TcQs/AcAd - 1 5,0,0 -,-,-").expect("a position");
    played(&mut game, "9c");
    assert_eq!(game.parse_move("Qs").expect_err("no").to_string(), "`Qs`: player 2 must follow suit");
    assert_eq!(game.parse_move("Ac").expect_err("no").to_string(), "`Ac`: player 2 does not have Ac");
    assert_eq!(game.voids, [0; 4]);
    played(&mut game, "Tc Ac Ad 9h");
    assert_eq!(game.voids, [0b10, 0, 0, 0], "player 1 has no diamonds");
    assert_eq!(game.position_text(), "-/Qs/- Ad9h 3 5,0,0 d,-,-");
}

#[test]
fn points_are_shared_out_whole() {
    for players in [3, 4] {
        for number in 0..20 {
            let mut game = Thorns::deal(players, number).expect("a deal");
            let mut plies = 0;
            while let Some(&card) = game.legal_moves().get(plies % game.legal_moves().len().max(1)) {
                game.make(card);
                plies += 1;
            }
            assert_eq!((plies, game.points.iter().sum::<u8>()), (24, 9));
        }
    }
    assert!(Thorns::deal(2, 1).is_err() && Thorns::deal(5, 1).is_err());
    assert_ne!(Thorns::deal(3, 1), Thorns::deal(3, 2));
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let check = |text: &str, problem: &str| {
        let error = Thorns::parse_position(text).expect_err(text);
        assert_eq!(error.problem, problem, "{text}");
    };
    check("9c/Tc - 1 0,0 -,-", "there are three or four hands, with `/` between them");
    check("9c/9c/Tc - 1 9,0,0 -,-,-", "a card is in two places");
    check("9c9c/Td/Tc - 1 9,0,0 -,-,-", "9c is there twice");
    check("9cTd/Jd/Tc - 1 9,0,0 -,-,-", "the hands, with the cards of the trick, are not of one size");
    check("9c/Jd/Tc - 1 0,0,0 -,-,-", "the cards that were taken cost 9 points; the players have 0");
    check("9c/Jd/Tc - 1 9,0,0 c,-,-", "player 1 has a card of a suit that he has none of");
    check("-/Jd/Tc 9cJc 3 9,0,0 -,-,-", "the hands, with the cards of the trick, are not of one size");
    check("9d/-/Tc Jd 3 9,0,0 -,-,-", "the hands, with the cards of the trick, are not of one size");
    check("-/-/Tc Ad9c 1 9,0,0 -,-,-", "player 2 did not follow suit, so `d` is a suit that he has none of");
    check("9c/Jd/Tc - 4 9,0,0 -,-,-", "the leader is a player from 1 to 3");
    check("9c/Jx/Tc - 1 9,0,0 -,-,-", "cards are written as ranks and suits, as in 9cTdQs, or `-` for none");
}

/// Counts how often a card goes to each of the others, over many deals.
#[test]
fn hidden_cards_are_dealt_evenly() {
    let game = Thorns::deal(3, 1).expect("a deal");
    let hidden = cards_of(game.hands[1]).next().expect("a card");
    let with_two = (0..4_000).filter(|&seed| game.dealt_anew(0, seed).hands[1] & hidden.bit() != 0).count();
    assert!((1_850..2_150).contains(&with_two), "{with_two} of 4000");
}

proptest! {
    #[test]
    fn deals_fit_what_the_viewer_has_seen(
        number in any::<u64>(), four in any::<bool>(), plies in 0_usize..24, choices in any::<u64>(), seed in any::<u64>(),
    ) {
        let mut game = Thorns::deal(if four { 4 } else { 3 }, number).expect("a deal");
        for ply in 0..plies {
            let moves = game.legal_moves();
            game.make(moves[(choices >> ply) as usize % moves.len()]);
        }
        for viewer in 0..game.players() {
            let dealt = game.dealt_anew(viewer, seed);
            prop_assert_eq!(dealt.hands[viewer], game.hands[viewer]);
            prop_assert_eq!((dealt.table(), dealt.points, dealt.voids), (game.table(), game.points, game.voids));
            for player in 0..game.players() {
                prop_assert_eq!(dealt.hands[player].count_ones(), game.hands[player].count_ones());
                prop_assert_eq!(dealt.hands[player] & dealt.impossible(player), 0);
            }
            let all = |game: &Thorns| game.hands.iter().fold(0, |all, hand| all | hand);
            prop_assert_eq!(all(&dealt), all(&game));
            prop_assert_eq!(Thorns::parse_position(&dealt.position_text()), Ok(dealt));
        }
    }
}
