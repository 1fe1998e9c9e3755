//! The expected contents of a session's log, computed on plain lists from the manual's promises.

use gt_log::{Schema, Value};
use gt_query::plain_tree::PlainTree;

use crate::session::{Call, Ending, SIDE_BY_SIDE, Session, TreePlan, TriggerPlan};

/// A node of a log, in the order of node_ids.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its parent's node_id.
    pub parent: Option<usize>,
    /// The move that led to it.
    pub last_move: i64,
    /// Its values.
    pub values: Vec<Value>,
    /// Whether it was open when its tree ended.
    pub unfinished: bool,
    /// The number of nodes left out directly below it.
    pub left_out: u64,
}

/// The expected contents of a log.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The trees that have a node, in the order in which they were begun.
    pub trees: Vec<Vec<Node>>,
    /// Whether the log was closed, and all its trees ended.
    pub whole: bool,
    /// The moves that have a name.
    pub named: Vec<i64>,
}

/// Simulates a session.
#[must_use]
pub fn expect(session: &Session) -> Expected {
    let mut begun: Vec<Tree> = Vec::new();
    let mut slots: [Option<usize>; SIDE_BY_SIDE] = [None; SIDE_BY_SIDE];
    let mut named = Vec::new();
    for (slot, call) in &session.calls {
        if let Call::Name(last_move) = call {
            named.push(*last_move);
            continue;
        }
        let tree = *slots[*slot].get_or_insert_with(|| {
            begun.push(Tree::new(&session.plans[begun.len() % session.plans.len()]));
            begun.len() - 1
        });
        if begun[tree].call(call) {
            slots[*slot] = None;
        }
    }
    let killed = session.ending == Ending::Kill;
    let mut whole = !killed;
    for tree in slots.into_iter().flatten() {
        whole = !killed;
        begun[tree].end(killed);
    }
    named.sort_unstable();
    named.dedup();
    let trees = begun.into_iter().map(Tree::into_nodes).filter(|nodes| !nodes.is_empty()).collect();
    Expected { trees, whole, named }
}

/// A tree in progress.
struct Tree {
    nodes: Vec<Grown>,
    /// The open nodes, root first.
    open: Vec<usize>,
    /// The number of nodes with a row so far.
    rows: u64,
    nodes_max: u64,
    trigger: Option<TriggerPlan>,
    /// The depth of the search in a subtree that is left out, and the number of its nodes.
    skipped_depth: u64,
    skipped: u64,
}

struct Grown {
    node: Node,
    /// Whether it lies in a region that the trigger admits.
    inside: bool,
    /// The number of rows when it was entered.
    rows_before: u64,
    /// Whether it has, or will have, a row.
    stays: bool,
}

impl Tree {
    fn new(plan: &TreePlan) -> Self {
        Self {
            nodes: Vec::new(),
            open: Vec::new(),
            rows: 0,
            nodes_max: plan.nodes_max.unwrap_or(u64::MAX),
            trigger: plan.trigger.clone(),
            skipped_depth: 0,
            skipped: 0,
        }
    }

    /// Simulates a call, and returns whether it was the tree's last.
    fn call(&mut self, call: &Call) -> bool {
        match call {
            Call::Enter(last_move, entry) => self.enter(*last_move, entry.as_deref()),
            Call::Leave(values) => self.leave(Some(values)),
            Call::LeaveUnfinished => self.leave(None),
            Call::Leaves(count, values) => {
                for place in 0..*count {
                    self.enter(place as i64 % 5, None);
                    self.leave(Some(values));
                }
            }
            Call::Flush | Call::Name(_) => {}
            Call::Finish | Call::Abandon | Call::Drop => {
                self.end(false);
                return true;
            }
        }
        false
    }

    fn enter(&mut self, last_move: i64, entry: Option<&[Value]>) {
        if self.skipped_depth > 0 || self.rows + self.open.len() as u64 >= self.nodes_max && !self.has_ended()
        {
            self.skipped_depth += 1;
            self.skipped += 1;
            return;
        }
        if self.has_ended() {
            return; // A second root is refused.
        }
        let parent = self.open.last().copied();
        let inside = match &self.trigger {
            None => true,
            Some(_) => parent.is_some_and(|parent| self.nodes[parent].inside),
        };
        let missing = vec![Value::Missing; crate::session::schema().attributes().len()];
        let values = entry.map_or(missing, <[Value]>::to_vec);
        let node = Node { parent, last_move, values, unfinished: false, left_out: 0 };
        self.open.push(self.nodes.len());
        self.nodes.push(Grown { node, inside, rows_before: self.rows, stays: true });
        if !inside {
            self.pull_trigger();
        }
    }

