//! How a record is read: one step for each attribute, decided once, when the handle is made.
//!
//! ```text
//! record   depth ....  best .... | name → "e2e4"
//! steps    4 bytes at 0 · 4 bytes at 4 · text at 8
//! ```
//!
//! Numbers are carried over by their bytes, so the step of a number is its width and its place; signs and
//! fractions matter to the schema alone.
//!
//! **Invariant:** every step lies inside the record.

use std::ffi::{CStr, c_char};

use gt_log::{Kind, Row, TEXT_BYTES_MAX};

#[derive(Debug)]
pub(crate) struct Plan {
    steps: Vec<Step>,
    record_size: usize,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    offset: usize,
    load: Load,
}

#[derive(Clone, Copy, Debug)]
enum Load {
    Bytes1,
    Bytes2,
    Bytes4,
    Bytes8,
    Truth { size: u8 },
    Text,
}

impl Plan {
    /// The plan for records of this size, with no attribute yet.
    pub(crate) fn new(record_size: usize) -> Self {
        Self { steps: Vec::new(), record_size }
    }

    /// Adds an attribute, whose size fits its kind.
    ///
    /// # Panics
    /// If it does not lie inside the record.
    pub(crate) fn add(&mut self, offset: usize, size: usize, kind: Kind) {
        assert!(size <= self.record_size && offset <= self.record_size - size);
        let load = match (kind, kind.width()) {
            (Kind::Text, _) => Load::Text,
            (Kind::Bool, _) => Load::Truth { size: size as u8 },
            (_, 1) => Load::Bytes1,
            (_, 2) => Load::Bytes2,
            (_, 4) => Load::Bytes4,
            _ => Load::Bytes8,
        };
        self.steps.push(Step { offset, load });
    }

    /// Whether records hold nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Puts the record's attributes into the row.
    ///
    /// # Safety
    /// The record has as many readable bytes as the descriptor says (any alignment will do), and its texts
    /// are NULL or end with a zero byte.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
        for step in &self.steps {
            // SAFETY: the step lies inside the record (invariant), which is readable (caller).
            unsafe {
                let field = record.add(step.offset);
                match step.load {
                    Load::Bytes4 => row.put(&field.cast::<u32>().read_unaligned()),
                    Load::Bytes8 => row.put(&field.cast::<u64>().read_unaligned()),
                    Load::Bytes2 => row.put(&field.cast::<u16>().read_unaligned()),
                    Load::Bytes1 => row.put(&field.read()),
                    Load::Truth { size } => row.put(&truth(field, size)),
                    Load::Text => store_text(field.cast::<*const c_char>().read_unaligned(), row)?,
                }
            }
        }
        Ok(())
    }
}

/// # Safety
/// `size` bytes are readable at `field`.
unsafe fn truth(field: *const u8, size: u8) -> bool {
    // SAFETY: the caller vouches for these bytes.
    (0..usize::from(size)).any(|place| unsafe { field.add(place).read() } != 0)
}

/// # Safety
/// The text is NULL or ends with a zero byte.
unsafe fn store_text(text: *const c_char, row: &mut Row<'_>) -> Result<(), String> {
    if text.is_null() {
        row.put(&"");
        return Ok(());
    }
    // SAFETY: not NULL, and the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(text) };
    // Replacing what is not UTF-8 can only make it longer.
    let text = text.to_string_lossy();
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("a text has {} bytes, at most {TEXT_BYTES_MAX} are kept", text.len()));
    }
    row.put(&&*text);
    Ok(())
}
