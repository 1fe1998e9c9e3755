//! Attached queries against the log of the same search: calls in any order inside the trees, and the answers are
//! those of the reference evaluator on the log; without a log they are the same.

mod logged;

use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::offset_of;
use std::path::Path;
use std::sync::LazyLock;

use gt_log::Log;
use gt_log_c::*;
use gt_query::Answer;
use proptest::prelude::*;

/// Every moment of delivery, every type, derived columns, parameters, arrangement, overflow.
const QUERIES: &str = r#"
node: best > 3 and not check

node: count(hash > 18446744073709551000 or score < 9.5); subtree: count(best > 0) > 1

let big = subtree: count(*)
child: count([]best > best) > 0 and max([]big) < 3

node: [>]best > best or [<]name = "odd"

node: [^]best < best and [^^]check

path: count(best > 5) > 1

node: @children = 0; path: count(last_move > 0) > 0

node: [0]best > [-1]best or @unfinished

node: score >= 0.0 order by best desc, hash limit 3

node: best + $place > 6 or name = "odd"

node: 1000000000000000000 * best > 0 and @ply > 2
"#;

#[repr(C)]
struct Node {
    check: c_int,
    best: i32,
    hash: u64,
    score: f32,
    name: *const c_char,
}

fn descriptor() -> GTDataDescript {
    let fields = [
        (c"best", offset_of!(Node, best), 4, GTL_INT | GTL_AT_ENTRY),
        (c"hash", offset_of!(Node, hash), 8, GTL_UINT),
        (c"score", offset_of!(Node, score), 4, GTL_FLOAT),
        (c"check", offset_of!(Node, check), 4, GTL_BOOL),
        (c"name", offset_of!(Node, name), size_of::<*const c_char>(), GTL_TEXT | GTL_AT_ENTRY),
    ];
    let none = GTAttribute { name: std::ptr::null(), offset: 0, size: 0, kind: GTL_INT };
    let mut attributes = [none; GTL_ATTRIBUTES_MAX];
    for (place, (name, offset, size, kind)) in fields.into_iter().enumerate() {
        attributes[place] = GTAttribute { name: name.as_ptr(), offset, size, kind };
    }
    GTDataDescript {
        game: c"live".as_ptr(),
        record_size: size_of::<Node>(),
        alias_count: 0,
        aliases: [GTAlias { name: std::ptr::null(), value: 0 }; GTL_ALIASES_MAX],
        attribute_count: fields.len(),
        attributes,
    }
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Enter(i8),
    /// With a record.
    EnterKnown(u8),
    /// With a text that no log takes.
    EnterTooLong(u8),
    Exit(u8),
    ExitUnknown,
    /// With a text that no log takes.
    ExitTooLong(u8),
}

#[derive(Clone, Debug)]
struct Tree {
    events: Vec<Event>,
    is_abandoned: bool,
}

fn trees() -> impl Strategy<Value = Vec<Tree>> {
    let event = prop_oneof![
        30 => any::<i8>().prop_map(Event::Enter),
        10 => any::<u8>().prop_map(Event::EnterKnown),
        1 => any::<u8>().prop_map(Event::EnterTooLong),
        30 => any::<u8>().prop_map(Event::Exit),
        2 => Just(Event::ExitUnknown),
        1 => any::<u8>().prop_map(Event::ExitTooLong),
    ];
    let tree = (prop::collection::vec(event, 0..80), any::<bool>(), any::<bool>()).prop_map(
        |(events, is_rooted, is_abandoned)| {
            // Else an early exit of the root is the end of most trees.
            let root = is_rooted.then_some(Event::Enter(0));
            Tree { events: root.into_iter().chain(events).collect(), is_abandoned }
        },
    );
    prop::collection::vec(tree, 1..4)
}

type NodesOrCode = Result<Vec<u64>, i64>;

/// What a search came to: the codes of its calls, and in each tree what queries were told.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    codes: Vec<c_int>,
    /// By tree and query: the number, and the nodes or a code.
    answers: Vec<Vec<(i64, NodesOrCode)>>,
    /// By tree: matches in the order in which they were told.
    told: Vec<Vec<(usize, u64)>>,
}

unsafe extern "C" fn tell(user: *mut c_void, query: usize, node_id: u64) {
    // SAFETY: the test gives a list, and looks at it between calls only.
    unsafe { (*user.cast::<Vec<(usize, u64)>>()).push((query, node_id)) };
}

