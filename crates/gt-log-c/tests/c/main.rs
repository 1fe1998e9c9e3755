//! The library as C and C++ programs meet it: installed, linked, run; what they logged is read back.

mod crash;
mod disk;
mod example;
mod guards;
mod header;
mod live;
#[path = "../logged/mod.rs"]
mod logged;
mod manual;
mod off;
mod programs;
mod reading;
mod tictactoe;
mod toolchain;
