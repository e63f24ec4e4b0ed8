//! A bucket of an S3-compatible server: stores, reads and removes objects.
//!
//! The operator configures it, not a tenant, and it often is in the operator's own network, so private addresses are
//! allowed here. Every request is signed. What may work a moment later is retried a few times; after that the caller
//! decides.

mod error;
mod settings;
mod sign;

use std::{
    io,
    ops::Range,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use domain::moment::Moment;
use futures_util::{Stream, TryStreamExt as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{
    Body, Method, Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_LENGTH, HeaderValue},
};
use tokio::time::{sleep, timeout};
use url::Url;

use self::sign::{EMPTY, Signer, Unsigned, stamp, to_the_second};
pub use self::{
    error::BucketError,
    settings::{BucketSettings, Lock, LockMode},
};
use crate::{
    connector::{Connector, ConnectorError},
    trust::Trust,
};

pub type Result<T, E = BucketError> = std::result::Result<T, E>;

/// The waits between tries.
const WAITS: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];
/// The longest time of one try. All tries of an upload together end before it counts as abandoned.
const LONGEST: Duration = Duration::from_mins(5);
/// An object has one version for each try of its upload; this is more than there can be.
const MOST_VERSIONS: usize = 16;
/// Characters of a query that are not percent-encoded.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const DAY_MS: i64 = 86_400_000;

/// A bucket. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bucket(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    client: reqwest::Client,
    signer: Signer,
    /// The address of the bucket itself, without a slash at the end of its path.
    base: Url,
    host: String,
    prefix: String,
    lock: Option<Lock>,
    timeout: Duration,
}

/// The known properties of bytes that are stored.
#[derive(Debug, Clone, Copy)]
pub struct ObjectDigest<'f> {
    pub bytes: u64,
    pub sha256: &'f [u8; 32],
}

/// What a bucket says about an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    pub bytes: u64,
    version: Option<String>,
}

/// The steps of [`Bucket::probe`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeStep {
    Reach,
    /// Whether the bucket locks objects, if that is configured.
    Lock,
    Write,
    Read,
    Remove,
}

/// A request before it is signed.
struct Ask<'a> {
    method: Method,
    /// The object; empty for the bucket itself.
    name: &'a str,
    query: String,
    headers: Vec<(&'static str, String)>,
    payload: String,
}

impl<'a> Ask<'a> {
    fn new(method: Method, name: &'a str) -> Self {
        Self { method, name, query: String::new(), headers: Vec::new(), payload: EMPTY.to_owned() }
    }
}

impl Bucket {
    pub fn new(settings: BucketSettings, trust: Trust) -> Result<Self, ConnectorError> {
        // The settings allow plain http on this machine only; anything else must be https.
        let plain =
            (settings.endpoint.scheme() == "http").then(|| settings.endpoint.origin().ascii_serialization());
        let mut connector = Connector::new(trust, plain.as_slice());
        connector.accepts = |_| true;
        connector.timeouts.total = LONGEST;
        let (base, host) = settings.address();
        Ok(Self(Arc::new(Parts {
            client: connector.client()?,
            signer: Signer::new(&settings.access_key, &settings.secret_key, &settings.region),
            base,
            host,
            prefix: settings.prefix,
            lock: settings.lock,
            timeout: settings.timeout,
        })))
    }

    /// Stores an object. It is there, whole, when this returns; after an error it may be there.
    ///
    /// `open` gives the bytes from their beginning, once for each try.
    pub async fn put<S>(
        &self,
        name: &str,
        known: ObjectDigest<'_>,
        open: impl Fn() -> S + Sync,
        now: Moment,
    ) -> Result<()>
    where
        S: Stream<Item = io::Result<Bytes>> + Send + 'static,
    {
        self.put_with(self.0.lock, name, known, open, now).await
    }

