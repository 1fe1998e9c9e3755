//! The forms on one tree, beside DuckDB.

use std::error::Error;
use std::path::Path;

use gt_log::Log;
use gt_query::{Answer, Environment, Program, compile, engine};

use crate::THREADS;
use crate::agreement::difference;
use crate::arguments::Asked;
use crate::duckdb::{DuckAnswer, DuckDb, LIMIT_SECONDS};
use crate::forms::{Form, Line, forms};
use crate::timing::{measure, options};
use crate::trees::FormTree;

/// What a form took on one tree.
pub(crate) struct FormRate {
    pub(crate) tree: String,
    pub(crate) line: Line,
    pub(crate) gtql: String,
    /// Nodes per second; `None` if the engine gives no answer.
    pub(crate) rate: Option<f64>,
    /// How many times as fast as DuckDB; `None` if that was not asked or did not finish.
    pub(crate) of_duckdb: Option<f64>,
    /// Whether DuckDB gave another answer.
    pub(crate) differs: bool,
}

/// Measures and prints all forms that were asked for on one tree.
pub(crate) fn measure_forms(
    folder: &Path,
    tree: &FormTree,
    asked: &Asked,
) -> Result<Vec<FormRate>, Box<dyn Error>> {
    let log = Log::open(&tree.path)?;
    let nodes = log.tree(0)?.nodes();
    let joins = if tree.joins { "" } else { "; too large for DuckDB to join" };
    println!("\nForms on {}, {nodes} nodes{joins}", tree.name);
    let forms = forms(asked.form.as_deref().unwrap_or_default());
    if forms.is_empty() {
        return Err("no form has this text".into());
    }
    let needs_duckdb = asked.duckdb && forms.iter().any(|form| tree.joins || form.line.is_scan());
    let mut duckdb = if needs_duckdb { DuckDb::start(folder, log.tree(0)?, tree.joins)? } else { None };
    let mut rates = Vec::new();
    for form in forms {
        let duckdb = duckdb.as_mut().filter(|_| tree.joins || form.line.is_scan());
        rates.push(measure_form(&log, &tree.name, form, duckdb, asked.runs)?);
    }
    Ok(rates)
}

fn measure_form(
    log: &Log,
    tree: &str,
    form: Form,
    duckdb: Option<&mut DuckDb>,
    runs: usize,
) -> Result<FormRate, Box<dyn Error>> {
    let Form { line, gtql, sql } = form;
    let mut found =
        FormRate { tree: tree.to_owned(), line, gtql, rate: None, of_duckdb: None, differs: false };
    let nodes = log.tree(0)?.nodes() as f64;
    let asked = duckdb.map(|duckdb| duckdb.ask(&sql, runs)).transpose()?;
    let (program, answer) = match answered(log, &found.gtql)? {
        Ok(answered) => answered,
        Err(reason) => {
            let theirs = match asked {
                Some(DuckAnswer::Rows(theirs, _)) => format!("; DuckDB {:.2e} nodes/s", nodes / theirs),
                Some(DuckAnswer::Stopped) | None => String::new(),
            };
            println!("  {:<100} not answered: {reason}{theirs}", found.gtql);
            return Ok(found);
        }
    };
    let (seconds, _) = measure(&program, log, runs)?;
    found.rate = Some(nodes / seconds);
    let against = match asked {
        None => String::new(),
        Some(DuckAnswer::Stopped) => format!("DuckDB did not finish in {LIMIT_SECONDS} s"),
        Some(DuckAnswer::Rows(theirs, rows)) => {
            let times = theirs / seconds;
            found.of_duckdb = Some(times);
            let differs = difference(&answer, &rows);
            found.differs = differs.is_some();
            let differs = differs.map_or(String::new(), |what| format!("   THE ANSWERS DIFFER: {what}"));
            format!("{times:>9.2} × DuckDB{differs}")
        }
    };
    println!("  {:<100}{:>10.2e} nodes/s {against}", found.gtql, nodes / seconds);
    Ok(found)
}

/// The program of a form and its answer, or why there is none: the language may not have the form yet.
fn answered(log: &Log, gtql: &str) -> Result<Result<(Program, Answer), String>, Box<dyn Error>> {
    let program = match compile(gtql, &Environment::new(log.schema())) {
        Ok(program) => program,
        Err(errors) => return Ok(Err(errors.first().map_or(String::new(), ToString::to_string))),
    };
    let outcome = match engine::run(&program, log.tree(0)?, &options(THREADS)) {
        Err(refused @ engine::Failure::TooLarge { .. }) => return Ok(Err(refused.to_string())),
        outcome => outcome?,
    };
    Ok(match outcome.answers.into_iter().next() {
        Some(Ok(answer)) => Ok((program, answer)),
        Some(Err(error)) => Err(format!("{error:?}")),
        None => Err("it is no query".to_owned()),
    })
}
