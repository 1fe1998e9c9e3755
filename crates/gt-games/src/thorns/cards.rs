//! Cards, and sets of them as bits: six of clubs, six of diamonds, six of hearts, six of spades, the nine first.

use std::fmt;

/// A set of cards.
pub(super) type CardSet = u32;

/// All cards.
pub(super) const DECK: CardSet = (1 << 24) - 1;
/// The queen of spades, which nobody wants.
pub(super) const QUEEN_OF_SPADES: Card = Card(3 * RANKS + 3);

const RANKS: u8 = 6;
const RANK_LETTERS: &str = "9TJQKA";
/// The letters, in the order of [`Card::suit`].
pub(super) const SUIT_LETTERS: &str = "cdhs";
const HEARTS: usize = 2;

/// A card. Of two cards of a suit, the higher one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// The nine of clubs.
    pub(super) const FIRST: Self = Self(0);

    /// The card of a text such as `Qs`.
    pub(super) fn named(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let rank = RANK_LETTERS.find(letters.next()?)? as u8;
        let suit = SUIT_LETTERS.find(letters.next()?)? as u8;
        letters.next().is_none().then_some(Self(suit * RANKS + rank))
    }

    /// The card of a number below 24.
    pub(crate) fn numbered(index: usize) -> Option<Self> {
        (index < 24).then_some(Self(index as u8))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn bit(self) -> CardSet {
        1 << self.0
    }

    /// 0 for clubs, 1 for diamonds, 2 for hearts, 3 for spades.
    pub(super) fn suit(self) -> usize {
        usize::from(self.0 / RANKS)
    }

    /// 0 for the nine … 5 for the ace.
    pub(super) fn rank(self) -> usize {
        usize::from(self.0 % RANKS)
    }

    pub(super) fn is_heart(self) -> bool {
        self.suit() == HEARTS
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |letters: &str, at: usize| char::from(letters.as_bytes()[at]);
        write!(out, "{}{}", letter(RANK_LETTERS, self.rank()), letter(SUIT_LETTERS, self.suit()))
    }
}

/// All cards of a suit.
pub(super) fn suit_cards(suit: usize) -> CardSet {
    0b11_1111 << (suit * usize::from(RANKS))
}

/// The cards of a set, the lowest bit first.
pub(super) fn cards_of(set: CardSet) -> impl Iterator<Item = Card> {
    (0..24).filter(move |card| set >> card & 1 == 1).map(Card)
}
