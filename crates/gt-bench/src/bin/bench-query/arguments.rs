//! What the command line asks for.

use std::path::PathBuf;

use crate::trees::TREES;

/// A part of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Thesis,
    Forms,
    Manual,
}

pub(crate) struct Asked {
    /// The artificial trees, by their numbers in the thesis.
    pub(crate) trees: Vec<usize>,
    pub(crate) runs: usize,
    pub(crate) plots: Option<PathBuf>,
    pub(crate) duckdb: bool,
    pub(crate) fruit: bool,
    /// The smallest tree alone, each query once or twice.
    pub(crate) quick: bool,
    /// One part, and nothing else.
    pub(crate) only: Option<Part>,
    /// Only the forms whose text has this in it.
    pub(crate) form: Option<String>,
    /// The log of a thousand million nodes, and nothing else.
    pub(crate) billion: bool,
    /// Where the rates go, for a later run.
    pub(crate) save: Option<PathBuf>,
    /// The rates of an earlier run, to compare these with.
    pub(crate) against: Option<PathBuf>,
    /// A log and a query: answer it and tell the time and the memory of this process.
    pub(crate) alone: Option<(PathBuf, String)>,
}

impl Asked {
    pub(crate) fn from_arguments() -> Result<Self, String> {
        let mut asked = Self {
            trees: (1..=TREES.len()).collect(),
            runs: 5,
            plots: None,
            duckdb: true,
            fruit: true,
            quick: false,
            only: None,
            form: None,
            billion: false,
            save: None,
            against: None,
            alone: None,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
            match argument.as_str() {
                "--trees" => asked.trees = tree_numbers(&value()?)?,
                "--runs" => asked.runs = value()?.parse().map_err(|_| "--runs wants a number")?,
                "--plots" => asked.plots = Some(value()?.into()),
                "--without-duckdb" => asked.duckdb = false,
                "--without-fruit" => asked.fruit = false,
                "--quick" => asked.quick = true,
                "--thesis" => asked.only = Some(Part::Thesis),
                "--manual" => asked.only = Some(Part::Manual),
                "--form" => (asked.only, asked.form) = (Some(Part::Forms), Some(value()?)),
                "--billion" => asked.billion = true,
                "--save" => asked.save = Some(value()?.into()),
                "--against" => asked.against = Some(value()?.into()),
                "--alone" => asked.alone = Some((value()?.into(), value()?)),
                other => return Err(format!("{other} is not known; main.rs of bench-query lists what is")),
            }
        }
        if asked.quick {
            asked.trees = vec![TREES.len()];
            asked.runs = asked.runs.min(2);
        }
        Ok(asked)
    }
}

fn tree_numbers(text: &str) -> Result<Vec<usize>, String> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=TREES.len()).contains(number));
    let numbers: Option<Vec<usize>> = text.split(',').map(number).collect();
    numbers.ok_or_else(|| format!("--trees wants numbers from 1 to {}, with commas between", TREES.len()))
}
