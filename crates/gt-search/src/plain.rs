//! The algorithms of the literature for two players, one per file, without any enhancement.
//!
//! They order nothing, remember nothing and agree on the value of every position; they differ in how many nodes they
//! need. They are the oracle for the [`Searcher`](crate::Searcher), and a good start for teaching.
//!
//! In all of them the first of several equal moves is the best move.

mod alpha_beta;
mod minimax;
mod negamax;
mod negascout;

pub use alpha_beta::alpha_beta;
pub use minimax::minimax;
pub use negamax::negamax;
pub use negascout::negascout;

use crate::deepening::{Iterated, Iteration, SearchResult, deepen, is_settled};
use crate::game::{Evaluate, Game};
use crate::limits::Limits;
use crate::node::Node;
use crate::observer::Observer;
use crate::walk::Walk;

/// The plain algorithms by name, run under any limits by iterative deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plain {
    /// [`minimax`]
    Minimax,
    /// [`negamax`]
    Negamax,
    /// [`alpha_beta`]
    AlphaBeta,
    /// [`negascout`], also known as principal variation search
    NegaScout,
}

impl Plain {
    /// Every plain algorithm.
    pub const ALL: [Self; 4] = [Self::Minimax, Self::Negamax, Self::AlphaBeta, Self::NegaScout];

    /// Searches depth 1, depth 2 … within the limits and calls `on_iteration` for each completed depth.
    pub fn search<G, E, O>(
        self,
        game: &G,
        evaluation: &E,
        limits: &Limits,
        observer: &mut O,
        on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move>
    where
        G: Game,
        E: Evaluate<G>,
        O: Observer<G::Move>,
    {
        match self {
            Self::Minimax => {
                let depths = Depths { first: 1, root: Node::untyped_root };
                search_from(depths, game, evaluation, limits, observer, on_iteration, minimax::node)
            }
            Self::Negamax => {
                let depths = Depths { first: 1, root: Node::untyped_root };
                search_from(depths, game, evaluation, limits, observer, on_iteration, negamax::node)
            }
            Self::AlphaBeta => {
                let depths = Depths { first: 1, root: Node::root };
                search_from(depths, game, evaluation, limits, observer, on_iteration, alpha_beta::node)
            }
            Self::NegaScout => {
                let depths = Depths { first: 1, root: Node::root };
                search_from(depths, game, evaluation, limits, observer, on_iteration, negascout::node)
            }
        }
    }
}

/// The first depth, and the root node for a depth.
#[derive(Clone, Copy)]
struct Depths {
    first: u16,
    root: fn(u16) -> Node,
}

/// One search to a fixed depth, without the iterations before it.
fn search_depth<'a, G, E, O>(
    root: fn(u16) -> Node,
    game: &G,
    evaluation: &'a E,
    depth: u16,
    observer: &'a mut O,
    body: impl Fn(&mut Walk<'a, G, E, O>, Node) -> i32,
) -> SearchResult<G::Move>
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    let depths = Depths { first: depth, root };
    search_from(depths, game, evaluation, &Limits::depth(depth), observer, |_| (), body)
}

fn search_from<'a, G, E, O>(
    depths: Depths,
    game: &G,
    evaluation: &'a E,
    limits: &Limits,
    observer: &'a mut O,
    mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    body: impl Fn(&mut Walk<'a, G, E, O>, Node) -> i32,
) -> SearchResult<G::Move>
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    let mut walk = Walk::new(game, evaluation, limits, observer);
    let mut iterate = |depth| {
        let root = (depths.root)(depth);
        let open_ends = walk.open_ends;
        walk.observer.begin(root.depth);
        walk.variation.clear(0);
        let value = walk.observe(None, root, &body);
        Iterated {
            value,
            pv: walk.variation.root().to_vec(),
            nodes: walk.nodes(),
            evaluations: walk.evaluations,
            endings: 0,
            stopped: walk.stopped(),
            settled: is_settled(value, depth) || walk.open_ends == open_ends,
            counts_when_stopped: false,
            lines: Vec::new(),
        }
    };
    deepen(limits, depths.first, game.first_move(), &mut iterate, &mut on_iteration)
}
