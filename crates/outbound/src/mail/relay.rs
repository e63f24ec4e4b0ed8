//! The relay and the few connections to it that are kept open.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use lettre::{
    Address,
    message::Mailbox,
    transport::smtp::{
        Error,
        client::{Certificate, CertificateStore, TlsParameters},
        extension::ClientId,
    },
};
use tokio::{sync::Semaphore, time::Instant};

use super::{
    session::{Endpoint, Failure, Session, Stage},
    settings::{MailSettings, MailSettingsError, Server, sender},
};
use crate::trust::Trust;

/// Relays throttle or refuse senders that open many connections at once.
const CONNECTIONS: usize = 4;
/// Servers must wait five minutes for the next command; many wait far less.
const MAX_IDLE: Duration = Duration::from_secs(30);

pub(super) struct Relay {
    pub(super) from: Mailbox,
    endpoint: Endpoint,
    idle: Mutex<Vec<Idle>>,
    free: Semaphore,
}

struct Idle {
    session: Session,
    since: Instant,
}

impl Relay {
    pub(super) fn new(settings: &MailSettings, trust: &Trust) -> Result<Self, MailSettingsError> {
        let Server { host, port, security, credentials } = Server::parse(settings)?;
        let from = sender(&settings.from)?;
        let tls = tls(&host, trust).map_err(MailSettingsError::Tls)?;
        let hello = ClientId::Domain(from.email.domain().to_owned());
        let endpoint = Endpoint { host, port, security, tls, credentials, hello };
        Ok(Self { from, endpoint, idle: Mutex::default(), free: Semaphore::new(CONNECTIONS) })
    }

    /// Sends one message. Dropping this future closes its connection.
    pub(super) async fn deliver(&self, to: &Address, message: &[u8]) -> Result<String, Failure> {
        let _place = self.free.acquire().await.map_err(|closed| Failure {
            stage: Stage::Connect,
            status: None,
            detail: closed.to_string(),
        })?;
        let mut session = self.session().await?;
        let delivered = session.deliver(&self.from.email, to, message).await;
        match &delivered {
            // The server answered, so the protocol state is known, even after a refusal.
            Ok(_) | Err(Failure { status: Some(_), .. }) => self.keep(session),
            Err(_) => session.close().await,
        }
        delivered
    }

    /// Checks that there is a working connection. While all of them are in use there is one.
    pub(super) async fn reach(&self) -> Result<(), Failure> {
        let Ok(_place) = self.free.try_acquire() else { return Ok(()) };
        let session = self.session().await?;
        self.keep(session);
        Ok(())
    }

    async fn session(&self) -> Result<Session, Failure> {
        while let Some(mut session) = self.take_idle() {
            if session.is_ready().await {
                return Ok(session);
            }
        }
        Session::open(&self.endpoint).await
    }

    fn take_idle(&self) -> Option<Session> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|kept| kept.since.elapsed() < MAX_IDLE);
        idle.pop().map(|kept| kept.session)
    }

    fn keep(&self, session: Session) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(Idle { session, since: Instant::now() });
    }
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("from", &self.from).finish_non_exhaustive()
    }
}

fn tls(host: &str, trust: &Trust) -> Result<TlsParameters, Error> {
    let mut builder = TlsParameters::builder(host.to_owned()).certificate_store(CertificateStore::None);
    for root in trust.roots() {
        builder = builder.add_root_certificate(Certificate::from_der(root.to_vec())?);
    }
    builder.build_rustls()
}
