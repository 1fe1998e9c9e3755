//! UCI, and a similar protocol for the other games.
//!
//! ```text
//! lines ──▶ command::parse ──▶ Session ──▶ Player
//!                                 ◀── events ── say ──▶ lines
//! ```
//!
//! Chess uses plain UCI. The other games use the same lines with two differences: `position start` and `position text
//! TEXT moves …` replace `startpos` and `fen`, and the first answer is `gtok` to the first line `gt` (to `uci` it is
//! `uciok`, for programs that know only that).
//!
//! **Invariant:** only `quit` and the end of the input end the session; a line that is not understood is answered by
//! `info string` and changes nothing.

mod command;
mod options;
mod say;
mod session;

pub use session::run;
