//! The plan for reading a record, made once, with the handle.
//!
//! A record without texts is copied by its bytes (`copies`); a record with texts is read field by field.
//!
//! **Invariant:** every field lies inside the record.

mod copies;
mod place;
mod values;

use gt_log::{Kind, Row};

pub(crate) use self::copies::{Copies, Quick};
pub(crate) use self::place::Place;

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// How records are copied; `None` if they have texts or take 4 GiB or more.
    copies: Option<Copies>,
    fields: Vec<Place>,
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

#[cfg(test)]
mod tests;
