//! What a verification found wrong. Both verifiers give the same codes.

/// The first fault that was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(
        "the file does not end with the seal of a bundle: it is no bundle, or its end was cut off or changed"
    )]
    NoSeal,
    #[error("the bundle was sealed with another key, whose fingerprint is {found}")]
    OtherKey { found: String },
    #[error("the seal does not fit: at least one byte was changed since the bundle was made")]
    ArchiveSignature,
    #[error("the archive cannot be read: {0}")]
    Container(String),
    #[error("the manifest cannot be read: {0}")]
    ManifestUnreadable(String),
    #[error("the signature of the manifest does not fit")]
    ManifestSignature,
    #[error("the time stamp is not about the manifest of this bundle")]
    StampDigest,
    #[error("{0} is a name that a bundle must not hold")]
    FileName(String),
    #[error("{0} is named by the manifest, but not in the bundle")]
    FileLeftOut(String),
    #[error("{0} is in the bundle, but not named by the manifest")]
    FileAdded(String),
    #[error("{0} is not at its place in the bundle")]
    FileOrder(String),
    #[error("{0} does not have the content that the manifest names")]
    FileDigest(String),
    #[error("line {0} of the audit chain cannot be read")]
    ChainUnreadable(u64),
    #[error("entry {0} of the audit chain is missing or out of order")]
    ChainOrder(i64),
    #[error("entry {0} of the audit chain does not fit the hash before it")]
    ChainHash(i64),
    #[error("entry {0} of the audit chain does not fit its link")]
    ChainLink(i64),
    #[error("the audit chain does not end with the head that the manifest names")]
    ChainHead,
    #[error("line {line} of {path} cannot be read")]
    ClaimUnreadable { path: String, line: u64 },
    #[error("line {line} of {path} rests on entry {entry} of the audit chain, which is not about {id}")]
    ClaimEntry { path: String, line: u64, entry: i64, id: String },
    #[error("a requirement rests on version {version} of {id} in {list}, which is not there")]
    ClaimRecord { list: String, id: String, version: i64 },
    #[error("a requirement rests on {0}, which is not in the bundle with this content")]
    ClaimFile(String),
}

impl Fault {
    /// The word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSeal => "archive.seal",
            Self::OtherKey { .. } => "archive.key",
            Self::ArchiveSignature => "archive.signature",
            Self::Container(_) => "archive.container",
            Self::ManifestUnreadable(_) => "manifest.unreadable",
            Self::ManifestSignature => "manifest.signature",
            Self::StampDigest => "stamp.digest",
            Self::FileName(_) => "file.name",
            Self::FileLeftOut(_) => "file.left_out",
            Self::FileAdded(_) => "file.added",
            Self::FileOrder(_) => "file.order",
            Self::FileDigest(_) => "file.digest",
            Self::ChainUnreadable(_) => "chain.unreadable",
            Self::ChainOrder(_) => "chain.order",
            Self::ChainHash(_) => "chain.hash",
            Self::ChainLink(_) => "chain.link",
            Self::ChainHead => "chain.head",
            Self::ClaimUnreadable { .. } => "claim.unreadable",
            Self::ClaimEntry { .. } => "claim.entry",
            Self::ClaimRecord { .. } => "claim.record",
            Self::ClaimFile(_) => "claim.file",
        }
    }
}
