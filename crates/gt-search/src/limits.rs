//! When a search must end: by depth, nodes, time, or because somebody says stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. Whatever comes first ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The depth of the last iteration, in plies.
    pub depth_max: u16,
    /// How many nodes may be entered.
    pub nodes_max: u64,
    /// How long the search may take.
    pub time_max: Option<Duration>,
    /// Ends the search from outside once it is `true`.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Only the depth limits the search.
    #[must_use]
    pub fn depth(depth_max: u16) -> Self {
        Self { depth_max, ..Self::default() }
    }
    /// Only the number of nodes limits the search.
    #[must_use]
    pub fn nodes(nodes_max: u64) -> Self {
        Self { nodes_max, ..Self::default() }
    }
    /// Only time limits the search.
    #[must_use]
    pub fn time(time_max: Duration) -> Self {
        Self { time_max: Some(time_max), ..Self::default() }
    }

    /// Whether somebody has asked for the end; an iteration that is not begun leaves no trace.
    pub(crate) fn is_told_to_stop(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Default for Limits {
    /// Practically none: 200 plies.
    fn default() -> Self {
        Self { depth_max: 200, nodes_max: u64::MAX, time_max: None, stop: None }
    }
}

/// Counts nodes, and looks at the time and the stop flag after so many of them.
#[derive(Debug)]
pub(crate) struct Clock {
    nodes: u64,
    nodes_max: u64,
    look_at: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    nodes_per_look: u64,
    stopped: bool,
}

const NODES_PER_LOOK: u64 = 1024;

impl Clock {
    pub(crate) fn start(limits: &Limits) -> Self {
        Self::start_looking(limits, NODES_PER_LOOK)
    }

    /// For nodes that take so long that the time must be looked at for each.
    pub(crate) fn start_looking_each_node(limits: &Limits) -> Self {
        Self::start_looking(limits, 1)
    }

    fn start_looking(limits: &Limits, nodes_per_look: u64) -> Self {
        let mut clock = Self {
            nodes: 0,
            nodes_max: limits.nodes_max,
            look_at: 0,
            deadline: limits.time_max.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
            nodes_per_look,
            stopped: false,
        };
        clock.look();
        clock
    }

    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.look_at {
            self.look();
        }
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    #[cold]
    fn look(&mut self) {
        let time_is_up = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let told_to = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped |= self.nodes >= self.nodes_max || time_is_up || told_to;
        self.look_at = self.nodes.saturating_add(self.nodes_per_look).min(self.nodes_max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_exact() {
        let mut clock = Clock::start(&Limits::nodes(2500));
        while !clock.stopped() {
            clock.count_node();
        }
        assert_eq!(clock.nodes(), 2500);
    }

    #[test]
    fn a_flag_that_is_up_stops_at_once() {
        let stop = Some(Arc::new(AtomicBool::new(true)));
        assert!(Clock::start(&Limits { stop, ..Limits::default() }).stopped());
    }

    #[test]
    fn no_time_is_up_at_once() {
        assert!(Clock::start(&Limits::time(Duration::ZERO)).stopped());
    }
}
