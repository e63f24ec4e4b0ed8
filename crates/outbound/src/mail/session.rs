//! One SMTP dialogue, step by step, so that a refusal can be attributed to the recipient or to us.
//!
//! The mail library offers the dialogue as one call and a pool around it; but its pool takes back connections whose
//! dialogue was interrupted by a timeout, and then reads the answers of the last mail as those of the next. Here a
//! connection is reused only after a complete dialogue.

use std::{fmt, time::Duration};

use lettre::{
    Address,
    transport::smtp::{
        Error,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt, Rset},
        extension::ClientId,
        response::Response,
    },
};
use tokio::time::timeout;

use super::settings::Security;

const CONNECT: Duration = Duration::from_secs(5);
const READY: Duration = Duration::from_secs(5);

/// The progress of a dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Connect,
    StartTls,
    SignIn,
    Sender,
    Recipient,
    Message,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "connecting to the mail server",
            Self::StartTls => "securing the line with STARTTLS",
            Self::SignIn => "signing in to the mail server",
            Self::Sender => "naming the sender",
            Self::Recipient => "naming the recipient",
            Self::Message => "handing over the message",
        })
    }
}

/// Where and why a dialogue ended without the mail being accepted.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) stage: Stage,
    /// The server's status, if it answered.
    pub(super) status: Option<u16>,
    pub(super) detail: String,
}

impl Failure {
    fn new(stage: Stage, error: &Error) -> Self {
        Self { stage, status: error.status().map(u16::from), detail: error.to_string() }
    }
}

/// The parameters of a connection.
pub(super) struct Endpoint {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) tls: TlsParameters,
    pub(super) credentials: Option<Credentials>,
    pub(super) hello: ClientId,
}

/// An open connection between two mails, secured and signed in if configured.
pub(super) struct Session(AsyncSmtpConnection);

impl Session {
    pub(super) async fn open(endpoint: &Endpoint) -> Result<Self, Failure> {
        let wrapper = (endpoint.security == Security::Tls).then(|| endpoint.tls.clone());
        let server = (endpoint.host.as_str(), endpoint.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(CONNECT), &endpoint.hello, wrapper, None)
                .await
                .map_err(|error| Failure::new(Stage::Connect, &error))?;
        if endpoint.security == Security::StartTls {
            let secured = connection.starttls(endpoint.tls.clone(), &endpoint.hello).await;
            secured.map_err(|error| Failure::new(Stage::StartTls, &error))?;
        }
        if let Some(credentials) = &endpoint.credentials {
            let signed_in = connection.auth(DEFAULT_MECHANISMS, credentials).await;
            signed_in.map_err(|error| Failure::new(Stage::SignIn, &error))?;
        }
        Ok(Self(connection))
    }

    /// Resets the dialogue; false if the server has closed the connection.
    pub(super) async fn is_ready(&mut self) -> bool {
        // A silently dead connection would otherwise use up the whole timeout of this try.
        timeout(READY, self.0.command(Rset)).await.is_ok_and(|answer| answer.is_ok())
    }

    /// Sends one message and returns the server's answer.
    pub(super) async fn deliver(
        &mut self,
        from: &Address,
        to: &Address,
        message: &[u8],
    ) -> Result<String, Failure> {
        let connection = &mut self.0;
        let at = |stage| move |error: Error| Failure::new(stage, &error);
        connection.command(Mail::new(Some(from.clone()), vec![])).await.map_err(at(Stage::Sender))?;
        connection.command(Rcpt::new(to.clone(), vec![])).await.map_err(at(Stage::Recipient))?;
        let asked = connection.command(Data).await.map_err(at(Stage::Message))?;
        expect(&asked, 354)?;
        let taken = connection.message(message).await.map_err(at(Stage::Message))?;
        expect(&taken, 250)?;
        Ok(taken.message().collect::<Vec<_>>().join(" "))
    }

    /// Ends the dialogue, so that the server need not wait for us.
    pub(super) async fn close(mut self) {
        self.0.abort().await;
    }
}

/// The library accepts any positive answer; here only the expected one means that both sides agree on the state.
fn expect(answer: &Response, code: u16) -> Result<(), Failure> {
    if answer.has_code(code) {
        return Ok(());
    }
    let detail = format!("expected {code}, but the server said {}", answer.code());
    Err(Failure { stage: Stage::Message, status: None, detail })
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session(…)")
    }
}
