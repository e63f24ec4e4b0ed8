//! Compression on the fly, for callers that accept it. Others have no cost.

use std::task::{Context, Poll};

use axum::{body::Body, body::HttpBody as _, extract::Request, response::Response};
use futures_util::future::{Either, FutureExt as _, Map};
use http::{HeaderValue, header};
use tower::{Layer, Service};
use tower_http::{
    CompressionLevel,
    compression::{Compression, CompressionBody, CompressionLayer},
};

/// Smaller bodies are never compressed, so no `Vary` header is needed.
const SMALLEST: u64 = 32;

#[derive(Debug, Clone, Copy)]
pub(crate) struct CompressLayer;

impl<S: Clone> Layer<S> for CompressLayer {
    type Service = Compress<S>;

    fn layer(&self, inner: S) -> Compress<S> {
        let packing = CompressionLayer::new().quality(CompressionLevel::Fastest).layer(inner.clone());
        Compress { plain: inner, packing }
    }
}

#[derive(Clone)]
pub(crate) struct Compress<S> {
    plain: S,
    packing: Compression<S>,
}

type Answer<E> = Result<Response, E>;
type Plain<F, E> = Map<F, fn(Answer<E>) -> Answer<E>>;
type Packed<F, E> = Map<F, fn(Result<Response<CompressionBody<Body>>, E>) -> Answer<E>>;

impl<S> Service<Request> for Compress<S>
where
    S: Service<Request, Response = Response>,
{
    type Response = Response;
    type Error = S::Error;
    type Future =
        Either<Plain<S::Future, S::Error>, Packed<<Compression<S> as Service<Request>>::Future, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        match self.plain.poll_ready(cx) {
            Poll::Ready(Ok(())) => self.packing.poll_ready(cx),
            other => other,
        }
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if request.headers().contains_key(header::ACCEPT_ENCODING) {
            Either::Right(self.packing.call(request).map(|answer| answer.map(|packed| packed.map(Body::new))))
        } else {
            Either::Left(self.plain.call(request).map(|answer| answer.map(identity_if_small)))
        }
    }
}

/// Adds the `Vary` header to an uncompressed response.
fn identity_if_small(mut response: Response) -> Response {
    let is_small = response.body().size_hint().exact().is_some_and(|size| size < SMALLEST);
    if !is_small && !response.headers().contains_key(header::CONTENT_ENCODING) {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}
