//! Checks the pages of a Parquet column before the library decodes them.
//!
//! The library trusts a page's claims: it reserves as much memory as a header claims, and aborts the program
//! if parts do not fit together. So claims are checked here, against what a file of this length can
//! reasonably hold, and a page is passed on only if its parts fit.

use std::sync::Arc;

use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::Length;
use parquet::file::serialized_reader::SerializedPageReader;

use super::budget::Budget;
use super::page_header::HeaderCheck;
use super::page_walk::Walk;
use super::source::{Source, general};

/// The bytes that the pages of all columns together may take, beyond those allowed by the file's length.
const PAGES_BYTES: u64 = 1 << 29;
/// The maximum ratio of a page's size to the file's.
const EXPANSION: u64 = 64;
/// The maximum number of values in a page.
const PAGE_VALUES_MAX: u32 = 1 << 24;
/// Texts that share their beginnings can grow with the square of the page.
const SHARED_TEXT_BYTES_MAX: usize = 1 << 22;

/// Returns the pages of a column that can be decoded.
pub(super) struct CheckedPages {
    pages: SerializedPageReader<HeaderCheck>,
    has_dictionary: bool,
    physical: Physical,
    /// The level of a present value; 0 if all are.
    level_max: i16,
    budget: Arc<Budget>,
}

impl CheckedPages {
    pub(super) fn open(
        source: &Source,
        chunk: &ColumnChunkMetaData,
        rows: u64,
        columns: usize,
        budget: &Arc<Budget>,
    ) -> Result<Self> {
        let (start, length) = (chunk.data_page_offset(), chunk.compressed_size());
        if start < 0 || length < 0 || chunk.dictionary_page_offset().is_some_and(|offset| offset < 0) {
            return Err(general("a column claims to lie before the file"));
        }
        let file_bytes = source.len();
        let page_bytes_max = PAGES_BYTES / (columns as u64).max(1) + EXPANSION * file_bytes;
        let check = Arc::new(HeaderCheck::new(source.clone(), page_bytes_max, budget.clone()));
        let pages = SerializedPageReader::new(check, chunk, rows as usize, None)?;
        let level_max = chunk.column_descr().max_def_level();
        let physical = chunk.column_type();
        Ok(Self { pages, has_dictionary: false, physical, level_max, budget: budget.clone() })
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        let values = page.num_values();
        if values > PAGE_VALUES_MAX {
            return Err(general(format!("a page claims {values} values; write it with smaller pages")));
        }
        // A run of equal values takes few bytes, however many there are.
        self.budget.charge(u64::from(values))?;
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
        let more_bytes = self.walk(page).ok_or_else(|| general("a page's parts do not fit it"))?;
        self.budget.charge(more_bytes)
    }

    /// Checks that a page's parts lie inside it, and returns the number of bytes of its texts beyond the page's.
    fn walk(&self, page: &Page) -> Option<u64> {
        let width = u16::BITS - self.level_max.unsigned_abs().leading_zeros();
        let counted = u64::from(self.level_max.unsigned_abs());
        let mut walk = Walk::new(page.buffer());
        let levels = match page {
            Page::DictionaryPage { num_values, .. } => {
                return self.walk_dictionary(&mut walk, *num_values).map(|()| 0);
            }
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
            // Each of the others has at least one byte.
            _ => walk.take(values as usize).map(|_| ()),
        }
    }

    /// At most `claimed` values exist; `values` of them are read.
    fn walk_values(&self, walk: &mut Walk<'_>, encoding: Encoding, claimed: u32, values: u32) -> Option<u64> {
        let fits = match encoding {
            Encoding::PLAIN if self.physical == Physical::BYTE_ARRAY => {
                walk.plain_texts(claimed, false)?;
                true
            }
            Encoding::RLE => Walk::new(walk.take_counted()?).hybrid(1, claimed, 1).is_some(),
            encoding if is_dictionary(encoding) => match *walk.rest {
                [] => true,
                [width @ 0..=32, ref rest @ ..] => {
                    Walk::new(rest).hybrid(u32::from(width), claimed, u64::MAX).is_some()
                }
                _ => false,
            },
            Encoding::DELTA_BINARY_PACKED => walk.delta(claimed)? >= values,
            Encoding::DELTA_LENGTH_BYTE_ARRAY => walk_texts(walk, claimed)? >= values,
            Encoding::DELTA_BYTE_ARRAY => {
                let (beginnings, shared_bytes) = walk.delta_lengths(claimed)?;
                let texts = walk_texts(walk, claimed)?;
                return (texts == beginnings && texts >= values).then_some(shared_bytes);
            }
            Encoding::BYTE_STREAM_SPLIT => {
                let width = if matches!(self.physical, Physical::INT32 | Physical::FLOAT) { 4 } else { 8 };
                walk.rest.len() / width >= values as usize
            }
            _ => true,
        };
        fits.then_some(0)
    }
}

/// The lengths of texts, then the texts; returns their number.
fn walk_texts(walk: &mut Walk<'_>, claimed: u32) -> Option<u32> {
    let (texts, bytes) = walk.delta_lengths(claimed)?;
    (bytes <= walk.rest.len() as u64).then_some(texts)
}

fn is_dictionary(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
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

    // On the next call, both would read a page's header at another place than its start. The library uses
    // them only to skip rows, which never happens here.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(general("pages are read in order"))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(general("pages are read in order"))
    }
}
