//! The pages of a Parquet column, looked at before the library decodes them.
//!
//! The library believes what a page says of itself: it reserves as much memory as a header claims, and ends
//! the program where parts do not fit together. So claims are checked here, against what a file of this
//! length can reasonably hold, and a page is handed on only if its parts fit.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::table::Input;

/// What the pages of all columns may take together, beside what the file's length accounts for.
const PAGES_BYTES: u64 = 1 << 29;
/// How much larger than the file a page may be.
const EXPANSION: u64 = 64;
/// The most values in a page.
const PAGE_VALUES_MAX: u32 = 1 << 24;
/// Texts that share their beginnings can grow with the square of the page.
const SHARED_TEXT_BYTES_MAX: usize = 1 << 22;

/// A Parquet file's bytes.
#[derive(Clone, Debug)]
pub(super) enum Source {
    File(Arc<File>),
    Memory(Bytes),
}

impl Source {
    pub(super) fn open(input: &Input) -> std::io::Result<Self> {
        Ok(match input {
            Input::File(path) => Source::File(Arc::new(File::open(path)?)),
            Input::Memory(bytes) => Source::Memory(bytes.clone()),
        })
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        match self {
            Source::File(file) => file.len(),
            Source::Memory(bytes) => Length::len(bytes),
        }
    }
}

impl ChunkReader for Source {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(match self {
            Source::File(file) => Box::new(file.get_read(start)?),
            Source::Memory(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A claim beyond the file's end must not reserve memory.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("a part of it lies beyond its end".to_owned()));
        }
        match self {
            Source::File(file) => file.get_bytes(start, length),
            Source::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

/// A source whose every reading starts at a page's header, which is checked.
#[derive(Clone, Debug)]
struct HeaderCheck {
    source: Source,
    page_bytes_max: u64,
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
            Some(bytes) if bytes <= self.page_bytes_max => self.source.get_read(start),
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

/// Gives out the pages of a column that can be decoded.
pub(super) struct CheckedPages {
    pages: SerializedPageReader<HeaderCheck>,
    has_dictionary: bool,
    has_levels: bool,
}

impl CheckedPages {
    pub(super) fn open(
        source: &Source,
        chunk: &ColumnChunkMetaData,
        rows: u64,
        columns: usize,
    ) -> Result<Self> {
        let (start, length) = (chunk.data_page_offset(), chunk.compressed_size());
        if start < 0 || length < 0 || chunk.dictionary_page_offset().is_some_and(|offset| offset < 0) {
            return Err(general("a column claims to lie before the file"));
        }
        let file_bytes = source.len();
        let page_bytes_max = PAGES_BYTES / (columns as u64).max(1) + EXPANSION * file_bytes;
        let check = Arc::new(HeaderCheck { source: source.clone(), page_bytes_max });
        let pages = SerializedPageReader::new(check, chunk, rows as usize, None)?;
        let has_levels = chunk.column_descr().max_def_level() > 0;
        Ok(Self { pages, has_dictionary: false, has_levels })
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        let values = page.num_values();
        if values > PAGE_VALUES_MAX {
            return Err(general(format!("a page claims {values} values; write it with smaller pages")));
        }
        let data = match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                if *num_values as usize > buf.len() {
                    return Err(general("a dictionary claims more values than it has bytes"));
                }
                self.has_dictionary = true;
                return Ok(());
            }
            Page::DataPage { buf, def_level_encoding, .. } if self.has_levels => {
                if *def_level_encoding != Encoding::RLE {
                    return Err(general("it marks missing values in a way that went out of use"));
                }
                let length = buf.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize);
                length.and_then(|length| buf.get(4..)?.get(length..))
            }
            Page::DataPage { buf, .. } => Some(&buf[..]),
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => buf
                .get(*def_levels_byte_len as usize..)
                .and_then(|rest| rest.get(*rep_levels_byte_len as usize..)),
        };
        let data = data.ok_or_else(|| general("a page's parts do not fit it"))?;
        self.check_encoding(page.encoding(), data, values)
    }

    fn check_encoding(&self, encoding: Encoding, data: &[u8], values: u32) -> Result<()> {
        match encoding {
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY if !self.has_dictionary => {
                return Err(general("a page refers to a dictionary that is not there"));
            }
            Encoding::DELTA_BINARY_PACKED
            | Encoding::DELTA_LENGTH_BYTE_ARRAY
            | Encoding::DELTA_BYTE_ARRAY => {
                if delta_values(data).is_none_or(|claimed| claimed > u64::from(values)) {
                    return Err(general("a page claims more differences than values"));
                }
                if encoding == Encoding::DELTA_BYTE_ARRAY && data.len() > SHARED_TEXT_BYTES_MAX {
                    return Err(general("a page of texts is too large; write it with smaller pages"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// How many values a run of differences claims: the third of the varints it starts with.
fn delta_values(data: &[u8]) -> Option<u64> {
    let mut bytes = data.iter();
    let mut varint = || {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let byte = *bytes.next()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    };
    let (_block, _mini_blocks) = (varint()?, varint()?);
    varint()
}

fn general(what: impl Into<String>) -> ParquetError {
    ParquetError::General(what.into())
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    // Both read a page's header at another place than its start on the next call: the library asks for
    // them only to skip rows, which is never done here.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(general("pages are read in order"))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(general("pages are read in order"))
    }
}
