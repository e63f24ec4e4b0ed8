//! The binary from outside: real sockets, real signals, the real command line.

#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod command_line;
mod day;
mod delivery;
mod faults;
mod house;
mod routes;
mod serving;
