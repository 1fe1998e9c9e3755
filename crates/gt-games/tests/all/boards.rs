//! Boards and move numbers, held against the games themselves.

use gt_games::board::{Board, Shape};
use gt_games::registry::{GameKind, Setup};

#[test]
fn every_move_has_a_text_and_places_without_a_position() {
    // A tree's moves have names that only the tree knows.
    for kind in GameKind::ALL.into_iter().filter(|&kind| kind != GameKind::Tree) {
        let mut game = kind.open(&Setup::default()).unwrap();
        for ply in 0..30 {
            let moves = game.moves();
            let Some(played) = moves.get(7 * ply % moves.len().max(1)).cloned() else { break };
            let board = Board::of(&*game);
            for named in moves {
                assert_eq!(kind.move_text(named.code).as_ref(), Some(&named.text), "{kind}");
                assert_eq!(kind.move_code(&named.text), Some(named.code), "{kind}");
                for place in kind.move_places(named.code).unwrap_or_default() {
                    let is_there =
                        kind == GameKind::ConnectFour || board.cells.iter().any(|cell| cell.place == place);
                    assert!(is_there, "{kind}: {place} of {} is no place of the board", named.text);
                }
            }
            game.play(&played.text).unwrap();
        }
    }
}

#[test]
fn cells_have_what_the_drawing_has() {
    for kind in GameKind::ALL.into_iter().filter(|kind| !matches!(kind, GameKind::Tree | GameKind::Thorns)) {
        let mut game = kind.open(&Setup::default()).unwrap();
        for ply in 0..8 {
            let board = Board::of(&*game);
            let pieces: String = board.cells.iter().map(|cell| cell.piece.unwrap_or('.')).collect();
            let lines: Vec<String> = game.draw().lines().map(str::to_owned).collect();
            let rows = board.cells.iter().map(|cell| cell.y).max().unwrap() + 1;
            let drawn: String = lines[..rows]
                .iter()
                .flat_map(|line| line.split_whitespace().skip(1))
                .collect::<Vec<_>>()
                .concat();
            assert_eq!(pieces, drawn, "{kind}");
            let moves = game.moves();
            let Some(played) = moves.get(5 * ply % moves.len().max(1)) else { break };
            game.play(&played.text).unwrap();
        }
    }
}

#[test]
fn boards_have_their_shapes() {
    let board = |kind: GameKind| Board::of(&*kind.open(&Setup::default()).unwrap());
    assert_eq!(board(GameKind::Amazons).shape, Shape::Squares { columns: 10, rows: 10 });
    assert_eq!(board(GameKind::ConnectFour).shape, Shape::Squares { columns: 7, rows: 6 });
    let tree = board(GameKind::Tree);
    assert_eq!((tree.shape, tree.cells.len()), (Shape::Text, 0));
    let star = board(GameKind::ChineseCheckers);
    assert_eq!((star.shape, star.cells.len()), (Shape::Star, 121));
    let at = |place: &str| star.cells.iter().find(|cell| cell.place == place).map(|cell| (cell.x, cell.y));
    assert_eq!(
        [at("a1"), at("e1"), at("e13"), at("i1")],
        [Some((12, 0)), Some((0, 4)), Some((24, 4)), Some((4, 8))]
    );
}
