use super::*;

#[test]
fn joined_queries_keep_their_own_names() {
    let given = [("x".to_owned(), "3".to_owned())];
    let first = "let rank = child: count([]best > $x)\nnode: rank = 1 and ply < $depth";
    let second = "let rank = @size\nnode: rank > $rank and best = \"rank\" and $x = 3";
    let questions = [
        Question { text: first, parameters: &given, name: String::new() },
        Question { text: second, parameters: &given, name: String::new() },
    ];
    let joined = Joined::of(questions.iter());
    assert_eq!(
        joined.text,
        "let rank_0 = child: count([]best > $x_0)\nnode: rank_0 = 1 and ply < $depth\n\n\
         let rank_1 = @size\nnode: rank_1 > $rank and best = \"rank\" and $x_1 = 3"
    );
    let names: Vec<&str> = joined.parameters.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["x_0", "x_1"]);
}
