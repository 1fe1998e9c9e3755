//! A line of moves, followed through a tree.
//!
//! Where a move was searched several times, the line goes on in the last of its visits that has the next move.

use gt_log::Result;

use crate::children::Family;
use crate::node::Place;
use crate::reader::Reader;

/// A move of the line that is in the tree.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) number: i64,
    pub(crate) rank: usize,
    /// How many different moves its parent searched.
    pub(crate) siblings: usize,
    /// The node that it was made at.
    pub(crate) parent: Place,
    /// Every search of it there.
    pub(crate) visits: Vec<Place>,
    /// The move that the parent chose, where that was asked for.
    pub(crate) chosen: Option<i64>,
}

impl Found {
    /// The visit that counts.
    pub(crate) fn last(&self) -> Place {
        self.visits[self.visits.len() - 1]
    }

    /// The nodes of all visits.
    pub(crate) fn nodes(&self) -> u64 {
        self.visits.iter().map(|visit| visit.nodes).sum()
    }
}

/// How far a line is in a tree.
pub(crate) struct Followed {
    pub(crate) found: Vec<Found>,
    /// Where it leaves the tree: the node without the next move.
    pub(crate) leaves_at: Option<(Place, Family)>,
}

/// Follows a line from the root; `with_choices` tells what each node on the way chose.
pub(crate) fn follow(reader: &mut Reader<'_>, line: &[i64], with_choices: bool) -> Result<Followed> {
    let mut at = vec![reader.root()?];
    let mut found = Vec::with_capacity(line.len().min(1 << 16));
    for &number in line {
        let next = match look(reader, &at, number)? {
            Look::Found(parent, family) => step(reader, parent, &family, number, with_choices)?,
            Look::Absent(place, family) => {
                return Ok(Followed { found, leaves_at: Some((place, family)) });
            }
        };
        let Some(next) = next else { break };
        at.clone_from(&next.visits);
        found.push(next);
    }
    Ok(Followed { found, leaves_at: None })
}

enum Look {
    Found(Place, Family),
    /// The last visit, which counts.
    Absent(Place, Family),
}

/// Looks for a move below the visits of the move before it, the last visit first.
fn look(reader: &mut Reader<'_>, visits: &[Place], number: i64) -> Result<Look> {
    let last = visits[visits.len() - 1];
    let family = Family::of(reader, last)?;
    if family.find(number).is_some() {
        return Ok(Look::Found(last, family));
    }
    for &earlier in visits[..visits.len() - 1].iter().rev() {
        let family = Family::of(reader, earlier)?;
        if family.find(number).is_some() {
            return Ok(Look::Found(earlier, family));
        }
    }
    Ok(Look::Absent(last, family))
}

fn step(
    reader: &mut Reader<'_>,
    parent: Place,
    family: &Family,
    number: i64,
    with_choices: bool,
) -> Result<Option<Found>> {
    let Some((rank, searched)) = family.find(number) else { return Ok(None) };
    let chosen = if with_choices {
        let node = reader.node(parent)?;
        family.chosen(reader, &node)?.map(|rank| family.moves[rank].number)
    } else {
        None
    };
    let siblings = family.moves.len();
    Ok(Some(Found { number, rank, siblings, parent, visits: searched.visits.clone(), chosen }))
}
