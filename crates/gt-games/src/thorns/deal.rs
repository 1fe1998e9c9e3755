//! Deals: by number, and dealt anew for a player who does not see the others' hands.

use super::cards::{Card, CardSet, DECK, SUIT_LETTERS, cards_of, suit_cards};
use super::{PLAYERS_MAX, Thorns};
use crate::zobrist::mix;
use gt_search::Game;

/// The number of random deals to try; if none fits, one is constructed.
const TRIES: usize = 200;

/// The hands of a deal by its number.
pub(super) fn shuffled_hands(players: usize, number: u64) -> [CardSet; PLAYERS_MAX] {
    let mut cards: Vec<Card> = cards_of(DECK).collect();
    Random::new(number).shuffle(&mut cards);
    let mut hands = [0; PLAYERS_MAX];
    for (place, card) in cards.into_iter().enumerate() {
        hands[place % players] |= card.bit();
    }
    hands
}

impl Thorns {
    /// Returns the same position as far as `viewer` knows: it keeps his hand, the played cards and the suits that
    /// others are known to lack, and deals anew what is hidden from him. Every deal that fits is equally likely,
    /// unless hardly any does.
    #[must_use]
    pub fn dealt_anew(&self, viewer: usize, seed: u64) -> Self {
        let others: Vec<usize> = (0..self.players()).filter(|&player| player != viewer).collect();
        let hidden = others.iter().fold(0, |all, &player| all | self.hands[player]);
        let mut cards: Vec<Card> = cards_of(hidden).collect();
        let mut random = Random::new(seed);
        for _ in 0..TRIES {
            random.shuffle(&mut cards);
            if let Some(dealt) = self.dealt_in_order(&others, &cards) {
                return dealt;
            }
        }
        random.shuffle(&mut cards);
        // Deal the cards that the fewest players can have first.
        cards.sort_by_key(|&card| others.iter().filter(|&&player| self.may_have(player, card)).count());
        let mut dealt = *self;
        for &player in &others {
            dealt.hands[player] = 0;
        }
        if self.put_together(&mut dealt, &others, &cards, &mut random) { dealt } else { *self }
    }

    /// Deals the cards to one player after the other; `None` if a player gets a card that he cannot have.
    fn dealt_in_order(&self, others: &[usize], cards: &[Card]) -> Option<Self> {
        let mut dealt = *self;
        let mut cards = cards.iter();
        for &player in others {
            let size = self.hands[player].count_ones() as usize;
            let hand = cards.by_ref().take(size).fold(0, |hand, card| hand | card.bit());
            if hand & self.impossible(player) != 0 {
                return None;
            }
            dealt.hands[player] = hand;
        }
        Some(dealt)
    }

    /// Deals the cards one by one with backtracking. The true deal fits, so a solution exists.
    fn put_together(&self, dealt: &mut Self, others: &[usize], cards: &[Card], random: &mut Random) -> bool {
        let Some((&card, rest)) = cards.split_first() else { return true };
        let first = random.below(others.len());
        for turn in 0..others.len() {
            let player = others[(first + turn) % others.len()];
            let has_room = dealt.hands[player].count_ones() < self.hands[player].count_ones();
            if has_room && self.may_have(player, card) {
                dealt.hands[player] |= card.bit();
                if self.put_together(dealt, others, rest, random) {
                    return true;
                }
                dealt.hands[player] &= !card.bit();
            }
        }
        false
    }

    fn may_have(&self, player: usize, card: Card) -> bool {
        self.impossible(player) & card.bit() == 0
    }

    /// The cards that a player is known not to have.
    pub(super) fn impossible(&self, player: usize) -> CardSet {
        let shown = |suit: &usize| self.voids[player] >> suit & 1 == 1;
        (0..SUIT_LETTERS.len()).filter(shown).fold(0, |all, suit| all | suit_cards(suit))
    }
}

/// SplitMix64: small, fast, and the same on every platform.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// A number below `end`; `end` must not be 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mix(self.0)) * end as u128) >> 64) as usize
    }

    fn shuffle(&mut self, cards: &mut [Card]) {
        for end in (2..=cards.len()).rev() {
            cards.swap(end - 1, self.below(end));
        }
    }
}
