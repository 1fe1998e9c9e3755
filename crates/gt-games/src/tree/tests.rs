use super::*;
use crate::Notation;
use gt_search::{Evaluate, EvaluateAll};

fn tree(text: &str) -> Tree {
    Tree::parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    Tree::parse_position(text).expect_err(text).to_string()
}

#[test]
fn a_written_tree_is_played_by_the_names_of_its_moves() {
    let mut game = tree("# a comment\n(\n  left:  (3 7)   # player 2 chooses here\n  right: (1 X:9)\n)");
    assert_eq!(game.position_text(), "(left:(3 7) right:(1 X:9))");
    assert_eq!((game.players(), game.to_move(), game.height()), (2, 0, 2));
    let right = game.parse_move("right").expect("a move");
    let from = game.make(right);
    assert_eq!((game.to_move(), game.outcome(), game.height()), (1, None, 1));
    assert_eq!(game.position_text(), "(left:(3 7) right:(1 X:9)) at right");
    let x = game.parse_move("X").expect("a move");
    assert_eq!(game.encode(x), 6, "the root, left, 3, 7, right and 1 come before it");
    game.make(x);
    assert_eq!(game.outcome(), Some(Outcome::Win(0)));
    assert_eq!([game.final_value(0), game.final_value(1)], [Some(9), Some(-9)]);
    game.undo(x, 4);
    game.undo(right, from);
    assert_eq!(game, tree("(left:(3 7) right:(1 X:9))"));
}

#[test]
fn the_position_is_drawn_with_the_whole_tree() {
    let game = tree("players 3 (left:~5,4,3 (1,2,3 4,5,6) b:@3 (c:(7,7,7))) at b");
    let drawing = "\
\u{20} root, player 1
    left, player 2, estimate 5,4,3
      1 = 1,2,3
      2 = 4,5,6
>   b, player 3
      c, player 3
        1 = 7,7,7
player 3 to move
";
    assert_eq!(game.draw(), drawing);
}

#[test]
fn a_reference_is_the_same_position_by_another_way() {
    let mut first = tree("(a:(x:(1 2) y:3) b:(=x 4))");
    let mut second = first.clone();
    for (game, line) in [(&mut first, ["a", "x"]), (&mut second, ["b", "1"])] {
        for name in line {
            let mv = game.parse_move(name).expect("a move");
            game.make(mv);
        }
    }
    assert_eq!(first, second);
    assert_eq!(second.position_text(), "(a:(x:(1 2) y:3) b:(=x 4)) at a x");
    assert_eq!(second.hash(), first.hash());
    assert!(first.draw().contains("\n      1 is a.x\n"), "{}", first.draw());
}

#[test]
fn estimates_are_for_searches_that_look_no_further() {
    let mut game = tree("(a:~5 (1 2) b:(3 4) c:~-inf (5))");
    let estimate = |game: &mut Tree, name: &str| {
        let mv = game.parse_move(name).expect("a move");
        let from = game.make(mv);
        let value = Values.evaluate(game);
        game.undo(mv, from);
        value
    };
    // Player 2 is to move: what is good for player 1 is bad for the mover.
    assert_eq!(["a", "b", "c"].map(|name| estimate(&mut game, name)), [-5, 0, 900_000]);
    let mut values = [0; 3];
    Values.evaluate_all(&tree("players 3 ~7,8,9 (1,2,3)"), &mut values);
    assert_eq!(values, [7, 8, 9]);
}

#[test]
fn turns_go_by_ply_or_as_the_text_says() {
    let movers = |text: &str| {
        let game = tree(text);
        let mut after = game.clone();
        after.make(game.legal_moves()[0]);
        (game.to_move(), after.to_move())
    };
    assert_eq!(movers("players 3 ((1,2,3))"), (0, 1));
    assert_eq!(movers("players 3 turns 1,3,2 ((1,2,3))"), (0, 2));
    assert_eq!(movers("players 3 (@1 (1,2,3))"), (0, 0));
    assert_eq!(movers("turns 2,1 ((1))"), (1, 0));
}

