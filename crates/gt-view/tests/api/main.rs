//! The API over HTTP, against a real server: every call, and what every bad input gets.

mod boards;
mod browse;
mod client;
mod live;
mod logs;
mod pictures;
mod queries;
mod refusals;
