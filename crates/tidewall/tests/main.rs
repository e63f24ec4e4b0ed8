//! The binary from outside: real sockets, real signals, the real command line.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod command_line;
mod day;
mod delivery;
mod faults;
mod house;
mod routes;
mod serving;
