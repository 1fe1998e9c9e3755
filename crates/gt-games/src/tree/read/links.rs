//! Turns references into links, and checks heights and turns.

use super::nodes::{Draft, called, too_deep};
use super::token::Cursor;
use crate::error::Result;
use crate::tree::written::{DEPTH_MAX, Written};
use std::collections::HashMap;

pub(super) fn link(cursor: &Cursor<'_>, mut draft: Draft<'_>) -> Result<Written> {
    resolve(cursor, &mut draft)?;
    let mut heights = vec![Height::Unknown; draft.written.entries.len()];
    height(cursor, &draft, 0, 0, &mut heights)?;
    for (entry, height) in draft.written.entries.iter_mut().zip(heights) {
        if let Height::Known(height) = height {
            entry.height = height;
        }
    }
    check_turns(cursor, &draft)?;
    Ok(draft.written)
}

/// Finds the node that each reference names.
fn resolve(cursor: &Cursor<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let mut named: HashMap<Box<str>, Vec<u32>> = HashMap::new();
    for (number, entry) in draft.written.entries.iter().enumerate() {
        if draft.references[number].is_none() {
            named.entry(entry.name.clone()).or_default().push(number as u32);
        }
    }
    for number in 0..draft.written.entries.len() {
        let Some(target) = draft.references[number] else { continue };
        let found = named.get(target.text).map_or(&[][..], Vec::as_slice);
        let node = match *found {
            [node] => node,
            [] => return Err(cursor.error(target, format!("no node is called `{}`", target.text))),
            _ => {
                let problem = format!(
                    "{} nodes are called `{}`; give the one that is meant a name of its own",
                    found.len(),
                    target.text
                );
                return Err(cursor.error(target, problem));
            }
        };
        let plies = [number, node as usize].map(|entry| draft.written.entries[entry].ply);
        if !usize::from(plies[0].abs_diff(plies[1])).is_multiple_of(draft.written.turns.len()) {
            let problem = format!(
                "`{}` stands at ply {} and is reached at ply {} here, where it is another player's turn",
                target.text, plies[1], plies[0]
            );
            return Err(cursor.error(target, problem));
        }
        let mover = draft.written.entries[node as usize].mover;
        let entry = &mut draft.written.entries[number];
        (entry.node, entry.mover) = (node, mover);
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Height {
    Unknown,
    /// The walk is below this entry.
    Open,
    Known(u16),
}

/// The longest line below an entry; rejects cyclic lines and those that are too long.
fn height(
    cursor: &Cursor<'_>,
    draft: &Draft<'_>,
    number: u32,
    depth: u16,
    heights: &mut [Height],
) -> Result<u16> {
    let entry = &draft.written.entries[number as usize];
    let fault = |problem: String| Err(cursor.error_at(draft.places[number as usize], problem));
    let node = entry.node as usize;
    match heights[node] {
        Height::Open => {
            return fault(format!(
                "{} leads back to `{}`, so that the game never ends",
                called(draft, number),
                draft.written.entries[node].name
            ));
        }
        Height::Known(height) if depth + height > DEPTH_MAX => return fault(too_deep()),
        Height::Known(height) => {
            heights[number as usize] = Height::Known(height);
            return Ok(height);
        }
        Height::Unknown if depth > DEPTH_MAX => return fault(too_deep()),
        Height::Unknown => heights[node] = Height::Open,
    }
    let mut highest = 0;
    for &child in &draft.written.entries[node].children {
        highest = highest.max(1 + height(cursor, draft, child, depth + 1, heights)?);
    }
    heights[node] = Height::Known(highest);
    heights[number as usize] = Height::Known(highest);
    Ok(highest)
}

/// With two players, searches require alternating turns.
fn check_turns(cursor: &Cursor<'_>, draft: &Draft<'_>) -> Result<()> {
    if draft.written.players != 2 {
        return Ok(());
    }
    for (number, entry) in draft.written.entries.iter().enumerate().skip(1) {
        if entry.mover == draft.written.entries[entry.parent as usize].mover {
            let problem = format!(
                "with two players turns alternate, but player {} moves before {} and after",
                entry.mover + 1,
                called(draft, number as u32)
            );
            return Err(cursor.error_at(draft.places[number], problem));
        }
    }
    Ok(())
}
