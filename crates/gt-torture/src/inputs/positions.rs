//! Any text as a position and a move of every game.

use gt_games::registry::{GameKind, Setup};

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (position, mv) = text.split_once('\n').unwrap_or((text, ""));
    for kind in GameKind::ALL {
        let Ok(mut game) = kind.open(&Setup::position(position)) else { continue };
        let _ = game.play(mv);
        let _ = game.draw();
        let again = kind.open(&Setup::position(&game.position_text()));
        assert!(again.is_ok(), "{}", game.position_text());
    }
}
