//! The totals of a match's games.

use std::collections::BTreeMap;
use std::time::Duration;

use gt_games::saved::SavedResult;

use crate::game::PlayedGame;
use crate::statistics::{Block, Pairing, Pentanomial, Rate};

/// The data of a game for the tables.
#[derive(Clone, Debug)]
pub(crate) struct GameSummary {
    pub(crate) number: usize,
    pub(crate) block: usize,
    pub(crate) seats: Vec<usize>,
    pub(crate) result: SavedResult,
    /// The entrant that lost by a fault, the kind of fault and the reason.
    pub(crate) fault: Option<(usize, &'static str, String)>,
    pub(crate) moves: usize,
    pub(crate) engine_time: Duration,
    pub(crate) time: Duration,
}

impl GameSummary {
    pub(crate) fn of(game: &PlayedGame) -> Self {
        let ending = &game.ending;
        let fault = ending.fault.map(|(seat, kind)| (game.plan.seats[seat], kind, ending.reason.clone()));
        Self {
            number: game.plan.number,
            block: game.plan.block,
            seats: game.plan.seats.clone(),
            result: ending.result.clone(),
            fault,
            moves: game.moves.len(),
            engine_time: game.engine_time,
            time: game.time,
        }
    }

    /// The points of an entrant, and the number of its seats.
    pub(crate) fn points(&self, entrant: usize) -> Block {
        let seats = (0..self.seats.len()).filter(|&seat| self.seats[seat] == entrant);
        let shares = seats.map(|seat| self.result.share(seat));
        shares.fold(Block { points: 0.0, seats: 0 }, |sum, share| Block {
            points: sum.points + share,
            seats: sum.seats + 1,
        })
    }
}

/// The results of one entrant.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// The number of seats in which it played.
    pub seats: u64,
    /// The number of times it took each place, starting with the first; shared places count as the better
    /// one.
    pub places: Vec<u64>,
    /// Games won alone.
    pub won: u64,
    /// Games in which it shared the first place.
    pub drawn: u64,
    /// The other games.
    pub lost: u64,
    /// The sum of its shares of the point that every game gives.
    pub points: f64,
    /// The mean over its seats of a number from 1 (first) to 0 (last).
    pub placement: f64,
    /// Games lost by a fault, by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// The reason of its first fault.
    pub first_fault: Option<String>,
    /// Its share of the points over whole blocks.
    pub rate: Option<Rate>,
}

/// The games of a match so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) games: Vec<GameSummary>,
    pub(crate) entrants: usize,
    pub(crate) players: usize,
}

impl Standing {
    pub(crate) fn scores(&self, games_per_block: usize) -> Vec<Score> {
        let mut scores = vec![Score { places: vec![0; self.players], ..Score::default() }; self.entrants];
        for game in &self.games {
            for (seat, &entrant) in game.seats.iter().enumerate() {
                scores[entrant].count(&game.result, seat);
            }
            if let Some((entrant, kind, reason)) = &game.fault {
                *scores[*entrant].faults.entry(kind).or_default() += 1;
                scores[*entrant].first_fault.get_or_insert_with(|| reason.clone());
            }
        }
        let expected = 1.0 / self.players as f64;
        for (entrant, score) in scores.iter_mut().enumerate() {
            score.placement /= score.seats.max(1) as f64;
            score.rate = Rate::of(&self.blocks(entrant, games_per_block), expected);
        }
        scores
    }

    /// The complete blocks of an entrant.
    fn blocks(&self, entrant: usize, games_per_block: usize) -> Vec<Block> {
        let sum = |games: &Vec<&GameSummary>| {
            games.iter().map(|game| game.points(entrant)).fold(
                Block { points: 0.0, seats: 0 },
                |sum, game| Block { points: sum.points + game.points, seats: sum.seats + game.seats },
            )
        };
        self.whole_blocks(games_per_block).values().map(sum).filter(|block| block.seats > 0).collect()
    }

    fn whole_blocks(&self, games_per_block: usize) -> BTreeMap<usize, Vec<&GameSummary>> {
        let mut blocks: BTreeMap<usize, Vec<&GameSummary>> = BTreeMap::new();
        for game in &self.games {
            blocks.entry(game.block).or_default().push(game);
        }
        blocks.retain(|_, games| games.len() == games_per_block);
        blocks
    }

