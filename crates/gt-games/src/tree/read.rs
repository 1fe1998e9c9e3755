//! The parser of trees.
//!
//! ```text
//! tree      [ "players" N ]  [ "turns" P { "," P } ]  node  [ "at" name … ]
//! node      [ name ":" ]  [ "@" P ]  ( value  |  [ "~" value ]  "(" node … ")"  |  "=" name )
//! value     number { "," number }  |  "inf"  |  "-inf"
//! ```
//!
//! `#` begins a comment. A number ends the game there: with two players it is the value of the leaf to player 1, with more there is one for
//! each. `~` gives an inner node an estimate, for searches that do not look below it. `@2` makes it player 2's turn, if the ply does not.
//! `=a` is the position called `a`, reached by another way.
//!
//! **Invariant:** for any text, the result is a tree that keeps its laws, or an error with a line and a column.

mod links;
mod nodes;
mod token;

use super::Tree;
use super::written::{PLAYERS_MAX, Written};
use crate::error::{NotationError, Result};
use nodes::{Draft, nodes};
use std::sync::Arc;
use token::{Cursor, Sort};

/// The maximum length of a tree's text.
const TEXT_BYTES_MAX: usize = 1 << 20;

pub(super) fn read(text: &str) -> Result<Tree> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(NotationError::syntax("", "the text of a tree has a mebibyte at most"));
    }
    let mut cursor = Cursor::new(text);
    let players = players(&mut cursor)?;
    let turns = turns(&mut cursor, players)?;
    let mut draft = Draft::new(Written { players, turns, entries: Vec::new(), key: 0 });
    nodes(&mut cursor, &mut draft)?;
    let mut written = links::link(&cursor, draft)?;
    let canonical = written.text();
    written.set_key(&canonical);
    let at = place(&mut cursor, &written)?;
    Ok(Tree { written: Arc::new(written), at })
}

/// Reads `players N`; two by default.
fn players(cursor: &mut Cursor<'_>) -> Result<u8> {
    if !cursor.skip_word("players") {
        return Ok(2);
    }
    let token = cursor.next();
    let problem = format!("behind `players` stands how many there are, from 2 to {PLAYERS_MAX}");
    let count: Option<u8> = token.text.parse().ok().filter(|&count| (2..=PLAYERS_MAX as u8).contains(&count));
    count.ok_or_else(|| cursor.error(token, problem))
}

/// Reads `turns P, P …`; in turn by default.
fn turns(cursor: &mut Cursor<'_>, players: u8) -> Result<Vec<u8>> {
    if !cursor.skip_word("turns") {
        return Ok((0..players).collect());
    }
    let mut turns = Vec::new();
    loop {
        let token = cursor.next();
        turns.push(nodes::player(cursor, token, players)?);
        if !cursor.skip_sign(',') {
            return Ok(turns);
        }
    }
}

/// Reads `at name …`; the root by default.
fn place(cursor: &mut Cursor<'_>, written: &Written) -> Result<u32> {
    let mut at = 0;
    if cursor.skip_word("at") {
        while cursor.peek().sort == Sort::Word {
            let token = cursor.next();
            let children = &written.entries[at as usize].children;
            let found = children.iter().find(|&&child| *written.entries[child as usize].name == *token.text);
            let found = found.ok_or_else(|| {
                cursor.error(token, format!("no move called `{}` leads on from there", token.text))
            })?;
            at = written.entries[*found as usize].node;
        }
    }
    let token = cursor.peek();
    match token.sort {
        Sort::End => Ok(at),
        _ => {
            Err(cursor
                .error(token, "the tree has ended before this; put several nodes in one pair of brackets"))
        }
    }
}