#[test]
fn moves_have_names_for_a_log() {
    let names = tree("(left:(3 7) right:(1 X:9))").move_names();
    let names: Vec<(i64, &str)> = names.iter().map(|(code, name)| (*code, name.as_str())).collect();
    assert_eq!(names, [(1, "left"), (2, "left.1"), (3, "2"), (4, "right"), (5, "right.1"), (6, "X")]);
}

#[test]
fn bad_trees_are_refused_with_a_line_and_a_column() {
    let check = |text: &str, sentence: &str| assert_eq!(refusal(text), sentence, "{text:?}");
    check("", "``: line 1, column 1: the root has no value and no moves");
    check("(1\n  b:", "`b:`: line 2, column 5: `b` has no value and no moves");
    check("(1 b: c:3)", "`(1 b: c:3)`: line 1, column 7: `b` has no value and no moves");
    check(
        "(1 b:())",
        "`(1 b:())`: line 1, column 4: the brackets of `b` are empty: it has no moves and no value",
    );
    check("(1\n(2", "`(2`: line 2, column 1: the text ends before the brackets of `2` are closed");
    check(
        "(1 2) 3",
        "`(1 2) 3`: line 1, column 7: the tree has ended before this; put several nodes in one pair of brackets",
    );
    check(
        "(1) )",
        "`(1) )`: line 1, column 5: the tree has ended before this; put several nodes in one pair of brackets",
    );
    check("(a:1 a:2)", "`(a:1 a:2)`: line 1, column 6: two moves of the root are called `a`");
    let value = "a value is a whole number from -900000 to 900000, inf or -inf;";
    check("(1 2.5)", &format!("`(1 2.5)`: line 1, column 4: {value} `2.5` is none"));
    check("(1000000)", &format!("`(1000000)`: line 1, column 2: {value} `1000000` is none"));
    check(
        "(1,2)",
        "`(1,2)`: line 1, column 2: with two players a leaf has one number, what it is worth to player 1; here are 2",
    );
    let three = "there are 3 players, so a leaf has 3 numbers with commas between them; here";
    check("players 3 (1,2,3 4)", &format!("`players 3 (1,2,3 4)`: line 1, column 18: {three} is 1"));
    check("players 3 (1,2)", &format!("`players 3 (1,2)`: line 1, column 12: {three} are 2"));
    check(
        "players 99 1",
        "`players 99 1`: line 1, column 9: behind `players` stands how many there are, from 2 to 16",
    );
    check("(@3 (1))", "`(@3 (1))`: line 1, column 3: a player is a number from 1 to 2; `3` is none");
    check(
        "(@1 (1))",
        "`(@1 (1))`: line 1, column 2: with two players turns alternate, but player 1 moves before `1` and after",
    );
    check(
        "(~5)",
        "`(~5)`: line 1, column 2: an estimate is an inner node's: brackets with its moves follow it",
    );
    check("(=a)", "`(=a)`: line 1, column 3: no node is called `a`");
    check(
        "((a:1) (a:2) (=a))",
        "`((a:1) (a:2) (=a))`: line 1, column 16: 2 nodes are called `a`; give the one that is meant a name of its own",
    );
    check(
        "(a:(b:(=a 1)))",
        "`(a:(b:(=a 1)))`: line 1, column 8: `a.b.1` leads back to `a`, so that the game never ends",
    );
    check(
        "(a:1 b:(=a))",
        "`(a:1 b:(=a))`: line 1, column 10: `a` stands at ply 1 and is reached at ply 2 here, where it is another player's turn",
    );
    check("(1) at x", "`(1) at x`: line 1, column 8: no move called `x` leads on from there");
}

#[test]
fn a_tree_that_is_too_deep_is_refused() {
    let deep = |plies: usize| format!("{}1{}", "(".repeat(plies), ")".repeat(plies));
    assert_eq!(tree(&deep(200)).height(), 200);
    assert!(
        refusal(&deep(201)).ends_with("this line is longer than 200 moves, the most that a tree may have")
    );
    assert!(refusal(&deep(100_000)).ends_with("the most that a tree may have"));
    // The depths of references add up.
    let chain = format!("(x:(y:(e:{})) b:(c:(d:(f:(=e)))))", deep(197));
    assert!(refusal(&chain).ends_with("the most that a tree may have"), "{}", refusal(&chain));
}
