//! The API over HTTP, against a real server: every call, and what every bad input gets.

mod boards;
mod browse;
mod client;
mod deep;
mod diff;
mod evaluation;
mod hostile;
mod live;
mod logs;
mod moments;
mod overload;
mod pictures;
mod play;
mod play_refusals;
mod queries;
mod refusals;
mod result_files;
mod values;
mod why;
