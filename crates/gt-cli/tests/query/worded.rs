//! Values as people write them: decided ones as mates, moves as players write them down.

use crate::folder::Folder;

/// A chess log whose values count wins from 32,000 on: a mate in two, found below the root's second move.
fn with_mates() -> Folder {
    let folder = Folder::with_log();
    // 1. Ra6, and 1. Rb6 Kg7 2. Raa6. What the values say of the position is not so.
    let nodes = "node_id,parent_id,last_move,best,depth\n\
                 0,-1,0,31997,3\n\
                 1,0,2560,-120,2\n\
                 2,0,2625,-31997,2\n\
                 3,2,3511,31997,1\n\
                 4,3,2560,-31997,0\n";
    folder.write("mates.csv", nodes);
    let position = "position=8/7k/8/8/8/8/8/RR4K1 w - - 0 1";
    let import = [
        "import",
        "mates.csv",
        "-o",
        "mates.gtf",
        "--game",
        "chess",
        "--meta",
        "win=32000",
        "--meta",
        position,
    ];
    folder.gt(&import);
    folder
}

fn asks(folder: &Folder, query: &str, more: &[&str]) -> String {
    folder.prints(&[&["query", "mates.gtf", query][..], more].concat())
}

#[test]
fn a_decided_value_is_a_mate_counted_from_its_node() {
    let folder = with_mates();
    let query = "let least = child: min([]best) node: * select node_id, best, depth, [^]best, least";
    assert_eq!(
        asks(&folder, query, &["--format", "csv"]),
        "node_id,best,depth,[^]best,least\n\
         0,mate in 2,3,,mated in 1\n\
         1,-120,2,mate in 2,\n\
         2,mated in 1,2,mate in 2,mate in 1\n\
         3,mate in 1,1,mated in 1,mated\n\
         4,mated,0,mate in 1,\n"
    );
    let table = asks(&folder, "node: node_id < 3 select best", &[]);
    assert_eq!(table, "      best\n mate in 2\n      -120\nmated in 1\n3 rows\n");
    let kept = "let value = best node: node_id = 3 select value, [^]value, best + 1";
    assert_eq!(
        asks(&folder, kept, &["--format", "csv"]),
        "value,[^]value,best + 1\nmate in 1,mated in 1,31998\n"
    );
    let (_, told, _) = folder.reads(&["repl", "mates.gtf"], "node: node_id = 2 select best\n");
    assert_eq!(told, "      best\nmated in 1\n1 row\n");
}

#[test]
fn raw_values_and_values_for_programs_are_numbers() {
    let folder = with_mates();
    let query = "node: node_id = 2 select node_id, best";
    assert_eq!(asks(&folder, query, &["--raw"]), "node_id    best\n      2  -31997\n1 row\n");
    assert_eq!(asks(&folder, query, &["--raw", "--format", "csv"]), "node_id,best\n2,-31997\n");
    assert!(asks(&folder, query, &["--format", "json"]).contains("\"rows\":[[2,-31997]]"));
    folder.prints(&["query", "mates.gtf", query, "--format", "gti", "-o", "results"]);
    assert!(folder.read("results/mates-1.gti").ends_with("2\t-31997\n"));
}

/// A value of many nodes is a mate only if all of them are at one ply.
#[test]
fn a_value_of_a_group_is_a_mate_if_its_ply_is_known() {
    let folder = with_mates();
    let by_ply = "node: @ply > 0 group by @ply select @ply, max(best), count(*)";
    assert_eq!(
        asks(&folder, by_ply, &["--format", "csv"]),
        "@ply,max(best),count(*)\n1,-120,2\n2,mate in 1,1\n3,mated,1\n"
    );
    let by_value = "node: @ply = 2 group by best select best, count(*)";
    assert_eq!(asks(&folder, by_value, &["--format", "csv"]), "best,count(*)\n31997,1\n");
    assert_eq!(asks(&folder, "node: max(best)", &[]), "31997\n");
    let below = "let most = subtree: max(best) node: node_id = 0 select best, most";
    assert_eq!(asks(&folder, below, &["--format", "csv"]), "best,most\nmate in 2,31997\n");
}

