//! Follows a line of moves through a tree.
//!
//! A move can be searched several times, and so can the moves that lead to it: its visits are all nodes of the tree
//! that the line leads to, in the order of the search.
//!
//! ```text
//! root ── e2e4 ── e7e5          null window
//!      └─ e2e4 ─┬ c7c5          again, with an open window:
//!               └ e7e5          the visits of `e2e4 e7e5` are two, and the last one counts
//! ```

use gt_log::Result;

use crate::children::Family;
use crate::node::Place;
use crate::reader::Reader;

/// A move of the line that is in the tree.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) number: i64,
    pub(crate) rank: usize,
    /// The number of different moves that its parent searched.
    pub(crate) siblings: usize,
    /// The parent of its last visit.
    pub(crate) parent: Place,
    /// Every search of it, in order.
    pub(crate) visits: Vec<Place>,
    /// The move that the parent chose, if that was requested.
    pub(crate) chosen: Option<i64>,
}

impl Found {
    /// The decisive visit, which is the last.
    pub(crate) fn last(&self) -> Place {
        self.visits[self.visits.len() - 1]
    }

    /// The nodes of all visits.
    pub(crate) fn nodes(&self) -> u64 {
        self.visits.iter().map(|visit| visit.nodes).sum()
    }
}

/// How far a tree contains a line.
pub(crate) struct Followed {
    pub(crate) found: Vec<Found>,
    /// The point where it leaves the tree: the node without the next move.
    pub(crate) leaves_at: Option<(Place, Family)>,
}

/// Follows a line from the root; `with_choices` also finds the move that each node on the way chose.
pub(crate) fn follow(reader: &mut Reader<'_>, line: &[i64], with_choices: bool) -> Result<Followed> {
    let mut at = vec![reader.root()?];
    let mut found = Vec::with_capacity(line.len().min(1 << 16));
    for &number in line {
        let mut visits = Vec::new();
        let mut last: Option<(Place, Family)> = None;
        for &place in &at {
            let family = Family::of(reader, place)?;
            let searched = family.find(number).map(|(_, searched)| searched.visits.clone());
            // The last node with the move is its parent; if none has it, the line leaves the tree at the last one.
            if searched.is_some() || visits.is_empty() {
                last = Some((place, family));
            }
            visits.extend(searched.into_iter().flatten());
        }
        let Some((place, family)) = last else { break };
        if visits.is_empty() {
            return Ok(Followed { found, leaves_at: Some((place, family)) });
        }
        at.clone_from(&visits);
        found.extend(step(reader, (place, &family), number, visits, with_choices)?);
    }
    Ok(Followed { found, leaves_at: None })
}

fn step(
    reader: &mut Reader<'_>,
    (parent, family): (Place, &Family),
    number: i64,
    visits: Vec<Place>,
    with_choices: bool,
) -> Result<Option<Found>> {
    let Some((rank, _)) = family.find(number) else { return Ok(None) };
    let chosen = if with_choices {
        let node = reader.node(parent)?;
        family.chosen(reader, &node)?.map(|rank| family.moves[rank].number)
    } else {
        None
    };
    let siblings = family.moves.len();
    Ok(Some(Found { number, rank, siblings, parent, visits, chosen }))
}
