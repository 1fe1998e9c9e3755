//! The pages of a Parquet column, looked at before the library decodes them.
//!
//! The library believes what a page says of itself: it reserves as much memory as a header claims, and ends
//! the program where parts do not fit together. So claims are checked here, against what a file of this
//! length can reasonably hold, and a page is handed on only if its parts fit.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::page_header::HeaderCheck;
use super::page_walk::Walk;
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

/// Gives out the pages of a column that can be decoded.
pub(super) struct CheckedPages {
    pages: SerializedPageReader<HeaderCheck>,
    has_dictionary: bool,
    physical: Physical,
    /// The level of a value that is there; 0 where all are.
    level_max: i16,
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
        let check = Arc::new(HeaderCheck::new(source.clone(), page_bytes_max));
        let pages = SerializedPageReader::new(check, chunk, rows as usize, None)?;
        let level_max = chunk.column_descr().max_def_level();
        Ok(Self { pages, has_dictionary: false, physical: chunk.column_type(), level_max })
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        let values = page.num_values();
        if values > PAGE_VALUES_MAX {
            return Err(general(format!("a page claims {values} values; write it with smaller pages")));
        }
        if page.encoding() == Encoding::DELTA_BYTE_ARRAY && page.buffer().len() > SHARED_TEXT_BYTES_MAX {
            return Err(general("a page of texts is too large; write it with smaller pages"));
        }
        match page {
            Page::DictionaryPage { .. } => self.has_dictionary = true,
            Page::DataPage { def_level_encoding, .. }
                if self.level_max > 0 && *def_level_encoding != Encoding::RLE =>
            {
                return Err(general("it marks missing values in a way that went out of use"));
            }
            _ if !self.has_dictionary && is_dictionary(page.encoding()) => {
                return Err(general("a page refers to a dictionary that is not there"));
            }
            _ => {}
        }
        self.walk(page).ok_or_else(|| general("a page's parts do not fit it"))
    }

    /// Goes over a page's parts, to see that they lie in it.
    fn walk(&self, page: &Page) -> Option<()> {
        let width = u16::BITS - self.level_max.unsigned_abs().leading_zeros();
        let counted = u64::from(self.level_max.unsigned_abs());
        let mut walk = Walk::new(page.buffer());
        let levels = match page {
            Page::DictionaryPage { num_values, .. } => return self.walk_dictionary(&mut walk, *num_values),
            Page::DataPage { .. } if self.level_max > 0 => Some(walk.take_counted()?),
            Page::DataPage { .. } => None,
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                walk.take(*rep_levels_byte_len as usize)?;
                let levels = walk.take(*def_levels_byte_len as usize)?;
                (self.level_max > 0).then_some(levels)
            }
        };
        let values = match levels {
            None => page.num_values(),
            Some(levels) => Walk::new(levels).hybrid(width, page.num_values(), counted)? as u32,
        };
        self.walk_values(&mut walk, page.encoding(), page.num_values(), values)
    }

    fn walk_dictionary(&self, walk: &mut Walk<'_>, values: u32) -> Option<()> {
        match self.physical {
            Physical::BYTE_ARRAY => walk.plain_texts(values, true),
            // Each of the others has a byte at least.
            _ => walk.take(values as usize).map(|_| ()),
        }
    }

    /// `claimed` values are there at most; `values` of them are read.
    fn walk_values(&self, walk: &mut Walk<'_>, encoding: Encoding, claimed: u32, values: u32) -> Option<()> {
        match encoding {
            Encoding::PLAIN if self.physical == Physical::BYTE_ARRAY => walk.plain_texts(claimed, false),
            Encoding::RLE => Walk::new(walk.take_counted()?).hybrid(1, claimed, 1).map(|_| ()),
            encoding if is_dictionary(encoding) => match *walk.rest {
                [] => Some(()),
                [width, ref rest @ ..] if width <= 32 => {
                    Walk::new(rest).hybrid(u32::from(width), claimed, u64::MAX).map(|_| ())
                }
                _ => None,
            },
            Encoding::DELTA_BINARY_PACKED => (walk.delta(claimed)? >= values).then_some(()),
            Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY => {
                let prefixes = match encoding {
                    Encoding::DELTA_BYTE_ARRAY => Some(walk.delta_lengths(claimed)?.0),
                    _ => None,
                };
                let (lengths, bytes) = walk.delta_lengths(claimed)?;
                let fits = prefixes.is_none_or(|prefixes| prefixes == lengths)
                    && lengths >= values
                    && bytes <= walk.rest.len() as u64;
                fits.then_some(())
            }
            Encoding::BYTE_STREAM_SPLIT => {
                let width = if matches!(self.physical, Physical::INT32 | Physical::FLOAT) { 4 } else { 8 };
                (walk.rest.len() / width >= values as usize).then_some(())
            }
            _ => Some(()),
        }
    }
}

fn is_dictionary(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}

pub(super) fn general(what: impl Into<String>) -> ParquetError {
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
