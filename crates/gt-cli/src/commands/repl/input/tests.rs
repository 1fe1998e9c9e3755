//! Typed text goes on or runs; piped text falls into the queries of a query file.

use super::*;

#[test]
fn what_stops_in_the_middle_goes_on() {
    let on = [
        "node: best >",
        "node:",
        "child: count([]best = 2",
        "let size = subtree:",
        "let size =",
        "node: best = 1 and",
        "node: best = 1 \\",
        "node: * select",
        "node: * select best,",
        "[name]",
        "node: best = 1;",
        "node: best = 1; # the node itself",
        "node: best = 1;\nchild: count(*) > 0;",
    ];
    for text in on {
        assert!(is_incomplete(text), "{text}");
    }
}

#[test]
fn what_is_whole_or_wrong_runs() {
    let whole = [
        "",
        ".help",
        "node: best = 1",
        "node: best = 1;\n",
        "node: best >\n",
        "node: best => 1",
        "node: best => 1 and",
        "node: best => 1;",
        "best = 1",
        "let size = subtree: count(*)",
        "let size = subtree: count(*)\nnode: size > 3",
        "node: best >\n.help",
        "# only a comment",
    ];
    for text in whole {
        assert!(!is_incomplete(text), "{text}");
    }
}

#[test]
fn joining_keeps_places() {
    assert_eq!(joined("node: a \\\n= 1"), "node: a  \n= 1");
    assert_eq!(joined("a \\ "), "a   ");
}

#[test]
fn a_paste_falls_into_commands_and_what_is_between() {
    let texts = |text: &str| typed_pieces(text).into_iter().map(|piece| piece.text).collect::<Vec<_>>();
    assert_eq!(texts("node: a;\nchild: b"), ["node: a;\nchild: b"]);
    assert_eq!(texts(".tree 1\nnode: a \\\n > 1\n.quit"), [".tree 1", "node: a  \n > 1", ".quit"]);
}

/// The pieces of a text that comes line by line, each with the number of its first line, and after how many lines it
/// was handed out.
fn pieces(text: &str) -> Vec<(usize, usize, String)> {
    let mut cutter = Cutter::new(false);
    let mut found = Vec::new();
    let mut lines = 0;
    for line in text.lines() {
        lines += 1;
        found.extend(cutter.take(line).into_iter().map(|piece| (lines, piece)));
    }
    found.extend(cutter.end().into_iter().map(|piece| (lines, piece)));
    let told = |(lines, piece): (usize, Piece)| (piece.line_first, lines, piece.text.trim().to_owned());
    found.into_iter().map(told).collect()
}

#[test]
fn a_pipe_is_cut_like_a_file() {
    let text = "node: i > 3;\nchild: count(*) > 0\nnode: i\n > 4\n\n# last\n[named]\n\nselect i\n";
    assert_eq!(
        pieces(text),
        [
            (1, 3, "node: i > 3;\nchild: count(*) > 0".to_owned()),
            (3, 5, "node: i\n > 4".to_owned()),
            (6, 9, "# last\n[named]\n\nselect i".to_owned()),
        ]
    );
}

#[test]
fn lets_and_commands_are_pieces_of_their_own() {
    let text = "let a = i\nlet b = a\n  + 1\nnode: b > 1\nselect b order by b\n.tree 1\nnode: a =\n.quit\n";
    assert_eq!(
        pieces(text),
        [
            (1, 2, "let a = i".to_owned()),
            (2, 4, "let b = a\n  + 1".to_owned()),
            (4, 6, "node: b > 1\nselect b order by b".to_owned()),
            (6, 6, ".tree 1".to_owned()),
            (7, 8, "node: a =".to_owned()),
            (8, 8, ".quit".to_owned()),
        ]
    );
}

#[test]
fn without_an_editor_enter_still_runs_what_is_complete() {
    let mut cutter = Cutter::new(true);
    let mut take = |line: &str| cutter.take(line).into_iter().map(|piece| piece.text).collect::<Vec<_>>();
    assert_eq!(take("node: i > 3"), ["node: i > 3"]);
    assert!(take("node: i > 3;").is_empty() && take("child: count(*) >").is_empty());
    assert_eq!(take("0"), ["node: i > 3;\nchild: count(*) >\n0"]);
    assert!(take("node: i >").is_empty());
    assert_eq!(cutter.end()[0].text, "node: i >\n");
}

/// However a text is written, its queries are those of the file.
#[test]
fn no_query_is_lost_or_made() {
    let lines = [
        "node: i",
        "child: count(*) > 1;",
        "[x]",
        "",
        "let a = i",
        "select i",
        "path: any(i > 1)",
        "# c",
        "> 2",
    ];
    let mut choice = 1_u64;
    for _ in 0..500 {
        let mut text = String::new();
        for _ in 0..8 {
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += lines[(choice >> 33) as usize % lines.len()];
            text.push('\n');
        }
        let whole = parse(&text).file;
        let cut = pieces(&text).iter().flat_map(|(_, _, piece)| parse(piece).file.items).collect::<Vec<_>>();
        assert_eq!(cut, whole.items, "{text}");
    }
}