fn run(path: Option<&Path>, trees: &[Tree]) -> Outcome {
    let path = path.map(|path| CString::new(path.as_os_str().as_encoded_bytes()).unwrap());
    let text = CString::new(QUERIES).unwrap();
    let mut outcome = Outcome::default();
    let told: *mut Vec<(usize, u64)> = Box::into_raw(Box::default());
    // SAFETY: one live handle, used here only; texts end with zero bytes; records are as the descriptor says.
    unsafe {
        let h = gtl_create(&descriptor(), path.as_ref().map_or(std::ptr::null(), |path| path.as_ptr()));
        assert_eq!(gtl_setMetaInt(h, c"place".as_ptr(), 0), GTL_OK);
        assert_eq!(gtl_attachQuery(h, text.as_ptr()), GTL_OK);
        assert_eq!(gtl_setQueryCallback(h, Some(tell), told.cast()), GTL_OK);
        for (place, tree) in trees.iter().enumerate() {
            gtl_setMetaInt(h, c"place".as_ptr(), place as i64);
            outcome.codes.push(gtl_openTree(h, std::ptr::null(), 0));
            outcome.codes.extend(tree.events.iter().map(|event| call(h, *event)));
            outcome.codes.push(if tree.is_abandoned { gtl_abandonTree(h) } else { gtl_closeTree(h) });
            outcome.told.push(std::mem::take(&mut *told));
            outcome
                .answers
                .push((0..11).map(|query| (gtl_queryCount(h, query), matches(h, query))).collect());
        }
        assert_eq!(gtl_queryCount(h, 11), i64::from(GTL_ERROR_ARGUMENT));
        assert_eq!(gtl_delete(h), GTL_OK);
        drop(Box::from_raw(told));
    }
    outcome
}

/// # Safety
/// As for all calls.
unsafe fn call(h: *mut GTLog, event: Event) -> c_int {
    let node = |seed: u8, name: *const c_char| {
        let seed_32 = i32::from(seed);
        let score = if seed.is_multiple_of(7) { f32::NAN } else { f32::from(seed) / 8.0 - 9.0 };
        let hash = u64::MAX - u64::from(seed) * 13;
        Node { check: (seed_32 % 3) & 2, best: seed_32 % 12 - 2, hash, score, name }
    };
    // SAFETY: the handle is of this test; the records are as the descriptor says.
    let exit = |node: Node| unsafe { gtl_exitNode(h, std::ptr::from_ref(&node).cast()) };
    // SAFETY: as above.
    let enter = |seed: u8, node: Node| unsafe {
        gtl_enterNodeData(h, i64::from(seed) - 128, std::ptr::from_ref(&node).cast())
    };
    let name = |seed: u8| if seed % 2 == 1 { c"odd".as_ptr() } else { std::ptr::null() };
    static TOO_LONG: LazyLock<CString> = LazyLock::new(|| CString::new(vec![b'x'; 70_000]).unwrap());
    match event {
        // SAFETY: the handle is of this test.
        Event::Enter(last_move) => unsafe { gtl_enterNode(h, last_move.into()) },
        Event::EnterKnown(seed) => enter(seed, node(seed, name(seed))),
        Event::EnterTooLong(seed) => enter(seed, node(seed, TOO_LONG.as_ptr())),
        // SAFETY: the handle is of this test.
        Event::ExitUnknown => unsafe { gtl_exitNode(h, std::ptr::null()) },
        Event::Exit(seed) => exit(node(seed, name(seed))),
        Event::ExitTooLong(seed) => exit(node(seed, TOO_LONG.as_ptr())),
    }
}

/// # Safety
/// As for all calls.
unsafe fn matches(h: *mut GTLog, query: usize) -> NodesOrCode {
    // SAFETY: the handle is NULL or from this library; the buffer has the room that is claimed.
    unsafe {
        let count = gtl_queryMatches(h, query, std::ptr::null_mut(), 0);
        let mut nodes = vec![u64::MAX; usize::try_from(count).map_err(|_| count)? + 1];
        assert_eq!(gtl_queryMatches(h, query, nodes.as_mut_ptr(), nodes.len()), count);
        assert_eq!(nodes.pop(), Some(u64::MAX), "no more is written than is there");
        Ok(nodes)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn what_is_told_is_what_the_log_answers(trees in trees()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("live.gtf");
        let with_log = run(Some(&path), &trees);
        prop_assert_eq!(&with_log, &run(None, &trees), "the log makes no difference");

        let log = Log::open(&path).unwrap();
        prop_assert!(log.condition().is_whole());
        for tree in log.trees() {
            let place: usize = tree.metadata().get("place").unwrap().parse().unwrap();
            for (query, expected) in logged::answers(tree, QUERIES).into_iter().enumerate() {
                let (count, nodes) = &with_log.answers[place][query];
                match expected {
                    Ok(Answer::Count(expected)) => prop_assert_eq!((*count, nodes), (expected as i64, &Ok(vec![]))),
                    Ok(Answer::Nodes(expected)) => {
                        prop_assert_eq!(nodes, &Ok(expected), "query {} of tree {}", query, place);
                        let mut told: Vec<u64> = told(&with_log.told[place], query);
                        prop_assert_eq!(told.len() as i64, *count);
                        told.sort_unstable();
                        told.dedup();
                        prop_assert_eq!(told.len() as i64, *count, "each is told once");
                    }
                    Ok(other) => prop_assert!(false, "{:?}", other),
                    Err(_) => {
                        let code = i64::from(GTL_ERROR_QUERY);
                        prop_assert_eq!((*count, nodes), (code, &Err(code)), "query {} of tree {}", query, place);
                    }
                }
            }
        }
    }
}

fn told(told: &[(usize, u64)], query: usize) -> Vec<u64> {
    told.iter().filter(|(of, _)| *of == query).map(|(_, node)| *node).collect()
}
