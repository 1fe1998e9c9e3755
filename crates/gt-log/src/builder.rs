//! Trees that are not made depth-first: nodes come in any order, each with its parent.
//!
//! Monte Carlo and best-first searches grow a tree in many places, and tables of nodes are sorted in any way. The builder holds the whole
//! tree and, when it is finished, writes it in the form that every log has.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::record::{Record, Row, TextColumn, Value, store_values};
use crate::write::{Dynamic, LogWriter, Options, TreeSummary, TreeWriter};
use crate::{Kind, Metadata, Schema, columns::missing};

const NONE: u64 = u64::MAX;

/// A tree whose nodes are added in any order.
///
/// ```
/// use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, TreeBuilder, Value};
/// let schema = Schema::new([("visits", Kind::U32)])?;
/// let mut tree = TreeBuilder::new(&schema);
/// let root = tree.add(None, 0, &[Value::Int(3)])?;
/// let left = tree.add(Some(root), 7, &[Value::Int(1)])?;
/// tree.set(left, &[Value::Int(2)])?; // a later visit
/// let log = LogWriter::to_memory(Header::new("go", schema))?;
/// assert_eq!(tree.finish(&log, &Metadata::new(), Options::default())?.nodes, 2);
/// # Ok::<(), gt_log::Error>(())
/// ```
pub struct TreeBuilder {
    schema: Schema,
    parents: Vec<u64>,
    moves: Vec<i64>,
    records: Vec<u8>,
    record_bytes: usize,
    texts: Vec<TextColumn>,
    /// For each node that lacks attributes: these attributes, as bits.
    missing: HashMap<u64, Box<[u64]>>,
    /// The attributes that the node being added lacks: a word for each 64.
    missing_of_row: Vec<u64>,
}

