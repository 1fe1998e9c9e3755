//! Runs sessions through gt-log.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use gt_log::{Budget, Dynamic, Flush, Header, LogWriter, Metadata, Options, TreeWriter, Trigger};

use crate::session::{Call, Ending, SIDE_BY_SIDE, Session, TreePlan, schema};

/// Returns the bytes that a session leaves in its file.
///
/// # Panics
/// If the library fails without a reason.
#[must_use]
pub fn run(session: &Session) -> Vec<u8> {
    let file = Shared::default();
    let log = LogWriter::to_writer(file.clone(), Header::new("session", schema())).expect("a log in memory");
    let mut slots: [Option<TreeWriter>; SIDE_BY_SIDE] = [None, None, None];
    let mut begun = 0;
    for (slot, call) in &session.calls {
        if let Call::Name(last_move) = call {
            log.name_moves([(*last_move, format!("move {last_move}").as_str())]).expect("it is written");
            continue;
        }
        let mut tree = slots[*slot].take().unwrap_or_else(|| {
            let plan = &session.plans[begun % session.plans.len()];
            begun += 1;
            let metadata = Metadata::new().with("tree", begun - 1);
            let tree = log.dynamic_tree(&metadata, options(plan)).expect("a tree");
            tree.background(plan.background)
        });
        // Calls that do not fit are refused, and the log continues.
        slots[*slot] = match call {
            Call::Finish => {
                let _ = tree.finish();
                None
            }
            Call::Abandon => {
                tree.abandon(&Metadata::new().with("abandoned", true)).expect("it is written");
                None
            }
            Call::Drop => None,
            call => {
                on_tree(&mut tree, call);
                Some(tree)
            }
        };
    }
    if session.ending == Ending::Kill {
        slots.iter_mut().flatten().for_each(|tree| tree.flush().expect("it is written"));
        return file.bytes();
    }
    drop(slots);
    log.finish().expect("it is written");
    file.bytes()
}

/// Logs the trees of sessions into one file, one session after the other, forever.
///
/// # Panics
/// If the file cannot be written.
pub fn run_for_ever(file: std::fs::File, mut next: impl FnMut() -> Session) -> ! {
    let log = LogWriter::to_writer(file, Header::new("victim", schema())).expect("a log");
    loop {
        let session = next();
        let mut tree = log.dynamic_tree(&Metadata::new(), options(&session.plans[0])).expect("a tree");
        session.calls.iter().for_each(|(_, call)| on_tree(&mut tree, call));
        tree.abandon(&Metadata::new()).expect("it is written");
    }
}

fn on_tree(tree: &mut TreeWriter<Dynamic>, call: &Call) {
    let _ = match call {
        Call::Enter(last_move, None) => tree.enter(*last_move),
        Call::Enter(last_move, Some(values)) => tree.enter_values(*last_move, values),
        Call::Leave(values) => tree.leave_values(values),
        Call::LeaveUnfinished => tree.leave_unfinished(),
        Call::Leaves(count, values) => {
            for place in 0..*count {
                let _ = tree.enter(place as i64 % 5);
                let _ = tree.leave_values(values);
            }
            Ok(())
        }
        Call::Flush => tree.flush(),
        Call::Finish | Call::Abandon | Call::Drop | Call::Name(_) => Ok(()),
    };
}

fn options(plan: &TreePlan) -> Options {
    let trigger = plan.trigger.clone().map(|trigger| {
        let condition = trigger.condition;
        let made = match condition {
            crate::session::Condition::Line(moves) => Trigger::line(moves),
            condition => Trigger::when(move |line| condition.holds(line)),
        };
        if trigger.once { made.once() } else { made }
    });
    Options {
        flush: Flush { nodes_max: plan.block_rows, time_ms_max: plan.flush_ms },
        budget: Budget { nodes_max: plan.nodes_max, bytes_max: None },
        trigger,
    }
}

/// A file in memory that can be read while it is written.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    /// Returns the bytes written so far.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
