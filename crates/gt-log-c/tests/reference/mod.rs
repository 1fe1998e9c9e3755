//! What calls in any order should leave behind, worked out plainly: a list of nodes and a stack.

use std::collections::BTreeMap;
use std::ffi::c_int;

use gt_log_c::events::Event;
use gt_log_c::{GTL_ERROR_ORDER, GTL_OK};

/// Files by name, and the code of each call.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) files: BTreeMap<String, ReferenceFile>,
    pub(crate) codes: Vec<c_int>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceFile {
    pub(crate) engine: Option<String>,
    pub(crate) trees: Vec<ReferenceTree>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReferenceTree {
    pub(crate) place: Option<String>,
    pub(crate) value: Option<String>,
    /// In the order of entering.
    pub(crate) nodes: Vec<ReferenceNode>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceNode {
    pub(crate) ply: usize,
    pub(crate) last_move: i8,
    /// What it was left with, or else entered with.
    pub(crate) best: Option<i8>,
    pub(crate) is_unfinished: bool,
}

impl Reference {
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut machine = Machine { enabled: true, ..Machine::default() };
        let codes = events.iter().enumerate().map(|(place, event)| machine.call(place, event)).collect();
        machine.close();
        Self { files: machine.files, codes }
    }
}

#[derive(Default)]
struct Machine {
    files: BTreeMap<String, ReferenceFile>,
    engine: Option<String>,
    value: Option<String>,
    enabled: bool,
    /// The name given to `Open`, with `%d` for `OpenPerTree`.
    name: Option<String>,
    /// The file that was made for it.
    file: Option<String>,
    trees: usize,
    tree: Option<OpenTree>,
    has_queries: bool,
}

/// A tree that was begun: off, or with the numbers of its open nodes, or only watched by queries.
enum OpenTree {
    Off,
    Watched { open: usize, nodes: usize },
    On { open: Vec<usize> },
}

impl Machine {
    fn call(&mut self, place: usize, event: &Event) -> c_int {
        match event {
            Event::Enter(last_move) => return self.enter(*last_move, None),
            Event::EnterData(best) => return self.enter(*best, Some(*best)),
            Event::Exit(best) => return self.exit(Some(*best)),
            Event::ExitUnknown => return self.exit(None),
            Event::OpenTree => return self.open_tree(place),
            Event::CloseTree => return self.close_tree(false),
            Event::AbandonTree => return self.close_tree(true),
            Event::Open => return self.open(format!("{place}.gtf")),
            Event::OpenPerTree => return self.open(format!("{place}-%d.gtf")),
            Event::Close => return self.close(),
            Event::SetLogMeta(value) => return self.set_engine(*value),
            Event::SetMeta(value) => self.value = Some(value.to_string()),
            Event::SetEnabled(enabled) => self.enabled = *enabled,
            Event::Flush | Event::SetFlush(_) | Event::SetBackground(_) => {}
            Event::AttachQuery(_) => self.has_queries = true,
            Event::DetachQueries => {
                self.has_queries = false;
                if let Some(OpenTree::Watched { .. }) = self.tree {
                    self.tree = Some(OpenTree::Off);
                }
            }
            other => panic!("the reference knows nothing of {other:?}"),
        }
        GTL_OK
    }

    fn enter(&mut self, last_move: i8, best: Option<i8>) -> c_int {
        if self.tree.is_none() && self.begin(None) != GTL_OK {
            return GTL_ERROR_ORDER;
        }
        if let Some(OpenTree::Watched { open, nodes }) = &mut self.tree {
            if *open == 0 && *nodes > 0 {
                return GTL_ERROR_ORDER;
            }
            (*open, *nodes) = (*open + 1, *nodes + 1);
        }
        let Some(OpenTree::On { open }) = &mut self.tree else { return GTL_OK };
        let file = self.file.as_ref().unwrap();
        let nodes = &mut self.files.get_mut(file).unwrap().trees.last_mut().unwrap().nodes;
        if open.is_empty() && !nodes.is_empty() {
            return GTL_ERROR_ORDER;
        }
        nodes.push(ReferenceNode { ply: open.len(), last_move, best, is_unfinished: true });
        open.push(nodes.len() - 1);
        GTL_OK
    }

    fn exit(&mut self, best: Option<i8>) -> c_int {
        match &mut self.tree {
            None => GTL_ERROR_ORDER,
            Some(OpenTree::Off) => GTL_OK,
            Some(OpenTree::Watched { open: 0, .. }) => GTL_ERROR_ORDER,
            Some(OpenTree::Watched { open, .. }) => {
                *open -= 1;
                GTL_OK
            }
            Some(OpenTree::On { open }) => {
                let Some(node) = open.pop() else { return GTL_ERROR_ORDER };
                let file = self.file.as_ref().unwrap();
                let node = &mut self.files.get_mut(file).unwrap().trees.last_mut().unwrap().nodes[node];
                if best.is_some() {
                    (node.best, node.is_unfinished) = (best, false);
                }
                GTL_OK
            }
        }
    }

    fn open_tree(&mut self, place: usize) -> c_int {
        let closed = if self.tree.is_some() { self.close_tree(false) } else { GTL_OK };
        match self.begin(Some(place)) {
            GTL_OK => closed,
            refused => refused,
        }
    }

    fn begin(&mut self, place: Option<usize>) -> c_int {
        if self.enabled && self.name.is_none() && !self.has_queries {
            return GTL_ERROR_ORDER;
        }
        self.trees += 1;
        let value = self.value.take();
        let Some(name) = self.name.as_ref().filter(|_| self.enabled) else {
            let watched = OpenTree::Watched { open: 0, nodes: 0 };
            self.tree = Some(if self.has_queries { watched } else { OpenTree::Off });
            return GTL_OK;
        };
        let name = name.replace("%d", &self.trees.to_string());
        let engine = self.engine.clone();
        let file =
            self.files.entry(name.clone()).or_insert_with(|| ReferenceFile { engine, trees: Vec::new() });
        let place = place.map(|place| place.to_string());
        file.trees.push(ReferenceTree { place, value, nodes: Vec::new() });
        self.file = Some(name);
        self.tree = Some(OpenTree::On { open: Vec::new() });
        GTL_OK
    }

    fn close_tree(&mut self, is_abandoned: bool) -> c_int {
        let Some(tree) = self.tree.take() else { return GTL_ERROR_ORDER };
        let value = self.value.take();
        let open = match tree {
            OpenTree::Off => return GTL_OK,
            OpenTree::Watched { open, .. } if open == 0 || is_abandoned => return GTL_OK,
            OpenTree::Watched { .. } => return GTL_ERROR_ORDER,
            OpenTree::On { open } => open,
        };
        let file = self.file.as_ref().unwrap();
        let tree = self.files.get_mut(file).unwrap().trees.last_mut().unwrap();
        tree.value = value.or(tree.value.take());
        if self.name.as_ref().unwrap().contains("%d") {
            self.file = None;
        }
        if open.is_empty() || is_abandoned { GTL_OK } else { GTL_ERROR_ORDER }
    }

    fn open(&mut self, name: String) -> c_int {
        let closed = self.close();
        self.trees = 0;
        if self.enabled && !name.contains("%d") {
            let file = ReferenceFile { engine: self.engine.clone(), trees: Vec::new() };
            self.files.insert(name.clone(), file);
            self.file = Some(name.clone());
        }
        self.name = Some(name);
        closed
    }

    fn close(&mut self) -> c_int {
        let closed = if self.tree.is_some() { self.close_tree(false) } else { GTL_OK };
        (self.name, self.file, self.value) = (None, None, None);
        closed
    }

    fn set_engine(&mut self, value: i8) -> c_int {
        if let Some(name) = &self.file {
            let file = self.files.get_mut(name).unwrap();
            if !file.trees.is_empty() {
                return GTL_ERROR_ORDER;
            }
            file.engine = Some(value.to_string());
        }
        self.engine = Some(value.to_string());
        GTL_OK
    }
}
