//! Small trees in memory, and what two of them have in common by the manual's definition, written as plainly as can be.

use gt_log::{Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};

/// The attributes of these trees; the first three are known when a node is entered.
pub(crate) const ATTRIBUTES: [(&str, Kind); 6] = [
    ("alpha", Kind::I16),
    ("depth", Kind::I8),
    ("type", Kind::U8),
    ("best", Kind::I32),
    ("ratio", Kind::F64),
    ("note", Kind::Text),
];
pub(crate) const KNOWN_ON_ENTRY: usize = 3;
/// The place of `type`, and its flag for nodes that were entered in a test.
const TYPE: usize = 2;
const EXCLUDED: u64 = 128;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) last_move: i64,
    pub(crate) values: Vec<Value>,
    pub(crate) is_unfinished: bool,
    pub(crate) children: Vec<Node>,
}

/// Small random numbers, always the same for a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn value(&mut self, kind: Kind) -> Value {
        match (self.below(8), kind) {
            (0, _) => Value::Missing,
            (1, Kind::F64) => Value::Float(f64::NAN),
            (2, Kind::F64) => Value::Float(-0.0),
            (_, Kind::F64) => Value::Float(self.below(3) as f64),
            (_, Kind::U8) => Value::UInt([0, 1, EXCLUDED, EXCLUDED + 1][self.below(4) as usize]),
            (_, Kind::Text) => Value::Text(["", "a", "bb"][self.below(3) as usize].to_owned()),
            _ => Value::Int(self.below(3) as i64 - 1),
        }
    }

    pub(crate) fn node(&mut self, depth: u64) -> Node {
        let children = if depth == 0 { 0 } else { self.below(5) };
        Node {
            last_move: self.below(3) as i64 * 40_000 - 1,
            values: ATTRIBUTES.iter().map(|(_, kind)| self.value(*kind)).collect(),
            is_unfinished: false,
            children: (0..children).map(|_| self.node(depth - 1)).collect(),
        }
    }

    /// The same tree with a change here and there.
    pub(crate) fn changed(&mut self, node: &Node, rate: u64) -> Node {
        let mut node = node.clone();
        if self.below(rate) == 0 {
            let place = self.below(ATTRIBUTES.len() as u64) as usize;
            node.values[place] = self.value(ATTRIBUTES[place].1);
        }
        node.children = node.children.iter().map(|child| self.changed(child, rate)).collect();
        let children = node.children.len() as u64;
        if children > 0 && self.below(rate) == 0 {
            let (one, other) = (self.below(children) as usize, self.below(children) as usize);
            match self.below(4) {
                0 => node.children.swap(one, other),
                1 => drop(node.children.remove(one)),
                2 => node.children.insert(other, node.children[one].clone()),
                _ => node.children.insert(one, self.node(2)),
            }
        }
        node
    }
}

pub(crate) fn schema() -> Schema {
    Schema::new(ATTRIBUTES).unwrap().with_aliases_of("type", [("Excluded", EXCLUDED as i64)]).unwrap()
}

/// A log of one tree, in blocks of so many rows, with flushes where `flush` says so.
pub(crate) fn logged(root: &Node, block_rows: usize, flush: impl FnMut() -> bool) -> Log {
    logged_as(Header::new("a game", schema()), root, block_rows, flush)
}

/// The same with a header of its own.
pub(crate) fn logged_as(
    header: Header,
    root: &Node,
    block_rows: usize,
    mut flush: impl FnMut() -> bool,
) -> Log {
    let writer = LogWriter::to_memory(header).unwrap();
    let options = Options { flush: Flush { nodes_max: block_rows, time_ms_max: None }, ..Options::default() };
    let mut tree = writer.dynamic_tree(&Metadata::new(), options).unwrap();
    let mut open = vec![(root, 0)];
    tree.enter(root.last_move).unwrap();
    while let Some((node, next)) = open.last_mut() {
        if flush() {
            tree.flush().unwrap();
        }
        match node.children.get(*next) {
            Some(child) => {
                *next += 1;
                tree.enter(child.last_move).unwrap();
                open.push((child, 0));
            }
            None => {
                match node.is_unfinished {
                    true => tree.leave_unfinished().unwrap(),
                    false => tree.leave_values(&node.values).unwrap(),
                }
                open.pop();
            }
        }
    }
    tree.finish().unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// A node of both, of A, or of B, by node_ids.
pub(crate) type Pair = (Option<u64>, Option<u64>);

/// What the definition gives.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// All nodes of the merged tree.
    pub(crate) pairs: Vec<Pair>,
    /// How many matched nodes differ in each attribute.
    pub(crate) changed: Vec<u64>,
    pub(crate) changed_nodes: u64,
}

pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        _ => a == b,
    }
}

fn values(node: &Node) -> Vec<Value> {
    if node.is_unfinished { vec![Value::Missing; ATTRIBUTES.len()] } else { node.values.clone() }
}

fn size(node: &Node) -> u64 {
    1 + node.children.iter().map(size).sum::<u64>()
}

/// How a node was entered: its move, and whether in a test.
fn entered(node: &Node) -> (i64, bool) {
    let is_test = matches!(values(node)[TYPE], Value::UInt(flags) if flags & EXCLUDED != 0);
    (node.last_move, is_test)
}

/// A child with its node_id, and with which one it is of those that were entered like it.
type Placed<'a> = (&'a Node, u64, ((i64, bool), usize));

fn children(node: &Node, id: u64) -> Vec<Placed<'_>> {
    let mut next = id + 1;
    let mut found: Vec<Placed<'_>> = Vec::new();
    for child in &node.children {
        let occurrence = found.iter().filter(|(other, ..)| entered(other) == entered(child)).count();
        found.push((child, next, (entered(child), occurrence)));
        next += size(child);
    }
    found
}

/// Matches two trees from the roots down.
pub(crate) fn expected(a: &Node, b: &Node) -> Expected {
    let mut expected = Expected { changed: vec![0; ATTRIBUTES.len()], ..Expected::default() };
    matched(a, 0, b, 0, &mut expected);
    expected.pairs.sort();
    expected
}

fn matched(a: &Node, id_a: u64, b: &Node, id_b: u64, expected: &mut Expected) {
    expected.pairs.push((Some(id_a), Some(id_b)));
    let differs: Vec<bool> = values(a).iter().zip(values(b)).map(|(a, b)| !same(a, &b)).collect();
    expected.changed.iter_mut().zip(&differs).for_each(|(sum, differs)| *sum += u64::from(*differs));
    expected.changed_nodes += u64::from(differs.contains(&true));
    let (of_a, of_b) = (children(a, id_a), children(b, id_b));
    for (child, id, key) in &of_a {
        match of_b.iter().find(|(.., other)| other == key) {
            Some((partner, partner_id, _)) => matched(child, *id, partner, *partner_id, expected),
            None => expected.pairs.extend((*id..*id + size(child)).map(|id| (Some(id), None))),
        }
    }
    for (child, id, key) in &of_b {
        if !of_a.iter().any(|(.., other)| other == key) {
            expected.pairs.extend((*id..*id + size(child)).map(|id| (None, Some(id))));
        }
    }
}

/// What a search does: it enters a node by a move, or leaves it.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) is_enter: bool,
    pub(crate) node: u64,
    pub(crate) last_move: i64,
    pub(crate) values: Vec<Value>,
}

/// All events of a search.
pub(crate) fn events(root: &Node) -> Vec<Event> {
    let mut events = Vec::new();
    tell(root, 0, true, &mut events);
    events
}

fn tell(node: &Node, id: u64, is_root: bool, events: &mut Vec<Event>) {
    let values = values(node);
    let (known, rest) = values.split_at(KNOWN_ON_ENTRY);
    // A root is entered by no move.
    let last_move = if is_root { 0 } else { node.last_move };
    events.push(Event { is_enter: true, node: id, last_move, values: known.to_vec() });
    for (child, child_id, _) in children(node, id) {
        tell(child, child_id, false, events);
    }
    events.push(Event { is_enter: false, node: id, last_move: 0, values: rest.to_vec() });
}

pub(crate) fn same_event(a: &Event, b: &Event) -> bool {
    a.is_enter == b.is_enter
        && a.last_move == b.last_move
        && a.values.iter().zip(&b.values).all(|(a, b)| same(a, b))
}
