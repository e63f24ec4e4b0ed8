//! What stands around the handlers: the envelope of every request, and the key check of the keyed tiers.

pub mod client;
pub mod envelope;
pub mod keyed;

use tower_http::{CompressionLevel, compression::CompressionLayer};

/// Compresses when asked to.
pub(crate) fn compression() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Fastest)
}
