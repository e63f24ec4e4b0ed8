//! Listening: an accept loop of our own over hyper, because a ready-made one lets a client hold a connection open
//! for ever.
//!
//! Every connection is under a clock from its first moment: it may be silent, send a head, send a body, be
//! answered and wait only so long. Connections and requests beyond their caps are refused with an answer in the
//! usual error shape. A *connection* beyond the cap is accepted, gets `503` with `Retry-After` for its first
//! request and is closed; leaving it in the kernel's queue would make its client wait without knowing why. At most
//! a few dozen are refused like that at a time, a flood beyond them is closed unanswered.
//!
//! When the process drains, the socket closes, requests in progress finish, and a connection between two requests
//! stays for a moment: a request already on its way is served, with `Connection: close`.
//!
//! Every answer leaves with the headers that protect it, and every request names one host, one of ours where the settings
//! say which these are.
//!
//! Left out on purpose: routing, request ids of normal answers, panics, body size, compression. Those belong to
//! the routers.

mod accept;
mod body;
mod capacity;
mod client_addr;
mod clock;
mod connection;
mod descriptors;
mod headers;
mod host;
mod limits;
mod refusal;
mod request;
mod stream;
mod tls;

use std::{io, net::SocketAddr, sync::Arc};

use tokio::net::{TcpListener, TcpSocket};

pub use client_addr::TrustedProxies;
pub use descriptors::{descriptors_for, make_room};
pub use host::AllowedHosts;
pub use limits::Limits;
pub use request::Router;
pub use tls::{Tls, TlsError};

use accept::{Acceptor, Places};
use capacity::Capacity;
use request::Shared;

use crate::lifecycle::Shutdown;

/// Connections the kernel may complete before we accept them.
const BACKLOG: u32 = 4096;

/// How a listener treats its connections.
#[derive(Clone, Debug)]
pub struct ListenerOptions {
    pub limits: Limits,
    pub proxies: TrustedProxies,
    pub tls: Option<Tls>,
    /// Paths answered even over capacity: those by which others judge whether the process lives.
    pub never_shed: &'static [&'static str],
    pub hosts: AllowedHosts,
    /// Whether people reach it over TLS, here or at a proxy: browsers are then told never to use anything else.
    pub https: bool,
}

/// A bound socket, not serving yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    options: ListenerOptions,
}

impl Listener {
    /// Binds inside the runtime. Port 0 takes a free one; `address` tells which.
    pub fn bind(address: SocketAddr, options: ListenerOptions) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A restarted process takes over its port although old connections linger.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let socket = socket.listen(BACKLOG)?;
        Ok(Self { address: socket.local_addr()?, socket, options })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` drains and every connection is closed.
    pub async fn serve<R: Router>(self, router: R, shutdown: Shutdown) {
        let ListenerOptions { limits, proxies, tls, never_shed, hosts, https } = self.options;
        let (goodbye, connections) = Shutdown::new();
        let acceptor = Acceptor {
            protocol: Arc::new(connection::protocol(&limits)),
            places: Places::new(limits.max_connections),
            tls,
            shutdown,
            connections: connections.clone(),
            goodbye,
            shared: Arc::new(Shared {
                router,
                capacity: Capacity::new(limits.max_in_flight),
                limits,
                proxies,
                never_shed,
                hosts,
                https,
                shutdown: connections,
            }),
        };
        acceptor.run(self.socket).await;
    }
}
