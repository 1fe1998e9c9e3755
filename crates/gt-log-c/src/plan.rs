//! The plan for reading a record: made once, with the handle.
//!
//! ```text
//! record   depth ....  best ....  reply .  (gap)  seen .
//! row      depth ....  best ....  reply .  seen .
//! steps    8 bytes, 1 byte, 1 truth
//! ```
//!
//! Numbers are copied bytewise, so the step of a number is its width and its places; signs and fractions matter only to the schema.
//! Numbers that are adjacent in the record are adjacent in the row and copied together. A record with texts is read field by field.
//!
//! **Invariant:** every step and every field lies inside the record, and every step inside the row. A record that is copied has less than
//! 4 GiB.

mod values;

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

use gt_log::{Kind, Row, TEXT_BYTES_MAX};

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// How records are copied; `None` if they have texts, or 4 GiB.
    copies: Option<Copies>,
    fields: Vec<Place>,
}

/// How records without texts are copied into rows.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    row_bytes: usize,
    all: Box<[Step]>,
    /// The steps of the attributes that are known at entry.
    at_entry: Box<[Step]>,
    /// The attributes that are not, as bits.
    missing_at_entry: Box<[u64]>,
}

/// A copy from a place of the record to a place of the row. Small: all steps of most records are in one line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    from: u32,
    to: u32,
    load: Load,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Load {
    Bytes1,
    Bytes2,
    Bytes4,
    Bytes8,
    Bytes16,
    /// A truth of one byte.
    Truth,
    WideTruth {
        size: u8,
    },
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
        let has_texts = fields.iter().any(|field| field.kind == Kind::Text);
        let is_copied = !has_texts && u32::try_from(record_size).is_ok();
        Self { fields: fields.to_vec(), copies: is_copied.then(|| Copies::new(fields)) }
    }

    /// Whether records are empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// How records are copied, if they have no texts.
    #[inline(always)]
    pub(crate) fn copies(&self) -> Option<&Copies> {
        self.copies.as_ref()
    }

    /// Writes the record's attributes into the row.
    ///
    /// # Safety
    /// The record has as many readable bytes as the descriptor says (of any alignment), and its texts are
    /// NULL or end with a zero byte.
    pub(crate) unsafe fn store(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        // SAFETY: every field lies inside the record (the plan's invariant), whose bytes are readable
        // (caller).
        self.fields.iter().try_for_each(|field| unsafe { field.store(record, row) })
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
                unsafe { field.store(record, row) }?;
            } else {
                row.put_missing(field.kind);
            }
        }
        Ok(())
    }
}

impl Copies {
    fn new(fields: &[Place]) -> Self {
        let (mut all, mut at_entry) = (Vec::new(), Vec::new());
        let mut missing_at_entry = vec![0; fields.len().div_ceil(64)];
        let mut row_bytes = 0;
        for (number, field) in fields.iter().enumerate() {
            let width = field.kind.width();
            let load = match field.kind {
                Kind::Bool if field.size == 1 => Some(Load::Truth),
                Kind::Bool => Some(Load::WideTruth { size: field.size as u8 }),
                _ => None,
            };
            let copied = Copied { from: field.offset, to: row_bytes, bytes: width, load };
            all.push(copied);
            if field.is_known_at_entry {
                at_entry.push(copied);
            } else {
                missing_at_entry[number / 64] |= 1 << (number % 64);
            }
            row_bytes += width;
        }
        Self {
            row_bytes,
            all: steps(&all).into(),
            at_entry: steps(&at_entry).into(),
            missing_at_entry: missing_at_entry.into(),
        }
    }

    /// Copies a record.
    ///
    /// # Safety
    /// The record has as many readable bytes as the descriptor says.
    #[inline(always)]
    pub(crate) unsafe fn copy(&self, record: *const u8, row: &mut [u8]) {
        // SAFETY: as for this call (caller).
        unsafe { self.run(&self.all, record, row) };
    }