impl TreeBuilder {
    /// Makes an empty tree.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        Self {
            schema: schema.clone(),
            parents: Vec::new(),
            moves: Vec::new(),
            records: Vec::new(),
            record_bytes: schema.attributes().iter().map(|attribute| attribute.kind.width()).sum(),
            texts: vec![TextColumn::default(); schema.attributes().len()],
            missing: HashMap::new(),
            missing_of_row: vec![0; schema.attributes().len().div_ceil(64).max(1)],
        }
    }

    /// The number of nodes added so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.parents.len() as u64
    }

    /// Adds a node and returns its number, by which other nodes can name it as their parent.
    ///
    /// Children keep the order in which they are added. If a node's parent is added later, set it with [`TreeBuilder::set_parent`].
    pub fn add(&mut self, parent: Option<u64>, last_move: i64, values: &[Value]) -> Result<u64> {
        self.add_with(parent, last_move, |schema, row| store_values(schema, values, row))
    }

    /// Adds a node with the values of a record, as [`TreeBuilder::add`] does with single values.
    pub fn add_record<R: Record>(&mut self, parent: Option<u64>, last_move: i64, record: &R) -> Result<u64> {
        self.add_with(parent, last_move, |_, row| {
            record.store(row);
            Ok(())
        })
    }

    /// Replaces a node's values.
    pub fn set(&mut self, node: u64, values: &[Value]) -> Result<()> {
        self.set_with(node, |schema, row| store_values(schema, values, row))
    }

    /// Replaces a node's values by those of a record.
    pub fn set_record<R: Record>(&mut self, node: u64, record: &R) -> Result<()> {
        self.set_with(node, |_, row| {
            record.store(row);
            Ok(())
        })
    }

    /// Sets a node's parent, which may have been added after the node.
    pub fn set_parent(&mut self, node: u64, parent: Option<u64>) -> Result<()> {
        let nodes = self.nodes();
        if let Some(parent) = parent.filter(|&parent| parent >= nodes) {
            return Err(Error::NoSuchParent { parent, nodes });
        }
        match self.parents.get_mut(node as usize) {
            Some(place) => *place = parent.unwrap_or(NONE),
            None => return Err(Error::NoSuchNode { node, nodes }),
        }
        Ok(())
    }

    /// Writes the tree into a log that has the builder's schema.
    pub fn finish(self, log: &LogWriter, metadata: &Metadata, options: Options) -> Result<TreeSummary> {
        let linked = self.links()?;
        let mut tree = log.dynamic_tree(metadata, options)?;
        self.write_linked(linked, &mut tree)?;
        tree.finish()
    }

    /// Writes the nodes into a tree that was begun and has none yet; the caller ends that tree.
    pub fn write_into(&self, tree: &mut TreeWriter<Dynamic>) -> Result<()> {
        self.write_linked(self.links()?, tree)
    }

    fn write_linked(&self, (root, links): (u64, Links), tree: &mut TreeWriter<Dynamic>) -> Result<()> {
        let mut open = vec![root];
        let mut left = 0_u64;
        tree.enter(self.moves[root as usize])?;
        let mut next = links.first_child[root as usize];
        while let Some(&node) = open.last() {
            if next != NONE {
                open.push(next);
                tree.enter(self.moves[next as usize])?;
                next = links.first_child[next as usize];
            } else {
                tree.leave_with(|_, row| {
                    self.replay(node, row);
                    Ok(())
                })?;
                left += 1;
                open.pop();
                next = links.next_sibling[node as usize];
            }
        }
        if left != self.nodes() {
            return Err(Error::NotATree { node: self.unreached(root), what: "is its own ancestor" });
        }
        Ok(())
    }

    /// Adds a node with the values that `store` puts into the row: one value for each attribute, in order.
    pub fn add_with(
        &mut self,
        parent: Option<u64>,
        last_move: i64,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<u64> {
        let node = self.nodes();
        if let Some(parent) = parent.filter(|&parent| parent >= node) {
            return Err(Error::NoSuchParent { parent, nodes: node });
        }
        let start = self.records.len();
        self.records.resize(start + self.record_bytes, 0);
        let (missing, more_missing) = self.missing_of_row.split_at_mut(1);
        let mut row = Row::new(&mut self.records[start..], &mut self.texts, more_missing);
        match store(&self.schema, &mut row).and_then(|()| row.end()) {
            Ok(word) => missing[0] = word,
            Err(what) => {
                self.records.truncate(start);
                return Err(Error::WrongRecord { what });
            }
        }
        if self.missing_of_row.iter().any(|word| *word != 0) {
            self.missing.insert(node, self.missing_of_row.as_slice().into());
        }
        self.parents.push(parent.unwrap_or(NONE));
        self.moves.push(last_move);
        Ok(node)
    }

    /// Replaces a node's values by those that `store` puts into the row.
    pub fn set_with(
        &mut self,
        node: u64,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        let nodes = self.nodes();
        if node >= nodes {
            return Err(Error::NoSuchNode { node, nodes });
        }
        // The new record is made at the end, as for a new node, and moved to its place.
        self.add_with(Some(node), 0, store)?;
        self.parents.pop();
        self.moves.pop();
        match self.missing.remove(&nodes) {
            Some(missing) => self.missing.insert(node, missing),
            None => self.missing.remove(&node),
        };
        let made = self.records.len() - self.record_bytes;
        self.records.copy_within(made.., node as usize * self.record_bytes);
        self.records.truncate(made);
        Ok(())
    }

    /// Puts a node's record into a row, with its texts by their new numbers.
    fn replay(&self, node: u64, row: &mut Row<'_>) {
        let mut place = node as usize * self.record_bytes;
        let lacking = self.missing.get(&node).map_or(&[][..], |words| words);
        for (number, (attribute, texts)) in self.schema.attributes().iter().zip(&self.texts).enumerate() {
            let width = attribute.kind.width();
            let bytes = &self.records[place..place + width];
            place += width;
            if missing::contains(lacking, number) {
                row.put_missing(attribute.kind);
            } else if attribute.kind == Kind::Text {
                let mut code = [0; 4];
                code.copy_from_slice(bytes);
                row.put(&texts.texts[u32::from_le_bytes(code) as usize].as_str());
            } else {
                row.raw(bytes, 1);
            }
        }
    }

    /// The root, and the first child and the next sibling of every node.
    fn links(&self) -> Result<(u64, Links)> {
        let nodes = self.parents.len();
        let mut links = Links { first_child: vec![NONE; nodes], next_sibling: vec![NONE; nodes] };
        let mut root = None;
        for node in (0..nodes as u64).rev() {
            match self.parents[node as usize] {
                NONE => {
                    if let Some(other) = root.replace(node) {
                        return Err(Error::NotATree { node: other, what: "is a second root" });
                    }
                }
                parent => {
                    links.next_sibling[node as usize] = links.first_child[parent as usize];
                    links.first_child[parent as usize] = node;
                }
            }
        }
        match root {
            Some(root) => Ok((root, links)),
            None if nodes == 0 => Err(Error::NoNodes { tree: 0 }),
            None => Err(Error::NotATree { node: 0, what: "is its own ancestor: there is no root" }),
        }
    }

    /// Finds a node that is not below the root.
    fn unreached(&self, root: u64) -> u64 {
        let mut reached = vec![false; self.parents.len()];
        reached[root as usize] = true;
        for start in 0..self.nodes() {
            let mut chain = Vec::new();
            let mut node = start;
            while !reached[node as usize] {
                if chain.len() > self.parents.len() {
                    return node;
                }
                chain.push(node);
                node = self.parents[node as usize];
            }
            chain.into_iter().for_each(|node| reached[node as usize] = true);
        }
        root
    }
}

struct Links {
    first_child: Vec<u64>,
    next_sibling: Vec<u64>,
}
