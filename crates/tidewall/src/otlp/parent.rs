//! Continues the trace of a client that names it in the header `traceparent` (W3C Trace Context).

use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState},
};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Makes the span a child of the one in the header. A header that is not valid is ignored.
pub fn continue_trace(span: &tracing::Span, header: &str) {
    if let Some(parent) = parent(header) {
        // Without traces there is nothing to continue.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
}

/// `00-<trace>-<span>-<flags>`; later versions may have more parts.
fn parent(header: &str) -> Option<SpanContext> {
    let mut parts = header.trim().split('-');
    let mut hex = |digits: usize| {
        let lowercase = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        parts.next().filter(|part| part.len() == digits && part.bytes().all(lowercase))
    };
    let (version, trace, span, flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
    let ended = parts.next().is_none();
    if version == "ff" || (version == "00" && !ended) {
        return None;
    }
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    Some(SpanContext::new(trace, span, flags, true, TraceState::default())).filter(SpanContext::is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn a_valid_header_names_trace_span_and_decision() {
        let sampled = parent(&format!("00-{TRACE}-{SPAN}-01")).unwrap();
        assert_eq!(
            (sampled.trace_id().to_string(), sampled.span_id().to_string()),
            (TRACE.into(), SPAN.into())
        );
        assert!(sampled.is_sampled() && sampled.is_remote());
        assert!(!parent(&format!("00-{TRACE}-{SPAN}-00")).unwrap().is_sampled());
        assert!(parent(&format!("01-{TRACE}-{SPAN}-01-more")).is_some(), "a later version may say more");
    }

    #[test]
    fn other_headers_are_ignored() {
        let zero = "0".repeat(32);
        for header in [
            String::new(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{zero}-{SPAN}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}é-{SPAN}-01"),
        ] {
            assert!(parent(&header).is_none(), "{header}");
        }
    }
}