/// Names of one's own stand for the value too.
#[test]
fn a_value_under_another_name_is_one() {
    let folder = with_mates();
    let query = "node: node_id = 0 select depth";
    folder.write("own.csv", "node_id,parent_id,last_move,result,window\n0,-1,0,31997,31997\n");
    folder.gt(&["import", "own.csv", "-o", "own.gtf", "--game", "go", "--meta", "win=32000"]);
    let query_own = "node: * select result, window";
    let told = |map: &[&str]| {
        folder.prints(&[&["query", "own.gtf", query_own, "--format", "csv"][..], map].concat())
    };
    assert_eq!(told(&[]), "result,window\n31997,31997\n");
    assert_eq!(told(&["--map", "best=result"]), "result,window\nwon in 3 plies,31997\n");
    assert_eq!(asks(&folder, query, &["--format", "csv"]), "depth\n3\n");
}

#[test]
fn moves_are_written_down_as_players_do() {
    let folder = with_mates();
    let san = ["--moves", "san", "--format", "csv"];
    assert_eq!(
        asks(&folder, "node: * select node_id, last_move, @line, [^]last_move, [0]last_move", &san),
        "node_id,last_move,@line,[^]last_move,[0]last_move\n\
         0,root,\"\",,Ra6\n\
         1,Ra6,Ra6,root,\n\
         2,Rb6,Rb6,root,Kg7\n\
         3,Kg7,Rb6 Kg7,Rb6,Raa6\n\
         4,Raa6,Rb6 Kg7 Raa6,Kg7,\n"
    );
    // In any order, and without the line.
    let ordered = "node: @ply > 0 select last_move order by node_id desc limit 3";
    assert_eq!(asks(&folder, ordered, &san), "last_move\nRaa6\nKg7\nRb6\n");
    assert_eq!(
        asks(&folder, ordered, &["--moves", "text", "--format", "csv"]),
        "last_move\na1a6\nh7g7\nb1b6\n"
    );
    let json =
        asks(&folder, "node: node_id = 3 select last_move, @line", &["--moves", "san", "--format", "json"]);
    assert!(json.contains("\"rows\":[[\"Kg7\",[\"Rb6\",\"Kg7\"]]]"), "{json}");
    // A group is of no single position.
    let grouped = "node: @ply = 3 group by last_move select last_move, count(*)";
    assert_eq!(asks(&folder, grouped, &san), "last_move,count(*)\na1a6,1\n");
    let (_, told, _) =
        folder.reads(&["repl", "mates.gtf"], ".moves san\nnode: node_id = 4 select last_move\n");
    assert_eq!(told, "last_move\nRaa6\n1 row\n");
}

#[test]
fn dump_writes_moves_as_asked() {
    let folder = with_mates();
    let dump = |moves: &str| folder.prints(&["dump", "mates.gtf", "--node", "3", "--moves", moves]);
    assert_eq!(
        dump("san"),
        "line: Rb6 Kg7\n3 Kg7 size=2 best=mate in 1 depth=1\n  4 Raa6 size=1 best=mated depth=0\n"
    );
    // From the root, too, each move is written after those that lead to it.
    let whole = folder.prints(&["dump", "mates.gtf", "--moves", "san"]);
    let second = |line: &str| line.trim_start().split(' ').nth(1).unwrap().to_owned();
    assert_eq!(whole.lines().map(second).collect::<Vec<_>>(), ["root", "Ra6", "Rb6", "Kg7", "Raa6"]);
    assert!(dump("text").starts_with("line: b1b6 h7g7\n3 h7g7 "));
    assert!(dump("number").starts_with("line: 2625 3511\n3 3511 "));
}

