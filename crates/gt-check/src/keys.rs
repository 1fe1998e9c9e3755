//! Reads TOML files key by key: every key is requested by name, and keys that nobody requested are errors.
//!
//! ```text
//! [[check]]            let mut keys = …;
//! name = "x"           keys.text("name")?
//! exepct = "= 0"       keys.text("expect")?        None
//!                      keys.finish()?              "`[[check]]` has no key `exepct`; did you mean `expect`?"
//! ```
//!
//! **Invariant:** an error names the file and the line that it is about.

use std::ops::Range;
use std::path::{Path, PathBuf};

use gt_query::tools::nearest;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::error::{Error, Result};

/// A text file that errors are about.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl SourceFile {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::of(path, error))?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// An error at a place of the text.
    pub(crate) fn error(&self, at: usize, sentence: impl Into<String>) -> Error {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        Error { file: self.path.clone(), line: Some(line), sentence: sentence.into() }
    }

    /// The keys at the top of the file.
    pub(crate) fn keys(&self) -> Result<Keys<'_>> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let sentence = error.message().lines().next().unwrap_or("this is no TOML").to_owned();
            self.error(error.span().map_or(0, |span| span.start), sentence)
        })?;
        Ok(Keys::new(self, "the file", table))
    }
}

/// A value and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) at: usize,
}

/// Names with their values as texts.
pub(crate) type NamedValues = Vec<(String, Placed<String>)>;

/// The keys of one table that have not been taken yet.
pub(crate) struct Keys<'a> {
    file: &'a SourceFile,
    /// The table's name in errors: `[[check]]`.
    name: &'static str,
    span: Range<usize>,
    table: DeTable<'a>,
    asked: Vec<&'static str>,
}

impl<'a> Keys<'a> {
    fn new(file: &'a SourceFile, name: &'static str, table: Spanned<DeTable<'a>>) -> Self {
        Self { file, name, span: table.span(), table: table.into_inner(), asked: Vec::new() }
    }

    /// An error about the table as a whole.
    pub(crate) fn error(&self, sentence: impl Into<String>) -> Error {
        self.file.error(self.span.start, sentence)
    }

    /// The position where the table begins.
    pub(crate) fn at(&self) -> usize {
        self.span.start
    }

    fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'a>>> {
        self.asked.push(key);
        self.table.remove(key)
    }

    /// A text.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<Option<Placed<String>>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let at = value.span().start;
        match value.into_inner() {
            DeValue::String(text) => Ok(Some(Placed { value: text.into_owned(), at })),
            other => Err(self.wrong_type(key, at, "a text in quotes", &other)),
        }
    }

    /// A required text.
    pub(crate) fn needed(&mut self, key: &'static str) -> Result<Placed<String>> {
        if let Some(text) = self.text(key)? {
            return Ok(text);
        }
        let misspelled = self.table.keys().find(|other| !nearest(other.get_ref(), [key]).is_empty());
        Err(match misspelled {
            Some(other) => self.unknown(other, &format!("did you mean `{key}`?")),
            None => self.error(format!("{} needs the key `{key}`", self.name)),
        })
    }

    /// A whole number, 0 or more.
    pub(crate) fn whole(&mut self, key: &'static str) -> Result<Option<Placed<u64>>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let at = value.span().start;
        match whole_number(value.get_ref()) {
            Some(value) => Ok(Some(Placed { value, at })),
            None => Err(self.wrong_type(key, at, "a whole number, 0 or more", value.get_ref())),
        }
    }

    /// A text or a whole number, as a text.
    pub(crate) fn text_or_whole(&mut self, key: &'static str) -> Result<Option<Placed<String>>> {
        match self.table.get(key).and_then(|value| whole_number(value.get_ref())) {
            Some(_) => {
                Ok(self.whole(key)?.map(|whole| Placed { value: whole.value.to_string(), at: whole.at }))
            }
            None => self.text(key),
        }
    }

    /// A list of texts.
    pub(crate) fn texts(&mut self, key: &'static str) -> Result<Option<Vec<Placed<String>>>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let at = value.span().start;
        let DeValue::Array(array) = value.into_inner() else {
            let sentence = format!("`{key}` of {} is a list of texts in brackets", self.name);
            return Err(self.file.error(at, sentence));
        };
        let text = |value: Spanned<DeValue<'a>>| {
            let at = value.span().start;
            match value.into_inner() {
                DeValue::String(text) => Ok(Placed { value: text.into_owned(), at }),
                other => Err(self.wrong_type(key, at, "a list of texts", &other)),
            }
        };
        array.into_iter().map(text).collect::<Result<Vec<_>>>().map(Some)
    }

    /// Names with values, as texts: `{ mate = 20000, who = "white" }`.
    pub(crate) fn named_values(&mut self, key: &'static str) -> Result<NamedValues> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let at = value.span().start;
        match value.into_inner() {
            DeValue::Table(table) => self.values(key, table),
            other => Err(self.wrong_type(key, at, "a table of names and values", &other)),
        }
    }

    /// The tables in it, of any name, each with names and values.
    pub(crate) fn named_tables(mut self) -> Result<Vec<(String, NamedValues)>> {
        let mut tables = Vec::new();
        for (name, value) in std::mem::take(&mut self.table) {
            let (at, name) = (value.span().start, name.into_inner().into_owned());
            let DeValue::Table(table) = value.into_inner() else {
                return Err(self.file.error(at, format!("`{name}` is a table of names and values")));
            };
            let values = self.values(&name, table)?;
            tables.push((name, values));
        }
        Ok(tables)
    }

    fn values(&self, key: &str, table: DeTable<'a>) -> Result<NamedValues> {
        let mut named = Vec::new();
        for (name, value) in table {
            let at = value.span().start;
            let text = match value.into_inner() {
                DeValue::String(text) => text.into_owned(),
                DeValue::Integer(number) => number.to_string(),
                DeValue::Float(number) => number.to_string(),
                DeValue::Boolean(truth) => truth.to_string(),
                other @ (DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_)) => {
                    return Err(self.wrong_type(key, at, "a table of numbers and texts", &other));
                }
            };
            named.push((name.into_inner().into_owned(), Placed { value: text, at }));
        }
        Ok(named)
    }

    /// A table.
    pub(crate) fn table(&mut self, key: &'static str, name: &'static str) -> Result<Option<Keys<'a>>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => Ok(Some(Keys::new(self.file, name, Spanned::new(span, table)))),
            other => Err(self.wrong_type(key, span.start, &format!("a table, `{name}`"), &other)),
        }
    }

    /// The tables of a list of tables.
    pub(crate) fn tables(&mut self, key: &'static str, name: &'static str) -> Result<Vec<Keys<'a>>> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let at = value.span().start;
        let wanted = format!("a list of tables, each headed `{name}`");
        let DeValue::Array(array) = value.into_inner() else {
            return Err(self.file.error(at, format!("`{key}` is {wanted}")));
        };
        let table = |value: Spanned<DeValue<'a>>| {
            let span = value.span();
            match value.into_inner() {
                DeValue::Table(table) => Ok(Keys::new(self.file, name, Spanned::new(span, table))),
                other => Err(self.wrong_type(key, span.start, &wanted, &other)),
            }
        };
        array.into_iter().map(table).collect()
    }

    /// Rejects keys that nobody requested.
    pub(crate) fn finish(self) -> Result<()> {
        let Some(key) = self.table.keys().min_by_key(|key| key.span().start) else { return Ok(()) };
        let written = key.get_ref().as_ref();
        let mend = match nearest(written, self.asked.iter().copied()).first() {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("it has {}", self.asked.join(", ")),
        };
        Err(self.unknown(key, &mend))
    }

    fn unknown(&self, key: &Spanned<DeString<'_>>, mend: &str) -> Error {
        let sentence = format!("{} has no key `{}`; {mend}", self.name, key.get_ref());
        self.file.error(key.span().start, sentence)
    }

    fn wrong_type(&self, key: &str, at: usize, wanted: &str, found: &DeValue<'_>) -> Error {
        let sentence = format!("`{key}` of {} is {wanted}, not {}", self.name, type_name(found));
        self.file.error(at, sentence)
    }
}

fn whole_number(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
