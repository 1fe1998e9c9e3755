//! Matches against a plain set.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn matches_are_a_set(
        nodes in 1_u64..5000,
        batches in proptest::collection::vec(proptest::collection::vec(any::<prop::sample::Index>(), 0..300), 0..6),
        probes in proptest::collection::vec(any::<prop::sample::Index>(), 20),
    ) {
        let mut gathering = Gathering::new(nodes);
        let mut plain = BTreeSet::new();
        for batch in &batches {
            let ids: Vec<u64> = batch.iter().map(|index| index.index(nodes as usize) as u64).collect();
            gathering.add(&ids);
            plain.extend(ids);
        }
        let matches = gathering.finish();
        let listed: Vec<u64> = plain.iter().copied().collect();
        prop_assert_eq!(matches.count(), listed.len() as u64);
        prop_assert_eq!(matches.slice(0..u64::MAX), listed.clone());
        for probe in probes {
            let id = probe.index(nodes as usize + 1) as u64;
            prop_assert_eq!(matches.rank(id), plain.range(..id).count() as u64);
            prop_assert_eq!(matches.within(id / 2..id), plain.range(id / 2..id).count() as u64);
            prop_assert_eq!(matches.get(id), listed.get(id as usize).copied());
            let end = (id + 7).min(listed.len() as u64);
            let start = id.min(end);
            prop_assert_eq!(matches.slice(id..id + 7), listed[start as usize..end as usize].to_vec());
        }
    }
}
