//! Asks every tree of a log a query.
//!
//! ```text
//! cargo run --package gt-query --example ask -- chess.gtf 'node: depth > 3; child: count(*) = 1'
//! ```

use std::error::Error;
use std::process::ExitCode;

use gt_log::Log;
use gt_query::{Answer, Environment, compile, engine, render_all};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, query] = &arguments[..] else {
        eprintln!("usage: ask LOG QUERY");
        return Ok(ExitCode::from(2));
    };
    let log = Log::open(path)?;
    for tree in log.trees() {
        let program = match compile(query, &Environment::new(tree.schema())) {
            Ok(program) => program,
            Err(errors) => {
                eprint!("{}", render_all(&errors, "query", query));
                return Ok(ExitCode::from(2));
            }
        };
        let outcome = engine::run(&program, tree, &engine::Options::default())?;
        for answer in outcome.answers {
            match answer? {
                Answer::Nodes(nodes) => {
                    println!("{} nodes, the first: {:?}", nodes.len(), &nodes[..nodes.len().min(10)])
                }
                Answer::Count(count) => println!("{count} nodes"),
                Answer::Value(value) => println!("{value:?}"),
                Answer::Rows { columns, rows } => {
                    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
                    println!("{} rows of {}", rows.len(), names.join(", "));
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
