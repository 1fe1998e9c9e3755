//! A field of a record that is read by itself.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

use gt_log::{Kind, Row, TEXT_BYTES_MAX};

/// A field of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) kind: Kind,
    pub(crate) is_known_at_entry: bool,
}

impl Place {
    /// # Safety
    /// The field lies inside the record and is readable; its text is NULL or ends with a zero byte.
    pub(super) unsafe fn store(&self, record: *const u8, row: &mut Row<'_>) -> Result<(), String> {
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

/// # Safety
/// `size` bytes are readable at `field`.
pub(super) unsafe fn truth(field: *const u8, size: u8) -> bool {
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
pub(super) unsafe fn read_text<'a>(text: *const c_char) -> Result<Cow<'a, str>, String> {
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
