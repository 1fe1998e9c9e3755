//! A tree as it was written down, entry by entry.

use crate::zobrist::mix;
use std::collections::HashMap;

/// No line of a tree is longer.
pub const DEPTH_MAX: u16 = 200;
/// No tree has more nodes: their numbers stay below that of a null move in logs.
pub const ENTRIES_MAX: usize = 65_534;
/// No tree has more players.
pub const PLAYERS_MAX: usize = 16;
/// What a value may be at most, in size; an infinite estimate counts as much. Wins lie beyond.
pub(super) const VALUE_MAX: i32 = 900_000;

/// What a leaf or an estimate says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// A number for each player; with two players, one is minus the other.
    Points(Box<[i32]>),
    /// This player has won, out of two.
    Won(u8),
}

/// A node of the tree, or a reference to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// What the move to it is called.
    pub(super) name: Box<str>,
    pub(super) parent: u32,
    /// Itself; for a reference, the entry that it stands for.
    pub(super) node: u32,
    pub(super) children: Vec<u32>,
    pub(super) mover: u8,
    /// Whether the text says whose turn it is.
    pub(super) names_mover: bool,
    /// The value of a leaf, or the estimate of an inner node.
    pub(super) worth: Option<Worth>,
    pub(super) ply: u16,
    /// How many moves the longest line below it has.
    pub(super) height: u16,
}

/// The whole tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) players: u8,
    /// Who moves at which ply, round and round.
    pub(super) turns: Vec<u8>,
    /// In the order of the text; the root first.
    pub(super) entries: Vec<Entry>,
    /// A number that trees with other texts hardly share.
    pub(super) key: u64,
}

impl Written {
    /// A finished game for two, worth nothing to either.
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

    /// Whose turn it is at a ply where the text does not say.
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

    /// Whether an entry is called by its place among its parent's moves, as those are that the text gives no name.
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

    /// Sets the number that tells this tree from others, from its text.
    pub(super) fn set_key(&mut self, text: &str) {
        self.key = text.bytes().fold(0, |key, byte| mix(key ^ u64::from(byte)));
    }
}

/// What the move at a place is called where the text gives it no name: `1`, `2` …
pub(super) fn default_name(place: usize) -> String {
    (place + 1).to_string()
}
