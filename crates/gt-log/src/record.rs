//! What an engine hands over when it leaves a node: its own struct, or a list of values.
//!
//! ```
//! gt_log::record! {
//!     /// What my engine knows of a node.
//!     pub struct Node {
//!         pub depth: i8,
//!         pub best: i32,
//!         pub in_check: bool,
//!     }
//! }
//! let schema = gt_log::Schema::of::<Node>()?;
//! assert_eq!(schema.attributes()[1].name, "best");
//! # Ok::<(), gt_log::SchemaError>(())
//! ```

use std::collections::HashMap;
use std::hint::select_unpredictable;

use crate::{Kind, Schema, SchemaError};

/// The maximum length of a node's text, in bytes.
pub const TEXT_BYTES_MAX: usize = 65_535;

/// A struct whose fields are a node's attributes. [`record!`](crate::record!) writes the implementation.
pub trait Record {
    /// The attributes' names and types, in the order of the record.
    fn attributes() -> Vec<(&'static str, Kind)>;
    /// Puts every attribute's value into the row, in that order.
    fn store(&self, row: &mut Row<'_>);
}

impl Schema {
    /// The schema of a record type.
    pub fn of<R: Record>() -> Result<Self, SchemaError> {
        Self::new(R::attributes())
    }
}

/// The row of a node that is being left.
pub struct Row<'a> {
    /// The record's place, as long as the schema says.
    record: &'a mut [u8],
    /// How many bytes of the record have been put, or would have been if there were room.
    put: usize,
    texts: &'a mut [TextColumn],
    /// Which of the first 64 attributes lack a value, as bits: in a register while the record is put.
    missing: u64,
    /// Which of the other attributes lack a value: a word for each 64.
    more_missing: &'a mut [u64],
    column: usize,
    fault: Option<String>,
}

impl<'a> Row<'a> {
    #[inline(always)]
    pub(crate) fn new(
        record: &'a mut [u8],
        texts: &'a mut [TextColumn],
        more_missing: &'a mut [u64],
    ) -> Self {
        if !more_missing.is_empty() {
            more_missing.fill(0);
        }
        Self { record, put: 0, texts, missing: 0, more_missing, column: 0, fault: None }
    }

    /// Puts the next attribute's value.
    #[inline(always)]
    pub fn put<F: Field>(&mut self, value: &F) {
        value.store(self);
        self.column += 1;
    }

    /// Puts no value for the next attribute, which is of this type.
    pub fn put_missing(&mut self, kind: Kind) {
        self.note_missing(kind);
        self.column += 1;
    }

    #[inline(always)]
    fn note_missing(&mut self, kind: Kind) {
        self.note_whether_missing(true);
        let width = kind.width();
        if let Some(place) = self.record.get_mut(self.put..self.put + width) {
            place.fill(0);
        }
        self.put += width;
    }

    /// Whether there is room for this many more bytes; checked once per record, so that no field has to check it.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn has_room(&self, bytes: usize) -> bool {
        self.record.len() >= bytes && self.put <= self.record.len() - bytes
    }

    /// Notes that a record of this many bytes does not fit, instead of putting it.
    #[doc(hidden)]
    #[cold]
    pub fn refuse(&mut self, bytes: usize) {
        self.put += bytes;
    }

    #[inline(always)]
    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(place) = self.record.get_mut(self.put..self.put + N) {
            place.copy_from_slice(&bytes);
        }
        self.put += N;
    }

    /// Puts the bytes, and notes the value as missing unless it is known.
    #[inline(always)]
    fn bytes_if<const N: usize>(&mut self, is_known: bool, bytes: [u8; N]) {
        self.note_whether_missing(!is_known);
        self.bytes(bytes);
    }

    #[inline(always)]
    fn note_whether_missing(&mut self, is_missing: bool) {
        match self.column {
            column @ ..64 => self.missing |= u64::from(is_missing) << column,
            // An attribute beyond all schemas is left to the check of the record's length.
            column => {
                if let Some(word) = self.more_missing.get_mut(column / 64 - 1) {
                    *word |= u64::from(is_missing) << (column % 64);
                }
            }
        }
    }

    /// Puts attributes as the bytes they have in a record.
    pub(crate) fn raw(&mut self, bytes: &[u8], attributes: usize) {
        if let Some(place) = self.record.get_mut(self.put..self.put + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.put += bytes.len();
        self.column += attributes;
    }

    fn text(&mut self, text: &str) {
        if text.len() > TEXT_BYTES_MAX {
            self.fault = Some(format!("a text has {} bytes, at most {TEXT_BYTES_MAX} are kept", text.len()));
            return;
        }
        match self.texts.get_mut(self.column) {
            Some(texts) => {
                let code = texts.code(text);
                self.bytes(code.to_le_bytes());
            }
            None => self.fault = Some("it has more attributes than the schema".to_owned()),
        }
    }

    /// Ends the record: returns the attributes that it lacks, of the first 64, as bits, or what is wrong with it.
    #[inline(always)]
    pub(crate) fn end(&mut self) -> std::result::Result<u64, String> {
        if self.put == self.record.len() && self.fault.is_none() {
            Ok(self.missing)
        } else {
            Err(explain_fault(self.put, self.record.len(), self.fault.take()))
        }
    }
}

