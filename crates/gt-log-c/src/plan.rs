//! The plan for reading a record: made once, with the handle.
//!
//! ```text
//! record   depth ....  best ....  reply .  (gap)  name → "e2e4"
//! steps    8 bytes at 0 · 1 byte at 8 · text at 16
//! ```
//!
//! Numbers are copied bytewise, so the step of a number is its width and its place; signs and fractions
//! matter only to the schema. Adjacent numbers are copied together.
//!
//! **Invariant:** every step and every field lies inside the record.

mod values;

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

use gt_log::{Kind, Row, TEXT_BYTES_MAX};

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    steps: Vec<Step>,
    /// The fields of the steps, for [`Plan::values`].
    fields: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    offset: usize,
    load: Load,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Load {
    Bytes1,
    Bytes2,
    Bytes4,
    Bytes8,
    Truth { size: u8 },
    Text,
}

/// A field of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) kind: Kind,
    pub(crate) is_known_at_entry: bool,
}

impl Plan {
    /// Makes the plan for records of this size with these fields, whose sizes fit their kinds.
    ///
    /// # Panics
    /// If a field does not lie inside the record.
    pub(crate) fn new(record_size: usize, fields: &[Place]) -> Self {
        assert!(
            fields
                .iter()
                .all(|field| { field.size <= record_size && field.offset <= record_size - field.size })
        );
        let steps: Vec<Step> = fields.iter().map(|field| field.step()).collect();
        // A row counts its attributes to find the dictionary of a text, so beside texts each keeps its own
        // step; and adjacent numbers can be copied together only on little-endian machines.
        let has_texts = steps.iter().any(|step| step.load == Load::Text);
        let steps = if has_texts || cfg!(target_endian = "big") { steps } else { joined(&steps) };
        Self { steps, fields: fields.to_vec() }
    }

    /// Whether records are empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Writes the record's attributes into the row.
    ///
    /// # Safety
    /// The record has as many readable bytes as the descriptor says (of any alignment), and its texts are
    /// NULL or end with a zero byte.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        // SAFETY: every step lies inside the record (the plan's invariant), whose bytes are readable
        // (caller).
        self.steps.iter().try_for_each(|step| unsafe { step.store(record, row) })
    }

    /// Writes the record's attributes into the row; without a record, they are unknown.
    ///
    /// # Safety
    /// The record is NULL or as for [`Plan::store`].
    pub(crate) unsafe fn store_or_nothing(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        if record.is_null() {
            self.fields.iter().for_each(|field| row.put_missing(field.kind));
            return Ok(());
        }
        // SAFETY: `record` is not NULL, so it matches the descriptor (caller).
        unsafe { self.store(record, row) }
    }

    /// Whether some attributes are known when a node is entered.
    pub(crate) fn knows_at_entry(&self) -> bool {
        self.fields.iter().any(|field| field.is_known_at_entry)
    }

    /// Writes the attributes that are known at entry into the row.
    ///
    /// # Safety
    /// As for [`Plan::store`], limited to those attributes.
    pub(crate) unsafe fn store_at_entry(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        for field in &self.fields {
            if field.is_known_at_entry {
                // SAFETY: the field lies inside the record (the plan's invariant), and is readable (caller).
                unsafe { field.step().store(record, row) }?;
            } else {
                row.put_missing(field.kind);
            }
        }
        Ok(())
    }
}

impl Step {
    /// # Safety
    /// As for [`Plan::store`]; the step lies inside the record.
    #[inline(always)]
    unsafe fn store(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        // SAFETY: the step lies inside the record, which is readable (caller).
        unsafe {
            let field = record.add(self.offset);
            match self.load {
                Load::Bytes8 => row.put(&field.cast::<u64>().read_unaligned()),
                Load::Bytes4 => row.put(&field.cast::<u32>().read_unaligned()),
                Load::Bytes2 => row.put(&field.cast::<u16>().read_unaligned()),
                Load::Bytes1 => row.put(&field.read()),
                Load::Truth { size } => row.put(&truth(field, size)),
                Load::Text => store_text(field.cast::<*const c_char>().read_unaligned(), row)?,
            }
        }
        Ok(())
    }
}

impl Place {
    fn step(&self) -> Step {
        let load = match (self.kind, self.kind.width()) {
            (Kind::Text, _) => Load::Text,
            (Kind::Bool, _) => Load::Truth { size: self.size as u8 },
            (_, 1) => Load::Bytes1,
            (_, 2) => Load::Bytes2,
            (_, 4) => Load::Bytes4,
            _ => Load::Bytes8,
        };
        Step { offset: self.offset, load }
    }
}

impl Load {
    /// The number of bytes that are copied unchanged, if they are.
    fn bytes(self) -> Option<usize> {
        match self {
            Load::Bytes1 => Some(1),
            Load::Bytes2 => Some(2),
            Load::Bytes4 => Some(4),
            Load::Bytes8 => Some(8),
            Load::Truth { .. } | Load::Text => None,
        }
    }
}

/// The same bytes in the same order, in fewer steps.
fn joined(steps: &[Step]) -> Vec<Step> {
    let mut joined = Vec::new();
    let mut rest = steps;
    while let Some(first) = rest.first() {
        let mut end = first.offset;
        let mut count = 0;
        while let Some(step) = rest.get(count)
            && let Some(bytes) = step.load.bytes()
            && step.offset == end
        {
            end += bytes;
            count += 1;
        }
        if count == 0 {
            joined.push(*first);
        }
        put_run(first.offset, end, &mut joined);
        rest = &rest[count.max(1)..];
    }
    joined
}

/// Steps for the bytes of a run, the widest first.
fn put_run(mut offset: usize, end: usize, steps: &mut Vec<Step>) {
    for (bytes, load) in [(8, Load::Bytes8), (4, Load::Bytes4), (2, Load::Bytes2), (1, Load::Bytes1)] {
        while end - offset >= bytes {
            steps.push(Step { offset, load });
            offset += bytes;
        }
    }
}

/// # Safety
/// `size` bytes are readable at `field`.
unsafe fn truth(field: *const u8, size: u8) -> bool {
    // SAFETY: `place` is below `size`, and `size` bytes are readable at `field` (caller).
    (0..usize::from(size)).any(|place| unsafe { field.add(place).read() } != 0)
}

/// # Safety
/// The text is NULL or ends with a zero byte.
unsafe fn store_text(text: *const c_char, row: &mut Row<'_>) -> Result<(), String> {
    // SAFETY: the text is NULL or ends with a zero byte (caller).
    row.put(&&*unsafe { read_text(text) }?);
    Ok(())
}

/// # Safety
/// The text is NULL or ends with a zero byte, and does not change while the result is used.
unsafe fn read_text<'a>(text: *const c_char) -> Result<Cow<'a, str>, String> {
    if text.is_null() {
        return Ok(Cow::Borrowed(""));
    }
    // SAFETY: `text` is not NULL, so it ends with a zero byte and does not change while it is used (caller).
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("a text has {} bytes, at most {TEXT_BYTES_MAX} are kept", text.len()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
