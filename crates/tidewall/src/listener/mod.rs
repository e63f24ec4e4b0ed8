//! The listeners: an accept loop over hyper, because the ready-made ones let a client hold a connection open for
//! ever.
//!
//! Every connection has a deadline in each phase: while it is silent, sends headers, sends a body, receives its
//! response or is idle. Connections and requests beyond their limits are refused with a response in the usual error
//! format. A *connection* beyond the limit is accepted, gets `503` with `Retry-After` for its first request and is
//! closed; leaving it in the kernel's queue would make its client wait without knowing why. At most a few dozen are
//! refused like that at a time; further ones are closed without a response.
//!
//! When the process drains, the socket closes, requests in progress finish, and an idle connection stays open for a
//! moment: a request already on its way is served, with `Connection: close`.
//!
//! Every response gets the security headers, and every request must name one host, one of the configured ones if
//! there are any.
//!
//! Routing, request ids of normal responses, panics, body size and compression belong to the routers.

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

/// Connections the kernel may complete before they are accepted.
const BACKLOG: u32 = 4096;

/// The settings of a listener.
#[derive(Clone, Debug)]
pub struct ListenerOptions {
    pub limits: Limits,
    pub proxies: TrustedProxies,
    pub tls: Option<Tls>,
    /// Paths that are served even over capacity: the liveness probes.
    pub never_shed: &'static [&'static str],
    pub hosts: AllowedHosts,
    /// Whether clients reach it over TLS, here or at a proxy: browsers are then told to use nothing else.
    pub https: bool,
}

/// A bound socket that is not serving yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    options: ListenerOptions,
}

impl Listener {
    /// Binds inside the runtime. Port 0 takes a free one; `address` returns it.
    pub fn bind(address: SocketAddr, options: ListenerOptions) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A restarted process can bind its port although old connections linger.
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
