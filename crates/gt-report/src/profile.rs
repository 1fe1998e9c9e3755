//! The figures of a profile: where a search's nodes went, as GTQL.
//!
//! ```text
//! Schema ──offer──▶ what the log's names allow ──figures──▶ Figure (GTQL text, how to read its rows)
//!                                                    └────▶ LeftOut (the name that is missing)
//! figures + Tree ──run──▶ one pass of gt-query's engine ──▶ Answer ──▶ Chart, Table or number
//! ```
//!
//! One table of figures serves `gt profile`, the viewer's charts and the demo.
//!
//! **Invariant:** a figure that is offered binds to the schema it was made for. No figure is computed beside GTQL; what is
//! derived from answers (shares, the minimal tree) is arithmetic that its meaning states.

mod charts;
mod distribution;
mod facts;
mod figure;
mod iterations;
mod minimal_tree;
mod numbers;
mod offer;
mod report;
mod run;
mod tables;
mod words;

pub use distribution::{distribution, distributions};
pub use figure::{Figure, LeftOut, Reading, Shape};
pub use minimal_tree::{MinimalPly, minimal_tree};
pub use report::{Profile, main_tree};
pub use run::{Answered, Error, charts, query_file, run};

use gt_log::Schema;
use gt_query::{Environment, compile};

use offer::Offer;

/// What can be told of trees with some schema.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The figures, in the order of a report.
    pub figures: Vec<Figure>,
    /// What cannot be told, and why.
    pub left_out: Vec<LeftOut>,
}

impl Selection {
    /// The figure with this name.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }
}

/// The figures that logs with this schema have, and those that they lack the names for.
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
    let offer = Offer::of(schema);
    let mut selection = Selection::default();
    let all = numbers::all(&offer).into_iter().chain(charts::all(&offer)).chain(tables::all(&offer));
    for figure in all {
        match figure {
            Ok(figure) if binds(&figure, schema) => selection.figures.push(figure),
            // A name is there, but as something else: a text called `depth`.
            Ok(figure) => selection.left_out.push(LeftOut {
                name: figure.name,
                title: figure.title,
                missing: Vec::new(),
            }),
            Err(left_out) => selection.left_out.push(left_out),
        }
    }
    selection
}

fn binds(figure: &Figure, schema: &Schema) -> bool {
    compile(&figure.query(), &Environment::new(schema)).is_ok_and(|program| program.queries.len() == 1)
}
