//! When a search must end: by depth, nodes, time, or a stop flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of a search. The first one reached ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The depth of the first iteration, in plies; 1 by default.
    pub depth_first: u16,
    /// The depth of the last iteration, in plies.
    pub depth_max: u16,
    /// The maximum number of nodes entered.
    pub nodes_max: u64,
    /// The maximum duration.
    pub time_max: Option<Duration>,
    /// Ends the search from outside when it becomes `true`.
    pub stop: Option<Arc<AtomicBool>>,
    /// Whether the search yields its core every millisecond. If searches take all cores, a thread that wants to stop them would otherwise
    /// wait for the scheduler.
    pub gives_way: bool,
}

impl Limits {
    /// Limits the depth only.
    #[must_use]
    pub fn depth(depth_max: u16) -> Self {
        Self { depth_max, ..Self::default() }
    }
    /// Limits the number of nodes only.
    #[must_use]
    pub fn nodes(nodes_max: u64) -> Self {
        Self { nodes_max, ..Self::default() }
    }
    /// Limits the time only.
    #[must_use]
    pub fn time(time_max: Duration) -> Self {
        Self { time_max: Some(time_max), ..Self::default() }
    }

    /// Whether a stop was requested. An iteration that does not begin leaves no trace.
    pub(crate) fn stop_requested(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Default for Limits {
    /// Practically no limit: 200 plies.
    fn default() -> Self {
        Self {
            depth_first: 1,
            depth_max: 200,
            nodes_max: u64::MAX,
            time_max: None,
            stop: None,
            gives_way: false,
        }
    }
}

/// Counts nodes, checks the stop flag at each, and the time now and then.
///
/// The amount of work between two looks at the time follows from how long the last stretch took: a look costs little
/// compared with the work, and comes within one or two [`LOOK_EVERY`], however slow the evaluation is. Nodes of one
/// search can differ a hundredfold (ordering two thousand moves, or taking a value from the table), so a stretch can
/// take much longer than the last. The flag, which costs next to nothing, is therefore checked at every node.
#[derive(Debug)]
pub(crate) struct Clock {
    nodes: u64,
    nodes_max: u64,
    /// Nodes and evaluations until the next look.
    left: u64,
    work_per_look: u64,
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    /// The time of the last look; `None` if only the node count can end the search.
    looked: Option<Instant>,
    /// The time it last yielded the core; `None` if it never does.
    gave_way: Option<Instant>,
    stopped: bool,
}

const LOOK_EVERY: Duration = Duration::from_micros(500);
const GIVE_WAY_EVERY: Duration = Duration::from_millis(1);
const WORK_PER_LOOK_MAX: u64 = 2048;
/// Small enough for the slowest evaluation.
const WORK_PER_LOOK_FIRST: u64 = 16;

impl Clock {
    pub(crate) fn start(limits: &Limits) -> Self {
        let now = Instant::now();
        let is_timed = limits.time_max.is_some() || limits.stop.is_some();
        let mut clock = Self {
            nodes: 0,
            nodes_max: limits.nodes_max,
            left: 0,
            work_per_look: if is_timed { WORK_PER_LOOK_FIRST } else { WORK_PER_LOOK_MAX },
            deadline: limits.time_max.and_then(|time| now.checked_add(time)),
            stop: limits.stop.clone().unwrap_or_default(),
            looked: is_timed.then_some(now),
            gave_way: limits.gives_way.then_some(now),
            stopped: false,
        };
        clock.look();
        clock
    }

    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        self.work();
    }

    /// Counts work that takes about as long as a node.
    #[inline]
    pub(crate) fn work(&mut self) {
        self.work_of(1);
    }

    /// Counts work that takes about `amount` times as long as the shortest of its kind. Kinds of work with very
    /// different durations must not count alike: after a stretch of short ones, the next look would come late among
    /// long ones.
    #[inline]
    pub(crate) fn work_of(&mut self, amount: u64) {
        self.left = self.left.saturating_sub(amount);
        if self.left == 0 || self.stop.load(Ordering::Relaxed) {
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
        self.stopped |= self.nodes >= self.nodes_max;
        if let Some(looked) = self.looked {
            let now = Instant::now();
            let time_is_up = self.deadline.is_some_and(|deadline| now >= deadline);
            self.stopped |= time_is_up || self.stop.load(Ordering::Relaxed);
            self.pace(now - looked);
            self.looked = Some(if self.give_way(now) { Instant::now() } else { now });
        }
        self.left = self.work_per_look.min(self.nodes_max.saturating_sub(self.nodes)).max(1);
    }

    /// Yields the core if that is due, and returns whether it did.
    fn give_way(&mut self, now: Instant) -> bool {
        let is_due = self.gave_way.is_some_and(|last| now - last >= GIVE_WAY_EVERY);
        if is_due {
            std::thread::yield_now();
            self.gave_way = Some(Instant::now());
        }
        is_due
    }

    fn pace(&mut self, took: Duration) {
        if took > LOOK_EVERY {
            self.work_per_look = (self.work_per_look / 2).max(1);
        } else if took < LOOK_EVERY / 4 {
            self.work_per_look = (self.work_per_look * 2).min(WORK_PER_LOOK_MAX);
        }
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
    fn evaluations_leave_a_node_limit_exact() {
        let mut clock =
            Clock::start(&Limits { time_max: Some(Duration::from_secs(3600)), ..Limits::nodes(2500) });
        while !clock.stopped() {
            clock.count_node();
            (0..clock.nodes() % 7).for_each(|_| clock.work());
        }
        assert_eq!(clock.nodes(), 2500);
    }

    #[test]
    fn slow_work_is_looked_at_more_often() {
        let mut clock = Clock::start(&Limits::time(Duration::from_secs(3600)));
        let slow = LOOK_EVERY * 3;
        for _ in 0..20 {
            clock.pace(slow);
        }
        assert_eq!(clock.work_per_look, 1);
        for _ in 0..20 {
            clock.pace(Duration::ZERO);
        }
        assert_eq!(clock.work_per_look, WORK_PER_LOOK_MAX);
    }

    #[test]
    fn a_search_gives_way_every_millisecond_where_it_is_to() {
        let soon = |clock: &Clock| clock.gave_way.map(|last| last + GIVE_WAY_EVERY);
        let mut clock = Clock::start(&Limits { gives_way: true, ..Limits::default() });
        let due = soon(&clock).expect("it gives way");
        assert!(!clock.give_way(due - GIVE_WAY_EVERY / 2), "too soon");
        assert!(clock.give_way(due));
        assert!(soon(&clock) > Some(due), "the next time is later");
        let mut clock = Clock::start(&Limits::default());
        assert!(!clock.give_way(due + GIVE_WAY_EVERY * 10));
    }

    #[test]
    fn a_flag_that_is_up_stops_at_once() {
        let stop = Some(Arc::new(AtomicBool::new(true)));
        assert!(Clock::start(&Limits { stop, ..Limits::default() }).stopped());
    }

    #[test]
    fn a_flag_that_goes_up_between_two_looks_stops_at_the_next_node() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut clock = Clock::start(&Limits { stop: Some(Arc::clone(&stop)), ..Limits::default() });
        for _ in 0..WORK_PER_LOOK_FIRST + 1 {
            clock.count_node();
        }
        assert!(clock.left > 1, "the next look is far off");
        stop.store(true, Ordering::Relaxed);
        clock.count_node();
        assert!(clock.stopped());
    }

    #[test]
    fn no_time_is_up_at_once() {
        assert!(Clock::start(&Limits::time(Duration::ZERO)).stopped());
    }
}
