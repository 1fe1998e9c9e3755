//! A chart in the making.

use super::figure::{Figure, Offered, Reading, Shape};
use crate::chart::{Axis, ChartKind};

/// The common parts of all charts.
pub(super) struct Draft<'a> {
    pub(super) name: &'a str,
    pub(super) title: &'a str,
    pub(super) meaning: &'a str,
    pub(super) kind: ChartKind,
    pub(super) x: &'a str,
    pub(super) y: Axis,
    pub(super) reading: Reading,
}

impl Draft<'_> {
    pub(super) fn figure(self, series: &[&str], lets: Vec<(String, String)>, body: String) -> Offered {
        let series = series.iter().map(|name| (*name).to_owned()).collect();
        Ok(Figure {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            meaning: self.meaning.to_owned(),
            lets,
            body,
            shape: Shape::Chart {
                kind: self.kind,
                x: self.x.to_owned(),
                y: self.y,
                series,
                reading: self.reading,
            },
        })
    }
}
