//! Metadata within limits, so that a header is never larger than readers accept.

use gt_log::{Metadata, TEXT_BYTES_MAX};

use crate::boundary::Fault;

/// The maximum number of entries.
const ENTRIES_MAX: usize = 256;

/// Sets an entry, if it is valid.
pub(crate) fn set(metadata: &mut Metadata, key: &str, value: &str) -> Result<(), Fault> {
    if key.is_empty() {
        return Err(Fault::argument("an entry of metadata needs a name"));
    }
    let longest = key.len().max(value.len());
    if longest > TEXT_BYTES_MAX {
        return Err(Fault::argument(format!(
            "an entry of metadata has {longest} bytes, at most {TEXT_BYTES_MAX} are kept"
        )));
    }
    if metadata.get(key).is_none() && metadata.iter().count() >= ENTRIES_MAX {
        return Err(Fault::argument(format!("there are at most {ENTRIES_MAX} entries of metadata")));
    }
    metadata.set(key, value);
    Ok(())
}
