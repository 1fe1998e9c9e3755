//! The ranges of a log's attributes, from the heads of its blocks.

use gt_log::{Column, Kind, Log};

/// Returns the minimum and maximum value of each attribute that is a whole number, over all trees of a log. `None`
/// for other attributes, if there is no node, and if unsigned values exceed the signed range.
#[must_use]
pub fn attribute_ranges(log: &Log) -> Vec<Option<(i64, i64)>> {
    let range = |(place, kind): (usize, Kind)| {
        let heads = log.trees().flat_map(|tree| tree.blocks().collect::<Vec<_>>());
        let ends = heads
            .map(|head| &head.columns[Column::Attribute(place).number()])
            .map(|column| (column.min, column.max));
        let range = ends.reduce(|all, more| (all.0.min(more.0), all.1.max(more.1)))?;
        // The columns of unsigned values hold their bits: a negative number is a large one.
        let is_wrapped = kind == Kind::U64 && (range.0 < 0 || range.1 < 0);
        (kind.is_integer() && !is_wrapped).then_some(range)
    };
    log.schema().attributes().iter().map(|attribute| attribute.kind).enumerate().map(range).collect()
}

#[cfg(test)]
mod tests {
    use gt_log::{Header, LogWriter, Metadata, Options, Schema, Value};

    use super::*;

    #[test]
    fn ranges_are_those_of_all_trees() {
        let kinds = [("best", Kind::I16), ("hash", Kind::U64), ("depth", Kind::U8), ("eval", Kind::F32)];
        let log = LogWriter::to_memory(Header::new("", Schema::new(kinds).unwrap())).unwrap();
        for (best, hash) in [(-7, 3), (12, u64::MAX)] {
            let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
            tree.enter(0).unwrap();
            let values = [Value::Int(best), Value::UInt(hash), Value::UInt(200), Value::Float(0.5)];
            tree.leave_values(&values).unwrap();
            tree.finish().unwrap();
        }
        let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
        assert_eq!(attribute_ranges(&log), [Some((-7, 12)), None, Some((200, 200)), None]);
        let empty = LogWriter::to_memory(Header::new("", Schema::new(kinds).unwrap())).unwrap();
        assert_eq!(attribute_ranges(&Log::from_bytes(empty.into_memory().unwrap()).unwrap()), [None; 4]);
    }
}
