//! `gt picture`: a tree as an SVG file.

pub(super) mod blocks;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_log::Tree;
use gt_picture::{PictureOptions, Subject, Theme, View, WIDTHS, default_color};
use gt_query::engine::{self, Finding, NodeSet, Options};

use super::files;
use super::names::OtherNames;
use super::profile::name_of;
use super::query::source::{QueryText, Source};
use super::trees::{self, TreeChoice};
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, tell_unknown_position};
use blocks::DrawnMoves;

/// Draw a tree as an SVG file: an icicle, a treemap or a sunburst, down to its deepest ply
#[derive(clap::Args)]
#[command(
    after_help = "Nodes too narrow for a rectangle of their own are drawn together, in the mix of their colours. The menu of the \
    viewer's picture saves what is seen there, as SVG and as PNG.\n\nExamples:\n  gt picture run.gtf -o tree.svg\n  \
    gt picture run.gtf --view sunburst --color best -o best.svg\n  \
    gt picture run.gtf --node 17 --query 'node: type & QRootNode' -o quiescence.svg"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) drawing: Drawing,
    #[command(flatten)]
    names: OtherNames,
}

/// What is drawn, and how: the options of every command that draws a tree.
#[derive(clap::Args)]
pub(crate) struct Drawing {
    /// Which tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9` (default: the largest)
    #[arg(long, value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree: Option<TreeChoice>,
    /// The node whose subtree is drawn (default: 0, the root)
    #[arg(long, value_name = "N")]
    node: Option<u64>,
    /// Mark the nodes that match this query
    #[arg(long, value_name = "GTQL")]
    query: Option<String>,
    /// How the nodes are laid out (default: icicle)
    #[arg(long, value_enum)]
    view: Option<Layout>,
    /// An expression of GTQL that colours the nodes, or `none` (default: `type`, where the log has it, else the score)
    #[arg(long, value_name = "GTQL")]
    color: Option<String>,
    /// Colour scores as the player sees them who is to move, not as the root's player does
    #[arg(long)]
    each_side: bool,
    /// The picture's width in pixels, from 200 to 10000 (default: 1200)
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(i64::from(*WIDTHS.start())..=i64::from(*WIDTHS.end())))]
    width: Option<u32>,
    /// The height of the drawing itself in pixels (default: what suits the view)
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(40..=20_000))]
    height: Option<u32>,
    /// Light on dark
    #[arg(long)]
    dark: bool,
    /// The title above the picture (default: the log's name and the tree)
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// How to write moves (default: as text)
    #[arg(long, value_enum)]
    moves: Option<Moves>,
}

/// The width where none is asked for.
const WIDTH: u32 = 1200;

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Layout {
    /// A row for each ply
    Icicle,
    /// Children inside their parents
    Treemap,
    /// A ring for each ply
    Sunburst,
}

impl Arguments {
    /// Whether the picture goes into a file.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(target) = &arguments.output {
        files::refuse_other_endings(
            target,
            &["svg"],
            "pictures are written as SVG: choose a name that ends in .svg; the menu of the viewer's picture saves PNG as well",
        )?;
    }
    let svg = arguments.drawing.with((&arguments.log, &arguments.names), |subject, wanted, options| {
        gt_picture::draw(subject, wanted, options)
    })?;
    match &arguments.output {
        None => out.write_all(svg.as_bytes())?,
        Some(target) => files::new_text(target, &[&arguments.log], &svg)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Drawing {
    /// Whether no option was given.
    pub(super) fn is_empty(&self) -> bool {
        let Self { tree, node, query, view, color, each_side, width, height, dark, title, moves } = self;
        let texts = [query, color, title];
        let numbers = [width, height];
        tree.is_none()
            && node.is_none()
            && view.is_none()
            && moves.is_none()
            && !each_side
            && !dark
            && texts.iter().all(|text| text.is_none())
            && numbers.iter().all(|number| number.is_none())
    }

    /// Opens the log, finds the marks, and hands what is wanted to `draw`.
    pub(super) fn with<T>(
        &self,
        (log, names): (&Path, &OtherNames),
        draw: impl FnOnce(&Subject<'_>, &PictureOptions<'_>, &Options<'_>) -> Result<T, gt_picture::Error>,
    ) -> Result<T, Failure> {
        let source = names.open(log)?;
        let tree = trees::chosen(&source.log, log, self.tree.as_ref())?;
        let options = Options::default();
        let marks = self.query.as_deref().map(|query| matches(&source, tree, query, &options)).transpose()?;
        let moves = self.moves.unwrap_or(Moves::Text);
        tell_unknown_position(moves, log, &source.log, tree);
        let names = DrawnMoves::new(&source, tree, moves);
        let subject = names.subject(&source, tree);
        let title = match &self.title {
            Some(title) => title.clone(),
            None => format!("{}, {}", name_of(log), tree_name(tree)),
        };
        let what = self.query.as_deref().map_or("", str::trim);
        let wanted = PictureOptions {
            node: self.node.unwrap_or(0),
            view: match self.view.unwrap_or(Layout::Icicle) {
                Layout::Icicle => View::Icicle,
                Layout::Treemap => View::Treemap,
                Layout::Sunburst => View::Sunburst,
            },
            width: self.width.unwrap_or(WIDTH),
            height: self.height,
            color: match self.color.as_deref() {
                Some("none") => "",
                Some(color) => color,
                None => default_color(&source.log),
            },
            one_side: !self.each_side,
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            title: &title,
            marks: marks.as_ref().map(|set| (set, what)),
            numbered: false,
        };
        draw(&subject, &wanted, &options).map_err(|error| Failure::about(log, error))
    }
}

/// What to call a tree: by its depth where it says one.
fn tree_name(tree: Tree<'_>) -> String {
    match tree.metadata().get("nominal_depth") {
        Some(depth) => format!("tree {} (depth {depth})", tree.number()),
        None => format!("tree {}", tree.number()),
    }
}

/// The nodes that a query asks for.
fn matches(source: &Source, tree: Tree<'_>, query: &str, options: &Options<'_>) -> Result<NodeSet, Failure> {
    let about = |error: &dyn std::fmt::Display| Failure::about(&source.path, error);
    let program = QueryText::new("--query", query).bind(source, tree, &[]).map_err(Failure::new)?;
    let mut findings = engine::find(&program, tree, options).map_err(|error| about(&error))?;
    let odd = "a query that marks nodes is one query that asks for nodes, such as `node: type & QRootNode`";
    if findings.found.len() != 1 {
        return Err(Failure::new(format!("--query: {odd}")));
    }
    match findings.found.remove(0) {
        Ok(Finding::Matches(matches)) => matches.into_ids(options).map_err(|error| about(&error)),
        Ok(Finding::Answer(_)) => Err(Failure::new(format!("--query: {odd}"))),
        Err(error) => Err(about(&error)),
    }
}
