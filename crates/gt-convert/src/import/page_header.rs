//! The headers of a Parquet file's pages, looked at before the library believes them.

use std::io::Read;

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use super::pages::{Source, general};

/// How deep structs lie in a page's header.
const HEADER_DEPTH_MAX: u8 = 4;

/// A source whose every reading starts at a page's header, which is checked.
#[derive(Clone, Debug)]
pub(super) struct HeaderCheck {
    source: Source,
    page_bytes_max: u64,
}

impl HeaderCheck {
    pub(super) fn new(source: Source, page_bytes_max: u64) -> Self {
        Self { source, page_bytes_max }
    }
}

impl Length for HeaderCheck {
    fn len(&self) -> u64 {
        self.source.len()
    }
}

impl ChunkReader for HeaderCheck {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        // Type, size, compressed size: up to five bytes each after a byte that names the field.
        let mut header = Vec::with_capacity(18);
        self.source.get_read(start)?.take(18).read_to_end(&mut header)?;
        match claimed_bytes(&header) {
            Some(bytes) if bytes <= self.page_bytes_max => {
                if !is_plain_struct(&mut self.source.get_read(start)?, HEADER_DEPTH_MAX)? {
                    return Err(general("a page has a strange header"));
                }
                self.source.get_read(start)
            }
            Some(bytes) => Err(general(format!("a page claims {bytes} bytes; write it with smaller pages"))),
            None => Err(general("a page has a strange header")),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.source.get_bytes(start, length)
    }
}

/// The size that a page's header claims, in Thrift's compact form: fields 1, 2, 3, each a folded varint.
fn claimed_bytes(header: &[u8]) -> Option<u64> {
    const NEXT_FIELD_I32: u8 = 0x15;
    let mut rest = header;
    let mut field = || {
        rest = rest.strip_prefix(&[NEXT_FIELD_I32])?;
        let length = rest.iter().position(|byte| byte & 0x80 == 0)? + 1;
        let (varint, after) = rest.split_at_checked(length)?;
        rest = after;
        let unfolded = varint
            .iter()
            .rev()
            .try_fold(0_u64, |value, byte| Some(value.checked_mul(128)? | u64::from(byte & 0x7f)))?;
        Some(((unfolded >> 1) as i64 ^ -((unfolded & 1) as i64)).max(0) as u64)
    };
    let (_type, bytes) = (field()?, field()?);
    Some(bytes)
}

/// Whether a struct in Thrift's compact form has no lists or maps in it. A page's header has none; a list
/// that claims billions of values of no length would keep the library busy for as long.
fn is_plain_struct(source: &mut dyn Read, depth_max: u8) -> std::io::Result<bool> {
    loop {
        let field = read_byte(source)?;
        if field == 0 {
            return Ok(true);
        }
        if field >> 4 == 0 {
            skip_varint(source)?; // the field's number, where it is not near the one before
        }
        match field & 0x0f {
            1 | 2 => {}
            3 => drop(read_byte(source)?),
            4..=6 => drop(skip_varint(source)?),
            7 => drop(std::io::copy(&mut source.take(8), &mut std::io::sink())?),
            8 => {
                let length = skip_varint(source)?;
                std::io::copy(&mut source.take(length), &mut std::io::sink())?;
            }
            12 if depth_max > 0 => {
                if !is_plain_struct(source, depth_max - 1)? {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
}

fn read_byte(source: &mut dyn Read) -> std::io::Result<u8> {
    let mut byte = [0];
    source.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Reads a varint, and gives its low 63 bits.
fn skip_varint(source: &mut dyn Read) -> std::io::Result<u64> {
    let mut value = 0;
    for shift in (0..63).step_by(7) {
        let byte = read_byte(source)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    read_byte(source).map(|_| value)
}