    async fn put_with<S>(
        &self,
        lock: Option<Lock>,
        name: &str,
        known: ObjectDigest<'_>,
        open: impl Fn() -> S + Sync,
        now: Moment,
    ) -> Result<()>
    where
        S: Stream<Item = io::Result<Bytes>> + Send + 'static,
    {
        let open = &open;
        let once = || async move {
            let sent = Arc::new(AtomicU64::new(0));
            let counting = Arc::clone(&sent);
            let count = move |part: &Bytes| {
                counting.fetch_add(part.len() as u64, Ordering::Relaxed);
            };
            let body = Body::wrap_stream(open().inspect_ok(count));
            let mut ask = Ask::new(Method::PUT, name);
            ask.payload = sign::hex(known.sha256);
            // The server also keeps this digest, and demands it of objects that are locked.
            ask.headers.push(("x-amz-sdk-checksum-algorithm", "SHA256".to_owned()));
            ask.headers.push(("x-amz-checksum-sha256", BASE64_STANDARD.encode(known.sha256)));
            if let Some(lock) = lock {
                let end = to_the_second(now.plus_millis(i64::from(lock.days).saturating_mul(DAY_MS)));
                ask.headers.push(("x-amz-object-lock-mode", lock.mode.as_str().to_owned()));
                ask.headers.push(("x-amz-object-lock-retain-until-date", end));
            }
            self.send(ask, Some((body, known.bytes)), &sent, now).await.map(|_| ())
        };
        tried(once).await
    }

    /// Opens a part of an object for reading.
    pub async fn get(&self, name: &str, range: Range<u64>, now: Moment) -> Result<Download> {
        let length = range.end.saturating_sub(range.start);
        let asked = format!("bytes={}-{}", range.start, range.end.saturating_sub(1));
        let asked = &asked;
        let response = tried(|| async move {
            let mut ask = Ask::new(Method::GET, name);
            ask.headers.push(("range", asked.clone()));
            self.send(ask, None, &AtomicU64::new(0), now).await
        })
        .await?;
        let other_length = response.content_length().is_some_and(|found| found != length);
        if response.status() != StatusCode::PARTIAL_CONTENT || other_length {
            let text = format!("the answer {} to {asked} has another length", response.status().as_u16());
            return Err(BucketError::Altered(text));
        }
        Ok(Download { response, left: length, timeout: self.0.timeout })
    }

    /// What the bucket says about an object, or `None` if there is no such object.
    pub async fn head(&self, name: &str, now: Moment) -> Result<Option<Object>> {
        let asked = tried(|| async move {
            self.send(Ask::new(Method::HEAD, name), None, &AtomicU64::new(0), now).await
        });
        let response = match asked.await {
            Err(BucketError::Missing) => return Ok(None),
            answered => answered?,
        };
        let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        Ok(Some(Object {
            bytes: text(CONTENT_LENGTH.as_str()).and_then(|length| length.parse().ok()).unwrap_or(0),
            version: text("x-amz-version-id").filter(|id| *id != "null").map(str::to_owned),
        }))
    }

    /// Removes an object with all its versions. It need not be there.
    pub async fn remove(&self, name: &str, now: Moment) -> Result<()> {
        for _ in 0..MOST_VERSIONS {
            // An answer without a body does not say whether the object or the whole bucket is missing.
            let Some(object) = self.head(name, now).await? else { return self.reach(now).await };
            // Without its version the object would only be hidden in a bucket that keeps versions.
            let query = object
                .version
                .as_deref()
                .map(|version| format!("versionId={}", utf8_percent_encode(version, PLAIN)));
            let query = &query;
            let removed = tried(|| async move {
                let mut ask = Ask::new(Method::DELETE, name);
                ask.query = query.clone().unwrap_or_default();
                self.send(ask, None, &AtomicU64::new(0), now).await
            });
            match removed.await {
                Ok(_) | Err(BucketError::Missing) if query.is_none() => return Ok(()),
                Ok(_) | Err(BucketError::Missing) => {}
                Err(error) => return Err(error),
            }
        }
        Err(BucketError::Away("an object has more and more versions".to_owned()))
    }

    /// Whether the bucket answers and the key may use it. One try.
    pub async fn reach(&self, now: Moment) -> Result<()> {
        match self.send(Ask::new(Method::HEAD, ""), None, &AtomicU64::new(0), now).await {
            Err(BucketError::Missing) => {
                Err(BucketError::Refused { status: 404, code: "NoSuchBucket".to_owned() })
            }
            answered => answered.map(|_| ()),
        }
    }

