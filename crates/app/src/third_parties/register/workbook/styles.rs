//! The number formats of cells, as far as they show what a number means.

use std::{collections::HashMap, io::Read};

use quick_xml::events::Event;

use super::parts::{XmlPart, attribute, damaged};
use crate::Result;

/// The maximum number of styles in a spreadsheet.
const MOST: usize = 65_536;

/// The meaning of a cell's number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Shown {
    #[default]
    Number,
    /// A number of days.
    Day,
    /// With leading zeros, up to this many digits in all.
    Padded(usize),
}

/// By the index that a cell gives.
#[derive(Debug, Default)]
pub(super) struct Styles(Vec<Shown>);

impl Styles {
    pub(super) fn read<R: Read>(mut part: XmlPart<'_, R>) -> Result<Self> {
        let (mut formats, mut styles, mut within) = (HashMap::new(), Vec::new(), false);
        while let Some(event) = part.next()? {
            match &event {
                Event::Start(element) => match element.local_name().as_ref() {
                    "cellXfs" => within = true,
                    "numFmt" => {
                        let number: Option<u32> =
                            attribute(element, "numFmtId").and_then(|text| text.parse().ok());
                        let code = attribute(element, "formatCode").unwrap_or_default();
                        if let Some(number) = number {
                            formats.insert(number, by_code(&code));
                        }
                    }
                    "xf" if within => {
                        let number: Option<u32> =
                            attribute(element, "numFmtId").and_then(|text| text.parse().ok());
                        let number = number.unwrap_or(0);
                        styles.push(formats.get(&number).copied().unwrap_or_else(|| by_number(number)));
                    }
                    _ => {}
                },
                Event::End(element) if element.local_name().as_ref() == "cellXfs" => within = false,
                _ => {}
            }
            if styles.len() > MOST || formats.len() > MOST {
                return Err(damaged("it has too many styles"));
            }
        }
        Ok(Self(styles))
    }

    pub(super) fn of(&self, index: Option<&str>) -> Shown {
        let index = index.and_then(|text| text.parse::<usize>().ok());
        index.and_then(|index| self.0.get(index)).copied().unwrap_or_default()
    }
}

/// The built-in formats; those from 27 to 58 are dates where they are used.
fn by_number(number: u32) -> Shown {
    match number {
        14..=22 | 27..=36 | 45..=47 | 50..=58 => Shown::Day,
        _ => Shown::Number,
    }
}

fn by_code(code: &str) -> Shown {
    // A format has sections for positive numbers, negative ones and others; the first decides.
    let letters = bare(code);
    let first = letters.split(';').next().unwrap_or_default();
    if first.len() > 1 && first.bytes().all(|byte| byte == b'0') {
        return Shown::Padded(first.len());
    }
    let has = |wanted: &[u8]| first.bytes().any(|byte| wanted.contains(&byte.to_ascii_lowercase()));
    if !first.eq_ignore_ascii_case("general") && has(b"ymdhs") { Shown::Day } else { Shown::Number }
}

/// The code without texts in quotation marks, escaped characters, colours and currencies.
fn bare(code: &str) -> String {
    let mut kept = String::new();
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => characters.by_ref().take_while(|other| *other != '"').for_each(drop),
            '[' => characters.by_ref().take_while(|other| *other != ']').for_each(drop),
            '\\' | '_' | '*' => {
                characters.next();
            }
            other => kept.push(other),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_known_by_their_format() {
        for code in ["yyyy-mm-dd", "DD.MM.YYYY", "[$-407]d. mmmm yyyy;@", "m/d/yy h:mm", "[Red]d/m"] {
            assert_eq!(by_code(code), Shown::Day, "{code}");
        }
        for code in ["General", "0.00", "#,##0 [$€-407]", "0\\ \"days\"", "0.00E+00", "@", "", "_-* #,##0_-"]
        {
            assert_eq!(by_code(code), Shown::Number, "{code}");
        }
        assert_eq!((by_code("00000"), by_code("0")), (Shown::Padded(5), Shown::Number));
        assert_eq!((by_number(14), by_number(2), by_number(49)), (Shown::Day, Shown::Number, Shown::Number));
    }
}
