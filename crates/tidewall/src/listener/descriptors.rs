//! File descriptors: every connection needs one, and the store and outgoing connections need some too.
//!
//! The soft limit that many systems set (1,024) is far below the hard one, so it is raised as far as the settings
//! need. If it cannot be raised, the connection limit is lowered instead: refusing a connection is better than
//! running out of descriptors in the middle of a write.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Reserved for everything but connections: store, journal, log, outgoing connections, connections being refused.
const RESERVED: u64 = 256;

/// Raises the limit for this many connections and returns how many are possible.
pub fn make_room(connections: u32) -> u32 {
    let limit = getrlimit(Resource::Nofile);
    let Some(soft) = limit.current else { return connections };
    let wanted = descriptors_for(connections);
    let allowed = if soft < wanted { raise(limit, wanted).unwrap_or(soft) } else { soft };
    let room = room_within(allowed, connections);
    if room < connections {
        tracing::warn!(
            "server.max_connections is {connections}, but the system allows {allowed} open files: \
             serving {room} connections at once; raise the limit (ulimit -n, LimitNOFILE=) to serve more"
        );
    }
    room
}

/// How many descriptors this many connections need, with everything else a process needs.
pub fn descriptors_for(connections: u32) -> u64 {
    u64::from(connections) + RESERVED
}

fn raise(limit: Rlimit, wanted: u64) -> Option<u64> {
    let target = limit.maximum.map_or(wanted, |hard| hard.min(wanted));
    setrlimit(Resource::Nofile, Rlimit { current: Some(target), maximum: limit.maximum }).ok()?;
    Some(target)
}

/// Connections that fit beside the reserve; with very few descriptors, half of them.
fn room_within(allowed: u64, connections: u32) -> u32 {
    let room = allowed.saturating_sub(RESERVED).max(allowed / 2).max(1);
    u32::try_from(room).map_or(connections, |room| room.min(connections))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_fit_beside_the_reserve() {
        assert_eq!(room_within(20_000, 10_000), 10_000);
        assert_eq!(room_within(1_024, 10_000), 768);
        assert_eq!(room_within(100, 10_000), 50);
        assert_eq!(room_within(0, 10_000), 1);
    }
}
