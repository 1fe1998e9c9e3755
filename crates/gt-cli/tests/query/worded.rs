//! Values as people write them: decided ones as mates.

use crate::folder::Folder;

/// A chess log whose values count wins from 32,000 on: a mate in two, found below the root's second move.
fn with_mates() -> Folder {
    let folder = Folder::with_log();
    // Kg1, Ra1 and Rb1 against a king on h7: 1. Ra6 Kg7 2. Rb7+ and so on; the values are what is tested.
    let nodes = "node_id,parent_id,last_move,best,depth\n\
                 0,-1,0,31997,3\n\
                 1,0,2560,-120,2\n\
                 2,0,2624,-31997,2\n\
                 3,2,3511,31997,1\n\
                 4,3,3185,-31997,0\n";
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
         3,mate in 1,1,mated in 1,mated in 0\n\
         4,mated in 0,0,mate in 1,\n"
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
        "@ply,max(best),count(*)\n1,-120,2\n2,mate in 1,1\n3,mated in 0,1\n"
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
