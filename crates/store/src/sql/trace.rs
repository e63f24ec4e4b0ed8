//! The traces of store operations: what a store thread does belongs to the trace of the request or job that asked for it.

use tracing::Span;

/// The target of spans for traces. The log leaves them out, and without a collector they are not made.
pub const SPANS: &str = "span";

/// The span of an operation, from its place in the queue to its answer. An operation without a caller's span, such as
/// that of a worker that polls, has none either.
pub(super) fn operation(name: &'static str) -> Span {
    let caller = Span::current();
    if caller.is_disabled() {
        return caller;
    }
    tracing::info_span!(target: SPANS, parent: &caller, "store", otel.name = name, otel.kind = "client")
}
