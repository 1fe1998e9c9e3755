//! The queries of the thesis's section 5.1, and three that count and fold: as GTQL, and as SQL (see [`crate::forms`]).

use std::error::Error;
use std::path::Path;

use gt_log::Log;
use gt_query::engine;

use crate::THREADS;
use crate::agreement::difference;
use crate::duckdb::{DuckAnswer, DuckDb};
use crate::measure::Measured;
use crate::timing::{compiled, options};

pub(crate) struct Query {
    pub(crate) name: &'static str,
    pub(crate) gtql: &'static str,
    /// `None` if DuckDB is not asked.
    sql: Option<&'static str>,
}

const fn query(name: &'static str, gtql: &'static str, sql: &'static str) -> Query {
    Query { name, gtql, sql: Some(sql) }
}

pub(crate) const QUERIES: [Query; 11] = [
    query("Q1", "node:count(*)", "select count(*) from t"),
    query(
        "Q2",
        "node:count(*); child:count(type=[]type)>0",
        "select count(*) from (select p.node_id from t c join t p on c.parent_id = p.node_id where c.type = p.type
            group by p.node_id having count(*) > 0)",
    ),
    query("Q3", "node:count(*); subtree:count(*)>300", "select count(*) from t where size - 1 > 300"),
    query(
        "Q4",
        "node:count(*); child:count(type=[]type)>0; subtree:count(*)>300",
        "select count(*) from (select p.node_id from t c join t p on c.parent_id = p.node_id where c.type = p.type
            and p.size - 1 > 300 group by p.node_id having count(*) > 0)",
    ),
    query("Q5", "node:count(best=0)", "select count(*) from t where best = 0"),
    query(
        "Q6",
        "node:count(best=0); child:count(type=[]type)>0",
        "select count(*) from (select p.node_id from t c join t p on c.parent_id = p.node_id where c.type = p.type
            and p.best = 0 group by p.node_id having count(*) > 0)",
    ),
    query(
        "Q7",
        "node:count(best=0); subtree:count(*)>300",
        "select count(*) from t where best = 0 and size - 1 > 300",
    ),
    query(
        "Q8",
        "node:count(best=0); child:count(type=[]type)>0; subtree:count(*)>300",
        "select count(*) from (select p.node_id from t c join t p on c.parent_id = p.node_id where c.type = p.type
            and p.best = 0 and p.size - 1 > 300 group by p.node_id having count(*) > 0)",
    ),
    query(
        "below",
        "node:count(*); subtree:count(best=0)>30",
        "with s as (select node_id, size, sum(case when best = 0 then 1 else 0 end) over (order by node_id) as c from t)
         select count(*) from s a join s b on b.node_id = a.node_id + a.size - 1 where b.c - a.c > 30",
    ),
    Query { name: "max", gtql: "node:count(*); subtree:max(best)>8", sql: None },
    Query { name: "path", gtql: "node:count(*); path:count(best=0)>2", sql: None },
];

/// Prints how many times as fast as DuckDB the queries are on one tree, and keeps it; gives the number of answers that
/// differ.
pub(crate) fn against_duckdb(
    folder: &Path,
    log: &Log,
    measured: &mut Measured,
    runs: usize,
) -> Result<usize, Box<dyn Error>> {
    let tree = log.tree(0)?;
    let Some(mut duckdb) = DuckDb::start(folder, tree, true)? else { return Ok(0) };
    println!("  against DuckDB on the same tree:");
    let mut different = 0;
    for (place, query) in QUERIES.iter().enumerate() {
        let Some(sql) = query.sql else { continue };
        let DuckAnswer::Rows(seconds, rows) = duckdb.ask(sql, runs.min(3))? else {
            println!("    {:<7} DuckDB did not finish", query.name);
            continue;
        };
        let outcome = engine::run(&compiled(query.gtql, log)?, tree, &options(THREADS))?;
        let differs = match &outcome.answers[..] {
            [Ok(answer)] => difference(answer, &rows),
            other => Some(format!("{other:?} here")),
        };
        different += usize::from(differs.is_some());
        let times = seconds / measured.seconds[place];
        measured.of_duckdb.push((query.name, times));
        println!(
            "    {:<7}{:>14.3e} nodes/s; this is {times:.1} × as fast{}",
            query.name,
            tree.nodes() as f64 / seconds,
            differs.map_or(String::new(), |what| format!("   THE ANSWERS DIFFER: {what}"))
        );
    }
    Ok(different)
}
