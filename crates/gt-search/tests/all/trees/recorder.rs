//! An observer that keeps the whole tree and checks what must hold at every node.

use gt_search::{Ended, INFINITE, NodeType, Observer, Record};

/// A node as it was left.
#[derive(Clone, Debug)]
pub(crate) struct Seen<M> {
    pub(crate) last_move: Option<M>,
    pub(crate) record: Record,
    pub(crate) children: Vec<Seen<M>>,
}

/// Keeps every tree it is shown.
#[derive(Debug)]
pub(crate) struct Recorder<M> {
    open: Vec<(Option<M>, Vec<Seen<M>>)>,
    pub(crate) trees: Vec<Seen<M>>,
    pub(crate) entered: u64,
    pub(crate) begun: Vec<i16>,
}

impl<M> Default for Recorder<M> {
    fn default() -> Self {
        Self { open: Vec::new(), trees: Vec::new(), entered: 0, begun: Vec::new() }
    }
}

impl<M> Observer<M> for Recorder<M> {
    fn begin(&mut self, depth: i16) {
        assert!(self.open.is_empty(), "a tree begins inside another");
        self.begun.push(depth);
    }
    fn enter(&mut self, last_move: Option<M>) {
        self.entered += 1;
        self.open.push((last_move, Vec::new()));
    }
    fn leave(&mut self, record: &Record) {
        let (last_move, children) = self.open.pop().expect("a node is left that was not entered");
        assert_eq!(usize::from(record.ply), self.open.len(), "ply is the number of open ancestors");
        let seen = Seen { last_move, record: *record, children };
        match self.open.last_mut() {
            Some((_, siblings)) => siblings.push(seen),
            None => self.trees.push(seen),
        }
    }
}

impl<M> Recorder<M> {
    /// Every node was left.
    pub(crate) fn assert_closed(&self) {
        assert!(self.open.is_empty(), "{} nodes were never left", self.open.len());
    }

    pub(crate) fn for_each_node(&self, mut body: impl FnMut(&Seen<M>)) {
        fn walk<M>(seen: &Seen<M>, body: &mut impl FnMut(&Seen<M>)) {
            body(seen);
            seen.children.iter().for_each(|child| walk(child, body));
        }
        self.trees.iter().for_each(|tree| walk(tree, &mut body));
    }

    pub(crate) fn count(&self, mut holds: impl FnMut(&Seen<M>) -> bool) -> u64 {
        let mut count = 0;
        self.for_each_node(|seen| count += u64::from(holds(seen)));
        count
    }

    /// What must hold at each node by itself, whoever its players are.
    pub(crate) fn assert_nodes_consistent(&self) {
        self.assert_closed();
        self.assert_expectations();
        self.for_each_node(|seen| assert_node(&seen.record, seen.children.len()));
    }

    /// Every node is expected to be of one of the three types, or none is: as the root.
    fn assert_expectations(&self) {
        let Some(root) = self.trees.first() else { return };
        let expected = expectations(&root.record);
        assert!(expected <= 1, "{:?}", root.record);
        self.for_each_node(|seen| assert_eq!(expectations(&seen.record), expected, "{:?}", seen.record));
    }

    /// What must hold in every negamax-like search, whatever its options.
    pub(crate) fn assert_consistent(&self) {
        self.assert_closed();
        self.assert_expectations();
        self.for_each_node(|seen| {
            assert_node(&seen.record, seen.children.len());
            seen.children.iter().for_each(|child| assert_child(seen, child));
            if seen.record.ended == Ended::NullMove {
                let passed = -seen.children[0].record.best;
                assert!(passed >= seen.record.beta, "the pass brought {passed}: {:?}", seen.record);
            }
        });
    }
}

/// Of how many of the three types a node is expected to be.
pub(crate) fn expectations(record: &Record) -> usize {
    [NodeType::PV, NodeType::CUT, NodeType::ALL].iter().filter(|&&flag| record.node_type.has(flag)).count()
}

fn assert_node(record: &Record, children: usize) {
    assert!(record.alpha < record.beta, "{record:?}");
    let quiescence =
        (record.node_type.has(NodeType::QUIESCENCE), record.node_type.has(NodeType::QUIESCENCE_ROOT));
    assert_ne!(quiescence, (true, true), "a quiescence root does not carry the inner flag: {record:?}");
    if record.node_type.has(NodeType::RESEARCH) {
        assert!(record.beta - record.alpha > 1, "searched again with an open window: {record:?}");
    }
    match record.ended {
        Ended::Horizon
        | Ended::Terminal
        | Ended::TableHit
        | Ended::StandPat
        | Ended::Draw
        | Ended::Endgame => {
            assert_eq!(children, 0, "{record:?}");
        }
        Ended::Cutoff => assert!(children > 0 && record.best >= record.beta, "{record:?}"),
        Ended::NullMove => assert!(children == 1 && record.best >= record.beta, "{record:?}"),
        Ended::Searched => assert!(children > 0 && record.best < record.beta, "{record:?}"),
        Ended::Stopped => (),
    }
    if matches!(record.ended, Ended::Horizon | Ended::StandPat) {
        assert!(record.static_eval.is_some(), "{record:?}");
        let is_evaluation = record.static_eval == Some(record.best);
        assert!(is_evaluation || record.table_depth.is_some(), "only the table may know better: {record:?}");
    }
    if record.ended == Ended::TableHit {
        assert!(record.table_hit, "{record:?}");
    }
    assert!(record.best.abs() <= INFINITE);
}

fn assert_child<M>(parent: &Seen<M>, child: &Seen<M>) {
    let (above, below) = (&parent.record, &child.record);
    assert_eq!(below.ply, above.ply + 1);
    let is_test = below.node_type.has(NodeType::EXCLUDED);
    assert!(!is_test || below.beta - below.alpha == 1, "a test has a null window of its own: {below:?}");
    assert!(
        is_test || -below.alpha <= above.beta,
        "a child's alpha is at least the parent's beta, negated: {above:?} {below:?}"
    );
    assert!(
        is_test || -below.beta >= above.alpha,
        "a child's beta is at most the parent's alpha, negated: {above:?} {below:?}"
    );
    if below.node_type.has(NodeType::RESEARCH) {
        assert_eq!(-below.alpha, above.beta, "the open window is the parent's: {above:?} {below:?}");
    }
    let is_null_move = below.node_type.has(NodeType::NULL_MOVE);
    assert_eq!(child.last_move.is_none(), is_null_move, "{below:?}");
    if !is_null_move {
        let depth = above.depth - 1 + i16::from(below.extension) - i16::from(below.reduction);
        assert_eq!(below.depth, depth, "{above:?} {below:?}");
    }
    let inside = NodeType::QUIESCENCE.with(NodeType::QUIESCENCE_ROOT);
    assert_eq!(
        below.node_type.has(NodeType::QUIESCENCE),
        above.node_type.has(inside),
        "below a quiescence root all is quiescence: {above:?} {below:?}"
    );
}
