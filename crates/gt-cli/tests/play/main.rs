//! `gt play --terminal`, typed on a terminal and from a pipe.
#![cfg(unix)]

// What these tests do not need, those of `gt query` do.
#[allow(dead_code)]
#[path = "../query/folder.rs"]
mod folder;
mod piped;
#[allow(dead_code)]
#[path = "../query/terminal.rs"]
mod terminal;
mod typed;
