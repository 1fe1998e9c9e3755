//! `/api/charts` and `/api/chart`: gt-report's figures of this tree, drawn by the page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use gt_log::Tree;
use gt_query::engine::Options;
use gt_report::profile::{Error, Figure, Selection, Shape, distribution, figures_for, figures_of, run};
use gt_report::{Chart, ChartKind};
use serde::Serialize;

use crate::error::{Answer, Kind, Refusal};
use crate::logs::Opened;
use crate::work::Cancel;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChartList {
    charts: Vec<ChartInfo>,
    attributes: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ChartInfo {
    name: String,
    title: String,
    meaning: String,
    query: String,
    kind: ChartKind,
}

/// A chart of a tree.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChartAnswer {
    #[serde(flatten)]
    chart: Chart,
    generation: u64,
    /// How long it took.
    seconds: f64,
}

/// The figures of a log; where a part of it that would tell whether nodes were left out is damaged, those of its schema,
/// whose charts then report the damage.
pub(super) fn figures(opened: &Opened) -> Selection {
    figures_of(&opened.log).unwrap_or_else(|_| figures_for(opened.log.schema()))
}

pub(crate) fn charts(opened: &Opened, tree: Tree<'_>) -> ChartList {
    let entry = |figure: Figure| match &figure.shape {
        Shape::Chart { kind, .. } => Some(ChartInfo {
            kind: *kind,
            query: figure.query(),
            name: figure.name,
            title: figure.title,
            meaning: figure.meaning,
        }),
        _ => None,
    };
    let attributes = tree.schema().attributes().iter();
    ChartList {
        charts: figures(opened).figures.into_iter().filter_map(entry).collect(),
        attributes: attributes
            .filter(|attribute| distribution(tree, &attribute.name).is_some())
            .map(|attribute| attribute.name.clone())
            .collect(),
    }
}

/// ChartList that were made: a tree and a name.
#[derive(Default)]
pub(crate) struct ChartCache(Mutex<HashMap<(u64, usize, String), Arc<ChartAnswer>>>);

/// The maximum number of charts that are kept.
const MADE_MAX: usize = 64;

impl ChartCache {
    /// The chart of this name; `attribute` is for `distribution`.
    pub(crate) fn chart(
        &self,
        opened: &Opened,
        tree: Tree<'_>,
        name: &str,
        attribute: Option<&str>,
        cancel: &Cancel,
    ) -> Answer<Arc<ChartAnswer>> {
        let figure = figure(opened, tree, name, attribute)?;
        let key = (opened.number, tree.number(), figure.name.clone());
        if let Some(made) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(answer(opened, tree, figure, cancel)?);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MADE_MAX {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&made));
        Ok(made)
    }
}

fn figure(opened: &Opened, tree: Tree<'_>, name: &str, attribute: Option<&str>) -> Answer<Figure> {
    let shown = |text: &str| text.chars().take(60).collect::<String>().escape_debug().to_string();
    if name == "distribution" {
        let attribute =
            attribute.ok_or_else(|| Refusal::bad("attribute", "of which attribute? `attribute` says"))?;
        return distribution(tree, attribute).ok_or_else(|| {
            let sentence = format!("there is no distribution of `{}`: it is no attribute of this log, or its numbers are too large", shown(attribute));
            Refusal::missing("attribute", sentence)
        });
    }
    if attribute.is_some() {
        return Err(Refusal::bad("attribute", "`attribute` goes with `name=distribution` only"));
    }
    let selection = figures(opened);
    let found = selection.figures.into_iter().find(|figure| figure.name == name && figure.is_chart());
    found.ok_or_else(|| match selection.left_out.iter().find(|left_out| left_out.name == name) {
        Some(left_out) => Refusal::missing("name", left_out.to_string()),
        None => {
            Refusal::missing("name", format!("there is no chart `{}`; /api/charts lists them", shown(name)))
        }
    })
}

fn answer(opened: &Opened, tree: Tree<'_>, figure: Figure, cancel: &Cancel) -> Answer<ChartAnswer> {
    let started = Instant::now();
    let figures = [figure];
    let options = Options { cancel: Some(cancel.flag()), ..Options::default() };
    let answered = run(&figures, tree, &options).map_err(|error| match error {
        Error::Engine(failure) => Refusal::from(failure),
        Error::Unbound(_) => Refusal::new(Kind::Conflict, "the chart's query does not fit this log"),
    })?;
    let Some(answered) = answered.first() else {
        return Err(Refusal::new(Kind::Conflict, "the chart's query has no answer"));
    };
    if let Err(error) = &answered.answer {
        return Err(Refusal::new(Kind::Conflict, error.to_string()));
    }
    let Some(chart) = answered.chart() else {
        return Err(Refusal::new(Kind::Conflict, "the figure is no chart"));
    };
    Ok(ChartAnswer { chart, generation: opened.generation, seconds: started.elapsed().as_secs_f64() })
}
