//! Keyword arguments as the parameters of a query.

use gt_fleet::Given;
use gt_query::Value;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::error::QueryError;

/// The parameters that keyword arguments give.
pub(crate) fn of_keywords(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Given)>> {
    let Some(keywords) = keywords else { return Ok(Vec::new()) };
    keywords.iter().map(|(name, value)| Ok((name.extract::<String>()?, given(&name, &value)?))).collect()
}

fn given(name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Given> {
    self::value(value)
        .map(Given::Value)
        .map_err(|error| QueryError::new_err(format!("the parameter ${name} {}", error.value(name.py()))))
}

/// A value of Python's as one of the language; the error is the end of a sentence that names it.
pub(crate) fn value(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let refused = |what: &str| Err(QueryError::new_err(what.to_owned()));
    // A Boolean is an integer too: it comes first.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return match value.extract::<i128>() {
            Ok(number) if (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number) => {
                Ok(Value::Integer(number))
            }
            _ => refused("is beyond the 64-bit integers"),
        };
    }
    if value.is_instance_of::<PyFloat>() {
        return match Value::float(value.extract()?) {
            Some(value) => Ok(value),
            None => refused("is not a number"),
        };
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::text(&value.extract::<String>()?));
    }
    // NumPy's numbers are of types of their own.
    if let Ok(number) = value.extract::<i64>() {
        return Ok(Value::Integer(number.into()));
    }
    if let Some(value) = value.extract::<f64>().ok().and_then(Value::float) {
        return Ok(value);
    }
    refused(&format!("is a {}, and a number, a truth value or a text is needed", value.get_type().name()?))
}
