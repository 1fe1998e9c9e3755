use gt_log::{Column, Header, Log, LogWriter, Metadata, Options, Schema};
use proptest::prelude::*;

use super::*;

fn fields() -> impl Strategy<Value = Vec<Place>> {
    let field = (0..11_usize, 0..4_u32, 0..40_usize, any::<bool>());
    prop::collection::vec(field, 0..12).prop_map(|fields| {
        let mut end = 0;
        let place = |(kind, power, offset, is_next): (usize, u32, usize, bool)| {
            let kind = Kind::ALL[kind];
            let size = if kind == Kind::Bool { 1 << power } else { kind.width() };
            let offset = if is_next { end } else { offset };
            end = offset + size;
            Place { offset, size, kind, is_known_at_entry: false }
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

/// The record's values in the log after passing through the plan.
fn logged(plan: &Plan, fields: &[Place], record: &[u8]) -> Vec<i64> {
    let names = fields.iter().enumerate().map(|(place, field)| (format!("a{place}"), field.kind));
    let log = LogWriter::to_memory(Header::new("", Schema::new(names).unwrap())).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    // SAFETY: the record has the plan's size, and no texts.
    tree.leave_with(|_, row| unsafe { plan.store(record.as_ptr(), row) }).unwrap();
    tree.finish().unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let tree = log.tree(0).unwrap();
    let value = |place| tree.decode(0, Column::Attribute(place)).unwrap().get(0);
    (0..fields.len()).map(value).collect()
}

proptest! {
    #[test]
    fn joined_steps_carry_the_same_values(fields in fields(), record in prop::collection::vec(any::<u8>(), 200)) {
        let plan = Plan::new(record.len(), &fields);
        let expected: Vec<i64> = fields.iter().map(|field| integer(&record, field)).collect();
        prop_assert_eq!(logged(&plan, &fields, &record), expected);
    }
}

#[test]
fn neighbours_are_joined() {
    let fields: Vec<Place> = (0..5)
        .map(|place| Place { offset: 4 * place, size: 4, kind: Kind::I32, is_known_at_entry: false })
        .collect();
    let steps = Plan::new(20, &fields).steps;
    if cfg!(target_endian = "little") {
        let step = |offset, load| Step { offset, load };
        assert_eq!(steps, [step(0, Load::Bytes8), step(8, Load::Bytes8), step(16, Load::Bytes4)]);
    }
}
