//! The part of HTTP/1.1 that the load generator has to parse: where a response ends, and its body.

use memchr::memmem;

/// As hyper writes it.
const LENGTH: &str = "content-length: ";

/// How the end of a body is marked.
enum Ends {
    After(usize),
    /// In chunks with their lengths, the last of them empty.
    WithEmptyPiece,
}

/// Whether the response is complete; any status but 200 and 201 stops the benchmark.
pub(crate) fn is_whole(answer: &[u8]) -> bool {
    let Some((ends, body)) = split(answer) else { return false };
    match ends {
        Ends::After(length) => body.len() >= length,
        Ends::WithEmptyPiece => Pieces(body).any(<[u8]>::is_empty),
    }
}

/// The body of a complete response.
pub(crate) fn body(answer: &[u8]) -> Vec<u8> {
    let (ends, body) = split(answer).unwrap();
    match ends {
        Ends::After(length) => body[..length].to_vec(),
        Ends::WithEmptyPiece => Pieces(body).collect::<Vec<_>>().concat(),
    }
}

fn split(answer: &[u8]) -> Option<(Ends, &[u8])> {
    // Fast, or the cost of parsing headers would be charged to the route.
    let end = memmem::find(answer, b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    assert!(head.starts_with("HTTP/1.1 200") || head.starts_with("HTTP/1.1 201"), "{head}");
    let length = memmem::find(head.as_bytes(), LENGTH.as_bytes())
        .and_then(|start| head[start + LENGTH.len()..].split('\r').next());
    let ends = length.map_or(Ends::WithEmptyPiece, |length| Ends::After(length.parse().unwrap()));
    Some((ends, &answer[end + 4..]))
}

/// The chunks of a chunked body that have arrived so far.
struct Pieces<'b>(&'b [u8]);

impl<'b> Iterator for Pieces<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let end = self.0.windows(2).position(|two| two == b"\r\n")?;
        let length = std::str::from_utf8(&self.0[..end]).unwrap();
        let (start, length) = (end + 2, usize::from_str_radix(length, 16).unwrap());
        let piece = self.0.get(start..start + length)?;
        // The line end after the chunk belongs to it.
        self.0 = self.0.get(start + length + 2..)?;
        Some(piece)
    }
}
