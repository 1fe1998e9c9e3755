//! Thorns as text: hands, the trick so far, who led it, points and the suits that players are known to lack.
//!
//! `9cJcQs…/TdKh…/… Ac9c 2 0,1,0 -,-,hs`: a card is its rank (`9TJQKA`) and its suit (`cdhs`); `-` stands for nothing; players count from 1.

use super::cards::{Card, CardSet, DECK, SUIT_LETTERS, cards_of, suit_cards};
use super::{PLAYERS_MAX, Thorns, cost};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;
use crate::rows::fields;
use crate::symmetry::Symmetric;
use gt_search::Game;
use std::fmt::Write as _;

impl Notation for Thorns {
    const NAME: &'static str = "thorns";

    fn parse_position(text: &str) -> Result<Self> {
        let [hands, trick, leader, points, voids] = fields(text, "hands, trick, leader, points, voids")?;
        let wrong =
            |field: &str, problem: &str| NotationError::syntax(text, problem).at(span_in(text, field));
        let hands: Vec<CardSet> = hands.split('/').map(|hand| set(text, hand)).collect::<Result<_>>()?;
        let players = hands.len();
        if !Self::PLAYERS.contains(&players) {
            return Err(NotationError::syntax(text, "there are three or four hands, with `/` between them"));
        }
        let mut all_hands = [0; PLAYERS_MAX];
        all_hands[..players].copy_from_slice(&hands);
        let mut game = Self::from_hands(all_hands, players);
        let trick_cards = cards(text, trick)?;
        if trick_cards.len() >= players {
            return Err(wrong(trick, "a trick that everybody has played to is taken; `-` for none"));
        }
        game.trick[..trick_cards.len()].copy_from_slice(&trick_cards);
        game.trick_cards = trick_cards.len() as u8;
        let number = leader.parse::<u8>().ok().filter(|&leader| (1..=players as u8).contains(&leader));
        game.leader =
            number.ok_or_else(|| wrong(leader, &format!("the leader is a player from 1 to {players}")))? - 1;
        let counts: Option<Vec<u8>> = points.split(',').map(|count| count.parse().ok()).collect();
        let counts = counts.filter(|counts| counts.len() == players);
        let counts = counts
            .ok_or_else(|| wrong(points, "points are a number for each player, with commas between them"))?;
        game.points[..players].copy_from_slice(&counts);
        let suits: Option<Vec<u8>> = voids.split(',').map(suits_of).collect();
        let suits = suits.filter(|suits| suits.len() == players);
        let suits = suits
            .ok_or_else(|| wrong(voids, "of each player the suits that he has none of, as in `-,hs,-`"))?;
        game.voids[..players].copy_from_slice(&suits);
        game.check(text)?;
        Ok(game)
    }

    fn position_text(&self) -> String {
        let players = 0..self.players();
        let hands: Vec<String> = players.clone().map(|player| cards_text(self.hand(player))).collect();
        let points: Vec<String> = players.clone().map(|player| self.points[player].to_string()).collect();
        let voids: Vec<String> = players.map(|player| suits_text(self.voids[player])).collect();
        let trick = cards_text(self.table().iter().copied());
        format!("{} {trick} {} {} {}", hands.join("/"), self.leader + 1, points.join(","), voids.join(","))
    }

    fn parse_move(&self, text: &str) -> Result<Card> {
        let name = text.trim();
        let form = "a card is its rank and its suit, as in 9c, Td or Qs";
        let card = Card::named(name).ok_or_else(|| NotationError::syntax(text, form))?;
        if self.playable() & card.bit() != 0 {
            return Ok(card);
        }
        let player = self.to_move() + 1;
        let problem = match self.hands[self.to_move()] & card.bit() {
            _ if self.outcome().is_some() => "the game is over".to_owned(),
            0 => format!("player {player} does not have {card}"),
            _ => format!("player {player} must follow suit"),
        };
        Err(NotationError::illegal(text, problem))
    }

    fn move_text(&self, card: Card) -> String {
        card.to_string()
    }

