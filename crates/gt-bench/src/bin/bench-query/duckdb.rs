//! The same queries by DuckDB.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use gt_log::{Column, Log};
use gt_query::{Answer, Environment, compile, engine};

use crate::measure::Measured;
use crate::{QUERIES, THREADS};

/// The same queries by DuckDB, on a table with a row for each node: how many times as fast these are.
pub(crate) fn against_duckdb(
    folder: &Path,
    log: &Log,
    measured: &mut Measured,
) -> Result<(), Box<dyn Error>> {
    let nodes = log.tree(0)?.nodes();
    let columns = folder.join("columns");
    std::fs::create_dir_all(&columns)?;
    write_columns(log, &columns)?;
    let output =
        Command::new("python3").arg("-c").arg(DUCKDB).arg(&columns).arg(THREADS.to_string()).output()?;
    std::fs::remove_dir_all(&columns)?;
    if !output.status.success() {
        println!(
            "  DuckDB is left out (`pip install duckdb numpy` brings it): {}",
            String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("")
        );
        return Ok(());
    }
    println!("  against DuckDB on the same tree:");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(matches), Some(seconds)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Ok(seconds) = seconds.parse::<f64>() else { continue };
        let Some(place) = QUERIES.iter().position(|query| query.0 == name) else { continue };
        let environment = Environment::new(log.schema());
        let program = compile(QUERIES[place].1, &environment).map_err(|errors| format!("{errors:?}"))?;
        let ours = engine::run(&program, log.tree(0)?, &engine::Options::default())?.answers;
        let agrees = matches!(&ours[0], Ok(Answer::Count(count)) if count.to_string() == matches);
        let times = seconds / measured.seconds[place];
        measured.of_duckdb.push((name.to_owned(), times));
        println!(
            "    {name:<7}{:>14.3e} nodes/s; this is {times:.1} × as fast{}",
            nodes as f64 / seconds,
            if agrees { "" } else { "; BUT THE ANSWERS DIFFER" }
        );
    }
    Ok(())
}

fn write_columns(log: &Log, folder: &Path) -> Result<(), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let mut sizes = Vec::new();
    let mut best = Vec::new();
    let mut kind = Vec::new();
    for (block, head) in tree.blocks().enumerate() {
        let rows = head.rows as usize;
        sizes.extend(tree.decode(block, Column::Size)?.widened(rows));
        best.extend(tree.decode(block, Column::Attribute(0))?.widened(rows));
        kind.extend(tree.decode(block, Column::Attribute(1))?.widened(rows));
    }
    let mut parents = vec![-1_i64; sizes.len()];
    let mut tops: Vec<usize> = Vec::new();
    for (row, size) in sizes.iter().enumerate() {
        let start = row as i64 + 1 - size;
        while let Some(child) = tops.pop_if(|top| *top as i64 >= start) {
            parents[child] = row as i64;
        }
        tops.push(row);
    }
    for (name, values) in [("size", &sizes), ("parent", &parents), ("best", &best), ("type", &kind)] {
        let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as i32).to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

const DUCKDB: &str = r#"
import sys, time
import duckdb, numpy
folder, threads = sys.argv[1], int(sys.argv[2])
columns = {name: numpy.fromfile(f"{folder}/{name}", dtype=numpy.int32) for name in ("size", "parent", "best", "type")}
columns["id"] = numpy.arange(len(columns["size"]), dtype=numpy.int32)
db = duckdb.connect()
db.execute(f"set threads = {threads}")
db.execute("set enable_progress_bar = false")
db.execute("create table t as select * from columns")
join = "select count(*) from (select p.id from t c join t p on c.parent = p.id where c.type = p.type{} group by p.id having count(*) > 0)"
queries = {
    "Q1": "select count(*) from t",
    "Q2": join.format(""),
    "Q3": "select count(*) from t where size - 1 > 300",
    "Q4": join.format(" and p.size - 1 > 300"),
    "Q5": "select count(*) from t where best = 0",
    "Q6": join.format(" and p.best = 0"),
    "Q7": "select count(*) from t where best = 0 and size - 1 > 300",
    "Q8": join.format(" and p.best = 0 and p.size - 1 > 300"),
    "below": """with s as (select id, size, best, sum(case when best = 0 then 1 else 0 end) over (order by id) as c from t)
        select count(*) from s a left join s b on b.id = a.id - a.size
        where a.c - (case when a.best = 0 then 1 else 0 end) - coalesce(b.c, 0) > 30""",
}
for name, sql in queries.items():
    best, count = 1e9, 0
    for _ in range(3):
        start = time.process_time()
        count = db.execute(sql).fetchone()[0]
        best = min(best, (time.process_time() - start) / threads)
    print(name, count, best)
"#;
