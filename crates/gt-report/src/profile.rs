//! The figures of a profile: where a search's nodes went, as GTQL queries.
//!
//! ```text
//! Schema ──offer──▶ what the log's names allow ──figures──▶ Figure (GTQL text, how to read its rows)
//!                                                    └────▶ UnavailableFigure (the name that is missing)
//! figures + Tree ──run──▶ one pass of gt-query's engine ──▶ Answer ──▶ Chart, Table or number
//! ```
//!
//! One table of figures serves `gt profile`, the viewer's charts and the demo.
//!
//! **Invariant:** an offered figure binds to the schema it was made for. No figure is computed outside GTQL; values
//! derived from answers (shares, the minimal tree) are arithmetic that the figure's meaning states.

mod bins;
mod bound;
mod cell;
mod charts;
mod distribution;
mod doubts;
mod draft;
mod facts;
mod figure;
mod findings;
mod iteration_table;
mod iterations;
mod json;
mod minimal_tree;
mod moves;
mod numbers;
mod offer;
mod ordering;
mod report;
mod rows;
mod run;
mod searches;
mod suspicions;
mod tables;
mod whereabouts;
mod words;

pub use distribution::{distribution, distributions};
pub use doubts::Doubt;
pub use figure::{CellReading, Figure, Reading, Shape, TableColumn, UnavailableFigure};
pub use minimal_tree::{MinimalPly, minimal_tree};
pub use report::{Profile, main_tree};
pub use run::{Answered, Error, charts, query_file, run};
pub use searches::{Search, nominal_depth, searches};

use gt_log::{Log, Schema};
use gt_query::{Environment, compile};

use offer::Offer;

/// The figures available for trees with some schema.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The figures, in the order of a report.
    pub figures: Vec<Figure>,
    /// The figures that are not available, and why.
    pub left_out: Vec<UnavailableFigure>,
}

impl Selection {
    /// Returns the figure with this name.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }
}

/// Returns the figures that logs with this schema have, and those for which they lack names.
///
/// ```
/// use gt_log::Schema;
/// use gt_report::profile::figures_for;
///
/// let bare = figures_for(&Schema::default());
/// assert!(bare.figure("nodes-per-ply").is_some(), "every log has plies");
/// let missing = bare.left_out.iter().find(|left_out| left_out.name == "quiescence-share").unwrap();
/// assert_eq!(missing.to_string(), "Quiescence share per ply: the log has no `type`, `QNode`");
/// ```
#[must_use]
pub fn figures_for(schema: &Schema) -> Selection {
    select(&Offer::of(schema))
}

/// Returns the figures of a log. If nodes were left out of it (by a budget or a trigger), the figures account for
/// that: a node's moves are counted only if all are in the log, and subtrees are as large as the search made them.
///
/// # Errors
/// Returns an error if the log cannot be read.
pub fn figures_of(log: &Log) -> gt_log::Result<Selection> {
    for tree in log.trees() {
        if tree.left_out()? > 0 {
            return Ok(select(&Offer::of_partial(log.schema())));
        }
    }
    Ok(figures_for(log.schema()))
}

fn select(offer: &Offer<'_>) -> Selection {
    let schema = offer.schema();
    let mut selection = Selection::default();
    let all = numbers::all(offer).into_iter().chain(charts::all(offer)).chain(tables::all(offer));
    for figure in all {
        match figure {
            Ok(figure) if binds(&figure, schema) => selection.figures.push(figure),
            // The name exists, but with another type: a text called `depth`.
            Ok(figure) => selection.left_out.push(UnavailableFigure {
                name: figure.name,
                title: figure.title,
                missing: Vec::new(),
            }),
            Err(left_out) => selection.left_out.push(left_out),
        }
    }
    selection
}

/// How logs of a schema show that a move cut a node off, and which one: the definition shared by figures, the
/// viewer's library and the manual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuttingMove {
    /// The condition that a move ended the node by failing high.
    pub cutoff: String,
    /// The rank of that move, from 1, as the expression of a `let`: the number of different moves that the node
    /// searched. The cutting move is the last of them; moves searched again count once, null moves not at all.
    pub rank: String,
}

/// Returns the condition of a cut-off and the rank of the move that made it; `None` if the schema lacks the names.
///
/// ```
/// use gt_log::{Kind, Schema};
/// let schema = Schema::new([("beta", Kind::I32), ("best", Kind::I32)])?;
/// let cutting = gt_report::profile::cutting_move(&schema).unwrap();
/// assert_eq!(cutting.cutoff, "best >= beta and @children > 0");
/// assert_eq!(cutting.rank, "child: @children - count([]last_move = [<]last_move)");
/// # Ok::<(), gt_log::Error>(())
/// ```
#[must_use]
pub fn cutting_move(schema: &Schema) -> Option<CuttingMove> {
    let offer = Offer::of(schema);
    Some(CuttingMove { cutoff: offer.cutoff()?, rank: offer.moves_searched() })
}

fn binds(figure: &Figure, schema: &Schema) -> bool {
    compile(&figure.query(), &Environment::new(schema)).is_ok_and(|program| program.queries.len() == 1)
}
