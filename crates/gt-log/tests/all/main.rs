//! Logs: what is written is read, however it was written, and whatever became of the file.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod append;
mod background;
mod crafted;
mod damage;
mod files;
mod frozen;
#[cfg(unix)]
mod killed;
mod lane;
mod large;
mod parts;
mod round_trip;
mod support;
mod unknown;
mod writing;
