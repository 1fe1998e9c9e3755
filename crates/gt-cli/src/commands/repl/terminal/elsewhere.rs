//! Systems without modes of the terminal that are known here.

use super::Key;

pub(in super::super) struct Keys;

impl Keys {
    pub(in super::super) fn open() -> Option<Self> {
        None
    }

    pub(in super::super) fn next(&mut self) -> Key {
        Key::Stop
    }
}

pub(in crate::commands) fn restorer() -> impl FnMut() + Send + 'static {
    || {}
}
