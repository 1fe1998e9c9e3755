use super::*;
use crate::value::INFINITE;
use proptest::prelude::*;

fn entry() -> impl Strategy<Value = Entry> {
    let bound = prop_oneof![Just(Bound::Upper), Just(Bound::Lower), Just(Bound::Exact)];
    (-INFINITE..=INFINITE, proptest::option::of(0..u16::MAX), -100i16..2000, bound, any::<bool>()).prop_map(
        |(value, move_index, depth, bound, is_whole)| Entry { value, move_index, depth, bound, is_whole },
    )
}

proptest! {
    #[test]
    fn an_entry_survives_packing(entry in entry(), age in 0..AGES) {
        let data = pack(entry, age);
        prop_assert_eq!(unpack(data), Some(entry));
        prop_assert_eq!(age_of(data), age);
    }

    #[test]
    fn what_was_stored_last_is_found(entries in proptest::collection::vec((any::<u64>(), entry()), 1..60)) {
        let table = Table::new(1 << 10);
        for (hash, entry) in entries {
            table.store(hash, entry);
            prop_assert_eq!(table.probe(hash), Some(entry));
        }
    }
}

fn at_depth(depth: i16) -> Entry {
    Entry { value: 0, move_index: None, depth, bound: Bound::Exact, is_whole: false }
}

#[test]
fn a_shallow_entry_makes_way_for_a_new_one() {
    let table = Table::new(64);
    for (hash, depth) in [(1, 5), (2, 3), (3, 7), (4, 4), (5, 1)] {
        table.store(hash, at_depth(depth));
    }
    assert_eq!(table.probe(2), None);
    assert!([1, 3, 4, 5].iter().all(|&hash| table.probe(hash).is_some()));
}

#[test]
fn an_old_entry_makes_way_before_a_shallow_one() {
    let table = Table::new(64);
    table.store(1, at_depth(5));
    table.new_search();
    for hash in 2..=5 {
        table.store(hash, at_depth(1));
    }
    assert_eq!(table.probe(1), None);
}

#[test]
fn a_table_without_room_finds_nothing() {
    let table = Table::new(63);
    table.store(1, at_depth(1));
    assert_eq!((table.probe(1), table.bytes()), (None, 0));
}

#[test]
fn a_cleared_table_finds_nothing() {
    let table = Table::new(4096);
    table.store(0, at_depth(1));
    table.clear();
    assert_eq!(table.probe(0), None);
}

/// Every entry is a function of its hash, so a mixture of two would be detected.
#[test]
fn threads_never_find_halves_of_two_entries() {
    fn entry_of(hash: u64) -> Entry {
        let index = (hash >> 7) as u16;
        Entry {
            value: (hash % 1000) as i32 - 500,
            move_index: (index != NO_MOVE).then_some(index),
            depth: (hash >> 23) as i16 & 0xFF,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][hash as usize % 3],
            is_whole: hash >> 40 & 1 != 0,
        }
    }
    let table = Table::new(256);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let table = &table;
            scope.spawn(move || {
                let mut hash = thread + 1;
                for _ in 0..50_000 {
                    hash = hash.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // Few positions, so that all threads write to the same slots.
                    let position = (hash >> 58).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    table.store(position, entry_of(position));
                    let other = (hash >> 52 & 63).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    assert!(table.probe(other).is_none_or(|found| found == entry_of(other)));
                }
            });
        }
    });
}
