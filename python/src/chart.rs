//! Charts of a tree: gt-report's figures, as SVG.

use gt_log::Log;
use gt_query::engine::Options;
use gt_report::plot::{Size, svg};
use gt_report::profile::{figures_of, run};
use pyo3::prelude::*;

use crate::error::{self, QueryError};
use crate::work::interruptible;

/// A chart that is drawn.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Chart {
    name: String,
    title: String,
    meaning: String,
    query: String,
    svg: String,
}

/// The names of the charts that a log has.
pub(crate) fn names(log: &Log) -> PyResult<Vec<String>> {
    let selection = figures_of(log).map_err(|error| error::reading(&error))?;
    Ok(selection
        .figures
        .iter()
        .filter(|figure| figure.is_chart())
        .map(|figure| figure.name.clone())
        .collect())
}

impl Chart {
    pub(crate) fn of(
        py: Python<'_>,
        log: &Log,
        number: usize,
        name: &str,
        (width, height): (f64, f64),
    ) -> PyResult<Self> {
        let drawn = interruptible(py, |cancel| {
            let selection = figures_of(log).map_err(|error| error.to_string())?;
            let Some(figure) = selection.figure(name).filter(|figure| figure.is_chart()) else {
                let left_out = selection.left_out.iter().find(|left_out| left_out.name == name);
                return Err(left_out.map_or_else(
                    || format!("there is no chart `{name}`; `charts` names those of this log"),
                    ToString::to_string,
                ));
            };
            let tree = log.tree(number).map_err(|error| error.to_string())?;
            let options = Options { cancel: Some(cancel), ..Options::default() };
            let figures = [figure.clone()];
            let answered = run(&figures, tree, &options).map_err(|error| error.to_string())?;
            let chart = answered.first().and_then(|answered| answered.chart());
            let chart = chart.ok_or_else(|| format!("the chart `{name}` has no answer on this tree"))?;
            Ok(Self {
                name: figure.name.clone(),
                title: figure.title.clone(),
                meaning: figure.meaning.clone(),
                query: figure.query(),
                svg: svg(&chart, Size { width: clamped(width), height: clamped(height) }),
            })
        })?;
        drawn.map_err(QueryError::new_err)
    }
}

/// A length that a picture can have.
fn clamped(pixels: f64) -> f64 {
    if pixels.is_nan() { 320.0 } else { pixels.clamp(120.0, 10_000.0) }
}

#[pymethods]
impl Chart {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Its title.
    #[getter]
    fn title(&self) -> &str {
        &self.title
    }

    /// What it shows.
    #[getter]
    fn meaning(&self) -> &str {
        &self.meaning
    }

    /// The query behind it.
    #[getter]
    fn query(&self) -> &str {
        &self.query
    }

    /// The picture.
    #[getter]
    fn svg(&self) -> &str {
        &self.svg
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __repr__(&self) -> String {
        format!("<gt_tools.Chart {}: {}>", self.name, self.title)
    }
}
