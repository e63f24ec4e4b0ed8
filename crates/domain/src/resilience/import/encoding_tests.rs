//! Every encoding in and out, split into chunks of every size.

use proptest::prelude::*;

use super::*;

/// A file that gives only a few bytes at a time.
struct Drip<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.size.min(buffer.len()).min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

fn decoded(bytes: &[u8], encoding: Encoding) -> io::Result<String> {
    let mut text = String::new();
    Decoder::new(bytes, encoding).read_to_string(&mut text)?;
    Ok(text)
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

fn refusal(bytes: &[u8]) -> EncodingError {
    detect(bytes).unwrap_err().downcast().unwrap()
}

#[test]
fn a_mark_decides() {
    let text = "Größe;Maßnahme\n€ 😀";
    let marked = [b"\xEF\xBB\xBF".as_slice(), text.as_bytes()].concat();
    let (little, big) = (utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes));
    for (bytes, encoding) in [(marked, Encoding::Utf8), (little, Encoding::Utf16Le), (big, Encoding::Utf16Be)]
    {
        assert_eq!(detect(bytes.as_slice()).unwrap(), encoding);
        assert_eq!(decoded(&bytes, encoding).unwrap(), text);
    }
}

#[test]
fn without_a_mark_utf8_is_utf8_and_old_spreadsheets_are_windows() {
    assert_eq!(detect("Prüfung".as_bytes()).unwrap(), Encoding::Utf8);
    assert_eq!(detect(b"".as_slice()).unwrap(), Encoding::Utf8);
    let western = b"Pr\xFCfung f\xFCr 100 \x80 \x96 \x84Ma\xDFnahme\x93";
    assert_eq!(detect(western.as_slice()).unwrap(), Encoding::Windows1252);
    assert_eq!(decoded(western, Encoding::Windows1252).unwrap(), "Prüfung für 100 € – „Maßnahme“");
}

#[test]
fn doubt_is_refused_with_the_way_out() {
    // "Prüfung" from an old Macintosh: 0x9F is ü there and Ÿ in Windows-1252.
    assert_eq!(refusal(b"Pr\x9Ffung"), EncodingError::Unclear);
    assert!(EncodingError::Unclear.to_string().contains("CSV UTF-8"));
    assert_eq!(refusal(b"P\0r\0"), EncodingError::ZeroBytes);
    assert_eq!(refusal(b"\xE4\x01"), EncodingError::Unclear);
    assert_eq!(decoded(b"Pr\x9Ffung", Encoding::Windows1252).unwrap(), "PrŸfung", "when told so");
    assert!(decoded(b"\x81", Encoding::Windows1252).is_err());
}

#[test]
fn broken_utf16_is_refused() {
    for bytes in [b"\xFF\xFEa".as_slice(), b"\xFF\xFE\x00\xD8", b"\xFF\xFE\x00\xD8a\x00", b"\xFF\xFE\x00\xDC"]
    {
        assert!(decoded(bytes, Encoding::Utf16Le).is_err(), "{bytes:?}");
    }
}

#[test]
fn json_from_a_shell_is_read_by_its_mark() {
    let mut text = String::new();
    let bytes = utf16("{\"a\": \"ü\"}", u16::to_le_bytes);
    Decoder::by_mark(bytes.as_slice()).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "{\"a\": \"ü\"}");
    let mut text = String::new();
    Decoder::by_mark(b"{}".as_slice()).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "{}");
}

#[test]
fn a_character_across_a_chunk_is_still_one() {
    for shift in 0..4 {
        let text = format!("{}{}", "x".repeat(CHUNK - shift), "€😀".repeat(3));
        assert_eq!(detect(text.as_bytes()).unwrap(), Encoding::Utf8);
        let bytes = utf16(&text, u16::to_le_bytes);
        assert_eq!(decoded(&bytes, Encoding::Utf16Le).unwrap(), text);
    }
}

#[test]
fn damaged_utf8_is_not_taken_for_an_old_encoding() {
    let cut = &"Prüfung für Größe".as_bytes()[..19];
    assert!(std::str::from_utf8(cut).is_err());
    assert_eq!(refusal(cut), EncodingError::Unclear);
    let damaged =
        ["Maßnahme ".repeat(20_000).as_bytes(), b"\xE4", "Größe ".repeat(20_000).as_bytes()].concat();
    assert_eq!(refusal(&damaged), EncodingError::Unclear);
    // By chance right UTF-8: the last two bytes of "Spa\u{df}\u{201c}" in Windows-1252.
    let chance = [b"M\xE4rz, ".repeat(10), b"\x84Spa\xDF\x93".to_vec()].concat();
    assert_eq!(detect(chance.as_slice()).unwrap(), Encoding::Windows1252);
}

proptest! {
    #[test]
    fn any_text_survives_any_encoding_in_any_pieces(text in "[^\0\u{feff}]{0,200}", size in 1_usize..9) {
        let files = [
            (text.as_bytes().to_vec(), Encoding::Utf8),
            (utf16(&text, u16::to_le_bytes), Encoding::Utf16Le),
            (utf16(&text, u16::to_be_bytes), Encoding::Utf16Be),
        ];
        for (bytes, encoding) in files {
            prop_assert_eq!(detect(Drip { bytes: &bytes, size }).unwrap(), encoding);
            let mut out = String::new();
            Decoder::new(Drip { bytes: &bytes, size }, encoding).read_to_string(&mut out).unwrap();
            prop_assert_eq!(&out, &text);
        }
    }

    #[test]
    fn any_bytes_are_named_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300), size in 1_usize..50) {
        if let Ok(encoding) = detect(Drip { bytes: &bytes, size }) {
            let whole = detect(bytes.as_slice()).unwrap();
            prop_assert_eq!(encoding, whole, "the pieces do not matter");
            if by_mark(&bytes).is_none() {
                prop_assert!(decoded(&bytes, encoding).is_ok(), "what was detected can be read");
            }
        }
    }
}
