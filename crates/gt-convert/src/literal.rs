//! Values as text: how CSV and JSON Lines write them, and how they are read back exactly.
//!
//! A cell is an integer, as in `gt_log`: whole numbers themselves, floats by their bits, Booleans 0 and 1.
//!
//! ```text
//! floats   0.1  -0.0  1e300  NaN  inf  -inf      the shortest digits that give the same float again
//!          NaN(0x7ff8000000000001)               a NaN whose bits are not the usual ones
//! ```
//! JSON has no NaN and no infinities: there they are texts.

use std::io::Write;

use gt_log::Kind;

use crate::ErrorKind;
use crate::error::noun;

/// Whether a float is written as a word.
pub(crate) fn is_word(kind: Kind, cell: i64) -> bool {
    match kind {
        Kind::F32 => !f32::from_bits(cell as u32).is_finite(),
        Kind::F64 => !f64::from_bits(cell as u64).is_finite(),
        _ => false,
    }
}

/// Writes a cell of any kind but text.
pub(crate) fn write(out: &mut Vec<u8>, kind: Kind, cell: i64) {
    // Writing to memory cannot fail.
    let _ = match kind {
        Kind::U64 => write!(out, "{}", cell as u64),
        Kind::Bool => write!(out, "{}", cell != 0),
        Kind::F32 => write_float(
            out,
            f64::from(f32::from_bits(cell as u32)),
            f32::from_bits(cell as u32),
            cell as u32 == f32::NAN.to_bits(),
            cell as u32 as u64,
        ),
        Kind::F64 => {
            let float = f64::from_bits(cell as u64);
            write_float(out, float, float, cell as u64 == f64::NAN.to_bits(), cell as u64)
        }
        _ => write!(out, "{cell}"),
    };
}

fn write_float(
    out: &mut Vec<u8>,
    float: f64,
    shortest: impl std::fmt::Debug,
    usual_nan: bool,
    bits: u64,
) -> std::io::Result<()> {
    match float {
        _ if float.is_nan() && !usual_nan => write!(out, "NaN({bits:#x})"),
        _ if float.is_nan() => write!(out, "NaN"),
        f64::INFINITY => write!(out, "inf"),
        f64::NEG_INFINITY => write!(out, "-inf"),
        _ => write!(out, "{shortest:?}"),
    }
}

/// The apparent type of a text, without knowing its column's type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Looks {
    Nothing,
    Bool,
    Int(i128),
    /// A whole number of more than 127 bits.
    Huge,
    Float,
    /// NaN or an infinity.
    Word,
    Text,
}

impl Looks {
    pub(crate) fn of(text: &str) -> Self {
        let trimmed = text.trim_ascii();
        match trimmed.as_bytes() {
            [] => Looks::Nothing,
            _ if truth(trimmed).is_some() => Looks::Bool,
            _ if word(trimmed).is_some() => Looks::Word,
            bytes if is_number(bytes) => match trimmed.parse::<i128>() {
                Ok(integer) => Looks::Int(integer),
                Err(_) if bytes.iter().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-')) => Looks::Huge,
                Err(_) => Looks::Float,
            },
            _ => Looks::Text,
        }
    }
}

/// `[+-]digits[.digits][e[+-]digits]`, with digits on at least one side of the point.
fn is_number(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let unsigned = bytes.strip_prefix(b"-").or(bytes.strip_prefix(b"+")).unwrap_or(bytes);
    let whole = digits(unsigned);
    let mut rest = &unsigned[whole..];
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix(b".") {
        fraction = digits(after);
        rest = &after[fraction..];
    }
    if whole + fraction == 0 {
        return false;
    }
    match rest {
        [] => true,
        [b'e' | b'E', exponent @ ..] => {
            let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
            !exponent.is_empty() && digits(exponent) == exponent.len()
        }
        _ => false,
    }
}

