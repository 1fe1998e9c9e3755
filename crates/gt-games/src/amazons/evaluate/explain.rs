//! The explanations of the three evaluations: the owner of each square, its distance, and the amazons that
//! see it.

use super::{Mobility, TERRITORY_WEIGHT, Territory, TerritoryMobility};
use crate::amazons::plain::{Distances, distances, king_distances, queen_moves};
use crate::amazons::{Amazons, Square};
use crate::explain::{Breakdown, Explain, MapCell, SquareMap, Term, more_of, over_squares};

impl Explain<Amazons> for Mobility {
    fn break_down(&self, game: &Amazons) -> Breakdown {
        let seen = Seen::by_both(game);
        let counts = seen.map(|seen| seen.total());
        let term = Term::counted("mobility", "squares that the amazons reach in one queen move", 1, &counts);
        Breakdown::plain("queen moves", vec![term], Ground::of(game).maps())
    }
}

impl Explain<Amazons> for Territory {
    fn break_down(&self, game: &Amazons) -> Breakdown {
        let ground = Ground::of(game);
        Breakdown::plain("squares", vec![ground.territory(1)], ground.maps())
    }
}

impl Explain<Amazons> for TerritoryMobility {
    fn break_down(&self, game: &Amazons) -> Breakdown {
        let ground = Ground::of(game);
        let mobs = [0, 1].map(|player| {
            let mine = |&(file, rank): &(usize, usize)| ground.owner(file, rank) == Some(player);
            game.places().filter(mine).map(|(file, rank)| i64::from(ground.seen[player].0[file][rank])).sum()
        });
        let note = "amazons that reach the player's own squares in one queen move";
        let terms = vec![ground.territory(TERRITORY_WEIGHT), Term::counted("mobs", note, 1, &mobs)];
        Breakdown::plain("points", terms, ground.maps())
    }
}

/// For each file and rank, the number of a player's amazons that reach the square in one queen move.
struct Seen([[i32; 10]; 10]);

impl Seen {
    fn by_both(game: &Amazons) -> [Self; 2] {
        [0, 1].map(|player| {
            let mut seen = Self([[0; 10]; 10]);
            for square in game.amazons(player).flat_map(|from| queen_moves(game, from)) {
                seen.0[square.file()][square.rank()] += 1;
            }
            seen
        })
    }

    fn total(&self) -> i64 {
        self.0.iter().flatten().map(|&count| i64::from(count)).sum()
    }
}

/// Both players' distances to each square in queen moves.
pub(in crate::amazons) struct Ground<'a> {
    game: &'a Amazons,
    distances: [Distances; 2],
    seen: [Seen; 2],
}

impl<'a> Ground<'a> {
    pub(in crate::amazons) fn of(game: &'a Amazons) -> Self {
        Self { game, distances: [0, 1].map(|player| distances(game, player)), seen: Seen::by_both(game) }
    }

    /// The number of queen moves that each player needs to reach an empty square.
    fn moves_to(&self, file: usize, rank: usize) -> [Option<u32>; 2] {
        [0, 1].map(|player| self.distances[player][file][rank])
    }

    /// The player who reaches a square in fewer moves.
    fn owner(&self, file: usize, rank: usize) -> Option<usize> {
        let [white, black] = self.moves_to(file, rank).map(|moves| moves.unwrap_or(u32::MAX));
        (white != black).then_some(usize::from(black < white))
    }

    fn territory(&self, weight: i32) -> Term {
        let owned = |player| {
            self.game.places().filter(|&(file, rank)| self.owner(file, rank) == Some(player)).count()
        };
        let note = "empty squares reached in fewer queen moves than the opponent needs";
        Term::counted("territory", note, weight, &[0, 1].map(|player| owned(player) as i64))
    }

    pub(in crate::amazons) fn maps(&self) -> Vec<SquareMap> {
        let moves = |player: usize| move |file, rank| far(player, self.moves_to(file, rank)[player]);
        let territory = |file, rank| MapCell {
            owner: self.owner(file, rank),
            number: self.moves_to(file, rank).into_iter().flatten().min().map(|moves| moves as i32),
        };
        let reach =
            |file: usize, rank: usize| more_of([0, 1].map(|player: usize| self.seen[player].0[file][rank]));
        let map = |name, note, cell: &dyn Fn(usize, usize) -> MapCell| self.game.map(name, note, cell);
        vec![
            map("territory", "who reaches the square in fewer queen moves, and in how many", &territory),
            map("moves-white", "queen moves that white needs to the square", &moves(0)),
            map("moves-black", "queen moves that black needs to the square", &moves(1)),
            map("reach", "who has more amazons that reach the square in one move, and how many", &reach),
        ]
    }
}

/// Distances in king steps.
pub(in crate::amazons) struct Steps<'a> {
    game: &'a Amazons,
    distances: [Distances; 2],
}

impl<'a> Steps<'a> {
    pub(in crate::amazons) fn of(game: &'a Amazons) -> Self {
        Self { game, distances: [0, 1].map(|player| king_distances(game, player)) }
    }

    pub(in crate::amazons) fn maps(&self) -> Vec<SquareMap> {
        let steps =
            |player: usize| move |file: usize, rank: usize| far(player, self.distances[player][file][rank]);
        vec![
            self.game.map("steps-white", "king steps that white needs to the square", &steps(0)),
            self.game.map("steps-black", "king steps that black needs to the square", &steps(1)),
        ]
    }
}

/// A player's cell with a distance; nobody's if he cannot reach it.
fn far(player: usize, distance: Option<u32>) -> MapCell {
    MapCell { owner: distance.map(|_| player), number: distance.map(|distance| distance as i32) }
}

impl Amazons {
    /// A map of the empty squares.
    fn map(
        &self,
        name: &'static str,
        note: &'static str,
        cell: &dyn Fn(usize, usize) -> MapCell,
    ) -> SquareMap {
        let empty = |file, rank| self.is_empty(Square::new(file, rank));
        let cell = |file, rank| if empty(file, rank) { cell(file, rank) } else { MapCell::default() };
        SquareMap { name, note, cells: over_squares(self.size().width(), self.size().height(), cell) }
    }

    /// Every square of the board by file and rank.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (width, height) = (self.size().width(), self.size().height());
        (0..height).flat_map(move |rank| (0..width).map(move |file| (file, rank)))
    }
}
