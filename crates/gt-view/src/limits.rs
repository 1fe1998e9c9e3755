//! How much the server does at once, and how long it waits for its clients.

use std::time::Duration;

/// The server's limits. [`Limits::default`] suits a browser and a few scripts on one machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at once. Beyond it, a new connection takes the place of the one that has waited longest for a
    /// request; if all of them are being answered, it gets a 503.
    pub connections_max: usize,
    /// How long a connection may be idle, and how long a request's head may take to arrive.
    pub head_time_max: Duration,
    /// How long a request's body may take to arrive.
    pub body_time_max: Duration,
    /// How long a client may take no byte of an answer that is being sent.
    pub send_time_max: Duration,
    /// How long a request may wait for a thread and work on it.
    pub work_time_max: Duration,
    /// Requests that wait for a thread, in each lane.
    pub queued_max: usize,
    /// Requests that wait for a query to end.
    pub waiting_max: usize,
    /// Clients that follow `/api/events`.
    pub events_max: usize,
    /// Results that are being exported.
    pub exports_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 256,
            head_time_max: Duration::from_secs(15),
            body_time_max: Duration::from_secs(10),
            send_time_max: Duration::from_secs(20),
            work_time_max: Duration::from_secs(60),
            queued_max: 32,
            waiting_max: 64,
            events_max: 32,
            exports_max: 4,
        }
    }
}