fn truth(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

enum Word {
    Nan,
    NanBits(u64),
    Infinite { negative: bool },
}

fn word(text: &str) -> Option<Word> {
    if text.eq_ignore_ascii_case("nan") {
        return Some(Word::Nan);
    }
    if let Some(bits) = text.strip_prefix("NaN(0x").and_then(|rest| rest.strip_suffix(')')) {
        return u64::from_str_radix(bits, 16).ok().map(Word::NanBits);
    }
    let (negative, rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let infinite = rest.eq_ignore_ascii_case("inf") || rest.eq_ignore_ascii_case("infinity");
    infinite.then_some(Word::Infinite { negative })
}

/// Reads a cell of any kind but text.
pub(crate) fn parse(text: &str, kind: Kind) -> Result<i64, ErrorKind> {
    let trimmed = text.trim_ascii();
    match kind {
        Kind::Bool => match trimmed {
            "1" => Ok(1),
            "0" => Ok(0),
            _ => truth(trimmed).map(i64::from).ok_or_else(|| wrong(text, kind)),
        },
        Kind::F32 | Kind::F64 => parse_float(trimmed, kind),
        _ => {
            // The usual case first: a plain whole number that fits.
            if kind != Kind::U64
                && let Ok(integer) = trimmed.parse::<i64>()
            {
                return integer_cell(i128::from(integer), kind);
            }
            match Looks::of(trimmed) {
                Looks::Int(integer) => integer_cell(integer, kind),
                Looks::Huge => Err(ErrorKind::OutOfRange { value: text.to_owned(), expected: noun(kind) }),
                // Tools without missing integers write whole numbers as floats.
                Looks::Float => trimmed
                    .parse::<f64>()
                    .ok()
                    .and_then(integer_of_float)
                    .ok_or_else(|| wrong(text, kind))
                    .and_then(|integer| integer_cell(integer, kind)),
                _ => Err(wrong(text, kind)),
            }
        }
    }
}

/// The whole number that a float is, if it is unambiguous.
pub(crate) fn integer_of_float(float: f64) -> Option<i128> {
    const EXACT_MAX: f64 = (1_u64 << 53) as f64;
    (float.fract() == 0.0 && float.abs() <= EXACT_MAX).then_some(float as i128)
}

/// A whole number as a cell of an integer kind.
pub(crate) fn integer_cell(integer: i128, kind: Kind) -> Result<i64, ErrorKind> {
    let (min, max) = range(kind);
    if (min..=max).contains(&integer) {
        Ok(integer as i64)
    } else {
        Err(ErrorKind::OutOfRange { value: integer.to_string(), expected: noun(kind) })
    }
}

/// The minimum and maximum value of an integer kind.
pub(crate) const fn range(kind: Kind) -> (i128, i128) {
    match kind {
        Kind::I8 => (i8::MIN as i128, i8::MAX as i128),
        Kind::I16 => (i16::MIN as i128, i16::MAX as i128),
        Kind::I32 => (i32::MIN as i128, i32::MAX as i128),
        Kind::U8 => (0, u8::MAX as i128),
        Kind::U16 => (0, u16::MAX as i128),
        Kind::U32 => (0, u32::MAX as i128),
        Kind::U64 => (0, u64::MAX as i128),
        _ => (i64::MIN as i128, i64::MAX as i128),
    }
}

fn parse_float(text: &str, kind: Kind) -> Result<i64, ErrorKind> {
    let narrow = kind == Kind::F32;
    let bits = match word(text) {
        Some(Word::Nan) if narrow => u64::from(f32::NAN.to_bits()),
        Some(Word::Nan) => f64::NAN.to_bits(),
        Some(Word::NanBits(bits)) if is_nan(bits, narrow) => bits,
        Some(Word::Infinite { negative }) => {
            let float = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
            if narrow { u64::from((float as f32).to_bits()) } else { float.to_bits() }
        }
        Some(Word::NanBits(_)) => return Err(wrong(text, kind)),
        None => finite_bits(text, kind)?,
    };
    Ok(bits as i64)
}

fn finite_bits(text: &str, kind: Kind) -> Result<u64, ErrorKind> {
    if !is_number(text.as_bytes()) {
        return Err(wrong(text, kind));
    }
    let (bits, finite) = if kind == Kind::F32 {
        let float = text.parse::<f32>().map_err(|_| wrong(text, kind))?;
        (u64::from(float.to_bits()), float.is_finite())
    } else {
        let float = text.parse::<f64>().map_err(|_| wrong(text, kind))?;
        (float.to_bits(), float.is_finite())
    };
    if finite {
        Ok(bits)
    } else {
        Err(ErrorKind::OutOfRange { value: text.to_owned(), expected: noun(kind) })
    }
}

fn is_nan(bits: u64, narrow: bool) -> bool {
    if narrow {
        u32::try_from(bits).is_ok_and(|bits| f32::from_bits(bits).is_nan())
    } else {
        f64::from_bits(bits).is_nan()
    }
}

fn wrong(text: &str, kind: Kind) -> ErrorKind {
    ErrorKind::WrongValue { value: text.to_owned(), expected: noun(kind) }
}
