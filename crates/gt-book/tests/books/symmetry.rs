//! A position and all its images have the same moves, turned as the position is.

use super::{Folder, Random, builder, bytes};
use gt_book::{Book, BuildOptions, Format};
use gt_games::amazons::Size;
use gt_games::registry::{GameKind, Playable, Setup};
use gt_games::saved::{SavedGame, SavedMove, SavedResult};
use gt_games::{Amazons, ChineseCheckers, ConnectFour, TicTacToe};
use std::collections::BTreeMap;

/// A random game from a start, with a random result.
fn random_game<G: Playable>(start: &G, plies: usize, random: &mut Random) -> SavedGame {
    let mut saved = SavedGame::new(G::KIND);
    saved.setup = Setup::position(&start.position_text());
    let mut game = start.clone();
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        saved.moves.push(SavedMove::new(game.move_text(mv)));
        game.make(mv);
    }
    saved.result = Some(SavedResult::win(random.below(game.players()), game.players()));
    saved
}

/// The book's moves of a position with their weights, turned by a symmetry.
fn moves<G: Playable>(book: &Book, game: &G, symmetry: usize) -> BTreeMap<String, u32> {
    let any = G::KIND.open(&Setup::position(&game.position_text())).unwrap();
    let image = game.turned(symmetry);
    let turned = |text: &str| image.move_text(game.turned_move(game.parse_move(text).unwrap(), symmetry));
    book.moves(&*any).unwrap().into_iter().map(|mv| (turned(&mv.text), mv.weight)).collect()
}

fn check<G: Playable>(start: &G) {
    let mut random = Random(3);
    let folder = Folder::new();
    let games: Vec<SavedGame> = (0..60).map(|_| random_game(start, 6, &mut random)).collect();
    let content = bytes(&builder(G::KIND, Format::Own, BuildOptions::default(), &games));
    let book = Book::open(&folder.file("x.gtb", &content), G::KIND).unwrap();
    let mut found = 0;
    for saved in &games {
        let mut game = start.clone();
        for mv in &saved.moves {
            let own = moves(&book, &game, 0);
            assert!(own.contains_key(&mv.text), "{} lacks {}", game.position_text(), mv.text);
            for symmetry in 0..game.symmetries() {
                let image = game.turned(symmetry);
                assert_eq!(
                    moves(&book, &image, 0),
                    moves(&book, &game, symmetry),
                    "{}",
                    image.position_text()
                );
                found += 1;
            }
            let mv = game.parse_move(&mv.text).unwrap();
            game.make(mv);
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn images_have_the_turned_moves() {
    check(&TicTacToe::new());
    check(&ConnectFour::new());
    check(&gt_games::Chess::new());
    check(&Amazons::start(Size::new(6, 6).unwrap()));
    check(&Amazons::start(Size::new(5, 4).unwrap()));
    for players in [2, 3, 4, 6] {
        check(&ChineseCheckers::start(players).unwrap());
    }
}

#[test]
fn a_game_and_its_image_make_the_same_book() {
    let mut random = Random(9);
    let start = Amazons::start(Size::new(6, 6).unwrap());
    let game = random_game(&start, 8, &mut random);
    let content = |game: &SavedGame| {
        bytes(&builder(GameKind::Amazons, Format::Own, BuildOptions::default(), std::slice::from_ref(game)))
    };
    for symmetry in 0..8 {
        use gt_games::{Notation, Symmetric};
        use gt_search::Game;
        let mut image = game.clone();
        image.setup = Setup::position(&start.turned(symmetry).position_text());
        let mut position = start;
        for mv in &mut image.moves {
            let played = position.parse_move(&mv.text).unwrap();
            mv.text = position.turned(symmetry).move_text(position.turned_move(played, symmetry));
            position.make(played);
        }
        assert_eq!(content(&image), content(&game));
    }
}
