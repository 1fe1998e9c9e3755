//! The schedule: the seats of the entrants in each game.
//!
//! ```text
//! 2 players, A B C     every pair, each opening twice:   AB BA  AC CA  BC CB
//! 3 players, A B C     each opening in all orders:       ABC ACB BAC BCA CAB CBA
//! 3 players, A B       all ways to fill the seats:       AAB ABA BAA ABB BAB BBA
//! 4 or 6 players       a random order each round, turned until everybody had every seat
//! ```
//!
//! **Invariant:** in every block each of its entrants has every seat equally often, except if there are more seats
//! than entrants and more than three; then it holds for the seats of each entrant's share.

use crate::random::Random;

/// All games with one opening between the same entrants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockPlan {
    /// For each game, the entrant in each seat.
    pub(crate) games: Vec<Vec<usize>>,
}

/// The blocks of a round.
pub(crate) fn blocks(entrants: usize, seats: usize, round: usize, seed: u64) -> Vec<BlockPlan> {
    let mut random = Random::stream(seed ^ 0x5ea7, round as u64);
    let groups = choices(entrants, seats.min(entrants));
    groups.iter().map(|group| BlockPlan { games: seatings(group, seats, &mut random) }).collect()
}

/// The games that a group plays with one opening.
fn seatings(group: &[usize], seats: usize, random: &mut Random) -> Vec<Vec<usize>> {
    if seats <= 3 {
        return all_seatings(group, seats);
    }
    // Each as often as possible, the rest at random.
    let mut order: Vec<usize> = group.to_vec();
    random.shuffle(&mut order);
    let mut row: Vec<usize> = order.iter().copied().cycle().take(seats).collect();
    random.shuffle(&mut row);
    let turned = |by: usize| {
        let mut games = row.clone();
        games.rotate_left(by);
        games
    };
    (0..seats).map(turned).collect()
}

/// All ways to fill the seats in which everyone in the group takes part.
fn all_seatings(group: &[usize], seats: usize) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..seats {
        let longer = |row: &Vec<usize>| {
            let row = row.clone();
            group.iter().map(move |&entrant| [row.as_slice(), &[entrant]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows.retain(|row| group.iter().all(|entrant| row.contains(entrant)));
    rows
}

/// The ways to choose `chosen` of the numbers below `count`, each in ascending order.
fn choices(count: usize, chosen: usize) -> Vec<Vec<usize>> {
    if chosen == 0 {
        return vec![Vec::new()];
    }
    let with_last = |last: usize| {
        choices(last, chosen - 1).into_iter().map(move |mut group| {
            group.push(last);
            group
        })
    };
    let mut groups: Vec<Vec<usize>> = (chosen - 1..count).flat_map(with_last).collect();
    groups.sort();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(entrants: usize, seats: usize) -> Vec<Vec<usize>> {
        blocks(entrants, seats, 0, 1).into_iter().flat_map(|block| block.games).collect()
    }

    #[test]
    fn two_players_swap_colours() {
        assert_eq!(games(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(games(3, 2), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(blocks(4, 2, 0, 1).len(), 6);
    }

    #[test]
    fn three_players_sit_in_all_orders() {
        assert_eq!(games(3, 3), [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]);
        assert_eq!(games(2, 3).len(), 6);
        assert_eq!(blocks(4, 3, 0, 1).len(), 4);
    }

    /// Everyone has every seat equally often, if possible.
    #[test]
    fn seats_are_shared_out_fairly() {
        for (entrants, seats) in
            [(2, 2), (3, 2), (2, 3), (3, 3), (4, 3), (2, 4), (4, 4), (2, 6), (3, 6), (6, 6)]
        {
            let games = games(entrants, seats);
            let times = |entrant: usize, seat: usize| games.iter().filter(|row| row[seat] == entrant).count();
            for seat in 0..seats {
                for entrant in 0..entrants {
                    assert_eq!(times(entrant, seat) * entrants, games.len(), "{entrants} in {seats} seats");
                }
            }
        }
        let rows = |round| blocks(3, 4, round, 1)[0].games.clone();
        let busiest = |round| {
            (0..3).max_by_key(|&entrant| rows(round).iter().flatten().filter(|&&e| e == entrant).count())
        };
        assert!((1..20).any(|round| busiest(round) != busiest(0)), "the seat too many goes round");
        assert_eq!(rows(5), rows(5));
    }
}
