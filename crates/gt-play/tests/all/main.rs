//! The tests of the crate from outside.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod books;
mod conversations;
mod endgames;
#[cfg(unix)]
mod external;
mod live;
mod sampling;
mod strength;
#[path = "../../../gt-endgame/tests/shared/syzygy_files.rs"]
mod syzygy_files;
