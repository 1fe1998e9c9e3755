//! The keyboard key by key, and the terminal put back as it was on every way out.
//!
//! While a [`Keys`] lives, keys come one by one, none is shown, and Ctrl-C is a key like the others. It ends with the
//! value, on a panic too; where a signal ends the program, the session calls [`restorer`], whoever changed the mode.
//!
//! Systems other than Unix have no such mode here: [`Keys::open`] says so.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use elsewhere::Keys;
#[cfg(not(unix))]
pub(in crate::commands) use elsewhere::restorer;
#[cfg(unix)]
pub(super) use unix::Keys;
#[cfg(unix)]
pub(in crate::commands) use unix::restorer;

/// What a key asks of a text that is shown in pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(super) enum Key {
    /// Space, Page Down.
    Page,
    /// Enter, Down.
    Line,
    /// `G`, End.
    End,
    /// `q`, Esc, Ctrl-C; or there is no keyboard any more.
    Stop,
}
