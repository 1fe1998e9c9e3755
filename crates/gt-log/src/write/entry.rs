//! The values with which open nodes were entered.
//!
//! A node's entry is in its frame on the open path, so nothing more is pushed or popped: the path says which nodes have an entry, and a
//! search that gives no values pays nothing.

use super::open::OpenPath;
use crate::encode::RowLayout;
use crate::format::EntryValues;
use crate::record::{Row, TextColumn, Value};
use crate::{Kind, Schema, columns::missing};

/// The texts of entries, by the place of their node; empty if the schema has no texts.
#[derive(Default)]
pub(crate) struct EntryTexts {
    /// The texts of each entry by attribute; there may be more than there are entries.
    texts: Vec<Vec<TextColumn>>,
}

/// The values that a node was entered with.
pub(crate) struct Entry<'a> {
    pub(crate) record: &'a [u8],
    texts: &'a [TextColumn],
    /// The attributes that the node lacks, as bits.
    pub(crate) missing: &'a [u64],
}

impl<'a> Entry<'a> {
    /// The text of an attribute for which this code stands.
    pub(crate) fn text(&self, attribute: usize, code: u32) -> &'a str {
        let texts = self.texts.get(attribute).map_or(&[][..], |texts| &texts.texts);
        texts.get(code as usize).map_or("", String::as_str)
    }
}

/// Puts the values that `store` knows of a node into its frame; returns what is wrong with them, if anything is.
#[inline(always)]
pub(crate) fn set(
    place: &mut [u64],
    layout: &RowLayout,
    texts: &mut [TextColumn],
    schema: &Schema,
    store: impl FnOnce(&Schema, &mut Row<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let Some((missing, rest)) = place.split_first_mut() else { return Ok(()) };
    let Some((more_missing, record)) = rest.split_at_mut_checked(layout.more_missing_words()) else {
        return Ok(());
    };
    let record: &mut [u8] = bytemuck::cast_slice_mut(record);
    let Some(record) = record.get_mut(..layout.record_bytes()) else { return Ok(()) };
    let mut row = Row::new(record, texts, more_missing);
    store(schema, &mut row)?;
    *missing = row.end()?;
    Ok(())
}

/// The place for the bytes of a record that lacks these attributes.
#[inline(always)]
pub(crate) fn place_of<'a>(
    place: &'a mut [u64],
    layout: &RowLayout,
    lacking: &[u64],
) -> Option<&'a mut [u8]> {
    let (missing, record) = place.split_at_mut_checked(layout.missing_words())?;
    match (&mut *missing, lacking) {
        ([missing], [lacking]) => *missing = *lacking,
        _ => copy_words(missing, lacking),
    }
    bytemuck::cast_slice_mut(record).get_mut(..layout.record_bytes())
}

impl EntryTexts {
    /// Empties the texts of the entry at this place, and returns them.
    #[cold]
    pub(crate) fn cleared(&mut self, place: usize, layout: &RowLayout) -> &mut [TextColumn] {
        let attributes = layout.kinds().len();
        self.texts.resize_with((place + 1).max(self.texts.len()), || vec![TextColumn::default(); attributes]);
        for (texts, kind) in self.texts[place].iter_mut().zip(layout.kinds()) {
            if *kind == Kind::Text {
                texts.clear();
            }
        }
        &mut self.texts[place]
    }

    /// The entry of the node at this place, which must have one.
    pub(crate) fn entry<'a>(&'a self, path: &'a OpenPath, place: usize, layout: &RowLayout) -> Entry<'a> {
        let (missing, record) = path.entry(place).split_at(layout.missing_words());
        let texts = self.texts.get(place).map_or(&[][..], |texts| texts);
        Entry { record: bytemuck::cast_slice(record), texts, missing }
    }

    /// The values of the open nodes that have entries, from the node `first` on; their places are counted from there.
    pub(crate) fn values(&self, path: &OpenPath, first: usize, layout: &RowLayout) -> Vec<EntryValues> {
        let values = |place| EntryValues {
            place: place - first,
            values: values_of(&self.entry(path, place, layout), layout),
        };
        path.entries(first).map(values).filter(|node| !node.values.is_empty()).collect()
    }
}

fn values_of(entry: &Entry<'_>, layout: &RowLayout) -> Vec<(usize, Value)> {
    let mut values = Vec::new();
    for (attribute, kind) in layout.kinds().iter().enumerate() {
        if missing::contains(entry.missing, attribute) {
            continue;
        }
        let integer = kind.integer_of(&entry.record[layout.place(attribute)]);
        let value = match kind {
            Kind::Text => Value::Text(entry.text(attribute, integer as u32).to_owned()),
            kind => Value::of_integer(*kind, integer, &[]),
        };
        values.push((attribute, value));
    }
    values
}

/// Copies all words of `from`, and sets the rest to 0.
#[cold]
fn copy_words(to: &mut [u64], from: &[u64]) {
    to.fill(0);
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
