//! The values of a node, from Python into the row: by position, or by name.

use gt_log::{Kind, Row};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use super::shared::Shared;

/// The arguments of a call: borrowed from the interpreter, which keeps them until it returns.
pub(super) type Arguments<'a, 'py> = &'a [Borrowed<'a, 'py, PyAny>];

/// Puts the values of a record; `given` is how many it has, 0 where that is not to be checked.
pub(super) fn put_named<'py>(
    shared: &Shared,
    row: &mut Row<'_>,
    given: usize,
    get: impl Fn(&Py<PyString>) -> PyResult<Option<Bound<'py, PyAny>>>,
) -> Result<(), String> {
    let mut used = 0;
    for (place, kind) in shared.kinds.iter().enumerate() {
        match get(&shared.keys[place]).map_err(|error| error.to_string())? {
            None => row.put_missing(*kind),
            Some(value) => {
                used += 1;
                put(row, *kind, &value).map_err(|what| format!("`{}` {what}", shared.names[place]))?;
            }
        }
    }
    if used < given {
        return Err(format!("it has values that are none of {}", shared.names.join(", ")));
    }
    Ok(())
}

pub(super) fn put_in_order(
    shared: &Shared,
    row: &mut Row<'_>,
    values: Arguments<'_, '_>,
) -> Result<(), String> {
    let count = values.len();
    if count != shared.kinds.len() && count != 0 {
        let (names, needed) = (shared.names.join(", "), shared.kinds.len());
        return Err(format!("{count} values are given, and {needed} are needed: {names}"));
    }
    for (place, kind) in shared.kinds.iter().enumerate() {
        if count == 0 {
            row.put_missing(*kind);
            continue;
        }
        put(row, *kind, &values[place]).map_err(|what| format!("`{}` {what}", shared.names[place]))?;
    }
    Ok(())
}

/// Puts one value; `None` is a missing one.
fn put(row: &mut Row<'_>, kind: Kind, value: &Bound<'_, PyAny>) -> Result<(), String> {
    if value.is_none() {
        row.put_missing(kind);
        return Ok(());
    }
    let refused = || {
        let shown = value.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string());
        let shown: String = shown.chars().take(60).collect();
        format!("is {shown}, and a value of type {kind} is needed")
    };
    macro_rules! number {
        ($type:ty) => {{
            let number = value.extract::<i64>().ok().and_then(|number| <$type>::try_from(number).ok());
            row.put(&number.ok_or_else(refused)?)
        }};
    }
    match kind {
        Kind::I8 => number!(i8),
        Kind::I16 => number!(i16),
        Kind::I32 => number!(i32),
        Kind::I64 => row.put(&value.extract::<i64>().map_err(|_| refused())?),
        Kind::U8 => number!(u8),
        Kind::U16 => number!(u16),
        Kind::U32 => number!(u32),
        Kind::U64 => row.put(&value.extract::<u64>().map_err(|_| refused())?),
        Kind::F32 => row.put(&value.extract::<f32>().map_err(|_| refused())?),
        Kind::F64 => row.put(&value.extract::<f64>().map_err(|_| refused())?),
        Kind::Bool if value.is_instance_of::<PyBool>() || value.hasattr("dtype").unwrap_or(false) => {
            row.put(&value.is_truthy().map_err(|_| refused())?);
        }
        Kind::Bool => return Err(refused()),
        Kind::Text => {
            let text = value.cast::<PyString>().map_err(|_| refused())?;
            row.put(&&*text.to_cow().map_err(|_| refused())?);
        }
    }
    Ok(())
}
