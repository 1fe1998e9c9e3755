//! A tree as text: the whole of it on one line, and the way to the position, `(left:(3 7) right:(1 X:9)) at right`.

use super::written::{Worth, Written};
use super::{Branch, Tree, read};
use crate::error::{NotationError, Result};
use crate::notation::Notation;
use crate::symmetry::Symmetric;
use gt_search::Game;
use std::fmt::Write as _;

impl Notation for Tree {
    const NAME: &'static str = "tree";

    fn parse_position(text: &str) -> Result<Self> {
        read::read(text)
    }

    fn position_text(&self) -> String {
        let mut text = self.written.text();
        if self.at != 0 {
            let _ = write!(text, " at {}", self.written.path(self.at).join(" "));
        }
        text
    }

    fn parse_move(&self, text: &str) -> Result<Branch> {
        let name = text.trim();
        let entries = &self.written.entries;
        let children = &entries[self.at as usize].children;
        let found = children.iter().find(|&&child| *entries[child as usize].name == *name);
        found.map(|&child| Branch(child)).ok_or_else(|| {
            let names: Vec<&str> = children.iter().map(|&child| &*entries[child as usize].name).collect();
            let problem = match names[..] {
                [] => "the game is over: this is a leaf".to_owned(),
                _ => format!("no move here is called that; there are {}", names.join(", ")),
            };
            NotationError::illegal(text, problem)
        })
    }

    fn move_text(&self, Branch(entry): Branch) -> String {
        self.written.entries[entry as usize].name.to_string()
    }

    fn draw(&self) -> String {
        let mut drawing = String::new();
        for number in 0..self.written.entries.len() as u32 {
            let mark = if number == self.at { '>' } else { ' ' };
            let _ = writeln!(drawing, "{mark} {}", self.written.line(number));
        }
        let _ = writeln!(drawing, "player {} to move", self.to_move() + 1);
        drawing
    }
}

impl Symmetric for Tree {}

impl Written {
    /// The tree on one line, in a canonical form.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if self.players != 2 {
            let _ = write!(text, "players {} ", self.players);
        }
        if !self.turns.iter().copied().eq(0..self.players) {
            let turns: Vec<String> = self.turns.iter().map(|turn| (turn + 1).to_string()).collect();
            let _ = write!(text, "turns {} ", turns.join(","));
        }
        self.write(0, &mut text);
        text
    }

    fn write(&self, number: u32, text: &mut String) {
        let entry = &self.entries[number as usize];
        let has_name = if number == 0 { !entry.name.is_empty() } else { !self.is_unnamed(number) };
        if has_name {
            let _ = write!(text, "{}:", entry.name);
        }
        if entry.node != number {
            let _ = write!(text, "={}", self.entries[entry.node as usize].name);
            return;
        }
        if entry.names_mover {
            let _ = write!(text, "@{} ", entry.mover + 1);
        }
        if let Some(worth) = &entry.worth {
            let _ = write!(text, "{}{}", if entry.children.is_empty() { "" } else { "~" }, worth_text(worth));
        }
        if !entry.children.is_empty() {
            text.push('(');
            for (place, &child) in entry.children.iter().enumerate() {
                text.push_str(if place == 0 { "" } else { " " });
                self.write(child, text);
            }
            text.push(')');
        }
    }

    /// An entry as a line of a drawing.
    fn line(&self, number: u32) -> String {
        let entry = &self.entries[number as usize];
        let name = if number == 0 && entry.name.is_empty() { "root" } else { &entry.name };
        let mut line = format!("{:indent$}{name}", "", indent = 2 * usize::from(entry.ply));
        if entry.node != number {
            let _ = write!(line, " is {}", self.path(entry.node).join("."));
        } else if entry.children.is_empty() {
            let _ = write!(line, " = {}", entry.worth.as_ref().map_or_else(|| "0".to_owned(), worth_text));
        } else {
            let _ = write!(line, ", player {}", entry.mover + 1);
            if let Some(worth) = &entry.worth {
                let _ = write!(line, ", estimate {}", worth_text(worth));
            }
        }
        line
    }
}

fn worth_text(worth: &Worth) -> String {
    match worth {
        Worth::Won(0) => "inf".to_owned(),
        Worth::Won(_) => "-inf".to_owned(),
        Worth::Points(points) => match points[..] {
            [first, _] => first.to_string(),
            _ => points.iter().map(i32::to_string).collect::<Vec<_>>().join(","),
        },
    }
}
