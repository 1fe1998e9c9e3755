//! Games in files: what is written is read again, what others write is read, and what is broken is refused.

mod broken;
mod foreign;
mod python;
mod python_chess;
mod round_trip;