    /// Copies the attributes that are known at entry.
    ///
    /// # Safety
    /// Those attributes of the record are readable.
    #[inline(always)]
    pub(crate) unsafe fn copy_at_entry(&self, record: *const u8, row: &mut [u8]) {
        // SAFETY: as for this call (caller).
        unsafe { self.run(&self.at_entry, record, row) };
    }

    /// The attributes that are not known at entry, as bits, 64 a word.
    #[inline(always)]
    pub(crate) fn missing_at_entry(&self) -> &[u64] {
        &self.missing_at_entry
    }

    /// Makes these steps.
    ///
    /// # Safety
    /// The bytes of the record that the steps read are readable.
    #[inline(always)]
    unsafe fn run(&self, steps: &[Step], record: *const u8, row: &mut [u8]) {
        assert_eq!(row.len(), self.row_bytes);
        let row = row.as_mut_ptr();
        for step in steps {
            // SAFETY: the step lies inside the record, which is readable (caller), and inside the row, whose length was
            // checked; the row is the log's own memory and no part of the record.
            unsafe {
                let (from, to) = (record.add(step.from as usize), row.add(step.to as usize));
                match step.load {
                    Load::Bytes16 => to.copy_from_nonoverlapping(from, 16),
                    Load::Bytes8 => to.copy_from_nonoverlapping(from, 8),
                    Load::Bytes4 => to.copy_from_nonoverlapping(from, 4),
                    Load::Bytes2 => to.copy_from_nonoverlapping(from, 2),
                    Load::Bytes1 => to.copy_from_nonoverlapping(from, 1),
                    Load::Truth => to.write(u8::from(from.read() != 0)),
                    Load::WideTruth { size } => to.write(u8::from(truth(from, size))),
                }
            }
        }
    }
}

impl Place {
    /// # Safety
    /// The field lies inside the record and is readable; its text is NULL or ends with a zero byte.
    unsafe fn store(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        // SAFETY: the field is readable (caller).
        unsafe {
            let field = record.add(self.offset);
            match (self.kind, self.kind.width()) {
                (Kind::Text, _) => return store_text(field.cast::<*const c_char>().read_unaligned(), row),
                (Kind::Bool, _) => row.put(&truth(field, self.size as u8)),
                (_, 1) => row.put(&field.read()),
                (_, 2) => row.put(&field.cast::<u16>().read_unaligned()),
                (_, 4) => row.put(&field.cast::<u32>().read_unaligned()),
                _ => row.put(&field.cast::<u64>().read_unaligned()),
            }
        }
        Ok(())
    }
}

/// Bytes that are copied from the record to the row: unchanged, unless `load` says otherwise.
#[derive(Clone, Copy)]
struct Copied {
    from: usize,
    to: usize,
    bytes: usize,
    load: Option<Load>,
}

/// The steps that copy all of these, as few as do it.
fn steps(copied: &[Copied]) -> Vec<Step> {
    let is_next = |a: &Copied, b: &Copied| {
        a.load.or(b.load).is_none() && (a.from + a.bytes, a.to + a.bytes) == (b.from, b.to)
    };
    let mut steps = Vec::new();
    for run in copied.chunk_by(is_next) {
        let Copied { from, to, load, .. } = run[0];
        match load {
            Some(load) => steps.push(Step { from: from as u32, to: to as u32, load }),
            None => put_run(from, to, run.iter().map(|part| part.bytes).sum(), &mut steps),
        }
    }
    steps
}

/// Steps for so many adjacent bytes. All are of one width, and the last one may copy bytes that were copied before.
fn put_run(from: usize, to: usize, bytes: usize, steps: &mut Vec<Step>) {
    let (width, load) = match bytes {
        16.. => (16, Load::Bytes16),
        8.. => (8, Load::Bytes8),
        4.. => (4, Load::Bytes4),
        2.. => (2, Load::Bytes2),
        _ => (1, Load::Bytes1),
    };
    for start in (0..bytes).step_by(width) {
        let start = start.min(bytes - width);
        steps.push(Step { from: (from + start) as u32, to: (to + start) as u32, load });
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