/// A value has in `gt dump` the words that it has in a table of `gt query`.
#[test]
fn dump_writes_values_as_a_query_does() {
    let folder = with_mates();
    let search = ["search", "connect-four", "--depth", "5", "--log", "four.gtf"];
    assert!(folder.gt(&search).status.success());
    for log in ["mates.gtf", "four.gtf"] {
        for raw in [&[][..], &["--raw"]] {
            let dumped = folder.prints(&[&["dump", log, "--tree", "last", "--limit", "0"], raw].concat());
            let names: Vec<&str> = ["best", "type", "ended"]
                .into_iter()
                .filter(|name| dumped.contains(&format!(" {name}=")))
                .collect();
            let query = format!("node: * select {} order by node_id", names.join(", "));
            let asked = ["query", log, "--tree", "last", &query, "--format", "csv"];
            let rows = folder.prints(&[&asked, raw].concat());
            assert_eq!(dumped.lines().count() + 1, rows.lines().count());
            for (line, row) in dumped.lines().zip(rows.lines().skip(1)) {
                for (name, value) in names.iter().zip(row.split(',')) {
                    assert!(
                        format!("{line} ").contains(&format!(" {name}={value} ")),
                        "{line}: {name}, {row}"
                    );
                }
            }
        }
    }
    let dump = |more: &[&str]| folder.prints(&[&["dump", "four.gtf", "--limit", "2"], more].concat());
    assert!(dump(&[]).contains(" ended=Searched"), "{}", dump(&[]));
    let raw = dump(&["--raw"]);
    assert!(raw.contains(" ended=0") && !raw.contains("Node"), "{raw}");
    // `--raw` is of moves as well, unless something is said of them.
    let first = |more: &[&str]| dump(more).lines().nth(1).unwrap().split(' ').nth(3).unwrap().to_owned();
    assert!(first(&["--raw"]).parse::<i64>().is_ok());
    assert_eq!(first(&["--raw", "--moves", "text"]), first(&[]));
    assert!(first(&[]).parse::<i64>().is_err());
}

/// Without its position, a chess log's moves are their squares, and a note says why.
#[test]
fn moves_without_a_position_are_their_squares() {
    let folder = with_mates();
    folder.gt(&["import", "mates.csv", "-o", "nowhere.gtf", "--game", "chess"]);
    let output = folder.gt(&["query", "nowhere.gtf", "node: node_id = 1 select last_move", "--moves", "san"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "last_move\na1a6\n1 row\n");
    let note = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        note.contains("nowhere.gtf, tree 0: moves are printed as their squares: ")
            && note.contains("`position`"),
        "{note}"
    );
    // Other commands say the same.
    for command in [&["dump"][..], &["why"], &["profile"], &["export", "-o", "graph.dot"]] {
        let output = folder.gt(&[command, &["nowhere.gtf", "--moves", "san"]].concat());
        assert_eq!(String::from_utf8_lossy(&output.stderr), note, "{command:?}");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed = if command[0] == "export" { folder.read("graph.dot") } else { printed };
        assert!(printed.contains("a1a6"), "{command:?}: {printed}");
    }
    folder.prints(&["export", "mates.gtf", "-o", "written.dot", "--moves", "san"]);
    assert!(folder.read("written.dot").contains("Raa6"));
}

/// Many logs are answered in the same words as one: each log's own where rows are listed, the first log's where they are
/// joined.
#[test]
fn many_logs_have_words_too() {
    let folder = with_mates();
    let of_all =
        |query: &str, more: &[&str]| folder.prints(&[&["query", "m*.gtf", query][..], more].concat());
    let rows = "node: @ply = 1 select last_move, best, [^]best";
    assert_eq!(
        of_all(rows, &[]),
        "log        tree  last_move        best    [^]best\n\
         mates.gtf     0  a1a6             -120  mate in 2\n\
         mates.gtf     0  b1b6       mated in 1  mate in 2\n\
         2 rows\n"
    );
    let raw = of_all(rows, &["--raw", "--format", "csv"]);
    assert_eq!(
        raw,
        "log,tree,last_move,best,[^]best,error\nmates.gtf,0,2560,-120,31997,\nmates.gtf,0,2625,-31997,31997,\n"
    );
    assert!(of_all(rows, &["--format", "json"]).contains("\"best\":-31997"), "programs get numbers");
    assert!(of_all(rows, &["--moves", "number"]).contains("  2625       mated in 1  mate in 2\n"));
    let errors = folder.fails(&["query", "m*.gtf", rows, "--moves", "san"]);
    assert!(errors.contains("`--moves san` is for logs that are named one by one"), "{errors}");

    folder.gt(&["search", "tic-tac-toe", "--depth", "2", "--log", "s.gtf"]);
    let kinds = ["query", "s.gtf", "--tree", "1", "group by ended select ended, count(*)"];
    let joined = folder.prints(&[&kinds[..], &["--combine"]].concat());
    assert_eq!(joined, folder.prints(&kinds));
    assert!(joined.contains("\nHorizon "), "{joined}");
    let raw = folder.prints(&[&kinds[..], &["--combine", "--raw"]].concat());
    assert!(!raw.contains("Horizon"), "{raw}");
}
