//! The log's types for Parquet's, and our errors for its library's.

use gt_log::Kind;
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

use crate::{Error, ErrorKind, Result};

/// The attribute type for a column's declared type.
pub(super) fn kind_of(column: &ColumnDescriptor) -> Result<Kind> {
    let unsupported = |name: String| Err(ErrorKind::UnsupportedType { name }.into());
    if column.max_rep_level() > 0 {
        return unsupported("list".to_owned());
    }
    if let Some(logical) = column.logical_type_ref() {
        return match (column.physical_type(), logical) {
            (_, LogicalType::Integer(integer)) => match (integer.bit_width, integer.is_signed) {
                (8, true) => Ok(Kind::I8),
                (16, true) => Ok(Kind::I16),
                (32, true) => Ok(Kind::I32),
                (64, true) => Ok(Kind::I64),
                (8, false) => Ok(Kind::U8),
                (16, false) => Ok(Kind::U16),
                (32, false) => Ok(Kind::U32),
                (64, false) => Ok(Kind::U64),
                _ => unsupported(format!("integer of {} bits", integer.bit_width)),
            },
            (Physical::BYTE_ARRAY, LogicalType::String | LogicalType::Enum | LogicalType::Json) => {
                Ok(Kind::Text)
            }
            (physical, LogicalType::Unknown) => plain_kind(physical),
            (_, other) => unsupported(format!("{other:?}")),
        };
    }
    match column.converted_type() {
        ConvertedType::NONE => plain_kind(column.physical_type()),
        ConvertedType::INT_8 => Ok(Kind::I8),
        ConvertedType::INT_16 => Ok(Kind::I16),
        ConvertedType::INT_32 => Ok(Kind::I32),
        ConvertedType::INT_64 => Ok(Kind::I64),
        ConvertedType::UINT_8 => Ok(Kind::U8),
        ConvertedType::UINT_16 => Ok(Kind::U16),
        ConvertedType::UINT_32 => Ok(Kind::U32),
        ConvertedType::UINT_64 => Ok(Kind::U64),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Ok(Kind::Text),
        other => unsupported(other.to_string()),
    }
}

fn plain_kind(physical: Physical) -> Result<Kind> {
    match physical {
        Physical::BOOLEAN => Ok(Kind::Bool),
        Physical::INT32 => Ok(Kind::I32),
        Physical::INT64 => Ok(Kind::I64),
        Physical::FLOAT => Ok(Kind::F32),
        Physical::DOUBLE => Ok(Kind::F64),
        Physical::BYTE_ARRAY => Ok(Kind::Text),
        Physical::INT96 | Physical::FIXED_LEN_BYTE_ARRAY => {
            Err(ErrorKind::UnsupportedType { name: physical.to_string() }.into())
        }
    }
}

pub(super) fn broken(what: impl Into<String>) -> Error {
    ErrorKind::Broken { format: "Parquet", what: what.into() }.into()
}

impl From<ParquetError> for Error {
    fn from(error: ParquetError) -> Self {
        let error = match error {
            // A full disk is not the file's fault.
            ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
                Ok(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => return (*error).into(),
                Ok(error) => ParquetError::External(error),
                Err(inner) => ParquetError::External(inner),
            },
            other => other,
        };
        let text = error.to_string();
        if let Some((_, name)) = text.split_once("Disabled feature at compile time: ") {
            return ErrorKind::UnsupportedCompression { name: name.to_owned() }.into();
        }
        let what = text.strip_prefix("Parquet error: ").unwrap_or(&text);
        broken(what.trim())
    }
}
