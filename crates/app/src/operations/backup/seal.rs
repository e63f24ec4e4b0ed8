//! The format of encrypted backups: a stream of chunks, each authenticated, in order, with a marked end.
//!
//! The key is derived from the passphrase by argon2id with a fresh salt. Each chunk of 64 KiB is sealed with
//! `XChaCha20-Poly1305` under a nonce that contains its number and whether it is the last, over the whole header: a
//! chunk that is changed, moved, repeated or missing does not open, nor does a truncated file. docs/operations.md gives
//! the layout byte by byte, so that a backup can be opened without this program.

use std::io::{self, BufRead, Read, Write};

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead as _, Payload},
};

use super::Secret;
use crate::ids::fill_random;

pub(super) const MAGIC: &[u8; 18] = b"tidewall-backup-1\n";
const CHUNK: usize = 64 * 1024;
const TAG: usize = 16;
const SALT: usize = 16;
const CHECK: usize = 16;
const PREFIX: usize = 19;
const HEADER: usize = MAGIC.len() + 12 + SALT + CHECK + PREFIX;

const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
/// A header that asks for more memory is not ours and is refused.
const MOST_MEMORY_KIB: u32 = 1 << 20;
const MOST_PASSES: u32 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    #[error("it is no encrypted backup of tidewall, or its beginning is damaged")]
    NotSealed,
    #[error("the passphrase is not the one it was encrypted with")]
    WrongSecret,
    #[error("it is damaged or was cut off")]
    Damaged,
}

