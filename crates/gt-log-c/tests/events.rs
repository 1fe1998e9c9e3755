//! Calls in any order: every file opens and verifies, and holds what a plain reference says it should.

mod reference;

use gt_log::{Column, Log, Tree, Value, Walker, status};
use gt_log_c::events::{Event, drive, events_of};
use proptest::prelude::*;
use reference::{Reference, ReferenceNode, ReferenceTree};

/// The order that searches make, and now and then something else.
fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        18 => any::<i8>().prop_map(Event::Enter),
        6 => any::<i8>().prop_map(Event::EnterData),
        20 => any::<i8>().prop_map(Event::Exit),
        2 => Just(Event::ExitUnknown),
        3 => Just(Event::OpenTree),
        2 => Just(Event::CloseTree),
        1 => Just(Event::AbandonTree),
        2 => Just(Event::Open),
        1 => Just(Event::OpenPerTree),
        1 => Just(Event::Close),
        2 => Just(Event::Flush),
        1 => any::<i8>().prop_map(Event::SetMeta),
        1 => any::<i8>().prop_map(Event::SetLogMeta),
        1 => any::<bool>().prop_map(Event::SetEnabled),
        1 => (1_u8..10).prop_map(Event::SetFlush),
        1 => any::<bool>().prop_map(Event::SetBackground),
        // The last two of the queries have errors that the reference would have to find.
        2 => (0_u8..4).prop_map(Event::AttachQuery),
        1 => Just(Event::DetachQueries),
    ]
}

/// Most begin as searches do, with a file.
fn events() -> impl Strategy<Value = Vec<Event>> {
    let first = prop_oneof![8 => Just(Event::Open), 3 => Just(Event::OpenPerTree), 1 => event()];
    (first, prop::collection::vec(event(), 0..120)).prop_map(|(first, rest)| {
        let mut events = vec![first];
        events.extend(rest);
        events
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_order_of_calls_gives_what_the_reference_gives(events in events()) {
        let folder = tempfile::tempdir().unwrap();
        let codes = drive(folder.path(), &events);
        let reference = Reference::of(&events);
        prop_assert_eq!(&codes, &reference.codes);
        let mut names: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        prop_assert_eq!(names, reference.files.keys().cloned().collect::<Vec<_>>());
        for (name, expected) in &reference.files {
            let log = Log::open(folder.path().join(name)).unwrap();
            prop_assert!(log.condition().is_whole());
            prop_assert_eq!(log.metadata().get("engine"), expected.engine.as_deref());
            let trees: Vec<ReferenceTree> = log.trees().map(read).collect();
            let expected: Vec<ReferenceTree> =
                expected.trees.iter().filter(|tree| !tree.nodes.is_empty()).cloned().collect();
            prop_assert_eq!(trees, expected, "{}", name);
        }
    }

    #[test]
    fn any_bytes_make_calls_that_leave_readable_files(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let folder = tempfile::tempdir().unwrap();
        drive(folder.path(), &events_of(&bytes));
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let log = Log::open(file.unwrap().path()).unwrap();
            prop_assert!(log.condition().is_whole());
            for tree in log.trees() {
                prop_assert_eq!(tree.verify(|_| ()).unwrap().nodes, tree.nodes());
            }
        }
    }
}

fn read(tree: Tree<'_>) -> ReferenceTree {
    assert_eq!(tree.verify(|_| ()).unwrap().nodes, tree.nodes());
    let mut walker = Walker::new(tree);
    let nodes = (0..tree.nodes())
        .map(|number| {
            let found = walker.find(number).unwrap();
            let is_unfinished =
                walker.integer(found.row, Column::Status).unwrap() & i64::from(status::UNFINISHED) != 0;
            let values = [0, 1, 2].map(|attribute| walker.value(found.row, attribute).unwrap());
            let best = match values[0] {
                Value::Int(best) => Some(best as i8),
                _ => None,
            };
            let known = best.map_or(Value::Missing, |best| Value::Int(best.into()));
            let expected = match best {
                _ if is_unfinished => [known, Value::Missing, Value::Missing],
                None => panic!("a node that was left has a value"),
                Some(best) => {
                    let name = if best % 2 == 0 { "even" } else { "odd" };
                    [Value::Int(best.into()), Value::Bool(best % 2 == 0), Value::Text(name.to_owned())]
                }
            };
            assert_eq!(values, expected);
            ReferenceNode {
                ply: found.ancestors.len(),
                last_move: walker.last_move(found.row).unwrap() as i8,
                best,
                is_unfinished,
            }
        })
        .collect();
    let text = |key| tree.metadata().get(key).map(str::to_owned);
    ReferenceTree { place: text("place"), value: text("value"), nodes }
}
