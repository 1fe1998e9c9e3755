//! What is too narrow for a rectangle, drawn merged and to its true depth: for each ply, columns of node_ids with how
//! much of each exists and in which mix of colours.
//!
//! ```text
//! rows of the stretch ──▶ Grid: nodes by ply, column, class ──less the rectangles──▶ Spanner ──▶ Density
//!    or, of large trees, the chunks of a Pyramid, and rows at both ends
//! ```
//!
//! A node takes the width of its subtree, so that a column of node_ids is filled at ply `p` by those of its nodes that
//! are at ply `p` or deeper: counting rows is all that it takes.
//!
//! **Invariant:** rectangles and density together have each node_id once at each ply that it exists at; a density is
//! bounded by columns and plies, never by nodes.

mod classes;
mod grid;
mod palette;
mod pyramid;
mod rows;
mod spans;
mod values;

use std::ops::Range;
use std::sync::Arc;

use gt_query::engine::NodeSet;

use super::outline::Outline;
use crate::calls::Subject;
use crate::error::Answer;
use crate::latest::Latest;
use crate::nodes::{Nodes, Result};
use classes::{Classes, Source};
use grid::{Extent, Grid};
pub(super) use palette::Palette;
use pyramid::{Pyramid, chunk_of};
use rows::{Stretch, scan};
pub(crate) use spans::Density;
use spans::{Marks, Spanner};

/// The maximum number of pyramids that are kept: one for each large tree and colour.
const PYRAMIDS_MAX: usize = 4;
/// The maximum number of trees whose classes are kept.
const CLASSES_MAX: usize = 32;

/// What pictures of the same trees share.
pub(crate) struct Shared {
    classes: Latest<(u64, usize, Source), Classes>,
    pyramids: Latest<(u64, usize, Source), Pyramid>,
    /// Trees with fewer nodes are gone over for each picture.
    nodes_min: u64,
}

/// Going over so many nodes takes a few milliseconds.
const NODES_MIN: u64 = 1 << 20;

impl Default for Shared {
    fn default() -> Self {
        Self { classes: Latest::new(CLASSES_MAX), pyramids: Latest::new(PYRAMIDS_MAX), nodes_min: NODES_MIN }
    }
}

impl Shared {
    /// With pyramids of all trees that have as many nodes.
    #[cfg(test)]
    pub(super) fn of_trees_from(nodes_min: u64) -> Self {
        Self { nodes_min, ..Self::default() }
    }

    /// How many pyramids are kept.
    #[cfg(test)]
    pub(super) fn pyramids(&self) -> usize {
        self.pyramids.count()
    }

    fn classes(&self, subject: &Subject<'_>, source: Source) -> Result<Arc<Classes>> {
        let key = (subject.opened.number, subject.tree.number(), source);
        if let Some(known) = self.classes.find(&key) {
            return Ok(known);
        }
        let found = Arc::new(Classes::of(subject.tree, source)?);
        self.classes.keep(key, &found);
        Ok(found)
    }

    fn pyramid(&self, subject: &Subject<'_>, chunk: u64, classes: &Classes) -> Result<Arc<Pyramid>> {
        let key = (subject.opened.number, subject.tree.number(), classes.source);
        if let Some(known) = self.pyramids.find(&key) {
            return Ok(known);
        }
        let built = Arc::new(Pyramid::build(subject.tree, chunk, classes, subject.cancel)?);
        self.pyramids.keep(key, &built);
        Ok(built)
    }
}

/// What the density of an outline is.
pub(super) struct Found {
    pub(super) density: Density,
    /// Whether nodes lie deeper than what is drawn.
    pub(super) has_deeper: bool,
}

