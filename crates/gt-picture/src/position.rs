//! The position at the root of a tree, from the metadata's key `position`.
//!
//! A log without that key may still begin at the game's start; that is assumed if the root's moves are legal there,
//! and otherwise nothing is drawn.

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_log::{Log, Tree, Walker};

/// The maximum number of root moves checked.
const MOVES_MAX: usize = 300;

/// Returns the position at a tree's root, or a sentence that says which key is missing or wrong.
///
/// # Errors
/// Returns a sentence for the user if the game is unknown, there is no position, or it cannot be read.
pub fn root(log: &Log, tree: Tree<'_>) -> Result<Box<dyn AnyGame>, String> {
    let kind: GameKind = match log.game() {
        "" => {
            return Err("the log names no game, so there is no board; whoever writes the log sets it as the header's game"
                .to_owned());
        }
        name => name.parse().map_err(|_| {
            format!(
                "`{}` is not a game whose rules are known here, so there is no board",
                name.escape_debug()
            )
        })?,
    };
    match tree.metadata().get("position").or(log.metadata().get("position")) {
        Some(text) => kind
            .open(&Setup::position(text))
            .map_err(|error| format!("the metadata's key `position` cannot be read: {error}")),
        None => start(kind, tree),
    }
}

/// The game's start, if the root's moves are legal there.
fn start(kind: GameKind, tree: Tree<'_>) -> Result<Box<dyn AnyGame>, String> {
    let game = kind.open(&Setup::default()).map_err(|error| error.to_string())?;
    let unreadable = |error: gt_log::Error| error.to_string();
    let mut walker = Walker::new(tree);
    let children =
        if tree.nodes() == 0 { Vec::new() } else { walker.children(walker.root()).map_err(unreadable)? };
    for row in children.into_iter().take(MOVES_MAX) {
        let code = walker.last_move(row).map_err(unreadable)?;
        if game.decode(code).is_err() {
            return Err(format!(
                "the log does not say at which position the tree begins, and its moves are not legal at the start of {}; \
                 set the key `position` in the metadata of the tree or of the log",
                kind.name()
            ));
        }
    }
    Ok(game)
}