/// Takes values and not the row: a row that is passed to a call out of line cannot be kept in registers.
#[cold]
fn explain_fault(put: usize, length: usize, fault: Option<String>) -> String {
    fault.unwrap_or_else(|| format!("it has {put} bytes, the schema {length}"))
}

/// A type that an attribute can have.
pub trait Field {
    /// The attribute's type in the schema.
    const KIND: Kind;
    /// Puts the value into the row.
    fn store(&self, row: &mut Row<'_>);
    /// Puts the value into the row, or notes that there is none.
    #[doc(hidden)]
    #[inline(always)]
    fn store_if_known(value: &Option<Self>, row: &mut Row<'_>)
    where
        Self: Sized,
    {
        match value {
            Some(value) => value.store(row),
            None => row.note_missing(Self::KIND),
        }
    }
}

macro_rules! number_field {
    ($($type:ty => $kind:ident),*) => {$(
        impl Field for $type {
            const KIND: Kind = Kind::$kind;
            #[inline(always)]
            fn store(&self, row: &mut Row<'_>) {
                row.bytes(self.to_le_bytes());
            }
            /// No processor can predict whether a value is known, so this takes no branch.
            #[inline(always)]
            fn store_if_known(value: &Option<Self>, row: &mut Row<'_>) {
                let integer = select_unpredictable(value.is_some(), value.unwrap_or_default(), Default::default());
                row.bytes_if(value.is_some(), integer.to_le_bytes());
            }
        }
    )*};
}
number_field!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64);
number_field!(f32 => F32, f64 => F64);

impl Field for bool {
    const KIND: Kind = Kind::Bool;
    #[inline(always)]
    fn store(&self, row: &mut Row<'_>) {
        row.bytes([u8::from(*self)]);
    }
    #[inline(always)]
    fn store_if_known(value: &Option<Self>, row: &mut Row<'_>) {
        row.bytes_if(value.is_some(), [u8::from(value.unwrap_or_default())]);
    }
}

impl Field for &str {
    const KIND: Kind = Kind::Text;
    fn store(&self, row: &mut Row<'_>) {
        row.text(self);
    }
}

impl Field for String {
    const KIND: Kind = Kind::Text;
    fn store(&self, row: &mut Row<'_>) {
        row.text(self);
    }
}

/// `None` if the node has no such value.
impl<F: Field> Field for Option<F> {
    const KIND: Kind = F::KIND;
    #[inline(always)]
    fn store(&self, row: &mut Row<'_>) {
        F::store_if_known(self, row);
    }
}

/// Declares a struct and makes it a [`Record`]: its fields, in order, are the node's attributes.
#[macro_export]
macro_rules! record {
    ($(#[$outer:meta])* $visibility:vis struct $name:ident {
        $($(#[$inner:meta])* $field_visibility:vis $field:ident : $type:ty),* $(,)?
    }) => {
        $(#[$outer])*
        $visibility struct $name {
            $($(#[$inner])* $field_visibility $field: $type,)*
        }
        impl $crate::Record for $name {
            fn attributes() -> ::std::vec::Vec<(&'static str, $crate::Kind)> {
                ::std::vec![$((stringify!($field).trim_start_matches("r#"), <$type as $crate::Field>::KIND)),*]
            }
            #[inline(always)]
            fn store(&self, row: &mut $crate::Row<'_>) {
                const BYTES: usize = 0 $(+ <$type as $crate::Field>::KIND.width())*;
                if !row.has_room(BYTES) {
                    return row.refuse(BYTES);
                }
                $(row.put(&self.$field);)*
            }
        }
    };
}

/// A value of an attribute whose type is known only at run time.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number of a signed type, or of an unsigned type if it fits.
    Int(i64),
    /// A whole number of an unsigned type.
    UInt(u64),
    /// A floating-point number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(String),
    /// No value: the node was never given one.
    Missing,
}

impl Value {
    /// Puts the value into the row as an attribute of this kind, if it fits.
    pub(crate) fn store(&self, kind: Kind, row: &mut Row<'_>) -> Result<(), String> {
        let integer: Option<i128> = match self {
            Value::Int(value) => Some(i128::from(*value)),
            Value::UInt(value) => Some(i128::from(*value)),
            _ => None,
        };
        macro_rules! integer {
            ($type:ty) => {
                match integer.map(<$type>::try_from) {
                    Some(Ok(value)) => row.put(&value),
                    _ => return Err(format!("{self} is not a value of type {kind}")),
                }
            };
        }
        match (kind, self) {
            (_, Value::Missing) => row.put_missing(kind),
            (Kind::I8, _) => integer!(i8),
            (Kind::I16, _) => integer!(i16),
            (Kind::I32, _) => integer!(i32),
            (Kind::I64, _) => integer!(i64),
            (Kind::U8, _) => integer!(u8),
            (Kind::U16, _) => integer!(u16),
            (Kind::U32, _) => integer!(u32),
            (Kind::U64, _) => integer!(u64),
            (Kind::F32, Value::Float(value)) => row.put(&(*value as f32)),
            (Kind::F64, Value::Float(value)) => row.put(value),
            (Kind::Bool, Value::Bool(value)) => row.put(value),
            (Kind::Text, Value::Text(value)) => row.put(value),
            _ => return Err(format!("{self} is not a value of type {kind}")),
        }
        Ok(())
    }

    /// The integer that a column of this type holds for the value; 0 for a text, and for a value that is missing or of another type.
    pub(crate) fn to_integer(&self, kind: Kind) -> i64 {
        match (kind, self) {
            (Kind::F32, Value::Float(value)) => i64::from((*value as f32).to_bits()),
            (Kind::F64, Value::Float(value)) => value.to_bits() as i64,
            (_, Value::Int(value)) => *value,
            (_, Value::UInt(value)) => *value as i64,
            (_, Value::Bool(value)) => i64::from(*value),
            (_, Value::Float(_) | Value::Text(_) | Value::Missing) => 0,
        }
    }

    /// The value for which a column's integer stands; the text for a text's integer comes from its block's dictionary.
    #[must_use]
    pub fn of_integer(kind: Kind, integer: i64, texts: &[String]) -> Self {
        match kind {
            Kind::U64 => Value::UInt(integer as u64),
            Kind::F32 => Value::Float(f64::from(f32::from_bits(integer as u32))),
            Kind::F64 => Value::Float(f64::from_bits(integer as u64)),
            Kind::Bool => Value::Bool(integer != 0),
            Kind::Text => Value::Text(texts.get(integer as usize).cloned().unwrap_or_default()),
            _ => Value::Int(integer),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Int(value) => write!(f, "{value}"),
            Value::UInt(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value}"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Text(value) => write!(f, "{value:?}"),
            Value::Missing => write!(f, "?"),
        }
    }
}

/// Puts one value for each attribute into a row.
pub(crate) fn store_values(
    schema: &Schema,
    values: &[Value],
    row: &mut Row<'_>,
) -> std::result::Result<(), String> {
    let expected = schema.attributes().len();
    if values.len() != expected {
        return Err(format!("it has {} values, the schema has {expected} attributes", values.len()));
    }
    for (value, attribute) in values.iter().zip(schema.attributes()) {
        value.store(attribute.kind, row).map_err(|what| format!("attribute `{}`: {what}", attribute.name))?;
    }
    Ok(())
}

/// The distinct texts of one attribute in one block, each with its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextColumn {
    numbers: HashMap<String, u32>,
    pub(crate) texts: Vec<String>,
    pub(crate) bytes: usize,
}

impl TextColumn {
    pub(crate) fn code(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        self.bytes += text.len();
        number
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