/// The density of all that an outline has no rectangle for, in about `width` columns.
pub(super) fn density(
    subject: &mut Subject<'_>,
    outline: &Outline,
    width: u64,
    palette: Option<&Palette<'_>>,
    shared: &Shared,
) -> Answer<Found> {
    let source = palette.map_or(Source::Nothing, |palette| palette.source);
    let classes = shared.classes(subject, source)?;
    let depth = u64::from(subject.tree.depth()).saturating_sub(outline.ply);
    let plies = depth.min(u64::from(outline.plies)) as usize + 1;
    let ids = outline.ids.clone();
    let of_chunks = chunk_of(subject.tree, classes.count()).filter(|chunk| {
        subject.tree.nodes() >= shared.nodes_min && (ids.end - ids.start) / width.max(1) >= *chunk
    });
    let extent = Extent::of(&ids, width, of_chunks.unwrap_or(1), outline.ply, plies, classes.count());
    let mut grid = Grid::new(extent);
    match of_chunks {
        Some(chunk) => {
            let pyramid = shared.pyramid(subject, chunk, &classes)?;
            let whole = ids.start.div_ceil(chunk)..ids.end / chunk;
            pyramid.add_to(&mut grid, whole.clone());
            for end in [ids.start..whole.start * chunk, whole.end * chunk..ids.end] {
                add_rows(subject, outline, &end, &classes, &mut grid)?;
            }
        }
        None => add_rows(subject, outline, &ids, &classes, &mut grid)?,
    }
    for item in outline.sketch.items.iter().filter(|item| item.merged == 0) {
        let drawn = clipped(item.first.id..item.first.id + item.size, &ids);
        let class = classes.of_node(&mut subject.nodes, item.first)?;
        grid.subtract(drawn, outline.ply + u64::from(item.depth), class);
    }
    let value = palette.map(|palette| {
        let classes = &classes;
        move |class: usize, row: usize, column: usize| {
            let id = extent.ids_of(column).start + extent.step / 2;
            palette.value(classes, class, outline.ply + row as u64, id)
        }
    });
    let spanner = Spanner::new(palette.is_some_and(|palette| palette.reads_id), value);
    Ok(Found { density: spanner.spans(&grid), has_deeper: grid.has_deeper })
}

/// Adds the nodes of a stretch, row by row.
fn add_rows(
    subject: &mut Subject<'_>,
    outline: &Outline,
    ids: &Range<u64>,
    classes: &Classes,
    grid: &mut Grid,
) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let stretch = Stretch::of(&mut subject.nodes, outline.node, ids)?;
    let extent = grid.extent;
    let parts = scan(
        subject.tree,
        &stretch.rows,
        classes,
        subject.cancel,
        |_| Grid::new(extent),
        |own: &mut Grid, row| own.add(clipped(row.id..row.id + row.size, ids), row.ply, row.class),
    )?;
    parts.iter().for_each(|part| grid.merge(part));
    for (node, ply) in stretch.open {
        let class = classes.of_node(&mut subject.nodes, node)?;
        grid.add(clipped(node.id..node.id + node.size, ids), ply, class);
    }
    Ok(())
}

fn clipped(ids: Range<u64>, within: &Range<u64>) -> Range<u64> {
    ids.start.max(within.start)..ids.end.min(within.end)
}

/// The maximum number of matches that are looked up one by one; if there are more, one match in each column is looked up.
const LOOKED_UP_MAX: u64 = 3000;

/// Where the matches are.
pub(super) fn marks(
    nodes: &mut Nodes<'_>,
    outline: &Outline,
    density: &Density,
    matches: &NodeSet,
) -> Result<Marks> {
    let ids = &outline.ids;
    let places = matches.rank(ids.start)..matches.rank(ids.end);
    // Each with the matches that it stands for.
    let found: Vec<(u64, u64)> = if places.end - places.start <= LOOKED_UP_MAX {
        matches.slice(places).into_iter().map(|id| (id, 1)).collect()
    } else {
        let starts = (density.first..ids.end).step_by(density.step as usize);
        let columns = starts.map(|start| clipped(start..start + density.step, ids));
        columns
            .filter_map(|column| {
                let count = matches.within(column.clone());
                matches.get(matches.rank(column.start)).filter(|_| count > 0).map(|id| (id, count))
            })
            .collect()
    };
    let (mut marks, mut known) = (Marks::default(), None);
    for (id, count) in found.into_iter().rev() {
        let located = nodes.locate_from(known.take(), id)?;
        let ply = located.ply() - outline.ply;
        known = Some(located);
        if ply > u64::from(outline.plies) {
            continue;
        }
        let (ply, column) = (ply as u32, ((id - density.first) / density.step) as u32);
        if (marks.ply.last(), marks.column.last()) == (Some(&ply), Some(&column)) {
            marks.matches.last_mut().into_iter().for_each(|sum| *sum += count);
        } else {
            marks.ply.push(ply);
            marks.column.push(column);
            marks.matches.push(count);
        }
    }
    Ok(marks)
}
