//! Any bytes as an opening book of every game: opened or refused, and what it answers are legal moves.

use gt_book::Book;
use gt_games::registry::{GameKind, Setup};

pub(super) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book");
    std::fs::write(&path, bytes).expect("a file");
    let _ = Book::open_any(&path);
    for kind in GameKind::ALL {
        let Ok(book) = Book::open(&path, kind) else { continue };
        let start = kind.open(&Setup::default()).expect("the start");
        for mv in book.moves(&*start).expect("the book can be read") {
            start.clone().play(&mv.text).expect("a legal move");
        }
    }
}
