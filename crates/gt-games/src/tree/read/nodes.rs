//! The nodes in the order of the text; references are still names.

use super::token::{Cursor, Sort, Token};
use crate::error::{NotationError, Result};
use crate::tree::written::{DEPTH_MAX, ENTRIES_MAX, Entry, VALUE_MAX, Worth, Written, default_name};
use std::collections::HashSet;

/// A tree under construction.
pub(super) struct Draft<'a> {
    pub(super) written: Written,
    /// For each entry, where its text begins, and the name that it refers to.
    pub(super) places: Vec<usize>,
    pub(super) references: Vec<Option<Token<'a>>>,
}

impl Draft<'_> {
    pub(super) fn new(written: Written) -> Self {
        Self { written, places: Vec::new(), references: Vec::new() }
    }

    fn last(&mut self) -> &mut Entry {
        let last = self.written.entries.len() - 1;
        &mut self.written.entries[last]
    }
}

/// Reads the root and everything in its brackets. Open brackets are on an explicit stack, so no depth overflows the
/// program's.
pub(super) fn nodes<'a>(cursor: &mut Cursor<'a>, draft: &mut Draft<'a>) -> Result<()> {
    let mut open: Vec<u32> = Vec::new();
    loop {
        let opened = node(cursor, draft, open.last().copied())?;
        if opened {
            open.push(draft.written.entries.len() as u32 - 1);
            if open.len() > usize::from(DEPTH_MAX) {
                return Err(cursor.error(cursor.peek(), too_deep()));
            }
        }
        while let Some(&inner) = open.last() {
            if !cursor.skip_sign(')') {
                break;
            }
            if draft.written.entries[inner as usize].children.is_empty() {
                let problem = format!(
                    "the brackets of {} are empty: it has no moves and no value",
                    called(draft, inner)
                );
                return Err(cursor.error_at(draft.places[inner as usize], problem));
            }
            check_names(cursor, draft, inner)?;
            open.pop();
        }
        let Some(&inner) = open.last() else { return Ok(()) };
        if cursor.peek().sort == Sort::End {
            let problem = format!("the text ends before the brackets of {} are closed", called(draft, inner));
            return Err(cursor.error_at(draft.places[inner as usize], problem));
        }
    }
}

pub(super) fn too_deep() -> String {
    format!("this line is longer than {DEPTH_MAX} moves, the most that a tree may have")
}

/// Reads a node up to its value or its opening bracket, and returns whether it has a bracket.
fn node<'a>(cursor: &mut Cursor<'a>, draft: &mut Draft<'a>, parent: Option<u32>) -> Result<bool> {
    if parent.is_some_and(|_| cursor.peek().sort == Sort::Sign(')')) {
        return Ok(false);
    }
    let first = cursor.peek();
    let number = draft.written.entries.len() as u32;
    if number as usize >= ENTRIES_MAX {
        return Err(cursor.error(first, format!("a tree has {ENTRIES_MAX} nodes at most")));
    }
    let name = name(cursor, draft, parent)?;
    let (above, ply) = match parent {
        None => (0, 0),
        Some(parent) => (parent, draft.written.entries[parent as usize].ply + 1),
    };
    let named = match cursor.skip_sign('@') {
        false => None,
        true => {
            let token = cursor.next();
            Some(player(cursor, token, draft.written.players)?)
        }
    };
    let mover = named.unwrap_or_else(|| draft.written.turn(ply));
    draft.written.entries.push(Entry {
        name,
        parent: above,
        node: number,
        children: Vec::new(),
        mover,
        names_mover: named.is_some(),
        worth: None,
        ply,
        height: 0,
    });
    draft.places.push(first.place());
    draft.references.push(None);
    if let Some(parent) = parent {
        draft.written.entries[parent as usize].children.push(number);
    }
    content(cursor, draft, number)
}

/// The name before a colon, or the place among the moves.
fn name(cursor: &mut Cursor<'_>, draft: &Draft<'_>, parent: Option<u32>) -> Result<Box<str>> {
    if cursor.is_name() {
        let token = cursor.next();
        cursor.next();
        if token.text.chars().any(char::is_control) {
            return Err(cursor.error(token, "a name has no control characters"));
        }
        return Ok(token.text.into());
    }
    let place = parent.map(|parent| draft.written.entries[parent as usize].children.len());
    Ok(place.map_or_else(String::new, default_name).into())
}

