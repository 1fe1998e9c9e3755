//! The queries that the manual shows, on a real tree: none is much slower than a plain count.
//!
//! Queries stand in two kinds of blocks: `gtql`, where they lie between `====` and `----`, and `console`, where they
//! are in quotes after `gt query`. Those that name attributes of other logs are left out, and counted.

use std::error::Error;
use std::path::Path;

use gt_games::GameKind;
use gt_log::Log;
use gt_query::{Environment, MoveCodec, Program, compile, engine};

use crate::timing::{best_of, compiled, measure, options, timed};
use crate::{QUERIES, THREADS};

/// Above this, an example mostly prints: its rows are counted, not made.
const ROWS_MAX: u64 = 100_000;

/// A query of the manual.
struct Example {
    text: String,
    /// What `--param` gives it.
    parameters: Vec<(String, String)>,
}

/// The slowest example: how many times as long as the fastest count it takes, and its text.
pub(crate) struct Slowest {
    pub(crate) ratio: f64,
    pub(crate) text: String,
}

/// Measures every example of the manual that fits the log, and prints the five slowest.
pub(crate) fn measure_manual(log: &Log, name: &str, runs: usize) -> Result<Option<Slowest>, Box<dyn Error>> {
    let examples = examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs"))?;
    let mut count = (f64::INFINITY, "");
    // The index answers Q1.
    for query in &QUERIES[1..8] {
        let (seconds, _) = measure(&compiled(query.gtql, log)?, log, runs)?;
        if seconds < count.0 {
            count = (seconds, query.name);
        }
    }
    let mut measured = Vec::new();
    for example in &examples {
        if let Some(program) = fitting(example, log)? {
            measured.push((example_seconds(&program, log, runs)? / count.0, &example.text));
        }
    }
    println!(
        "\n{} of {} example queries of the manual fit {name}; the slowest, in times of the fastest count, {} ({:.2e} nodes/s)",
        measured.len(),
        examples.len(),
        count.1,
        log.tree(0)?.nodes() as f64 / count.0
    );
    measured.sort_by(|left, right| right.0.total_cmp(&left.0));
    for (ratio, text) in measured.iter().take(5) {
        println!("  {ratio:>10.1} ×  {}", on_one_line(text));
    }
    Ok(measured.first().map(|(ratio, text)| Slowest { ratio: *ratio, text: on_one_line(text) }))
}

/// The example's program, where it fits the log and has an answer there.
fn fitting(example: &Example, log: &Log) -> Result<Option<Program>, Box<dyn Error>> {
    let tree = log.tree(0)?;
    let mut environment = Environment::new(log.schema()).with_moves(&ChessMoves);
    for (name, value) in &example.parameters {
        environment = environment.with_parameter_text(name, value);
    }
    for (name, value) in tree.metadata().iter() {
        environment = environment.with_parameter_text(name, value);
    }
    let Ok(program) = compile(&example.text, &environment) else { return Ok(None) };
    let counted = engine::Options { count_only: true, ..options(THREADS) };
    let findings = engine::find(&program, tree, &counted)?;
    Ok(findings.found.iter().all(Result::is_ok).then_some(program))
}

fn example_seconds(program: &Program, log: &Log, runs: usize) -> Result<f64, Box<dyn Error>> {
    let tree = log.tree(0)?;
    let counted = engine::Options { count_only: true, ..options(THREADS) };
    let rows = engine::find(program, tree, &counted)?.stats.matches.into_iter().max().unwrap_or(0);
    let options = engine::Options { count_only: rows > ROWS_MAX, ..options(THREADS) };
    Ok(best_of(runs, || timed(|| engine::find(program, tree, &options).map(drop)))?)
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct ChessMoves;

impl MoveCodec for ChessMoves {
    fn number(&self, text: &str) -> Option<i64> {
        GameKind::Chess.move_code(text)
    }
    fn text(&self, number: i64) -> Option<String> {
        GameKind::Chess.move_text(number)
    }
}

fn examples(folder: &Path) -> Result<Vec<Example>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let mut found: Vec<Example> = Vec::new();
    for path in paths {
        let page = std::fs::read_to_string(path)?;
        // Outside of blocks, inside, outside, …
        for block in page.split("\n```").skip(1).step_by(2) {
            match block.split_once('\n') {
                Some(("gtql", body)) => found.extend(in_gtql(body)),
                Some(("console", body)) => found.extend(in_console(body)),
                Some(_) | None => {}
            }
        }
    }
    let mut known = std::collections::HashSet::new();
    found.retain(|example| known.insert(example.text.clone()));
    Ok(found)
}

fn in_gtql(body: &str) -> impl Iterator<Item = Example> {
    let queries = body.split("\n====\n").skip(1).filter_map(|part| part.split_once("\n----"));
    queries.map(|(query, _)| Example { text: query.trim().to_owned(), parameters: Vec::new() })
}

fn in_console(body: &str) -> impl Iterator<Item = Example> {
    body.split("$ gt query ").skip(1).filter_map(|command| {
        // Outside of quotes, inside, outside, …
        let mut pieces = command.split('\'');
        let mut before = pieces.next()?;
        let mut query = None;
        let mut parameters = Vec::new();
        while let Some(quoted) = pieces.next() {
            match before.trim_end().ends_with("--param") {
                true => parameters.extend(quoted.split_once('=')),
                false => query = query.or(Some(quoted)),
            }
            before = pieces.next().unwrap_or_default();
            let given = before.lines().next().unwrap_or_default().split("--param ").skip(1);
            let words = given.filter_map(|given| given.split_whitespace().next());
            parameters.extend(words.filter_map(|word| word.split_once('=')));
            // The command ends with its line; what follows is its output.
            if before.contains('\n') {
                break;
            }
        }
        let owned = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Some(Example { text: query?.trim().to_owned(), parameters: owned.collect() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_stand_between_their_marks() {
        let body = "start best=1\n====\nnode: best = 1\n----\nnodes 0\n====\n# two\nnode: *\n----\nnodes 0\n";
        let texts: Vec<String> = in_gtql(body).map(|example| example.text).collect();
        assert_eq!(texts, ["node: best = 1", "# two\nnode: *"]);
    }

    #[test]
    fn queries_are_quoted_and_parameters_are_not_queries() {
        let body = "$ gt query a.gtf --count 'node: @ply = $p' --param p=1 --param m=d\n1\n$ gt info a.gtf\nit's\n\
                    $ gt query a.gtf --param 'p=\"2\"' '\n  node: *\n  limit 2'\nnot 'this'\n";
        let found: Vec<Example> = in_console(body).collect();
        assert_eq!(found[0].text, "node: @ply = $p");
        assert_eq!(found[0].parameters, [("p".into(), "1".into()), ("m".into(), "d".into())]);
        assert_eq!(found[1].text, "node: *\n  limit 2");
        assert_eq!(found[1].parameters, [("p".into(), "\"2\"".into())]);
        assert_eq!(found.len(), 2);
    }
}