    /// Whether the root has been left.
    fn has_ended(&self) -> bool {
        self.open.is_empty() && self.rows > 0
    }

    fn pull_trigger(&mut self) {
        let line: Vec<i64> = self.open.iter().skip(1).map(|&node| self.nodes[node].node.last_move).collect();
        let Some(trigger) = &self.trigger else { return };
        if trigger.condition.holds(&line) {
            if trigger.once {
                // No line is this long.
                let condition = crate::session::Condition::Reached { ply: usize::MAX, last_move: 0 };
                self.trigger = Some(TriggerPlan { condition, once: false });
            }
            if let Some(&top) = self.open.last() {
                self.nodes[top].inside = true;
            }
        }
    }

    fn leave(&mut self, values: Option<&[Value]>) {
        if self.skipped_depth > 0 {
            self.skipped_depth -= 1;
            if self.skipped_depth == 0 {
                let skipped = std::mem::take(&mut self.skipped);
                if let Some(&top) = self.open.last() {
                    self.nodes[top].node.left_out += skipped;
                }
            }
            return;
        }
        let Some(top) = self.open.pop() else { return };
        let rows = self.rows;
        let grown = &mut self.nodes[top];
        grown.node.unfinished = values.is_none();
        for (own, given) in grown.node.values.iter_mut().zip(values.into_iter().flatten()) {
            // A value that is missing on leaving is the one known on entry.
            if *given != Value::Missing {
                *own = given.clone();
            }
        }
        if !grown.inside && grown.rows_before == rows && !self.open.is_empty() {
            grown.stays = false;
            let left_out = 1 + grown.node.left_out;
            let parent = self.open[self.open.len() - 1];
            self.nodes[parent].node.left_out += left_out;
            return;
        }
        self.rows += 1;
    }

    /// Marks open nodes as unfinished. For those open in a killed process, the number of nodes left out below them is
    /// unknown.
    fn end(&mut self, killed: bool) {
        if killed {
            for &node in &self.open {
                self.nodes[node].node.unfinished = true;
                self.nodes[node].node.left_out = 0;
            }
            self.open.clear();
            return;
        }
        while self.skipped_depth > 0 || !self.open.is_empty() {
            self.leave(None);
        }
    }

    fn into_nodes(self) -> Vec<Node> {
        let mut places = vec![0; self.nodes.len()];
        let mut nodes: Vec<Node> = Vec::new();
        for (number, grown) in self.nodes.into_iter().enumerate().filter(|(_, grown)| grown.stays) {
            places[number] = nodes.len();
            let parent = grown.node.parent.map(|parent| places[parent]);
            nodes.push(Node { parent, ..grown.node });
        }
        nodes
    }
}

/// Returns the nodes as a tree for the reference evaluator.
///
/// # Panics
/// If they are not in preorder.
#[must_use]
pub fn plain(schema: &Schema, nodes: &[Node]) -> PlainTree {
    let mut tree = PlainTree::new(schema.clone());
    for node in nodes {
        let values = node.values.iter().map(known).collect();
        let number = tree.push(node.parent, node.last_move, values).expect("nodes are in preorder");
        let made = tree.node_mut(number).expect("just made");
        (made.unfinished, made.left_out) = (node.unfinished, node.left_out);
    }
    tree
}

/// Returns a value as queries see it: NaN is unknown, and so is a missing value.
#[must_use]
pub fn known(value: &Value) -> Option<gt_query::Value> {
    match value {
        Value::Int(value) => Some(gt_query::Value::Integer((*value).into())),
        Value::UInt(value) => Some(gt_query::Value::Integer((*value).into())),
        Value::Float(value) => gt_query::Value::float(*value),
        Value::Bool(value) => Some(gt_query::Value::Boolean(*value)),
        Value::Text(value) => Some(gt_query::Value::text(value)),
        Value::Missing => None,
    }
}
