//! The settings for logging the next trees.

use std::ffi::{c_int, c_void};

use gt_log::{Budget, Flush, Options, Trigger};

use crate::queries::QuerySettings;

#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) is_enabled: bool,
    pub(crate) existing: IfThere,
    pub(crate) flush: Flush,
    /// Whether a background thread encodes and writes blocks.
    pub(crate) background: bool,
    pub(crate) budget: Budget,
    pub(crate) trigger: TriggerSetting,
    /// Whether the trigger starts logging only at the first node of a tree where it holds.
    pub(crate) once: bool,
    pub(crate) queries: QuerySettings,
}

/// What happens to an existing file with the name of a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfThere {
    Refuse,
    Replace,
    Append,
}

/// The trigger that starts logging. Unlike a [`Trigger`] it serves tree after tree.
#[derive(Clone)]
pub(crate) enum TriggerSetting {
    Everywhere,
    Line(Vec<i64>),
    Callback(Callback),
}

#[derive(Clone, Copy)]
pub(crate) struct Callback {
    pub(crate) function: unsafe extern "C" fn(*const i64, usize, *mut c_void) -> c_int,
    pub(crate) context: *mut c_void,
}

// SAFETY: a callback is called only inside calls on its handle, so on the thread that uses the handle; the
// header requires function and context to be valid there.
unsafe impl Send for Callback {}

impl Callback {
    fn holds(self, line: &[i64]) -> bool {
        // SAFETY: the engine that set the callback guarantees that function and context are valid; the line
        // is a slice.
        unsafe { (self.function)(line.as_ptr(), line.len(), self.context) != 0 }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            is_enabled: true,
            existing: IfThere::Refuse,
            flush: Flush::default(),
            background: false,
            budget: Budget::default(),
            trigger: TriggerSetting::Everywhere,
            once: false,
            queries: QuerySettings::default(),
        }
    }
}

impl Settings {
    /// The options of the next tree.
    pub(crate) fn options(&self) -> Options {
        let trigger = match self.trigger.clone() {
            TriggerSetting::Everywhere => None,
            TriggerSetting::Line(moves) => Some(Trigger::line(moves)),
            TriggerSetting::Callback(callback) => Some(Trigger::when(move |line| callback.holds(line))),
        };
        let trigger = match trigger {
            Some(trigger) if self.once => Some(trigger.once()),
            other => other,
        };
        Options { flush: self.flush, budget: self.budget, trigger }
    }
}
