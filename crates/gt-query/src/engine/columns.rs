//! The columns of one block, each decoded on first use, and statistics of the reads.

use gt_log::{Column, Decoded, Kind, Question, Scratch, Selected, Texts, Tree};

use super::Failure;
use crate::value::Value;

/// The columns of one block.
pub(super) struct Columns<'t> {
    tree: Tree<'t>,
    block: usize,
    /// The decoded columns, by column number.
    decoded: Vec<Option<Loaded>>,
    /// By attribute, once looked up: the rows that lack the value, if any.
    missing: Vec<Option<Option<Vec<u64>>>>,
    scratch: Scratch,
    pub(super) tally: Tally,
}

struct Loaded {
    values: Decoded,
    /// The texts that the values index.
    texts: Texts,
}

/// The statistics of reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) columns_decoded: u64,
    pub(super) bytes: u64,
}

impl<'t> Columns<'t> {
    /// The columns of a block, decoded into memory reused from other blocks.
    pub(super) fn new(tree: Tree<'t>, block: usize, scratch: Scratch) -> Self {
        let count = Column::FIXED + tree.schema().attributes().len();
        let decoded = (0..count).map(|_| None).collect();
        Self { tree, block, decoded, missing: Vec::new(), scratch, tally: Tally::default() }
    }

    /// Returns the memory, for the next block.
    pub(super) fn into_scratch(mut self) -> Scratch {
        for loaded in self.decoded.into_iter().flatten() {
            self.scratch.recycle(loaded.values);
        }
        self.scratch
    }

    pub(super) fn rows(&self) -> usize {
        self.tree.block(self.block).rows as usize
    }

    /// Decodes a column, unless that was done.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(super) fn load(&mut self, column: Column) -> Result<(), Failure> {
        let number = column.number();
        if self.decoded[number].is_some() {
            return Ok(());
        }
        let head = &self.tree.block(self.block).columns[number];
        let (texts, values) = match column {
            Column::Attribute(attribute) if self.kind(attribute) == Kind::Text => {
                self.tree.texts_with(self.block, attribute, &mut self.scratch)?
            }
            // The head contains everything.
            _ if head.stored_bytes == 0 => (Texts::default(), Decoded::Constant(head.min)),
            _ => (Texts::default(), self.tree.decode_with(self.block, column, &mut self.scratch)?),
        };
        self.note(number);
        self.decoded[number] = Some(Loaded { values, texts });
        Ok(())
    }

    /// Decodes an attribute and finds the rows that lack it, for [`Columns::value`].
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(super) fn load_value(&mut self, attribute: usize) -> Result<(), Failure> {
        self.load(Column::Attribute(attribute))?;
        self.load_missing(attribute)
    }

    /// Finds the rows that lack an attribute, unless that was done.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(super) fn load_missing(&mut self, attribute: usize) -> Result<(), Failure> {
        if !self.tree.block(self.block).columns[Column::Attribute(attribute).number()].missing {
            return Ok(());
        }
        self.missing.resize(self.missing.len().max(attribute + 1), None);
        if self.missing[attribute].is_none() {
            let found = self.tree.missing_with(self.block, attribute, &mut self.scratch)?;
            self.missing[attribute] = Some(found);
        }
        Ok(())
    }

    /// The rows that lack an attribute, as bits; `None` if no row does. They must have been looked up.
    pub(super) fn missing(&self, attribute: usize) -> Option<&[u64]> {
        self.missing.get(attribute)?.as_ref()?.as_deref()
    }

    /// Sets the bits of the rows that pass a test of a column of integers, and returns `true`; or loads the column
    /// and returns `false`, if the test needs it or it was loaded already.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(super) fn select(
        &mut self,
        column: Column,
        question: Question,
        among: Option<&[u64]>,
        words: &mut Vec<u64>,
    ) -> Result<bool, Failure> {
        let number = column.number();
        let head = &self.tree.block(self.block).columns[number];
        if self.decoded[number].is_some() || head.stored_bytes == 0 {
            self.load(column)?;
            return Ok(false);
        }
        self.note(number);
        match self.tree.select(self.block, column, question, among, &mut self.scratch, words)? {
            Selected::Marked => Ok(true),
            Selected::Decoded(values) => {
                self.decoded[number] = Some(Loaded { values, texts: Texts::default() });
                Ok(false)
            }
        }
    }

    fn note(&mut self, number: usize) {
        let head = &self.tree.block(self.block).columns[number];
        if head.stored_bytes > 0 {
            self.tally.columns_decoded += 1;
            self.tally.bytes += head.stored_bytes;
        }
    }

    /// A column; all zeros if it was not loaded.
    pub(super) fn get(&self, column: Column) -> &Decoded {
        const ZEROS: &Decoded = &Decoded::Constant(0);
        self.decoded[column.number()].as_ref().map_or(ZEROS, |loaded| &loaded.values)
    }

    /// The texts that an attribute's values index; it must have been loaded.
    pub(super) fn texts(&self, attribute: usize) -> Vec<&str> {
        let loaded = self.decoded[Column::Attribute(attribute).number()].iter();
        loaded.flat_map(|loaded| loaded.texts.iter()).collect()
    }

    /// The value of a column as an integer.
    pub(super) fn integer(&self, column: Column, row: usize) -> i64 {
        self.get(column).get(row)
    }

    /// The value of an attribute; `None` if it is missing, not a number, or was not loaded.
    pub(super) fn value(&self, attribute: usize, row: usize) -> Option<Value> {
        let is_missing = |words: &[u64]| words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1);
        if self.missing(attribute).is_some_and(is_missing) {
            return None;
        }
        let loaded = self.decoded[Column::Attribute(attribute).number()].as_ref()?;
        let integer = loaded.values.get(row);
        match self.kind(attribute) {
            Kind::Text => loaded.texts.get(integer as usize).map(|text| Value::Text(text.into())),
            Kind::U64 => Some(Value::Integer(i128::from(integer as u64))),
            Kind::F32 => Value::float(f64::from(f32::from_bits(integer as u32))),
            Kind::F64 => Value::float(f64::from_bits(integer as u64)),
            Kind::Bool => Some(Value::Boolean(integer != 0)),
            _ => Some(Value::Integer(integer.into())),
        }
    }

    fn kind(&self, attribute: usize) -> Kind {
        self.tree.schema().attributes()[attribute].kind
    }
}
