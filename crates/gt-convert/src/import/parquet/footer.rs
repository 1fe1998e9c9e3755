//! Checks a Parquet file's footer before the library decodes it.
//!
//! ```text
//! PAR1  pages…  footer: schema, row groups, columns  length  PAR1
//! ```
//!
//! The library recurses into the schema and reserves memory for as many children and row groups as are claimed: a
//! schema is passed on only if it is shallow and claims no more elements than follow.

use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use super::shapes;
use super::source::{Source, general};
use super::thrift::{Field, Walk};

/// The maximum length of a footer; other readers also reject one of 100 MB.
const FOOTER_BYTES_MAX: u64 = 1 << 27;
/// The maximum nesting of columns in groups.
const NESTING_MAX: usize = 64;
/// The length and the magic bytes at the end.
const TAIL_BYTES: u64 = 8;

/// Rejects a footer that the library would not survive; the library reports other problems.
pub(super) fn check(source: &Source) -> Result<()> {
    let Some(tail_start) = source.len().checked_sub(TAIL_BYTES) else { return Ok(()) };
    let tail = source.get_bytes(tail_start, TAIL_BYTES as usize)?;
    let Some((length, b"PAR1")) = tail.split_first_chunk::<4>() else { return Ok(()) };
    let length = u64::from(u32::from_le_bytes(*length));
    let Some(start) = tail_start.checked_sub(length) else { return Ok(()) };
    if length > FOOTER_BYTES_MAX {
        return Err(general(format!("its footer has {length} bytes; write it with larger row groups")));
    }
    let footer = source.get_bytes(start, length as usize)?;
    let mut schema = SchemaCheck { children_max: length, ..SchemaCheck::default() };
    Walk::new(&footer[..], length).walk(&shapes::FILE, &mut |name, field, value| match (name, field, value) {
        ("SCHEMA_ELEMENT", Field::Number(5), Some(children)) => schema.count_children(children),
        ("SCHEMA_ELEMENT", Field::End, _) => schema.end_element(),
        _ => Ok(()),
    })
}

/// Follows the schema's elements, each group before its children.
#[derive(Default)]
struct SchemaCheck {
    /// The maximum number of children: each takes a byte.
    children_max: u64,
    /// The number that the current element claims.
    children: u64,
    /// The number of children that each open group still expects, and the total.
    waiting: Vec<u64>,
    waiting_total: u64,
}

impl SchemaCheck {
    fn count_children(&mut self, children: i64) -> Result<()> {
        self.children = u64::try_from(children).unwrap_or(0);
        self.waiting_total = self.waiting_total.saturating_add(self.children);
        if self.waiting_total > self.children_max {
            return Err(general("its schema claims more columns than it has"));
        }
        Ok(())
    }

    fn end_element(&mut self) -> Result<()> {
        let children = std::mem::take(&mut self.children);
        if let Some(waiting) = self.waiting.last_mut() {
            *waiting -= 1;
            self.waiting_total -= 1;
        }
        if children > 0 {
            self.waiting.push(children);
        }
        while self.waiting.last() == Some(&0) {
            self.waiting.pop();
        }
        if self.waiting.len() > NESTING_MAX {
            return Err(general(format!("its columns lie more than {NESTING_MAX} groups deep")));
        }
        Ok(())
    }
}
