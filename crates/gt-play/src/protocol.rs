//! UCI, and its sister for the other games.
//!
//! ```text
//! lines ──▶ command::parse ──▶ Session ──▶ Player
//!                                 ◀── events ── say ──▶ lines
//! ```
//!
//! Chess speaks UCI as it is. The other games speak the same lines with two differences: `position start` and
//! `position text TEXT moves …` take the place of `startpos` and `fen`, and the first answer is `gtok` to the first line
//! `gt` (to `uci` it is `uciok`, for programs that know nothing else).
//!
//! **Invariant:** no line ends the session but `quit` and the end of the input; what is not understood is answered by
//! `info string` and changes nothing.

mod command;
mod options;
mod say;
mod session;

pub use session::run;
