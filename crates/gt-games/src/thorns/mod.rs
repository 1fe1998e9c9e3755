//! Thorns, a trick-taking game for three or four. Hearts and the queen of spades count against their taker.
//!
//! ```text
//! 24 cards: 9 T J Q K A of clubs, diamonds, hearts and spades; three players have eight each, four have six
//! lead any card · follow suit if you can, else play anything · the highest card of the suit that was led takes the trick, and leads
//! a heart costs a point, the queen of spades three · when all cards are played, the fewest points win
//! ```
//!
//! Player 1 leads to the first trick. There is no trump, and nothing is passed on.
//!
//! A position is an *open* deal: all hands are known, and searches see them. A player with hidden hands knows his own hand, the played
//! cards and who could not follow suit; [`Thorns::dealt_anew`] gives another deal that fits all he knows.
//!
//! **Invariant:** no card is in two places; before each trick all hands have the same size; a player who is known to lack a suit has no
//! card of it.

mod cards;
mod deal;
mod evaluate;
mod notation;

pub use cards::Card;
pub use evaluate::Points;

use crate::error::{ErrorKind, NotationError, Result};
use crate::zobrist::{key, mix};
use cards::{CardSet, DECK, QUEEN_OF_SPADES, cards_of, suit_cards};
use gt_search::{Game, Outcome};

/// The maximum number of players.
const PLAYERS_MAX: usize = 4;
/// The penalty for the queen of spades.
const QUEEN_POINTS: u8 = 3;

/// A position of Thorns, with all hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thorns {
    hands: [CardSet; PLAYERS_MAX],
    /// The cards of the current trick, in order.
    trick: [Card; PLAYERS_MAX],
    trick_cards: u8,
    leader: u8,
    players: u8,
    points: [u8; PLAYERS_MAX],
    /// The suits, a bit each, that a player is known to lack.
    voids: [u8; PLAYERS_MAX],
}

impl Thorns {
    /// The supported numbers of players.
    pub const PLAYERS: &'static [usize] = &[3, 4];

    /// Makes a deal by its number; the same number deals the same hands.
    ///
    /// # Errors
    /// Returns an error if the number of players is not three or four.
    pub fn deal(players: usize, number: u64) -> Result<Self> {
        if !Self::PLAYERS.contains(&players) {
            let problem = "Thorns is for 3 or 4 players";
            return Err(NotationError::new(ErrorKind::UnknownName, players.to_string(), problem));
        }
        Ok(Self::from_hands(deal::shuffled_hands(players, number), players))
    }

    fn from_hands(hands: [CardSet; PLAYERS_MAX], players: usize) -> Self {
        Self {
            hands,
            trick: [Card::FIRST; PLAYERS_MAX],
            trick_cards: 0,
            leader: 0,
            players: players as u8,
            points: [0; PLAYERS_MAX],
            voids: [0; PLAYERS_MAX],
        }
    }

    /// A player's cards, suit by suit.
    pub fn hand(&self, player: usize) -> impl Iterator<Item = Card> + use<> {
        cards_of(self.hands.get(player).copied().unwrap_or(0))
    }

    /// The points that a player has taken.
    pub fn points(&self, player: usize) -> u8 {
        self.points.get(player).copied().unwrap_or(0)
    }

    /// The cards on the table.
    fn table(&self) -> &[Card] {
        &self.trick[..usize::from(self.trick_cards)]
    }

    /// The cards that the mover may play.
    fn playable(&self) -> CardSet {
        let hand = self.hands[self.to_move()];
        let following = self.table().first().map_or(0, |led| hand & suit_cards(led.suit()));
        if following == 0 { hand } else { following }
    }

    /// Gives the complete trick to its winner.
    fn take_trick(&mut self) {
        let led = self.trick[0].suit();
        let mut best = 0;
        for place in 1..usize::from(self.trick_cards) {
            if self.trick[place].suit() == led && self.trick[place] > self.trick[best] {
                best = place;
            }
        }
        let taker = (usize::from(self.leader) + best) % self.players();
        self.points[taker] += self.table().iter().copied().map(cost).sum::<u8>();
        self.leader = taker as u8;
        self.trick = [Card::FIRST; PLAYERS_MAX];
        self.trick_cards = 0;
    }
}

/// The penalty for taking a card.
fn cost(card: Card) -> u8 {
    match card {
        QUEEN_OF_SPADES => QUEEN_POINTS,
        card => u8::from(card.is_heart()),
    }
}

impl Game for Thorns {
    type Move = Card;
    /// The previous position.
    type Undo = Self;

    fn players(&self) -> usize {
        usize::from(self.players)
    }

    fn to_move(&self) -> usize {
        usize::from((self.leader + self.trick_cards) % self.players)
    }

    /// The player who alone has the fewest points wins.
    fn outcome(&self) -> Option<Outcome> {
        if self.hands.iter().any(|&hand| hand != 0) {
            return None;
        }
        let points = &self.points[..self.players()];
        let fewest = points.iter().copied().min().unwrap_or(0);
        let mut best = (0..self.players()).filter(|&player| points[player] == fewest);
        match (best.next(), best.next()) {
            (Some(winner), None) => Some(Outcome::Win(winner)),
            _ => Some(Outcome::Draw),
        }
    }

    /// Minus the points taken.
    fn final_value(&self, player: usize) -> Option<i32> {
        Some(-i32::from(self.points(player)))
    }

    fn moves(&self, moves: &mut Vec<Card>) {
        moves.extend(cards_of(self.playable()));
    }

    fn make(&mut self, card: Card) -> Self {
        let before = *self;
        let player = self.to_move();
        if let Some(led) = self.table().first()
            && card.suit() != led.suit()
        {
            self.voids[player] |= 1 << led.suit();
        }
        self.hands[player] &= !card.bit();
        self.trick[usize::from(self.trick_cards)] = card;
        self.trick_cards += 1;
        if self.trick_cards == self.players {
            self.take_trick();
        }
        before
    }

    fn undo(&mut self, _: Card, before: Self) {
        *self = before;
    }

    fn hash(&self) -> u64 {
        let mut hash = key(40, u64::from(self.players) << 8 | u64::from(self.leader));
        for player in 0..PLAYERS_MAX {
            let rest = u64::from(self.points[player]) << 32 | u64::from(self.voids[player]) << 40;
            hash = mix(hash ^ (u64::from(self.hands[player]) | rest));
        }
        self.table().iter().fold(hash, |hash, card| mix(hash ^ key(41, card.index() as u64)))
    }

    /// The card from 1: clubs, diamonds, hearts and spades, from the nine to the ace.
    fn encode(&self, card: Card) -> i64 {
        card.index() as i64 + 1
    }

    /// Low cards first: they take few tricks. Penalty cards go to tricks that are not the mover's.
    fn order_hint(&self, card: Card) -> i32 {
        let discards = self.table().first().is_some_and(|led| led.suit() != card.suit());
        let worth = i32::from(cost(card));
        if discards { 10 * worth + card.rank() as i32 } else { -(card.rank() as i32) - worth }
    }
}

/// All cards are accounted for.
const _: () = assert!(DECK == (1 << 24) - 1);

#[cfg(test)]
mod tests;
