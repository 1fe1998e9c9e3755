//! Each relative, read by a query that reads nothing else, in blocks of few rows: then no more of the nodes of other blocks is
//! kept than that relative needs.

use crate::engine_support::{Cut, answers, log_of};
use gt_query::{Environment, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

const RELATIVES: [&str; 13] =
    ["[<]", "[<2]", "[<3]", "[>]", "[>2]", "[>3]", "[0]", "[1]", "[3]", "[-1]", "[-2]", "[-4]", "[^^]"];

proptest! {
    #![proptest_config(crate::support::cases(300))]

    #[test]
    fn each_is_read_as_the_reference_does(
        tree in crate::support::random::tree(40),
        rows in select(vec![1, 1, 2, 3, 5, 11]),
        at_every_enter in select(vec![0, 0, 1, 2, 5]),
        field in select(vec!["best", "node_id", "@index", "@height", "@children", "@size", "@total", "last_move", "@unfinished"]),
        defined in any::<bool>(),
    ) {
        let schema = crate::support::random::schema();
        let log = log_of(&tree.0, Cut { rows, at_every_enter, compact: false });
        for relative in RELATIVES {
            // A definition's values at relatives are known a pass later.
            let text = match defined {
                false => format!("node: *; select node_id, {relative}{field} as value"),
                true => format!("let a = {field}\nlet b = {relative}a\nnode: *; select node_id, b, {relative}b as value"),
            };
            let program = compile(&text, &Environment::new(&schema)).expect("a right query");
            let expected = reference::answer(&program, &tree.0);
            prop_assert_eq!(answers(&program, &log, 1), expected, "{}", text);
        }
    }
}
