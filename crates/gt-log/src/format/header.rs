//! The header: the game, what the nodes carry, and free metadata.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::error::{At, Error, Place, Result};
use crate::format::section::{put_section, read_sections};
use crate::format::{MAGIC, VERSION_MAJOR, VERSION_MINOR};
use crate::wire::{Malformed, Newer, Reader, Wire, put_signed, put_text, put_unsigned};
use crate::{Kind, OTHER_NAMES_KEY, Schema};

/// The number of bytes before the header's payload.
pub(crate) const FIXED_HEADER_BYTES: usize = 32;

const HEADER_BYTES_MAX: u64 = 1 << 26;

/// Named texts about a log or a tree, in the order they were set: engine, version, position, depth …
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    entries: Vec<(String, String)>,
}

impl Metadata {
    /// Makes metadata without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `key`, replacing its value if it has one.
    pub fn set(&mut self, key: impl Into<String>, value: impl ToString) {
        let (key, value) = (key.into(), value.to_string());
        match self.entries.iter_mut().find(|(k, _)| *k == key) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key, value)),
        }
    }

    /// Returns the metadata with `key` set.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl ToString) -> Self {
        self.set(key, value);
        self
    }

    /// The value of `key`; `None` if it was not set.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }

    /// Sets every key of `other`.
    pub(crate) fn extend(&mut self, other: Self) {
        let mut places: HashMap<String, usize> =
            self.entries.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
        for (key, value) in other.entries {
            match places.entry(key) {
                Entry::Occupied(place) => self.entries[*place.get()].1 = value,
                Entry::Vacant(place) => {
                    self.entries.push((place.key().clone(), value));
                    place.insert(self.entries.len() - 1);
                }
            }
        }
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<K: Into<String>, V: ToString> FromIterator<(K, V)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut metadata = Self::new();
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.to_string())).collect();
        metadata.extend(Self { entries });
        metadata
    }
}

/// What a log says about itself before its first tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The game's name; empty if it does not matter.
    pub game: String,
    /// The attributes of the nodes.
    pub schema: Schema,
    /// The metadata of the whole log.
    pub metadata: Metadata,
    /// The tool that wrote the log, and its version, such as `GT-Tools 0.2.0`; empty in a log of version 1.0. Writers replace it by their
    /// own.
    pub writer: String,
}

/// What this version puts into [`Header::writer`].
const WRITER: &str = concat!("GT-Tools ", env!("CARGO_PKG_VERSION"));

/// The tool that wrote the log, and its version.
const SECTION_WRITER: u64 = 1;
/// For each alias the attribute that it belongs to: 0 for none, 1 for the first …
const SECTION_ALIAS_ATTRIBUTES: u64 = 2;

impl Header {
    /// Makes a header for this game and schema.
    #[must_use]
    pub fn new(game: impl Into<String>, schema: Schema) -> Self {
        Self { game: game.into(), schema, ..Self::default() }
    }

    /// Returns the header with this metadata entry.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl ToString) -> Self {
        self.metadata.set(key, value);
        self
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        put_text(&mut payload, &self.game);
        put_unsigned(&mut payload, self.schema.attributes().len() as u64);
        for attribute in self.schema.attributes() {
            payload.push(kind_number(attribute.kind));
            put_text(&mut payload, &attribute.name);
        }
        put_unsigned(&mut payload, self.schema.aliases().len() as u64);
        for alias in self.schema.aliases() {
            put_text(&mut payload, &alias.name);
            put_signed(&mut payload, alias.value);
        }
        put_metadata(&mut payload, &self.metadata);
        put_section(&mut payload, SECTION_WRITER, |out| put_text(out, WRITER));
        if self.schema.aliases().iter().any(|alias| alias.attribute.is_some()) {
            put_section(&mut payload, SECTION_ALIAS_ATTRIBUTES, |out| {
                for alias in self.schema.aliases() {
                    put_unsigned(out, alias.attribute.map_or(0, |attribute| attribute as u64 + 1));
                }
            });
        }

        let mut bytes = Vec::with_capacity(FIXED_HEADER_BYTES + payload.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION_MAJOR.to_le_bytes());
        bytes.extend_from_slice(&VERSION_MINOR.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc32c::crc32c(&payload).to_le_bytes());
        bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// Checks the fixed part, and returns the minor version and the length of the payload.
    pub(crate) fn read_fixed(fixed: &[u8; FIXED_HEADER_BYTES]) -> Result<(u16, u64)> {
        if fixed[..8] != MAGIC {
            return Err(Error::NotALog);
        }
        let mut reader = Reader::new(&fixed[8..]);
        let major = reader.u16().at(Place::Header)?;
        if major > VERSION_MAJOR {
            return Err(Error::NewerVersion { major });
        }
        if crc32c::crc32c(&fixed[..28]).to_le_bytes() != fixed[28..] {
            return Err(Malformed("its checksum does not fit")).at(Place::Header);
        }
        let minor = reader.u16().at(Place::Header)?;
        let _reserved = reader.bytes(4).at(Place::Header)?;
        let length = reader.u64().at(Place::Header)?;
        if length > HEADER_BYTES_MAX {
            return Err(Malformed("it claims to be larger than a header can be")).at(Place::Header);
        }
        Ok((minor, length))
    }

