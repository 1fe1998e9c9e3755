//! A grid as spans: neighbouring columns that look alike together, each with the mix of its colours.

use std::collections::HashMap;

use serde::Serialize;

use super::grid::Grid;
use crate::values::Scalar;

/// The most values in a mix.
const MIXED_MAX: usize = 4;
/// A mix is told in so many parts.
const PARTS: u64 = 16;
/// Neighbours whose counts differ by less than this part of a column look alike.
const ALIKE: u64 = 48;

/// What is too narrow for rectangles of its own, by ply and column of node_ids.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DensityAnswer"))]
pub(crate) struct Density {
    /// The node_id that column 0 begins with.
    pub first: u64,
    /// How many node_ids a column has.
    pub step: u64,
    /// Each span's ply below the picture's node.
    pub ply: Vec<u32>,
    /// Its first column.
    pub column: Vec<u32>,
    /// How many columns it has.
    pub columns: Vec<u32>,
    /// How many of its node_ids lie in or below a node of this ply that has no rectangle of its own.
    pub nodes: Vec<u64>,
    /// The place of its mix in `mixes`.
    pub mix: Vec<u32>,
    /// Places in `values`, each with its part of sixteen; nothing where there is no colour, or none that mixes.
    pub mixes: Vec<Vec<[u32; 2]>>,
    /// Values of the colour.
    pub values: Vec<Scalar>,
    /// Where matches of a query are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub marks: Option<Marks>,
}

/// Where matches are that may have no rectangle of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DensityMarks"))]
pub(crate) struct Marks {
    /// Plies below the picture's node.
    pub ply: Vec<u32>,
    /// Columns of the density.
    pub column: Vec<u32>,
    /// How many matches there are; where a picture has very many, those of the column at any ply.
    pub matches: Vec<u64>,
}

/// Makes spans; `value` gives the value of a class at a ply below the root and a column.
pub(super) struct Spanner<V> {
    density: Density,
    mixes: HashMap<Vec<[u32; 2]>, u32>,
    values: HashMap<String, u32>,
    /// By class, ply and, where that matters, column.
    known: HashMap<(usize, usize, usize), u32>,
    depends_on_column: bool,
    /// Nothing where there are no colours to mix.
    value: Option<V>,
}

impl<V: FnMut(usize, usize, usize) -> Scalar> Spanner<V> {
    pub(super) fn new(depends_on_column: bool, value: Option<V>) -> Self {
        Self {
            density: Density::default(),
            mixes: HashMap::new(),
            values: HashMap::new(),
            known: HashMap::new(),
            depends_on_column,
            value,
        }
    }

    pub(super) fn spans(mut self, grid: &Grid) -> Density {
        let extent = grid.extent;
        (self.density.first, self.density.step) = (extent.first, extent.step);
        for row in 0..extent.plies {
            // The span that may go on, and the nodes of its last column.
            let mut last: Option<u64> = None;
            for column in 0..extent.columns {
                let counts = grid.at(row, column);
                let nodes: u64 = counts.iter().copied().map(u64::from).sum();
                if nodes == 0 {
                    last = None;
                    continue;
                }
                let mix = self.mix(counts, nodes, row, column);
                let density = &mut self.density;
                let alike = last.is_some_and(|before| before.abs_diff(nodes) * ALIKE <= extent.step);
                if alike && density.mix.last() == Some(&mix) {
                    density.columns.last_mut().into_iter().for_each(|columns| *columns += 1);
                    density.nodes.last_mut().into_iter().for_each(|sum| *sum += nodes);
                } else {
                    density.ply.push(row as u32);
                    density.column.push(column as u32);
                    density.columns.push(1);
                    density.nodes.push(nodes);
                    density.mix.push(mix);
                }
                last = Some(nodes);
            }
        }
        self.density
    }

    fn mix(&mut self, counts: &[u32], nodes: u64, row: usize, column: usize) -> u32 {
        let mut often: Vec<(u64, usize)> =
            counts.iter().copied().map(u64::from).zip(0..).filter(|(count, _)| *count > 0).collect();
        often.sort_unstable_by(|a, b| b.cmp(a));
        often.truncate(MIXED_MAX);
        let largest = often[0].1;
        let parts = often.into_iter().map(|(count, class)| ((count * PARTS + nodes / 2) / nodes, class));
        let mut mix: Vec<[u32; 2]> = Vec::with_capacity(MIXED_MAX);
        for (part, class) in parts.filter(|(part, class)| *part > 0 || *class == largest) {
            let Some(value) = self.value_of(class, row, column) else { break };
            match mix.iter_mut().find(|[known, _]| *known == value) {
                Some([_, parts]) => *parts += part.max(1) as u32,
                None => mix.push([value, part.max(1) as u32]),
            }
        }
        mix.sort_unstable();
        if let Some(&known) = self.mixes.get(&mix) {
            return known;
        }
        let place = self.density.mixes.len() as u32;
        self.density.mixes.push(mix.clone());
        self.mixes.insert(mix, place);
        place
    }

    fn value_of(&mut self, class: usize, row: usize, column: usize) -> Option<u32> {
        let make = self.value.as_mut()?;
        let key = (class, row, if self.depends_on_column { column } else { 0 });
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let value = make(class, row, column);
        let place = *self.values.entry(value.to_json()).or_insert_with(|| {
            self.density.values.push(value);
            self.density.values.len() as u32 - 1
        });
        self.known.insert(key, place);
        Some(place)
    }
}
