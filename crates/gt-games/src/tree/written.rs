//! A hand-written tree, entry by entry.

use crate::zobrist::mix;
use std::collections::HashMap;

/// The maximum length of a line in a tree.
pub const DEPTH_MAX: u16 = 200;
/// The maximum number of nodes in a tree: their numbers stay below that of a null move in logs.
pub const ENTRIES_MAX: usize = 65_534;
/// The maximum number of players.
pub const PLAYERS_MAX: usize = 16;
/// The maximum absolute value; an infinite estimate counts as much. Wins lie beyond.
pub(super) const VALUE_MAX: i32 = 900_000;

/// The value of a leaf or an estimate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// A number for each player; with two players, one is minus the other.
    Points(Box<[i32]>),
    /// This player has won, of two.
    Won(u8),
}

/// A node of the tree, or a reference to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The name of the move to it.
    pub(super) name: Box<str>,
    pub(super) parent: u32,
    /// Its own number; for a reference, that of the entry that it stands for.
    pub(super) node: u32,
    pub(super) children: Vec<u32>,
    pub(super) mover: u8,
    /// Whether the text says whose turn it is.
    pub(super) names_mover: bool,
    /// The value of a leaf, or the estimate of an inner node.
    pub(super) worth: Option<Worth>,
    pub(super) ply: u16,
    /// The number of moves in the longest line below it.
    pub(super) height: u16,
}

/// The whole tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) players: u8,
    /// The player to move at each ply, repeated cyclically.
    pub(super) turns: Vec<u8>,
    /// The entries in the order of the text, the root first.
    pub(super) entries: Vec<Entry>,
    /// A hash of the text.
    pub(super) key: u64,
}

impl Written {
    /// A finished game for two with the value 0.
    pub(super) fn leaf() -> Self {
        let worth = Some(Worth::Points(Box::new([0, 0])));
        let entry = Entry {
            name: "".into(),
            parent: 0,
            node: 0,
            children: Vec::new(),
            mover: 0,
            names_mover: false,
            worth,
            ply: 0,
            height: 0,
        };
        Self { players: 2, turns: vec![0, 1], entries: vec![entry], key: 0 }
    }

    /// The player to move at a ply, unless the text says otherwise.
    pub(super) fn turn(&self, ply: u16) -> u8 {
        self.turns[usize::from(ply) % self.turns.len()]
    }

    /// The names of the moves from the root to an entry.
    pub(super) fn path(&self, entry: u32) -> Vec<&str> {
        let mut names = Vec::new();
        let mut at = entry;
        while at != 0 {
            let entry = &self.entries[at as usize];
            names.push(&*entry.name);
            at = entry.parent;
        }
        names.reverse();
        names
    }

    /// Whether an entry is named by its place among its parent's moves, as unnamed ones are.
    pub(super) fn is_unnamed(&self, number: u32) -> bool {
        let entry = &self.entries[number as usize];
        let siblings = &self.entries[entry.parent as usize].children;
        let place = siblings.iter().position(|&sibling| sibling == number);
        place.is_some_and(|place| *entry.name == *default_name(place))
    }

    pub(super) fn move_names(&self) -> Vec<(i64, String)> {
        let mut uses: HashMap<&str, u32> = HashMap::new();
        for entry in &self.entries[1..] {
            *uses.entry(&entry.name).or_default() += 1;
        }
        let name = |(number, entry): (usize, &Entry)| match uses.get(&*entry.name) {
            Some(1) => (number as i64, entry.name.to_string()),
            _ => (number as i64, self.path(number as u32).join(".")),
        };
        self.entries.iter().enumerate().skip(1).map(name).collect()
    }

    /// Sets the key, a hash of the text.
    pub(super) fn set_key(&mut self, text: &str) {
        self.key = text.bytes().fold(0, |key, byte| mix(key ^ u64::from(byte)));
    }
}

/// The name of the move at a place if the text gives none: `1`, `2` …
pub(super) fn default_name(place: usize) -> String {
    (place + 1).to_string()
}