    /// Reads the payload; [`Header::read_fixed`] has accepted the fixed part.
    pub(crate) fn read(fixed: &[u8; FIXED_HEADER_BYTES], payload: &[u8]) -> Result<Self> {
        if crc32c::crc32c(payload).to_le_bytes() != fixed[24..28] {
            return Err(Malformed("its checksum does not fit")).at(Place::Header);
        }
        let mut reader = Reader::new(payload);
        let game = reader.text().at(Place::Header)?.to_owned();
        let schema = read_schema(&mut reader)?;
        let metadata = read_metadata(&mut reader).at(Place::Header)?;
        let mut header = Self { game, schema, metadata, writer: String::new() };
        for section in read_sections(reader) {
            match section.at(Place::Header)? {
                (SECTION_WRITER, mut section) => header.writer = section.text().at(Place::Header)?.to_owned(),
                (SECTION_ALIAS_ATTRIBUTES, section) => {
                    header.read_alias_attributes(section).at(Place::Header)?
                }
                // A newer version says more about its logs.
                _ => {}
            }
        }
        if let Some(pairs) = header.metadata.get(OTHER_NAMES_KEY).map(str::to_owned) {
            header.schema.add_said_names(&pairs);
        }
        Ok(header)
    }

    fn read_alias_attributes(&mut self, mut section: Reader<'_>) -> Wire<()> {
        for alias in 0..self.schema.aliases().len() {
            if let Some(attribute) = section.unsigned()?.checked_sub(1)
                && !self.schema.set_alias_attribute(alias, attribute)
            {
                return Err(Malformed("an alias belongs to an attribute that is not there"));
            }
        }
        Ok(())
    }
}

fn read_schema(reader: &mut Reader<'_>) -> Result<Schema> {
    let mut attributes = Vec::new();
    for _ in 0..reader.count().at(Place::Header)? {
        let kind = kind_of_number(reader.u8().at(Place::Header)?).at(Place::Header)?;
        attributes.push((reader.text().at(Place::Header)?, kind));
    }
    let mut aliases = Vec::new();
    for _ in 0..reader.count().at(Place::Header)? {
        let name = reader.text().at(Place::Header)?;
        aliases.push((name, reader.signed().at(Place::Header)?));
    }
    Ok(Schema::new(attributes)?.with_aliases(aliases)?)
}

pub(crate) fn put_metadata(out: &mut Vec<u8>, metadata: &Metadata) {
    put_unsigned(out, metadata.entries.len() as u64);
    for (key, value) in &metadata.entries {
        put_text(out, key);
        put_text(out, value);
    }
}

pub(crate) fn read_metadata(reader: &mut Reader<'_>) -> Wire<Metadata> {
    let mut metadata = Metadata::new();
    for _ in 0..reader.count()? {
        let key = reader.text()?.to_owned();
        metadata.entries.push((key, reader.text()?.to_owned()));
    }
    Ok(metadata)
}

/// The head of a frame with names of moves.
pub(crate) fn names_bytes<'a>(names: impl IntoIterator<Item = (i64, &'a str)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, name) in names {
        put_signed(&mut bytes, number);
        put_text(&mut bytes, name);
    }
    bytes
}

pub(crate) fn read_names(head: &[u8]) -> Wire<Vec<(i64, String)>> {
    let mut reader = Reader::new(head);
    let mut names = Vec::new();
    while !reader.is_empty() {
        let number = reader.signed()?;
        names.push((number, reader.text()?.to_owned()));
    }
    Ok(names)
}

fn kind_number(kind: Kind) -> u8 {
    kind as u8
}

fn kind_of_number(number: u8) -> Wire<Kind> {
    Kind::ALL
        .get(usize::from(number))
        .copied()
        .ok_or(Newer("an attribute of a type that this version does not know"))
}

// The number of a kind in the file is its place in the enum: moving one would break old files.
const _: () = assert!(Kind::I8 as u8 == 0 && Kind::U64 as u8 == 7 && Kind::F64 as u8 == 9);
const _: () = assert!(Kind::Bool as u8 == 10 && Kind::Text as u8 == 11 && Kind::ALL.len() == 12);
