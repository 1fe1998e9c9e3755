//! Books written, read, merged, turned and broken.

mod broken;
mod build;
mod choose;
mod polyglot;
#[path = "../../../gt-games/tests/all/saved/python_chess.rs"]
mod python_chess;
mod symmetry;

use gt_book::{Book, BuildOptions, Builder, Format};
use gt_games::GameKind;
use gt_games::saved::{self, SavedGame};
use std::path::PathBuf;

/// A folder that is removed at the end, and files in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

fn games(text: &str) -> Vec<SavedGame> {
    saved::read(text, None).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn builder(kind: GameKind, format: Format, options: BuildOptions, games: &[SavedGame]) -> Builder {
    let mut builder = Builder::new(kind, format, options).unwrap();
    for game in games {
        builder.add(game).unwrap();
    }
    builder
}

fn bytes(builder: &Builder) -> Vec<u8> {
    let mut bytes = Vec::new();
    builder.write(&mut bytes).unwrap();
    bytes
}

/// The book of a text of games, with all their moves.
fn book(folder: &Folder, kind: GameKind, format: Format, text: &str) -> Book {
    let options = BuildOptions { plies_max: usize::MAX, ..BuildOptions::default() };
    let path = folder.file("book", &bytes(&builder(kind, format, options, &games(text))));
    Book::open(&path, kind).unwrap_or_else(|error| panic!("{error}"))
}

/// A small generator, so that a failing run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
