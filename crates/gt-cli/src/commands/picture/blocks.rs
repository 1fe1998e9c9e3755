//! A board and a tree for reports.

use gt_log::Tree;
use gt_picture::{PictureOptions, Subject, Theme, View, board, default_color, position};
use gt_query::engine::Options;
use gt_report::NameMoves;
use gt_report::document::{Block, Document, Picture};

use crate::commands::query::source::Source;
use crate::failure::Failure;
use crate::moves::{Moves, TreeMoves};

/// How wide a tree is drawn in a report.
const TREE_WIDTH: u32 = 900;
const TREE_HEIGHT: u32 = 360;
const BOARD_WIDTH: u32 = 320;

/// The names of moves in a picture, where they are not those of the notation.
pub(super) struct DrawnMoves<'a> {
    names: TreeMoves<'a>,
    moves: Moves,
}

impl<'a> DrawnMoves<'a> {
    pub(super) fn new(source: &'a Source, tree: Tree<'a>, moves: Moves) -> Self {
        Self { names: TreeMoves::new(&source.log, tree, moves), moves }
    }

    /// What is drawn.
    pub(super) fn subject(&'a self, source: &'a Source, tree: Tree<'a>) -> Subject<'a> {
        let written = (self.moves != Moves::Text).then_some(self as &dyn NameMoves);
        Subject { log: &source.log, tree, moves: source.moves(), written }
    }
}

impl NameMoves for DrawnMoves<'_> {
    fn name(&self, before: &[i64], number: i64) -> Option<String> {
        match self.moves {
            Moves::Number => Some(number.to_string()),
            // What has no name so, nodes and logs may name.
            Moves::Text | Moves::San => self.names.name(before, number),
        }
    }
}

/// The position at the root, where the log tells it.
pub(crate) fn board_block(source: &Source, tree: Tree<'_>) -> Option<Block> {
    let game = position::root(&source.log, tree).ok()?;
    Some(Block::Picture(Picture {
        name: "board".to_owned(),
        svg: board::svg(&*game, &[]),
        caption: format!("The position that was searched: `{}`.", game.position_text()),
        lines: game.draw(),
        width_max: BOARD_WIDTH,
    }))
}

/// The whole tree.
fn tree_block(source: &Source, tree: Tree<'_>, moves: Moves) -> Result<Block, Failure> {
    let names = DrawnMoves::new(source, tree, moves);
    let subject = names.subject(source, tree);
    let wanted = PictureOptions {
        node: 0,
        view: View::Icicle,
        width: TREE_WIDTH,
        height: Some(TREE_HEIGHT),
        color: default_color(&source.log),
        one_side: true,
        theme: Theme::Light,
        title: "The tree",
        marks: None,
        numbered: false,
    };
    let svg = gt_picture::draw(&subject, &wanted, &Options::default())
        .map_err(|error| Failure::about(&source.path, error))?;
    Ok(Block::Picture(Picture {
        name: "tree".to_owned(),
        svg,
        caption: "A row for each ply; `gt view` shows it with boards, records and queries.".to_owned(),
        lines: String::new(),
        width_max: 2 * TREE_WIDTH,
    }))
}

/// Puts the board and the tree below what a report says first.
pub(crate) fn illustrated(
    mut document: Document,
    source: &Source,
    tree: Tree<'_>,
    moves: Moves,
) -> Result<Document, Failure> {
    let is_intro =
        |block: &Block| matches!(block, Block::Paragraph(_) | Block::Heading(_) | Block::Picture(_));
    let place = document.blocks.iter().position(|block| !is_intro(block)).unwrap_or(document.blocks.len());
    let tail = document.blocks.split_off(place);
    document.blocks.extend(board_block(source, tree));
    let (before, after): (Vec<Block>, Vec<Block>) =
        tail.into_iter().partition(|block| matches!(block, Block::Numbers(_) | Block::Findings(_)));
    document.blocks.extend(before);
    document.push(tree_block(source, tree, moves)?);
    document.blocks.extend(after);
    Ok(document)
}