    /// Stores a small object without a lock, reads it and removes it. Returns the step that failed.
    pub async fn probe(&self, name: &str, now: Moment) -> Result<(), (ProbeStep, BucketError)> {
        const TEXT: &[u8] = b"tidewall doctor";
        let sha256 = sign::digest(TEXT);
        let known = ObjectDigest { bytes: TEXT.len() as u64, sha256: &sha256 };
        let open = || futures_util::stream::iter([Ok(Bytes::from_static(TEXT))]);
        self.reach(now).await.map_err(|error| (ProbeStep::Reach, error))?;
        if self.0.lock.is_some() {
            let mut ask = Ask::new(Method::GET, "");
            "object-lock=".clone_into(&mut ask.query);
            let asked = self.send(ask, None, &AtomicU64::new(0), now).await;
            asked.map_err(|error| (ProbeStep::Lock, error))?;
        }
        self.put_with(None, name, known, open, now).await.map_err(|error| (ProbeStep::Write, error))?;
        let read = async {
            let mut download = self.get(name, 0..known.bytes, now).await?;
            while download.next().await?.is_some() {}
            Ok(())
        };
        let (read, removed) = (read.await, self.remove(name, now).await);
        read.map_err(|error| (ProbeStep::Read, error))?;
        removed.map_err(|error| (ProbeStep::Remove, error))
    }

    /// Sends one signed request. The time limit counts from the last byte of the body that was sent.
    async fn send(
        &self,
        ask: Ask<'_>,
        body: Option<(Body, u64)>,
        sent: &AtomicU64,
        now: Moment,
    ) -> Result<Response> {
        let parts = &self.0;
        let mut url = parts.base.clone();
        if !ask.name.is_empty() {
            let bucket = parts.base.path().trim_end_matches('/');
            url.set_path(&format!("{bucket}/{}{}", parts.prefix, ask.name));
        }
        url.set_query(Some(&*ask.query).filter(|query| !query.is_empty()));
        let stamp = stamp(now);
        let mut headers = ask.headers;
        headers.push(("host", parts.host.clone()));
        headers.push(("x-amz-content-sha256", ask.payload.clone()));
        headers.push(("x-amz-date", stamp.clone()));
        let unsigned = Unsigned {
            method: ask.method.as_str(),
            path: url.path(),
            query: &ask.query,
            headers: &headers,
            payload: &ask.payload,
        };
        let authorization = parts.signer.authorization(&unsigned, &stamp);
        let mut request = parts.client.request(ask.method, url);
        // The client sets the host itself, to the same value.
        for (name, value) in headers.into_iter().filter(|(name, _)| *name != "host") {
            request = request.header(name, value);
        }
        if let Ok(mut value) = HeaderValue::from_str(&authorization) {
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        if let Some((body, length)) = body {
            request = request.header(CONTENT_LENGTH, length).body(body);
        }
        let response = unless_silent(parts.timeout, sent, request.send()).await?;
        let response = response.map_err(BucketError::network)?;
        if response.status().is_success() {
            return Ok(response);
        }
        timeout(parts.timeout, BucketError::of(response))
            .await
            .map_err(|_| silent(parts.timeout))
            .and_then(Err)
    }
}

/// Repeats what may work a moment later.
async fn tried<T, F>(once: impl Fn() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    for wait in WAITS {
        match once().await {
            Err(BucketError::Away(why)) => {
                tracing::debug!(why, "the bucket did not answer; trying again");
                sleep(wait).await;
            }
            done => return done,
        }
    }
    once().await
}

/// Ends work during which nothing was sent for `limit`.
async fn unless_silent<T>(limit: Duration, sent: &AtomicU64, work: impl Future<Output = T>) -> Result<T> {
    let mut work = pin!(work);
    let mut before = 0;
    loop {
        if let Ok(done) = timeout(limit, &mut work).await {
            return Ok(done);
        }
        let now = sent.load(Ordering::Relaxed);
        if now == before {
            return Err(silent(limit));
        }
        before = now;
    }
}

fn silent(limit: Duration) -> BucketError {
    BucketError::Away(format!("nothing for {} ms", limit.as_millis()))
}

/// A part of an object that is being read.
#[derive(Debug)]
pub struct Download {
    response: Response,
    left: u64,
    timeout: Duration,
}

impl Download {
    /// The next bytes; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        let chunk = timeout(self.timeout, self.response.chunk()).await.map_err(|_| silent(self.timeout))?;
        match chunk.map_err(BucketError::network)? {
            Some(chunk) if chunk.len() as u64 <= self.left => {
                self.left -= chunk.len() as u64;
                Ok(Some(chunk))
            }
            Some(_) => Err(BucketError::Altered("it is longer than the answer said".to_owned())),
            None if self.left == 0 => Ok(None),
            None => Err(BucketError::Away("the connection ended early".to_owned())),
        }
    }
}
