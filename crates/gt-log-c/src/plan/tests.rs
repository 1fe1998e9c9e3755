use gt_log::{Column, Header, Log, LogWriter, Metadata, Options, Schema};
use proptest::prelude::*;

use super::copies::{Load, Step};
use super::*;

fn fields() -> impl Strategy<Value = Vec<Place>> {
    let field = (0..11_usize, 0..4_u32, 0..40_usize, any::<bool>(), any::<bool>());
    prop::collection::vec(field, 0..80).prop_map(|fields| {
        let mut end = 0;
        let place = |(kind, power, offset, is_next, is_known): (usize, u32, usize, bool, bool)| {
            let kind = Kind::ALL[kind];
            let size = if kind == Kind::Bool { 1 << power } else { kind.width() };
            let offset = if is_next { end } else { offset };
            end = offset + size;
            Place { offset, size, kind, is_known_at_entry: is_known }
        };
        fields.into_iter().map(place).collect()
    })
}

/// The field's integer as stored in the log, read byte by byte.
fn integer(record: &[u8], field: &Place) -> i64 {
    let bytes = &record[field.offset..][..field.size];
    let unsigned = bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let shift = 64 - 8 * field.size as u32;
    match field.kind {
        Kind::Bool => i64::from(unsigned != 0),
        Kind::I8 | Kind::I16 | Kind::I32 => (unsigned << shift) as i64 >> shift,
        _ => unsigned as i64,
    }
}

/// The record's values in the log after passing through the plan: for a node that was left with the record, and for one that was only
/// entered with it.
fn logged(plan: &Plan, fields: &[Place], record: &[u8], is_copied: bool) -> (Vec<i64>, Vec<Option<i64>>) {
    let names = fields.iter().enumerate().map(|(place, field)| (format!("a{place}"), field.kind));
    let log = LogWriter::to_memory(Header::new("", Schema::new(names).unwrap())).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    // SAFETY: the record has the plan's size, and no texts.
    unsafe {
        if let (Some(copies), true) = (plan.copies(), is_copied) {
            let fill = |row: &mut [u8]| copies.copy_at_entry(record.as_ptr(), row);
            tree.enter_filled(0, copies.missing_at_entry(), fill).unwrap();
            tree.enter(0).unwrap();
            tree.leave_filled(|row| copies.copy(record.as_ptr(), row)).unwrap();
        } else {
            tree.enter_with(0, |_, row| plan.store_at_entry(record.as_ptr(), row)).unwrap();
            tree.enter(0).unwrap();
            tree.leave_with(|_, row| plan.store(record.as_ptr(), row)).unwrap();
        }
    }
    tree.leave_unfinished().unwrap();
    tree.finish().unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let tree = log.tree(0).unwrap();
    let value = |place, row| tree.decode(0, Column::Attribute(place)).unwrap().get(row);
    let is_known = |place| tree.missing(0, place).unwrap().is_none_or(|rows| rows[0] & 2 == 0);
    let all = (0..fields.len()).map(|place| value(place, 0)).collect();
    (all, (0..fields.len()).map(|place| is_known(place).then(|| value(place, 1))).collect())
}

proptest! {
    #[test]
    fn joined_steps_carry_the_same_values(fields in fields(), record in prop::collection::vec(any::<u8>(), 1000)) {
        let plan = Plan::new(record.len(), &fields);
        let expected: Vec<i64> = fields.iter().map(|field| integer(&record, field)).collect();
        let known = fields.iter().zip(&expected);
        let known: Vec<Option<i64>> = known.map(|(field, value)| field.is_known_at_entry.then_some(*value)).collect();
        prop_assert_eq!(logged(&plan, &fields, &record, false), (expected.clone(), known.clone()));
        prop_assert_eq!(logged(&plan, &fields, &record, true), (expected, known));
    }
}

#[test]
fn neighbours_are_joined() {
    let fields: Vec<Place> = (0..5)
        .map(|place| Place { offset: 4 * place, size: 4, kind: Kind::I32, is_known_at_entry: place > 2 })
        .collect();
    let copies = Plan::new(20, &fields).copies.unwrap();
    let step = |place, load| Step { from: place, to: place, load };
    assert_eq!(*copies.all, [step(0, Load::Bytes16), step(4, Load::Bytes16)]);
    assert_eq!(*copies.at_entry, [step(12, Load::Bytes8)]);
    assert_eq!(*copies.missing_at_entry, [0b111]);
}
