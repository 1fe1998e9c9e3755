//! Lines as players write them.

use gt_games::registry::{Scribe, Setup};
use gt_games::{AnyGame, GameKind, NULL_MOVE_CODE, ROOT_CODE};

/// A longer line is not followed.
const LINE_MAX: usize = 1000;

fn codes(game: &dyn AnyGame, line: &str) -> Vec<i64> {
    let mut game = game.boxed_clone();
    let words = line.split_whitespace();
    words.map(|word| game.encode(word).inspect(|_| game.play(word).unwrap()).unwrap()).collect()
}

/// What is written is what the position itself writes, whatever line was followed before.
#[test]
fn lines_in_any_order_are_written_as_their_positions_write_them() {
    let root = GameKind::Chess.open(&Setup::default()).unwrap();
    let lines = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O",
        "e4 e5 Nf3 Nf6",
        "d4",
        "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "",
        "e4",
    ];
    let mut scribe = Scribe::new(root.boxed_clone());
    for line in lines.iter().chain(lines.iter().rev()) {
        let codes = codes(&*root, line);
        assert_eq!(scribe.line(&codes).join(" "), *line);
        if let Some((last, before)) = codes.split_last() {
            assert_eq!(scribe.after(before, *last).as_deref(), line.split(' ').next_back());
        }
    }
}

#[test]
fn null_moves_and_repeated_moves_are_followed() {
    let root = GameKind::Chess.open(&Setup::default()).unwrap();
    let (e4, nf3) = (12 | 28 << 6, 6 | 21 << 6);
    let mut scribe = Scribe::new(root);
    assert_eq!(scribe.line(&[e4, NULL_MOVE_CODE, nf3]), ["e4", "null", "Nf3"]);
    assert_eq!(scribe.line(&[e4, e4, NULL_MOVE_CODE]), ["e4", "e4", "null"], "the search of e4 was verified");
    assert_eq!(scribe.line(&[e4, nf3, nf3]), ["e4"], "it is not White's turn");
    assert_eq!(scribe.after(&[e4, nf3], e4), None);
    assert_eq!(scribe.after(&[], ROOT_CODE), None);
}

#[test]
fn very_long_lines_are_not_followed_to_their_end() {
    let root = GameKind::Chess.open(&Setup::default()).unwrap();
    let there_and_back = codes(&*root, "Nf3 Nf6 Ng1 Ng8");
    let line: Vec<i64> = there_and_back.iter().copied().cycle().take(LINE_MAX + 4).collect();
    let mut scribe = Scribe::new(root);
    assert_eq!(scribe.line(&line).len(), LINE_MAX);
    assert_eq!(scribe.after(&line, line[0]), None);
    assert_eq!(scribe.after(&line[..4], line[0]).as_deref(), Some("Nf3"));
}
