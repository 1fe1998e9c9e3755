//! `gt query` and `gt repl`, as a user runs them.

mod errors;
mod expected;
mod folder;
mod formats;
mod fruit;
mod repl;
mod result_files;
mod sources;
mod streamed;
mod tables;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod typed;
mod within;
mod worded;