    fn draw(&self) -> String {
        let mut drawing = String::new();
        for player in 0..self.players() {
            let _ = write!(drawing, "player {}  {:>2} points ", player + 1, self.points[player]);
            for suit in 0..SUIT_LETTERS.len() {
                let held = cards_of(self.hands[player] & suit_cards(suit));
                let ranks: String = held.filter_map(|card| card.to_string().chars().next()).collect();
                let shown = match self.voids[player] >> suit & 1 {
                    1 => "none".to_owned(),
                    _ if ranks.is_empty() => "-".to_owned(),
                    _ => ranks,
                };
                let _ = write!(drawing, "  {} {shown:<6}", &SUIT_LETTERS[suit..=suit]);
            }
            drawing.truncate(drawing.trim_end().len());
            drawing.push('\n');
        }
        let _ = writeln!(
            drawing,
            "trick led by player {}: {}",
            self.leader + 1,
            cards_text(self.table().iter().copied())
        );
        let _ = writeln!(drawing, "player {} to move", self.to_move() + 1);
        drawing
    }
}

impl Symmetric for Thorns {}

impl Thorns {
    /// Checks that the cards can have arisen in play.
    fn check(&self, text: &str) -> Result<()> {
        let impossible = |problem: String| Err(NotationError::impossible(text, problem));
        let places = self.hands.into_iter().chain(self.table().iter().map(|card| card.bit()));
        let mut present: CardSet = 0;
        for cards in places {
            if present & cards != 0 {
                return impossible("a card is in two places".to_owned());
            }
            present |= cards;
        }
        let size = |player: usize| {
            let place = (player + self.players() - usize::from(self.leader)) % self.players();
            self.hands[player].count_ones() + u32::from(place < usize::from(self.trick_cards))
        };
        if (1..self.players()).any(|player| size(player) != size(0)) {
            return impossible("the hands, with the cards of the trick, are not of one size".to_owned());
        }
        let taken: u32 = cards_of(DECK & !present).map(|card| u32::from(cost(card))).sum();
        let points: u32 = self.points.iter().map(|&points| u32::from(points)).sum();
        if taken != points {
            return impossible(format!(
                "the cards that were taken cost {taken} points; the players have {points}"
            ));
        }
        for player in 0..self.players() {
            if self.hands[player] & self.impossible(player) != 0 {
                return impossible(format!("player {} has a card of a suit that he has none of", player + 1));
            }
        }
        for (place, card) in self.table().iter().enumerate().skip(1) {
            let player = (usize::from(self.leader) + place) % self.players();
            let led = self.trick[0].suit();
            if card.suit() != led && self.voids[player] >> led & 1 == 0 {
                let suit = &SUIT_LETTERS[led..=led];
                return impossible(format!(
                    "player {} did not follow suit, so `{suit}` is a suit that he has none of",
                    player + 1
                ));
            }
        }
        Ok(())
    }
}

/// Cards one after the other; `-` for none.
fn cards(text: &str, field: &str) -> Result<Vec<Card>> {
    if field == "-" {
        return Ok(Vec::new());
    }
    let wrong = |part: &str| {
        NotationError::syntax(text, "cards are written as ranks and suits, as in 9cTdQs, or `-` for none")
            .at(span_in(text, part))
    };
    let mut found = Vec::new();
    let mut rest = field;
    while !rest.is_empty() {
        let (name, after) = rest.split_at_checked(2).ok_or_else(|| wrong(rest))?;
        found.push(Card::named(name).ok_or_else(|| wrong(name))?);
        rest = after;
    }
    Ok(found)
}

/// Cards as a set; none twice.
fn set(text: &str, field: &str) -> Result<CardSet> {
    let mut set = 0;
    for card in cards(text, field)? {
        if set & card.bit() != 0 {
            return Err(NotationError::impossible(text, format!("{card} is there twice")));
        }
        set |= card.bit();
    }
    Ok(set)
}

fn cards_text(cards: impl Iterator<Item = Card>) -> String {
    let text: String = cards.map(|card| card.to_string()).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

fn suits_of(field: &str) -> Option<u8> {
    if field == "-" {
        return Some(0);
    }
    let mut suits = 0;
    for letter in field.chars() {
        suits |= 1 << SUIT_LETTERS.find(letter)?;
    }
    (suits != 0).then_some(suits)
}

fn suits_text(suits: u8) -> String {
    let text: String = SUIT_LETTERS
        .chars()
        .enumerate()
        .filter(|(suit, _)| suits >> suit & 1 == 1)
        .map(|(_, letter)| letter)
        .collect();
    if text.is_empty() { "-".to_owned() } else { text }
}
