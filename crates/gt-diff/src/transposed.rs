//! Nodes of one tree only whose position is also in the other tree, by another order of moves.
//!
//! The nodes without a partner are matched by their key: of those with the same key, the first of A with the first of
//! B, the second with the second, and so on, in the order in which the searches left them.

use gt_log::{Column, Kind, Schema, Scratch, Tree, Value, Walker};

use crate::attributes::Attributes;
use crate::error::{Error, Result};
use crate::matching::{Matching, Stray};

/// Nodes that match by key only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Transposed {
    /// The number of pairs.
    pub(crate) pairs: u64,
    /// The number of pairs with different values; `None` if values are not compared.
    pub(crate) other_value: Option<u64>,
    /// The rows of A in pairs, ascending.
    rows_a: Vec<u32>,
    rows_b: Vec<u32>,
}

/// The indices of an attribute to be used as a key.
pub(crate) fn key_places(name: &str, a: &Schema, b: &Schema) -> Result<(usize, usize)> {
    let (Some(place_a), Some(place_b)) = (a.position(name), b.position(name)) else {
        let both = a.attributes().iter().filter(|attribute| b.position(&attribute.name).is_some());
        return Err(Error::UnknownAttribute {
            name: name.to_owned(),
            known: both.map(|attribute| attribute.name.clone()).collect(),
        });
    };
    let kinds: (Kind, Kind) = (a.attributes()[place_a].kind, b.attributes()[place_b].kind);
    match kinds.0 == kinds.1 && kinds.0.is_integer() {
        true => Ok((place_a, place_b)),
        false => Err(Error::KeyKind { name: name.to_owned() }),
    }
}

impl Transposed {
    /// Matches nodes without a partner by the attribute at these indices.
    pub(crate) fn of(
        (a, b): (Tree<'_>, Tree<'_>),
        places: (usize, usize),
        matching: &Matching,
        attributes: &Attributes,
    ) -> Result<Self> {
        let of_a = keys(a, places.0, &matching.only_a)?;
        let of_b = keys(b, places.1, &matching.only_b)?;
        let pairs = paired(&of_a, &of_b);
        let other_value = match attributes.value() {
            None => None,
            Some(value) => {
                let mut walkers = (Walker::new(a), Walker::new(b));
                let mut count = 0;
                for (row_a, row_b) in &pairs {
                    let of_a: Value = walkers.0.value(u64::from(*row_a), value.place_a)?;
                    count += u64::from(of_a != walkers.1.value(u64::from(*row_b), value.place_b)?);
                }
                Some(count)
            }
        };
        let (mut rows_a, mut rows_b): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
        rows_a.sort_unstable();
        rows_b.sort_unstable();
        Ok(Self { pairs: pairs.len() as u64, other_value, rows_a, rows_b })
    }

    /// Whether a node that only one tree has is in a pair.
    pub(crate) fn has(&self, row_a: Option<u32>, row_b: Option<u32>) -> bool {
        match (row_a, row_b) {
            (Some(row), None) => self.rows_a.binary_search(&row).is_ok(),
            (None, Some(row)) => self.rows_b.binary_search(&row).is_ok(),
            (Some(_), Some(_)) | (None, None) => false,
        }
    }
}

/// The keys of all rows without a partner, with their rows, sorted by key.
fn keys(tree: Tree<'_>, place: usize, strays: &[Stray]) -> Result<Vec<(i64, u32)>> {
    let mut keys = Vec::new();
    let mut scratch = Scratch::default();
    let mut next = 0;
    for (block, head) in tree.blocks().enumerate() {
        let (first, end) = (head.first_row as u32, head.end_row() as u32);
        while strays.get(next).is_some_and(|stray| stray.row < first) {
            next += 1;
        }
        let here = strays[next..].iter().take_while(|stray| stray.row + 1 - stray.rows < end);
        let ranges: Vec<(u32, u32)> =
            here.map(|stray| ((stray.row + 1 - stray.rows).max(first), (stray.row + 1).min(end))).collect();
        if ranges.is_empty() {
            continue;
        }
        let values = tree.decode_with(block, Column::Attribute(place), &mut scratch)?;
        let missing = tree.missing_with(block, place, &mut scratch)?;
        let lacks =
            |local: usize| missing.as_ref().is_some_and(|words| words[local / 64] >> (local % 64) & 1 == 1);
        for row in ranges.into_iter().flat_map(|(from, to)| from..to) {
            let local = (row - first) as usize;
            if !lacks(local) {
                keys.push((values.get(local), row));
            }
        }
        scratch.recycle(values);
    }
    keys.sort_unstable();
    Ok(keys)
}

/// Pairs of rows with equal keys.
fn paired(of_a: &[(i64, u32)], of_b: &[(i64, u32)]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let (mut a, mut b) = (0, 0);
    while let (Some((key_a, row_a)), Some((key_b, row_b))) = (of_a.get(a), of_b.get(b)) {
        match key_a.cmp(key_b) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                pairs.push((*row_a, *row_b));
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    pairs
}
