//! The short way in and out of nodes writes what the calls write, and leaves to them what it does not do.

use gt_log::{
    Budget, Dynamic, Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, TreeWriter, Trigger,
    Value, Walker,
};
use proptest::prelude::*;

const RECORD_BYTES: usize = 3;

fn schema() -> Schema {
    Schema::new([("best", Kind::I16), ("is_pv", Kind::Bool)]).unwrap()
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Enter { last_move: i64, best: Option<i16> },
    Leave { best: i16, pv: u8 },
    LeaveUnfinished,
    Flush,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => (0..3_i64, any::<Option<i16>>()).prop_map(|(last_move, best)| Event::Enter { last_move, best }),
        7 => any::<(i16, u8)>().prop_map(|(best, pv)| Event::Leave { best, pv }),
        1 => Just(Event::LeaveUnfinished),
        1 => Just(Event::Flush),
    ]
}

fn options(number: usize) -> Options {
    let flush = Flush { nodes_max: [32_768, 7][number % 2], time_ms_max: [None, Some(0)][number / 2 % 2] };
    let budget = Budget { nodes_max: (number / 4 % 3 == 1).then_some(9), bytes_max: None };
    let trigger = (number / 4 % 3 == 2).then(|| Trigger::line([1]));
    Options { flush, budget, trigger }
}

/// The bytes of the record as a C program gives them: any byte but 0 is true.
fn put(record: &mut [u8], best: i16, pv: u8) {
    record[..2].copy_from_slice(&best.to_le_bytes());
    record[2] = pv;
}

/// Says whether the short way was gone.
fn play(tree: &mut TreeWriter<Dynamic>, event: Event, is_short: bool) -> bool {
    let lane = if is_short { tree.lane(RECORD_BYTES) } else { None };
    match event {
        Event::Enter { last_move, best: None } => {
            if lane.is_some_and(|lane| lane.try_enter(last_move)) {
                return true;
            }
            tree.enter(last_move).unwrap();
        }
        Event::Enter { last_move, best: Some(best) } => {
            let fill = |record: &mut [u8]| put(record, best, 0);
            if lane.is_some_and(|lane| lane.try_enter_filled(last_move, 0b10, fill)) {
                return true;
            }
            tree.enter_filled(last_move, &[0b10], fill).unwrap();
        }
        Event::Leave { best, pv } => {
            let fill = |record: &mut [u8]| put(record, best, pv);
            if lane.is_some_and(|lane| lane.try_leave_filled(fill)) {
                return true;
            }
            tree.leave_filled(fill).unwrap();
        }
        Event::LeaveUnfinished => tree.leave_unfinished().unwrap(),
        Event::Flush => tree.flush().unwrap(),
    }
    false
}

/// The log of a tree with these events, and how often the short way was gone. Events that would leave the root are left out.
fn write(options: Options, events: &[Event], is_short: bool) -> (Vec<u8>, usize) {
    let log = LogWriter::to_memory(Header::new("test", schema())).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), options).unwrap();
    tree.enter(0).unwrap();
    let mut short = 0;
    for &event in events {
        let leaves = matches!(event, Event::Leave { .. } | Event::LeaveUnfinished);
        if !leaves || tree.open_nodes() > 1 {
            short += usize::from(play(&mut tree, event, is_short));
        }
    }
    tree.abandon(&Metadata::new()).unwrap();
    (log.into_memory().unwrap(), short)
}

proptest! {
    #[test]
    fn the_short_way_writes_what_the_calls_write(number in 0..12_usize, events in prop::collection::vec(event(), 0..400)) {
        let (short, _) = write(options(number), &events, true);
        prop_assert_eq!(short, write(options(number), &events, false).0);
    }
}

#[test]
fn most_nodes_go_the_short_way() {
    let pair = [Event::Enter { last_move: 1, best: Some(4) }, Event::Leave { best: -2, pv: 200 }];
    let (bytes, short) = write(options(0), &pair.repeat(10_000), true);
    assert!(short > 19_900, "{short} of 20,000");
    let log = Log::from_bytes(bytes).unwrap();
    let mut walker = Walker::new(log.tree(0).unwrap());
    assert_eq!(walker.value(9_000, 0).unwrap(), Value::Int(-2));
    assert_eq!(walker.value(9_000, 1).unwrap(), Value::Bool(true), "any byte but 0 is true");
}

#[test]
fn a_record_of_another_length_has_no_short_way() {
    let log = LogWriter::to_memory(Header::new("test", schema())).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    assert!(tree.lane(RECORD_BYTES + 1).is_none());
    assert!(!tree.lane(RECORD_BYTES).unwrap().try_enter(0), "a root");
    assert!(!tree.lane(RECORD_BYTES).unwrap().try_leave_filled(|_| {}), "nothing to leave");
    drop(tree);
    let schema = Schema::new([("note", Kind::Text)]).unwrap();
    let log = LogWriter::to_memory(Header::new("test", schema)).unwrap();
    assert!(log.dynamic_tree(&Metadata::new(), Options::default()).unwrap().lane(4).is_none(), "texts");
}
