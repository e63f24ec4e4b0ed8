//! Texts that often break programs, the same in every run: characters of every general category of Unicode,
//! characters that grow when they are folded or change the writing direction, quotes of every language, and very long
//! texts.

/// Some characters of each general category. Unpaired surrogates (Cs) are no characters in Rust; a test that sends raw
/// JSON adds them.
const CATEGORIES: &[(&str, &str)] = &[
    ("Lu", "AÄΩЖ\u{1d400}\u{130}"),
    ("Ll", "aßſﬃσς\u{149}"),
    ("Lt", "ǅᾈ"),
    ("Lm", "ʰ々\u{ff70}"),
    ("Lo", "אあ漢\u{fdfa}\u{fdfb}ª\u{115f}"),
    ("Mn", "\u{300}\u{345}\u{fe0f}\u{e0100}"),
    ("Mc", "\u{903}\u{1d165}"),
    ("Me", "\u{20dd}\u{488}"),
    ("Nd", "0٣९\u{1d7d8}"),
    ("Nl", "Ⅷⅷ〇"),
    ("No", "²½⑳㉈"),
    ("Pc", "_‿＿"),
    ("Pd", "-–—〜"),
    ("Ps", "([{「"),
    ("Pe", ")]}」"),
    ("Pi", "«‘“"),
    ("Pf", "»’”"),
    ("Po", "!\"#%&'*,./:;?@\\¡‼"),
    ("Sm", "+<=>|~±⁄"),
    ("Sc", "$€￥"),
    ("Sk", "^`´\u{1f3fb}"),
    ("So", "©™℡㍿㎯\u{1f468}\u{1f1e9}"),
    ("Zs", " \u{a0}\u{2003}\u{3000}"),
    ("Zl", "\u{2028}"),
    ("Zp", "\u{2029}"),
    ("Cc", "\0\u{7}\u{1b}\u{7f}\u{85}"),
    ("Cf", "\u{ad}\u{200b}\u{200d}\u{feff}\u{e0001}"),
    ("Co", "\u{e000}\u{10fffd}"),
    ("Cn", "\u{378}\u{ffff}\u{10ffff}"),
];

/// Special cases that no category covers.
const SPECIAL: &[&str] = &[
    "\u{fdfa}",
    "a\u{fdfa}b",
    "\u{202e}evil\u{202c} \u{2066}x\u{2069}\u{200f}",
    "e\u{301}\u{302}\u{303}\u{304}\u{305}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "' OR 1=1 --",
    "\"; DROP TABLE findings; --",
    "<script>alert(1)</script>&amp;&#39;",
    "=cmd|' /C calc'!A0",
    "%00%zz%",
    "../../etc/passwd",
    "\\u0000\\ud800",
    "{{7*7}}${7*7}#{7*7}",
    "a\0b",
    "line\r\nSet-Cookie: x=1",
    "NaN",
    "null",
    "-0",
    "1e999",
    "9999-12-31T23:59:60Z",
    "",
    " ",
];

/// `count` texts of the list, starting at a position and repeating.
pub fn odd_texts(start: usize, count: usize) -> impl Iterator<Item = String> {
    let all = CATEGORIES.len() + SPECIAL.len() + LONG.len();
    (start..start + count).map(move |number| odd_text(number % all, number / all))
}

/// Long ones: of one byte, of four, and of characters that grow when they are folded.
const LONG: &[(&str, usize)] =
    &[("x", 5_000), ("\u{10fffd}", 3_000), ("\u{fdfa}", 2_000), ("a ", 4_000), ("\u{300}", 3_000)];

fn odd_text(number: usize, round: usize) -> String {
    if let Some((_, characters)) = CATEGORIES.get(number) {
        // Alone, in a row, and between letters.
        return match round % 3 {
            0 => (*characters).to_owned(),
            1 => characters.chars().flat_map(|c| ['a', c, 'b']).collect(),
            _ => characters.chars().cycle().take(60).collect(),
        };
    }
    let number = number - CATEGORIES.len();
    if let Some(text) = SPECIAL.get(number) {
        return (*text).to_owned();
    }
    let (text, times) = LONG[(number - SPECIAL.len()) % LONG.len()];
    text.repeat(times)
}

/// The bytes of a text, percent-encoded for a query or a path.
pub fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |all, byte| all + &format!("%{byte:02X}"))
}
