//! Rows that are printed while they are found, and what they and groups may take in memory.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::folder::{Folder, without_seconds};

/// With `big.gtf`, 88,573 nodes.
fn big() -> Folder {
    let folder = Folder::new();
    folder.prints(&["gen", "--depth", "10", "--branching", "3", "--seed", "1", "-o", "big.gtf"]);
    folder
}

/// More rows than come at once, in every format the same and in the order of node_id.
#[test]
fn many_rows_are_the_same_in_every_format() {
    let folder = big();
    let query =
        |format: &str| folder.prints(&["query", "big.gtf", "select node_id, best", "--format", format]);
    let csv = query("csv");
    let rows: Vec<(u64, i64)> = csv
        .lines()
        .skip(1)
        .map(|line| {
            line.split_once(',').map(|(id, best)| (id.parse().unwrap(), best.parse().unwrap())).unwrap()
        })
        .collect();
    assert_eq!(rows.len(), 88_573);
    assert!(rows.iter().enumerate().all(|(place, (id, _))| place as u64 == *id));
    let json: serde_json::Value = serde_json::from_str(&query("json")).unwrap();
    let of_json = |row: &serde_json::Value| (row[0].as_u64().unwrap(), row[1].as_i64().unwrap());
    assert!(json["rows"].as_array().unwrap().iter().map(of_json).eq(rows.iter().copied()));
    assert_eq!(json["count"], rows.len());
    let table = query("table");
    let of_table = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        (cells[0].parse::<u64>().unwrap(), cells[1].parse::<i64>().unwrap())
    };
    assert!(table.lines().skip(1).take(rows.len()).map(of_table).eq(rows.iter().copied()));
    assert!(table.ends_with("\n88,573 rows\n"), "{}", &table[table.len() - 100..]);
    folder.prints(&["query", "big.gtf", "select node_id, best", "--format", "gti", "-o", "d"]);
    let file = folder.read("d/big-1.gti");
    assert_eq!(file.lines().skip(4).take(3).collect::<Vec<_>>(), ["rows:88573", "node_id\tbest", "0\t3"]);
    assert_eq!(file.lines().count(), 4 + 2 + rows.len());
}

/// Columns are as wide as the first rows need; a wider cell further down only moves what is right of it.
#[test]
fn a_table_takes_its_widths_from_the_first_rows() {
    let folder = big();
    let table = folder.prints(&["query", "big.gtf", "select @line, node_id"]);
    let lines: Vec<&str> = table.lines().collect();
    let widest = lines[1..4000].iter().map(|line| line.len()).max().unwrap();
    assert!(lines[..4000].iter().all(|line| line.ends_with(|c: char| c.is_ascii_digit() || c == 'd')));
    assert_eq!(lines[0].len(), widest, "{}", lines[0]);
    assert!(lines.iter().any(|line| line.ends_with(" 88572")));
}

/// Answers stand in the order of the queries, rows of each together, also where they are found in one pass.
#[test]
fn answers_stand_one_after_the_other() {
    let folder = big();
    let one = "node: @ply < 9 select node_id, best";
    let two = "node: count(best > 3)";
    let three = "node: @ply > 8 select @ply, @size, @line";
    for format in ["table", "csv", "json"] {
        let ask = |query: &str| folder.prints(&["query", "big.gtf", query, "--format", format]);
        let both = ask(&format!("{one}\n\n{two}\n\n{three}\n\nnode: best > 3 and best < 3 select best"));
        let mut place = 0;
        for query in [one, two, three] {
            // Alone an answer is not labelled; its last lines are the same.
            let alone = ask(query);
            let last = alone.lines().rev().nth(1).unwrap_or(&alone);
            let last = if format == "json" { alone.split(",\"seconds\"").next().unwrap() } else { last };
            let at =
                both[place..].find(last).unwrap_or_else(|| panic!("{format}: `{query}` is not in its place"));
            place += at;
        }
    }
    let csv = folder.prints(&[
        "query",
        "big.gtf",
        &format!("{two}\n\n{one} limit 1\n\n{one} limit 1"),
        "--format",
        "csv",
    ]);
    assert_eq!(
        csv,
        "log,tree,query,count\nbig.gtf,0,1,53143\n\nlog,tree,query,node_id,best\nbig.gtf,0,2,0,3\nbig.gtf,0,3,0,3\n"
    );
}

/// A query without an answer takes nothing from the others.
#[test]
fn an_overflow_leaves_the_other_rows() {
    let folder = Folder::with_log();
    let queries = "node: best > 0 select best * 9223372036854775807\n\nnode: best > 9 select best";
    let output = folder.gt(&["query", "t.gtf", "--tree", "0", queries, "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let out = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0]["error"].as_str().unwrap().contains("outside the 64-bit integers"), "{out}");
    assert_eq!(lines[1]["rows"].to_string(), "[[10],[20]]");
    let output = folder.gt(&["query", "t.gtf", "--tree", "0", queries, "--format", "csv", "-o", "out.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .ends_with("out.csv: it was not written, as a query has no answer\n")
    );
    assert!(!folder.path().join("out.csv").exists());
}

/// Who stops reading ends the query, without a word.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = big();
    for format in ["table", "csv", "json", "arrow"] {
        let mut command = folder.command(&["query", "big.gtf", "select node_id, @line", "--format", format]);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_until(b'\n', &mut Vec::new()).unwrap();
        drop(out);
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""), "{format}");
    }
}

#[test]
fn memory_is_bounded_and_the_bound_can_be_moved() {
    let folder = big();
    let ask = |query: &str, memory: &str| {
        folder.gt(&["query", "big.gtf", query, "--memory", memory, "--format", "csv"])
    };
    for (query, told) in [
        ("group by node_id select count(*)", " MiB and more; group by a coarser key, or"),
        ("select node_id order by best", " MiB and more; add `limit N` after it, or"),
    ] {
        let refused = ask(query, "1M");
        let errors = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && errors.contains(told), "{errors}");
        assert!(errors.contains("`gt query --memory SIZE`"), "{errors}");
        assert_eq!(String::from_utf8(ask(query, "1G").stdout).unwrap().lines().count(), 88_574);
    }
    assert!(ask("select node_id order by best limit 9", "1M").status.success());
    let errors = String::from_utf8(ask("node: *", "1 mouse").stderr).unwrap();
    assert!(errors.contains("it is no size"), "{errors}");
}

/// The same as on standard output, written beside its place and moved there.
#[test]
fn answers_go_into_a_file() {
    let folder = Folder::with_log();
    for (format, name) in [("csv", "o.csv"), ("json", "o.json"), ("table", "o.txt"), ("ids", "o.ids")] {
        let words = ["query", "t.gtf", "node: best > 5", "--format", format];
        let printed = folder.prints(&words);
        let told = folder.prints(&[&words[..], &["-o", name]].concat());
        let written = folder.read(name);
        assert_eq!(told, format!("{name}: {} bytes\n", written.len()));
        if format == "json" {
            assert_eq!(without_seconds(&written), without_seconds(&printed));
        } else {
            assert_eq!(written, printed, "{format}");
        }
    }
    let refused = folder.fails(&["query", "t.gtf", "node: *", "-o", "t.gtf"]);
    assert_eq!(refused, "gt: t.gtf: the output would replace the input; choose another name for `-o`\n");
    folder.write("q.gtql", "node: *");
    let refused = folder.fails(&["query", "t.gtf", "-f", "q.gtql", "-o", "q.gtql"]);
    assert!(refused.contains("would replace the input"), "{refused}");
}