impl From<SealError> for io::Error {
    fn from(error: SealError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// The cipher with its position in the stream.
struct Stream {
    cipher: XChaCha20Poly1305,
    header: [u8; HEADER],
    next: u32,
}

impl Stream {
    fn nonce(&mut self, last: bool) -> Result<XNonce, SealError> {
        let mut nonce = [0; PREFIX + 5];
        nonce[..PREFIX].copy_from_slice(&self.header[HEADER - PREFIX..]);
        nonce[PREFIX..PREFIX + 4].copy_from_slice(&self.next.to_be_bytes());
        nonce[PREFIX + 4] = u8::from(last);
        self.next = self.next.checked_add(1).ok_or(SealError::Damaged)?;
        Ok(nonce.into())
    }
}

/// The key, and a check value that distinguishes a wrong passphrase from a damaged file.
fn derive(
    secret: &Secret,
    memory: u32,
    passes: u32,
    salt: &[u8],
) -> Result<([u8; 32], [u8; CHECK]), SealError> {
    let params = Params::new(memory, passes, 1, None).map_err(|_| SealError::NotSealed)?;
    let mut derived = [0; 32 + CHECK];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(secret.expose(), salt, &mut derived)
        .map_err(|_| SealError::NotSealed)?;
    let (mut key, mut check) = ([0; 32], [0; CHECK]);
    key.copy_from_slice(&derived[..32]);
    check.copy_from_slice(&derived[32..]);
    Ok((key, check))
}

/// Encrypts the bytes written to it. Without [`finish`](Self::finish) the result does not open.
pub(super) struct Sealer<W> {
    into: W,
    stream: Stream,
    waiting: Vec<u8>,
}

impl<W: Write> Sealer<W> {
    pub(super) fn new(mut into: W, secret: &Secret) -> io::Result<Self> {
        let (mut salt, mut prefix) = ([0; SALT], [0; PREFIX]);
        fill_random(&mut salt);
        fill_random(&mut prefix);
        let (key, check) = derive(secret, MEMORY_KIB, PASSES, &salt)?;
        let mut header = [0; HEADER];
        let costs = [MEMORY_KIB.to_be_bytes(), PASSES.to_be_bytes(), 1_u32.to_be_bytes()].concat();
        let fields = [&MAGIC[..], &costs, &salt, &check, &prefix].concat();
        header.copy_from_slice(&fields);
        into.write_all(&header)?;
        let stream = Stream { cipher: XChaCha20Poly1305::new(&key.into()), header, next: 0 };
        Ok(Self { into, stream, waiting: Vec::with_capacity(CHUNK) })
    }

    fn seal(&mut self, last: bool) -> io::Result<()> {
        let nonce = self.stream.nonce(last)?;
        let payload = Payload { msg: &self.waiting, aad: &self.stream.header };
        let sealed = self.stream.cipher.encrypt(&nonce, payload).map_err(|_| SealError::Damaged)?;
        self.waiting.clear();
        self.into.write_all(&sealed)
    }

    /// Writes the last chunk, marked as the last.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.into)
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full chunk is sealed only when more bytes follow: the last one may be full too.
        if self.waiting.len() == CHUNK && !bytes.is_empty() {
            self.seal(false)?;
        }
        let taken = bytes.len().min(CHUNK - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Decrypts while reading. The end is only reached if the file is complete.
pub(super) struct Opener<R> {
    from: R,
    stream: Stream,
    chunk: Vec<u8>,
    read: usize,
    ended: bool,
}

impl<R: BufRead> Opener<R> {
    pub(super) fn new(mut from: R, secret: &Secret) -> io::Result<Self> {
        let mut header = [0; HEADER];
        from.read_exact(&mut header).map_err(|_| SealError::NotSealed)?;
        let (magic, rest) = header.split_at(MAGIC.len());
        let number = |at: usize| u32::from_be_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
        let (memory, passes, lanes) = (number(0), number(4), number(8));
        if magic != MAGIC || memory > MOST_MEMORY_KIB || passes > MOST_PASSES || lanes != 1 {
            return Err(SealError::NotSealed.into());
        }
        let (key, check) = derive(secret, memory, passes, &rest[12..12 + SALT])?;
        if check[..] != rest[12 + SALT..12 + SALT + CHECK] {
            return Err(SealError::WrongSecret.into());
        }
        let stream = Stream { cipher: XChaCha20Poly1305::new(&key.into()), header, next: 0 };
        Ok(Self { from, stream, chunk: Vec::new(), read: 0, ended: false })
    }

    fn open_next(&mut self) -> io::Result<()> {
        let mut sealed = Vec::with_capacity(CHUNK + TAG);
        Read::by_ref(&mut self.from).take((CHUNK + TAG) as u64).read_to_end(&mut sealed)?;
        self.ended = self.from.fill_buf()?.is_empty();
        let nonce = self.stream.nonce(self.ended)?;
        let payload = Payload { msg: &sealed, aad: &self.stream.header };
        self.chunk = self.stream.cipher.decrypt(&nonce, payload).map_err(|_| SealError::Damaged)?;
        self.read = 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Opener<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.chunk.len() {
            if self.ended {
                return Ok(0);
            }
            self.open_next()?;
        }
        let taken = buffer.len().min(self.chunk.len() - self.read);
        buffer[..taken].copy_from_slice(&self.chunk[self.read..self.read + taken]);
        self.read += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(text.as_bytes().to_vec()).unwrap()
    }

    fn sealed(plain: &[u8]) -> Vec<u8> {
        let mut sealer = Sealer::new(Vec::new(), &secret("a long enough passphrase")).unwrap();
        sealer.write_all(plain).unwrap();
        sealer.finish().unwrap()
    }

    fn opened(sealed: &[u8], text: &str) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        Opener::new(sealed, &secret(text))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn every_size_around_a_chunk_comes_back() {
        for size in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 17] {
            let plain: Vec<u8> = (0..size).map(|place| u8::try_from(place % 251).unwrap()).collect();
            assert_eq!(opened(&sealed(&plain), "a long enough passphrase").unwrap(), plain, "{size}");
        }
    }

    /// Opens a file with nothing but what docs/operations.md says.
    #[test]
    fn the_layout_is_the_documented_one() {
        let plain: Vec<u8> = (0..70_000_u32).map(|place| u8::try_from(place % 251).unwrap()).collect();
        let file = sealed(&plain);
        assert_eq!(&file[..18], b"tidewall-backup-1\n");
        let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
        assert_eq!([number(18), number(22), number(26)], [65_536, 3, 1]);
        let params = Params::new(number(18), number(22), number(26), None).unwrap();
        let mut derived = [0; 48];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(b"a long enough passphrase", &file[30..46], &mut derived)
            .unwrap();
        assert_eq!(&file[46..62], &derived[32..]);
        let cipher = XChaCha20Poly1305::new_from_slice(&derived[..32]).unwrap();
        let mut opened = Vec::new();
        for (place, chunk) in file[81..].chunks(65_536 + 16).enumerate() {
            let (place, last) =
                (u32::try_from(place).unwrap(), opened.len() + chunk.len() - 16 == plain.len());
            let nonce = [&file[62..81], &place.to_be_bytes(), &[u8::from(last)]].concat();
            let payload = Payload { msg: chunk, aad: &file[..81] };
            opened.extend(cipher.decrypt(&XNonce::try_from(nonce.as_slice()).unwrap(), payload).unwrap());
        }
        assert_eq!(opened, plain);
    }

    #[test]
    fn a_wrong_passphrase_is_distinguished_from_damage() {
        let sealed = sealed(b"the store");
        let error = opened(&sealed, "another long passphrase").unwrap_err();
        assert!(error.to_string().contains("passphrase"), "{error}");
        assert!(opened(b"SQLite format 3\0", "a long enough passphrase").is_err());
        assert!(opened(b"", "a long enough passphrase").is_err());
    }

    #[test]
    fn no_cut_no_change_and_no_rearrangement_opens() {
        let plain = vec![7; 2 * CHUNK + 100];
        let whole = sealed(&plain);
        let open = |bytes: &[u8]| opened(bytes, "a long enough passphrase");
        let chunk = CHUNK + TAG;
        for cut in
            [HEADER, HEADER + 1, HEADER + chunk, HEADER + chunk + 1, HEADER + 2 * chunk, whole.len() - 1]
        {
            assert!(open(&whole[..cut]).is_err(), "cut at {cut}");
        }
        for place in (0..whole.len()).step_by(20_011).chain([HEADER - 1, HEADER, whole.len() - 1]) {
            let mut flipped = whole.clone();
            flipped[place] ^= 1;
            assert!(open(&flipped).is_err(), "flipped at {place}");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert!(open(&longer).is_err(), "something behind the end");
        let (head, body) = whole.split_at(HEADER);
        let swapped = [head, &body[chunk..2 * chunk], &body[..chunk], &body[2 * chunk..]].concat();
        assert!(open(&swapped).is_err(), "chunks changed places");
    }

    #[test]
    fn a_header_cannot_ask_for_all_memory() {
        let mut sealed = sealed(b"x");
        sealed[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&u32::MAX.to_be_bytes());
        assert!(opened(&sealed, "a long enough passphrase").is_err());
    }
}
