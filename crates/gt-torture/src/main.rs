//! Torture.
fn main() {}
