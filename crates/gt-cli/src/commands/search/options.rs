//! The options that some algorithms take and others refuse.

use gt_games::GameKind;
use gt_play::Algorithm;
use gt_search::{Game, Idea, Options, View};

use super::arguments::Arguments;
use crate::failure::Failure;

/// How far quiescence goes beyond the depth at most.
const QUIESCENCE_PLIES_MAX: u16 = 64;

/// The most nodes that the stored tree keeps where nothing is said about memory.
pub(super) const STORED_NODES_MAX: usize = 50_000_000;

/// Refuses what the algorithm has no use for.
pub(super) fn check(arguments: &Arguments, algorithm: Algorithm) -> Result<(), Failure> {
    let has_table = matches!(algorithm, Algorithm::Pvs | Algorithm::Strong);
    let refusal = if arguments.multi_pv.is_some() && !has_table {
        "finds one line; `--multi-pv` is for pvs and strong, `--root-moves` for all"
    } else if arguments.hash.is_some() && !has_table {
        "has no table; `--hash` is for pvs and strong"
    } else if arguments.quiescence && !has_table {
        "evaluates where its depth ends; `--quiescence` is for pvs and strong"
    } else if arguments.memory.is_some() && !(algorithm == Algorithm::StoredTree || algorithm.simulates()) {
        "keeps no tree that could be bounded; `--memory` is for stored-tree, uct and uct-eval"
    } else if arguments.depth == Some(0) && !algorithm.evaluates() {
        "asks no evaluation; `--depth 0` is for the algorithms that do"
    } else if arguments.root_moves && matches!(algorithm, Algorithm::ProofNumber | Algorithm::Sampling) {
        "has no one search of the position; `--root-moves` is for the other algorithms"
    } else {
        return Ok(());
    };
    Err(Failure::new(format!("`{algorithm}` {refusal}")))
}

/// The switches of pvs and strong.
pub(super) fn switches(
    arguments: &Arguments,
    algorithm: Algorithm,
    game: GameKind,
) -> Result<Options, Failure> {
    // At depth 0 nothing is searched, not even noisy moves: the value is the evaluation's.
    let is_static = arguments.depth == Some(0);
    let without = Idea::parse_list(&arguments.without).map_err(Failure::new)?;
    let options = algorithm.options_without(game, &without);
    let options = options.map_err(|error| Failure::new(error.to_string()))?;
    let mut options = options.filter(|_| !is_static).unwrap_or_default();
    if arguments.quiescence && !is_static {
        options.quiescence_plies_max.get_or_insert(QUIESCENCE_PLIES_MAX);
    }
    options.fault = arguments.fault;
    options.lines = arguments.multi_pv.map_or(1, usize::from);
    options.table_bytes = arguments.hash.unwrap_or(options.table_bytes);
    Ok(options)
}

/// How an algorithm's values are to be read.
pub(super) fn view<G: Game>(game: &G, algorithm: Algorithm) -> View {
    match algorithm {
        Algorithm::MaxN => View::EachForSelf { players: game.players(), root: game.to_move() },
        Algorithm::Paranoid | Algorithm::BestReply => View::AgainstRoot { players: game.players() },
        Algorithm::Minimax
        | Algorithm::Negamax
        | Algorithm::AlphaBeta
        | Algorithm::Negascout
        | Algorithm::Pvs
        | Algorithm::Strong
        | Algorithm::StoredTree
        | Algorithm::ProofNumber
        | Algorithm::Sampling
        | Algorithm::Uct
        | Algorithm::UctEval => View::Opposite,
    }
}

/// Whether an algorithm has a value for every player.
pub(super) fn has_players_values(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::MaxN | Algorithm::Paranoid | Algorithm::BestReply)
}