    /// Pairs of games by their score, from the view of the first entrant; for two entrants and two players.
    pub(crate) fn pentanomial(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.blocks(0, 2).iter().for_each(|block| pairs.add(block.points));
        pairs
    }

    /// The pairs of games between any two entrants, for two players.
    pub(crate) fn pairings(&self) -> Vec<Pairing> {
        let pairing = |games: &Vec<&GameSummary>| {
            let (first, second) =
                (games[0].seats[0].min(games[0].seats[1]), games[0].seats[0].max(games[0].seats[1]));
            let points = games.iter().map(|game| game.points(first).points).sum();
            Pairing { first, second, points, games: games.len() as u32 }
        };
        self.whole_blocks(2).values().map(pairing).collect()
    }

    pub(crate) fn moves(&self) -> usize {
        self.games.iter().map(|game| game.moves).sum()
    }

    pub(crate) fn engine_time(&self) -> Duration {
        self.games.iter().map(|game| game.engine_time).sum()
    }

    /// The time of all games that no engine used.
    pub(crate) fn overhead(&self) -> Duration {
        let time: Duration = self.games.iter().map(|game| game.time).sum();
        time.saturating_sub(self.engine_time())
    }
}

impl Score {
    fn count(&mut self, result: &SavedResult, seat: usize) {
        let places = result.places();
        let place = places[seat];
        let share = result.share(seat);
        self.seats += 1;
        self.places[place - 1] += 1;
        self.points += share;
        match place {
            1 if share == 1.0 => self.won += 1,
            1 => self.drawn += 1,
            _ => self.lost += 1,
        }
        // Players who share a place share its points and those of the places below that they occupy.
        let ties = places.iter().filter(|&&other| other == place).count() as f64;
        let last = places.len() as f64 - 1.0;
        self.placement += (last - (place as f64 - 1.0) - (ties - 1.0) / 2.0) / last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize, block: usize, seats: &[usize], places: &[usize]) -> GameSummary {
        GameSummary {
            number,
            block,
            seats: seats.to_vec(),
            result: SavedResult::ranked(places),
            fault: None,
            moves: 10,
            engine_time: Duration::from_millis(30),
            time: Duration::from_millis(31),
        }
    }

    #[test]
    fn pairs_are_counted_whole() {
        let games = vec![
            game(0, 0, &[0, 1], &[1, 2]),
            game(1, 0, &[1, 0], &[1, 1]),
            game(2, 1, &[0, 1], &[2, 1]),
            game(3, 1, &[1, 0], &[1, 2]),
            game(4, 2, &[0, 1], &[1, 2]),
        ];
        let standing = Standing { games, entrants: 2, players: 2 };
        assert_eq!(standing.pentanomial().0, [1, 0, 0, 1, 0]);
        let scores = standing.scores(2);
        assert_eq!((scores[0].won, scores[0].drawn, scores[0].lost), (2, 1, 2));
        assert_eq!((scores[0].points, scores[1].points), (2.5, 2.5));
        assert_eq!(scores[0].rate.unwrap().share, 1.5 / 4.0);
        assert_eq!(standing.pairings().len(), 2);
        assert_eq!((standing.moves(), standing.overhead()), (50, Duration::from_millis(5)));
    }

    #[test]
    fn places_are_counted_and_shared() {
        let games = vec![game(0, 0, &[0, 1, 1], &[1, 2, 3]), game(1, 1, &[1, 0, 0], &[1, 1, 3])];
        let scores = Standing { games, entrants: 2, players: 3 }.scores(1);
        assert_eq!((scores[0].seats, &scores[0].places[..]), (3, &[2, 0, 1][..]));
        assert_eq!((scores[0].won, scores[0].drawn, scores[0].lost), (1, 1, 1));
        // First, shared first and second, last.
        assert!((scores[0].placement - (1.0 + 0.75 + 0.0) / 3.0).abs() < 1e-12);
        assert!((scores[1].placement - (0.5 + 0.0 + 0.75) / 3.0).abs() < 1e-12);
        assert_eq!(scores[0].points + scores[1].points, 2.0);
    }
}
