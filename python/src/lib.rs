//! The extension module behind the Python package `gt_tools`.
//!
//! ```text
//! gt_tools (Python: helpers, types) ──▶ _gt_tools (this crate) ──▶ gt-log · gt-query · gt-convert · gt-games · gt-play · …
//! ```
//!
//! Logs, trees and answers are handles on what the libraries have; columns go out as Arrow, by the PyCapsule interface, and never
//! as Python objects. What may take long runs without the interpreter's lock, in a thread of its own, and ends at Ctrl-C.
//!
//! **Invariant:** this crate holds no logic of its own. No panic crosses into Python: what a library does on bad input is an
//! exception of a class of `error`, and a panic that is our mistake is one too.

mod answer;
mod arrow;
mod ask;
mod board;
mod chart;
mod check;
mod convert;
mod error;
mod fleet;
mod game;
mod handle;
mod html;
mod log;
mod metadata;
mod node;
mod parameters;
mod search;
mod tree;
mod values;
mod view;
mod work;
mod writer;

use pyo3::prelude::*;

/// What `import gt_tools` stands on.
#[pymodule]
fn _gt_tools(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(module)?;
    module.add_class::<log::Log>()?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<tree::Table>()?;
    module.add_class::<node::Node>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<answer::Ids>()?;
    module.add_class::<chart::Chart>()?;
    module.add_class::<check::CheckList>()?;
    module.add_class::<view::Viewer>()?;
    module.add_class::<game::Position>()?;
    module.add_class::<search::SearchResult>()?;
    module.add_class::<writer::LogWriter>()?;
    module.add_class::<writer::TreeWriter>()?;
    writer::register(module.py())?;
    module.add_class::<writer::OpenNode>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    module.add_function(wrap_pyfunction!(convert::from_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::query_many, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::expand, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::describe_many, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::partials, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::total, module)?)?;
    Ok(())
}
