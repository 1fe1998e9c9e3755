//! Builds an ending with all endings that it leads to.

use super::material::Material;
use super::solve::solve;
use super::solved::{Library, Solved};
use crate::error::Result;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An ending that has just been solved, on the way to another.
#[derive(Clone, Copy, Debug)]
pub struct Built<'a> {
    /// The ending.
    pub solved: &'a Solved,
    /// The number of its positions, both sides to move together, like
    /// [`Summary::positions`](super::Summary::positions).
    pub positions: u64,
    /// The duration.
    pub elapsed: Duration,
}

/// Solves an ending, after those that captures and promotions lead to. Calls `tell` with each as it is done.
///
/// # Errors
/// Returns an error if a game of the ending is longer than a table can store.
///
/// ```
/// use gt_endgame::chess::{build, Summary};
///
/// let solved = build("KQK".parse()?, |_| ())?;
/// assert_eq!(Summary::of(&solved).longest_mate, Some(10));
/// # Ok::<(), gt_endgame::Error>(())
/// ```
pub fn build(material: Material, mut tell: impl FnMut(&Built<'_>)) -> Result<Arc<Solved>> {
    let mut library = Library::new();
    let mut order = Vec::new();
    list_successors_first(material, &mut order);
    for next in order {
        let started = Instant::now();
        let solved = solve(next, &library)?;
        let elapsed = started.elapsed();
        tell(&Built { positions: solved.positions(), solved: &solved, elapsed });
        library.insert(next, Arc::new(solved));
    }
    Ok(library[&material].clone())
}

fn list_successors_first(material: Material, order: &mut Vec<Material>) {
    if order.contains(&material) {
        return;
    }
    for next in material.successors() {
        list_successors_first(next, order);
    }
    order.push(material);
}
