//! A record's attributes as values of the query language, for attached queries.
//!
//! They are the values that a query reads from the log of the same node: a record that the log rejects is also rejected here.

use std::ffi::c_char;

use gt_log::Kind;
use gt_query::Value;

use super::Plan;
use super::place::{Place, read_text, truth};

impl Plan {
    /// The number of attributes of a record.
    pub(crate) fn attributes(&self) -> usize {
        self.fields.len()
    }

    /// Replaces `values` by the record's values; an attribute that no query reads may get any value.
    ///
    /// # Safety
    /// As for [`Plan::store`].
    pub(crate) unsafe fn values(
        &self,
        record: *const u8,
        is_read: &[bool],
        values: &mut Vec<Value>,
    ) -> Result<(), String> {
        values.clear();
        for (field, is_read) in self.fields.iter().zip(is_read) {
            // A text is always read, because the log rejects one that is too long.
            values.push(if *is_read || field.kind == Kind::Text {
                // SAFETY: the record matches the descriptor (caller), and the field lies inside it (the plan's
                // invariant).
                unsafe { field.value(record, *is_read) }?
            } else {
                Value::Boolean(false)
            });
        }
        Ok(())
    }

    /// The values that are known at entry.
    ///
    /// # Safety
    /// As for [`Plan::store_at_entry`].
    pub(crate) unsafe fn values_at_entry(&self, record: *const u8) -> Result<Vec<Option<Value>>, String> {
        let value = |field: &Place| {
            // SAFETY: the record matches the descriptor (caller), and the field lies inside it (the plan's
            // invariant).
            field.is_known_at_entry.then(|| unsafe { field.value(record, true) }).transpose()
        };
        self.fields.iter().map(value).collect()
    }
}

impl Place {
    /// # Safety
    /// The field lies inside the record, which is readable; its text is NULL or ends with a zero byte.
    unsafe fn value(&self, record: *const u8, is_read: bool) -> Result<Value, String> {
        // SAFETY: the field is readable (caller), and `understand` has checked its size against its kind.
        unsafe {
            let field = record.add(self.offset);
            Ok(match self.kind {
                Kind::I8 => Value::Integer(field.cast::<i8>().read_unaligned().into()),
                Kind::I16 => Value::Integer(field.cast::<i16>().read_unaligned().into()),
                Kind::I32 => Value::Integer(field.cast::<i32>().read_unaligned().into()),
                Kind::I64 => Value::Integer(field.cast::<i64>().read_unaligned().into()),
                Kind::U8 => Value::Integer(field.read().into()),
                Kind::U16 => Value::Integer(field.cast::<u16>().read_unaligned().into()),
                Kind::U32 => Value::Integer(field.cast::<u32>().read_unaligned().into()),
                Kind::U64 => Value::Integer(field.cast::<u64>().read_unaligned().into()),
                Kind::F32 => Value::Float(field.cast::<f32>().read_unaligned().into()),
                Kind::F64 => Value::Float(field.cast::<f64>().read_unaligned()),
                Kind::Bool => Value::Boolean(truth(field, self.size as u8)),
                Kind::Text => {
                    let text = read_text(field.cast::<*const c_char>().read_unaligned())?;
                    if is_read { Value::text(&text) } else { Value::Boolean(false) }
                }
            })
        }
    }
}
