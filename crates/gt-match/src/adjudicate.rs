//! Adjudication: ends games whose result is clear.
//!
//! Both rules look at the values that the two players report, each from its own view, and require agreement: a
//! stretch of plies in which every value says the same. A move without a value restarts the stretch.

use std::str::FromStr;

use crate::fields::numbers;

/// A draw after a number of moves of each player with a value near 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Moves of each player.
    pub moves: u32,
    /// The maximum distance of a value from 0.
    pub value: i32,
    /// The number of plies before which the rule does not apply.
    pub from_ply: u32,
}

/// A loss after a number of moves of each player with a decisive value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves of each player.
    pub moves: u32,
    /// The minimum distance below 0 of the loser's value, and above 0 of the winner's.
    pub value: i32,
}

/// The rules that end games early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The rule for draws.
    pub draw: Option<DrawRule>,
    /// The rule for losses.
    pub resign: Option<ResignRule>,
    /// The number of plies at which a game is a draw.
    pub plies_max: Option<u32>,
}

fn count(number: Option<f64>, name: &str) -> Result<u32, String> {
    let number = number.ok_or_else(|| format!("`{name}` is missing"))?;
    if number.fract() != 0.0 || !(0.0..=1e6).contains(&number) {
        return Err(format!("{name} is a whole number, not {number}"));
    }
    Ok(number as u32)
}

fn moves_and_value(moves: Option<f64>, value: Option<f64>) -> Result<(u32, i32), String> {
    let moves = count(moves, "moves")?;
    if moves == 0 {
        return Err("moves is at least 1".to_owned());
    }
    Ok((moves, count(value, "value")? as i32))
}

impl FromStr for DrawRule {
    type Err = String;

    /// Parses `moves=8,value=10,from=60`; `from` is optional.
    fn from_str(text: &str) -> Result<Self, String> {
        let [moves, value, from] = numbers(text, ["moves", "value", "from"])?;
        let (moves, value) = moves_and_value(moves, value)?;
        Ok(Self { moves, value, from_ply: count(from.or(Some(0.0)), "from")? })
    }
}

impl FromStr for ResignRule {
    type Err = String;

    /// Parses `moves=4,value=600`.
    fn from_str(text: &str) -> Result<Self, String> {
        let [moves, value] = numbers(text, ["moves", "value"])?;
        let (moves, value) = moves_and_value(moves, value)?;
        Ok(Self { moves, value })
    }
}

/// The decision to end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Draw,
    /// The player with this number loses.
    Loss(usize),
}

/// Follows the values of one game of two players.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjudicator {
    even_plies: u32,
    /// The player who is losing by the values, and the number of plies for which they agree.
    losing: Option<(usize, u32)>,
}

impl Adjudicator {
    /// Processes a move with its reported value, at this ply of the game.
    pub(crate) fn see(
        &mut self,
        rules: &Rules,
        player: usize,
        value: Option<i32>,
        plies: u32,
    ) -> Option<Ruling> {
        self.even_plies = match (rules.draw, value) {
            (Some(rule), Some(value)) if value.abs() <= rule.value => self.even_plies + 1,
            _ => 0,
        };
        let loser = match (rules.resign, value) {
            (Some(rule), Some(value)) if value <= -rule.value => Some(player),
            (Some(rule), Some(value)) if value >= rule.value => Some(1 - player),
            _ => None,
        };
        self.losing = loser.map(|loser| match self.losing {
            Some((same, plies)) if same == loser => (loser, plies + 1),
            _ => (loser, 1),
        });
        self.ruling(rules, plies)
    }

    fn ruling(&self, rules: &Rules, plies: u32) -> Option<Ruling> {
        if let (Some(rule), Some((loser, losing))) = (rules.resign, self.losing)
            && losing >= 2 * rule.moves
        {
            return Some(Ruling::Loss(loser));
        }
        let rule = rules.draw?;
        (self.even_plies >= 2 * rule.moves && plies >= rule.from_ply).then_some(Ruling::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ruling on a game whose players report these values in turn.
    fn ruled(rules: &Rules, values: &[Option<i32>]) -> Option<(usize, Ruling)> {
        let mut adjudicator = Adjudicator::default();
        values.iter().enumerate().find_map(|(ply, &value)| {
            let ruling = adjudicator.see(rules, ply % 2, value, ply as u32 + 1)?;
            Some((ply + 1, ruling))
        })
    }

    #[test]
    fn draws_need_values_near_zero_for_long_enough() {
        let rules = Rules { draw: "moves=2,value=10,from=6".parse().ok(), ..Rules::default() };
        assert_eq!(ruled(&rules, &[Some(0); 9]), Some((6, Ruling::Draw)));
        let values = [0, 0, 0, 0, 11, -10, 10, 3, 0].map(Some);
        assert_eq!(ruled(&rules, &values), Some((9, Ruling::Draw)));
        assert_eq!(ruled(&rules, &[Some(0), Some(0), None].repeat(9)), None);
        assert_eq!(ruled(&Rules::default(), &[Some(0); 99]), None);
    }

    #[test]
    fn losses_need_both_players_to_agree() {
        let rules = Rules { resign: "moves=2,value=300".parse().ok(), ..Rules::default() };
        let agreed = [-300, 400, -500, 300].map(Some);
        assert_eq!(ruled(&rules, &agreed), Some((4, Ruling::Loss(0))));
        assert_eq!(ruled(&rules, &[-300, 299].map(Some).repeat(9)), None);
        assert_eq!(ruled(&rules, &[300, 300].map(Some).repeat(9)), None, "both think that they win");
        assert_eq!(ruled(&rules, &[300, -300].map(Some).repeat(2)), Some((4, Ruling::Loss(1))));
    }

    #[test]
    fn rules_are_read_from_their_text() {
        assert_eq!("moves=8,value=10".parse(), Ok(DrawRule { moves: 8, value: 10, from_ply: 0 }));
        for wrong in
            ["moves=8", "value=3", "moves=0,value=3", "moves=1.5,value=3", "moves=1,value=-3", "x=1", ""]
        {
            assert!(wrong.parse::<DrawRule>().is_err() && wrong.parse::<ResignRule>().is_err(), "{wrong}");
        }
    }
}
