//! `gt picture` and `gt view --save`, as a user runs them.

use std::path::Path;

use crate::command::{gt, says};

/// A small chess search.
fn search(folder: &Path) {
    let words = [
        "search",
        "chess",
        "--position",
        "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1",
        "--depth",
        "5",
        "--log",
        "q.gtf",
    ];
    says(folder, &words);
}

fn file(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn every_view_is_one_sound_svg_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    search(folder);
    for view in ["icicle", "treemap", "sunburst"] {
        let said = says(
            folder,
            &["picture", "q.gtf", "--view", view, "-o", "tree.svg", "--query", "node: type & QRootNode"],
        );
        assert_eq!(said, "", "it writes the file and says nothing");
        let svg = file(folder, "tree.svg");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{view}");
        assert_eq!(svg.matches("<title>").count(), svg.matches("</title>").count(), "{view}");
        for words in
            ["q.gtf, tree", "CutNode", "match node: type &amp; QRootNode", "in the mix of their colours"]
        {
            assert!(svg.contains(words), "{view}: {words}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("data-node"), "{view}");
    }
    let best = says(folder, &["picture", "q.gtf", "--color", "best", "--dark", "--width", "700"]);
    assert!(best.contains("as the root&#39;s player sees it") && best.contains("width=\"700\""));
}

/// The moves of nodes with tooltips, by node_id.
fn drawn_moves(svg: &str) -> Vec<(usize, String)> {
    let hints = svg.split("<title>").skip(1).filter_map(|rest| rest.split("</title>").next());
    let node = |hint: &str| {
        let number = hint.split(", node ").nth(1)?.split(';').next()?.replace(',', "");
        Some((number.parse().ok()?, hint.split(": ").next()?.to_owned()))
    };
    hints.filter_map(node).collect()
}

#[test]
fn moves_are_written_as_players_do_in_every_view_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    search(folder);
    let asked = ["query", "q.gtf", "--tree", "last", "select last_move, @line order by node_id"];
    let rows = says(folder, &[&asked[..], &["--moves", "san", "--format", "csv"]].concat());
    let written: Vec<(&str, &str)> = rows
        .lines()
        .skip(1)
        .filter_map(|row| row.split_once(','))
        .map(|(last_move, line)| (last_move, line.trim_matches('"')))
        .collect();
    let tree = ["--tree", "last", "--moves", "san"];
    for (view, node) in [("icicle", 0), ("treemap", 0), ("sunburst", 0), ("icicle", 2), ("treemap", 2)] {
        let from = node.to_string();
        let words = [&["picture", "q.gtf", "--view", view, "--node", &from], &tree[..]].concat();
        let svg = says(folder, &words);
        let drawn = drawn_moves(&svg);
        assert!(drawn.len() > 20, "{view}: {svg}");
        for (node, text) in drawn {
            assert_eq!(text, written[node].0, "{view}, node {node}");
        }
        assert!(node == 0 || svg.contains(&format!("below {} (node 2)", written[2].1)), "{view}: {svg}");
    }
    says(folder, &[&["view", "q.gtf", "--save", "page.html"], &tree[..]].concat());
    let page = file(folder, "page.html");
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    for record in data["records"].as_array().unwrap() {
        let node = record["node"].as_u64().unwrap() as usize;
        assert_eq!(
            (record["move"].as_str(), record["line"].as_str()),
            (Some(written[node].0), Some(written[node].1))
        );
    }
    let report = ["profile", "q.gtf", "--format", "html"];
    assert!(says(folder, &[&report, &tree[..]].concat()).contains(&format!(">{}: ", written[1].0)));
    let numbers = says(folder, &["picture", "q.gtf", "--moves", "number"]);
    assert!(drawn_moves(&numbers).iter().all(|(node, text)| *node == 0 || text.parse::<i64>().is_ok()));
}

#[test]
fn bad_input_gets_a_sentence_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    search(folder);
    let cases = [
        (&["--node", "999999999"][..], "there is no node 999999999: the tree has "),
        (&["--color", "bets"], "the colour `bets`: "),
        (&["--color", "best +"], "the colour `best +`: expected a name, a number or `(`, found the end"),
        (&["--query", "node: count(*)"], "a query that marks nodes is one query that asks for nodes"),
        (&["--query", "node: typ & 1"], "did you mean `type`?"),
        (&["--width", "7"], "7 is not in 200..=10000"),
    ];
    for (words, sentence) in cases {
        let (code, out, errors) = gt(folder, &[&["picture", "q.gtf", "-o", "x.svg"], words].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{words:?}: {errors}");
        assert!(errors.contains(sentence), "{words:?}: {errors}");
    }
    let (code, _, errors) = gt(folder, &["picture", "q.gtf", "-o", "x.png"]);
    assert!(code == 2 && errors.contains("choose a name that ends in .svg"), "{errors}");
    let (code, _, errors) = gt(folder, &["view", "q.gtf", "--node", "3"]);
    assert!(code == 2 && errors.contains("give `--save FILE` as well"), "{errors}");
    let (code, _, errors) = gt(folder, &["picture", "q.gtf", "-o", "q.gtf"]);
    assert!(code == 2 && errors.contains("ends in .svg"), "{errors}");
    for name in ["page.pdf", "q.gtf"] {
        let (code, _, errors) = gt(folder, &["view", "q.gtf", "--save", name]);
        assert!(code == 2 && errors.contains("choose a name that ends in .html"), "{errors}");
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "nothing was written");
}

#[test]
fn a_saved_page_holds_the_largest_nodes_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    search(folder);
    let said = says(
        folder,
        &["view", "q.gtf", "--save", "page.html", "--records", "20", "--query", "node: type & PVNode"],
    );
    assert!(said.starts_with("wrote page.html: the records of "), "{said}");
    let page = file(folder, "page.html");
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let records = data["records"].as_array().unwrap();
    assert!(page.contains("those with the largest subtrees, and the first matches"));
    assert!(page.contains("data-node=\"0\"") && !page.contains("http://127"));
    assert_eq!(records[0]["position"]["cells"].as_str().unwrap().len(), 64);
    assert_eq!(records[0]["move"], "root");
    assert!(records.iter().any(|record| record["match"] == true));
    // Every value is worded as the log's aliases say.
    let kind = data["attributes"].as_array().unwrap().iter().position(|name| name == "type").unwrap();
    let of_root = records[0]["values"][kind].as_str().unwrap();
    assert!(of_root.split('·').any(|name| name == "PVNode"), "{of_root}");
    let nodes: Vec<u64> = records.iter().map(|record| record["node"].as_u64().unwrap()).collect();
    assert!(nodes.is_sorted() && nodes.len() >= 20);
}

#[test]
fn a_game_that_is_not_known_has_no_board_and_its_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("own.csv"), "node_id,parent_id,last_move,value\n0,-1,0,5\n1,0,12,-5\n")
        .unwrap();
    says(folder, &["import", "own.csv", "-o", "own.gtf", "--game", "hex"]);
    says(folder, &["view", "own.gtf", "--save", "own.html"]);
    let page = file(folder, "own.html");
    assert!(page.contains("`hex` is not a game whose rules are known here"), "{page}");
    assert!(page.contains("\"board\":null"));
    says(folder, &["import", "own.csv", "-o", "chess.gtf", "--game", "chess"]);
    says(folder, &["view", "chess.gtf", "--save", "chess.html"]);
    assert!(
        file(folder, "chess.html").contains("set the key `position`"),
        "m7 is no move at the start of chess"
    );
}