/// Reads what follows the name: a value, an estimate and a bracket, or a reference.
fn content<'a>(cursor: &mut Cursor<'a>, draft: &mut Draft<'a>, number: u32) -> Result<bool> {
    let token = cursor.peek();
    match token.sort {
        Sort::Sign('(') => {
            cursor.next();
            Ok(true)
        }
        Sort::Sign('~') => {
            cursor.next();
            draft.last().worth = Some(value(cursor, draft.written.players)?);
            if !cursor.skip_sign('(') {
                return Err(
                    cursor.error(token, "an estimate is an inner node's: brackets with its moves follow it")
                );
            }
            Ok(true)
        }
        Sort::Sign('=') => {
            cursor.next();
            let target = cursor.next();
            if target.sort != Sort::Word {
                return Err(cursor.error(target, "behind `=` stands the name of another node"));
            }
            draft.references[number as usize] = Some(target);
            Ok(false)
        }
        Sort::Word if !cursor.is_name() => {
            draft.last().worth = Some(value(cursor, draft.written.players)?);
            Ok(false)
        }
        Sort::Word | Sort::Sign(_) | Sort::End => {
            let problem = format!("{} has no value and no moves", called(draft, number));
            Err(cursor.error(token, problem))
        }
    }
}

/// Reads a number for each player, or the winner of two.
fn value(cursor: &mut Cursor<'_>, players: u8) -> Result<Worth> {
    let first = cursor.peek();
    let mut points = vec![];
    loop {
        let token = cursor.next();
        if players == 2 && points.is_empty() {
            match token.text {
                "inf" | "+inf" | "∞" | "+∞" => return Ok(Worth::Won(0)),
                "-inf" | "-∞" => return Ok(Worth::Won(1)),
                _ => (),
            }
        }
        points.push(number(cursor, token, players)?);
        if !cursor.skip_sign(',') {
            break;
        }
    }
    match (players, &points[..]) {
        (2, &[first]) => Ok(Worth::Points(Box::new([first, -first]))),
        (2, _) => Err(cursor.error(
            first,
            format!("with two players a leaf has one number, what it is worth to player 1; here are {}", points.len()),
        )),
        _ if points.len() == usize::from(players) => Ok(Worth::Points(points.into())),
        _ => Err(cursor.error(
            first,
            format!("there are {players} players, so a leaf has {players} numbers with commas between them; here {}",
                match points.len() { 1 => "is 1".to_owned(), count => format!("are {count}") }),
        )),
    }
}

fn number(cursor: &Cursor<'_>, token: Token<'_>, players: u8) -> std::result::Result<i32, NotationError> {
    let read = token.text.parse::<i32>().ok().filter(|value| (-VALUE_MAX..=VALUE_MAX).contains(value));
    read.ok_or_else(|| {
        let found = if token.sort == Sort::End {
            "the text ends".to_owned()
        } else {
            format!("`{}` is none", token.text)
        };
        let or = if players == 2 { ", inf or -inf" } else { "" };
        cursor
            .error(token, format!("a value is a whole number from -{VALUE_MAX} to {VALUE_MAX}{or}; {found}"))
    })
}

/// Reads a player's number, which counts from 1 in the text.
pub(super) fn player(cursor: &Cursor<'_>, token: Token<'_>, players: u8) -> Result<u8> {
    let read = token.text.parse::<u8>().ok().filter(|player| (1..=players).contains(player));
    read.map(|player| player - 1).ok_or_else(|| {
        cursor.error(token, format!("a player is a number from 1 to {players}; `{}` is none", token.text))
    })
}

/// Rejects two moves of a node with the same name.
fn check_names(cursor: &Cursor<'_>, draft: &Draft<'_>, inner: u32) -> Result<()> {
    let mut names = HashSet::new();
    for &child in &draft.written.entries[inner as usize].children {
        let name = &*draft.written.entries[child as usize].name;
        if !names.insert(name) {
            let problem = format!("two moves of {} are called `{name}`", called(draft, inner));
            return Err(cursor.error_at(draft.places[child as usize], problem));
        }
    }
    Ok(())
}

/// The description of a node for error messages.
pub(super) fn called(draft: &Draft<'_>, number: u32) -> String {
    match draft.written.path(number)[..] {
        [] => "the root".to_owned(),
        ref names => format!("`{}`", names.join(".")),
    }
}
