//! Solves regions: the number of moves that a player alone can make, and the value of a region with both.

use super::forms::{Form, Forms, ZERO};
use super::region::{Player, Region};
use std::collections::HashMap;

/// The results for regions, by their keys.
pub(super) struct Solver {
    pub(super) forms: Forms,
    moves: HashMap<u64, u32>,
    values: HashMap<u64, Form>,
}

impl Solver {
    pub(super) fn new() -> Self {
        Self { forms: Forms::new(), moves: HashMap::new(), values: HashMap::new() }
    }

    /// The most moves that a player alone in a region can make.
    pub(super) fn moves(&mut self, region: &Region, player: Player) -> u32 {
        let region = if player == 0 { *region } else { region.exchanged() };
        let key = region.key();
        if let Some(&known) = self.moves.get(&key) {
            return known;
        }
        // Every move burns a square, and an amazon's own square stays.
        let most = region.open.count_ones() - region.amazons[0].count_ones();
        let mut best = 0;
        for after in region.turns(0) {
            let moves = 1 + after.parts().iter().map(|part| self.moves(part, 0)).sum::<u32>();
            best = best.max(moves);
            if best == most {
                break;
            }
        }
        self.moves.insert(key, best);
        best
    }

    /// The canonical form of a region.
    pub(super) fn value(&mut self, region: &Region) -> Form {
        match region.amazons {
            [0, 0] => ZERO,
            [_, 0] => {
                let moves = self.moves(region, 0);
                self.forms.integer(moves as i32)
            }
            [0, _] => {
                let moves = self.moves(region, 1);
                self.forms.integer(-(moves as i32))
            }
            _ => self.contested(region),
        }
    }

    fn contested(&mut self, region: &Region) -> Form {
        let key = region.key();
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let [left, right] = [0, 1].map(|player| {
            region.turns(player).iter().map(|after| self.sum(&after.parts())).collect::<Vec<Form>>()
        });
        let form = self.forms.canonical(left, right);
        self.values.insert(key, form);
        form
    }

    fn sum(&mut self, parts: &[Region]) -> Form {
        let mut sum = ZERO;
        for part in parts {
            let value = self.value(part);
            sum = self.forms.sum(sum, value);
        }
        sum
    }
}
