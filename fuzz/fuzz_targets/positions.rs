//! Any text as a position and a move of every game.
#![no_main]

use gt_games::registry::{GameKind, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (position, mv) = text.split_once('\n').unwrap_or((text, ""));
    for kind in GameKind::ALL {
        let Ok(mut game) = kind.open(&Setup::position(position)) else { continue };
        let _ = game.play(mv);
        let _ = game.draw();
        let again = kind.open(&Setup::position(&game.position_text()));
        assert!(again.is_ok(), "{}", game.position_text());
    }
});
