//! What a run is asked for.

use std::time::Duration;

use gt_log::Existing;

/// The experiments to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether to measure query times on artificial trees.
    pub efficiency: bool,
    /// Whether to search the chess positions.
    pub chess: bool,
    /// Whether to use small trees and short searches: seconds instead of minutes.
    pub quick: bool,
    /// The maximum time for a position.
    pub time_per_position: Duration,
    /// What happens to logs of an earlier run; reports are replaced.
    pub existing: Existing,
}

impl Default for Settings {
    /// Everything, in full, with a minute for each position.
    fn default() -> Self {
        Self {
            efficiency: true,
            chess: true,
            quick: false,
            time_per_position: Duration::from_secs(60),
            existing: Existing::Keep,
        }
    }
}
