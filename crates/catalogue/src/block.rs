//! Reads the fields of one block of a file. A mistake is reported with its position and reading continues with a
//! placeholder, so that an editor sees every mistake at once; a catalogue with a mistake is never used.

mod reference;

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use domain::{
    moment::{Day, Moment},
    vocabulary::Vocabulary,
};
use toml::{
    Spanned,
    de::{DeArray, DeTable, DeValue},
};

use crate::{
    drift::drift,
    language::Text,
    notes::{Notes, SourcePosition},
};

type Value<'s> = Spanned<DeValue<'s>>;

/// One block (`[[measure]]`, an inline table) and the fields read so far.
pub(crate) struct Block<'s, 'n> {
    table: &'s DeTable<'s>,
    place: SourcePosition,
    asked: Vec<&'static str>,
    /// How many of the fields read exist.
    found: usize,
    notes: &'n mut Notes,
}

impl<'s, 'n> Block<'s, 'n> {
    pub(crate) fn new(table: &'s DeTable<'s>, place: SourcePosition, notes: &'n mut Notes) -> Self {
        Self { table, place, asked: Vec::with_capacity(16), found: 0, notes }
    }

    /// Reports unknown fields: mostly typing errors in a field's name.
    pub(crate) fn finish(self) {
        if self.found == self.table.len() {
            return;
        }
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !self.asked.contains(&name) {
                let place = SourcePosition { offset: key.span().start, ..self.place };
                let known = self.asked.join(", ");
                self.notes.fault(place, format!("{name} is not a field here; known fields: {known}"));
            }
        }
    }

    /// A text in both languages.
    pub(crate) fn text(&mut self, field: &'static str) -> Text {
        let value = self.required(field);
        value.map(|value| self.both_languages(field, value)).unwrap_or_default()
    }

    /// Like `text`; nothing if the field is left out.
    pub(crate) fn optional_text(&mut self, field: &'static str) -> Option<Text> {
        self.present(field).then(|| self.text(field))
    }

    /// At least one text in both languages.
    pub(crate) fn texts(&mut self, field: &'static str) -> Vec<Text> {
        let values = self.items(field);
        if values.as_ref().is_some_and(|values| values.is_empty()) {
            self.fault(field, "must not be empty");
        }
        values.into_iter().flatten().map(|value| self.both_languages(field, value)).collect()
    }

    /// Like `texts`; empty if the field is left out.
    pub(crate) fn optional_texts(&mut self, field: &'static str) -> Vec<Text> {
        if self.present(field) { self.texts(field) } else { Vec::new() }
    }

    /// A text that is the same in every language.
    pub(crate) fn line(&mut self, field: &'static str) -> Box<str> {
        self.string(field).map(|(text, _)| text.into()).unwrap_or_default()
    }

    pub(crate) fn optional_line(&mut self, field: &'static str) -> Option<Box<str>> {
        self.present(field).then(|| self.line(field))
    }

    /// An address on the web.
    pub(crate) fn optional_url(&mut self, field: &'static str) -> Option<Box<str>> {
        let url = self.optional_line(field)?;
        if !url.starts_with("https://") || url.contains(char::is_whitespace) {
            self.fault(field, "must be an address that starts with https://");
        }
        Some(url)
    }

    /// Lines of text; empty if the field is left out.
    pub(crate) fn optional_lines(&mut self, field: &'static str) -> Vec<Box<str>> {
        if !self.present(field) {
            return Vec::new();
        }
        self.lines(field).unwrap_or_default().into_iter().map(|(line, _)| line.into()).collect()
    }

    /// A line with a format, such as a day or a duration.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&mut self, field: &'static str) -> Option<T> {
        let (text, place) = self.string(field)?;
        text.parse().map_err(|error| self.notes.fault(place, format!("{field} {error}, not {text:?}"))).ok()
    }

    pub(crate) fn optional_parsed<T: FromStr<Err: Display>>(&mut self, field: &'static str) -> Option<T> {
        if self.present(field) { self.parsed(field) } else { None }
    }

    pub(crate) fn day(&mut self, field: &'static str) -> Day {
        self.parsed(field).unwrap_or_else(|| Moment::from_millis(0).day())
    }

    pub(crate) fn optional_day(&mut self, field: &'static str) -> Option<Day> {
        self.present(field).then(|| self.day(field))
    }

    pub(crate) fn word<V>(&mut self, field: &'static str) -> V
    where
        V: Vocabulary + FromStr<Err: Display>,
    {
        self.parsed(field).unwrap_or(V::ALL[0])
    }

    pub(crate) fn optional_word<V>(&mut self, field: &'static str) -> Option<V>
    where
        V: Vocabulary + FromStr<Err: Display>,
    {
        self.present(field).then(|| self.word(field))
    }

    /// At least one word, none of them twice.
    pub(crate) fn words<V>(&mut self, field: &'static str) -> Vec<V>
    where
        V: Vocabulary + FromStr<Err: Display>,
    {
        self.parsed_list(field)
    }

    /// Like `words`; empty if the field is left out.
    pub(crate) fn optional_words<V>(&mut self, field: &'static str) -> Vec<V>
    where
        V: Vocabulary + FromStr<Err: Display>,
    {
        if self.present(field) { self.words(field) } else { Vec::new() }
    }

    /// At least one line with a format, none of them twice.
    pub(crate) fn parsed_list<T: FromStr<Err: Display> + PartialEq>(
        &mut self,
        field: &'static str,
    ) -> Vec<T> {
        let lines = self.lines(field);
        if lines.as_ref().is_some_and(Vec::is_empty) {
            self.fault(field, "must not be empty");
        }
        let mut parsed = Vec::new();
        for (text, place) in lines.unwrap_or_default() {
            match text.parse() {
                Err(error) => self.notes.fault(place, format!("{field} {error}, not {text:?}")),
                Ok(value) if parsed.contains(&value) => {
                    self.notes.fault(place, format!("{field} names {text} twice"));
                }
                Ok(value) => parsed.push(value),
            }
        }
        parsed
    }

    /// Like `parsed_list`; empty if the field is left out.
    pub(crate) fn optional_parsed_list<T: FromStr<Err: Display> + PartialEq>(
        &mut self,
        field: &'static str,
    ) -> Vec<T> {
        if self.present(field) { self.parsed_list(field) } else { Vec::new() }
    }

    /// `true`, or left out.
    pub(crate) fn flag(&mut self, field: &'static str) -> bool {
        if !self.present(field) {
            return false;
        }
        let Some(value) = self.required(field) else { return false };
        if value.get_ref().as_bool() != Some(true) {
            self.fault_at(value, format!("{field} must be true or left out"));
        }
        true
    }

    pub(crate) fn number(&mut self, field: &'static str, range: RangeInclusive<u32>) -> u32 {
        let Some(value) = self.required(field) else { return *range.start() };
        let number = value.get_ref().as_integer().and_then(|integer| integer.as_str().parse::<u32>().ok());
        if let Some(number) = number.filter(|number| range.contains(number)) {
            return number;
        }
        let (low, high) = range.into_inner();
        self.fault_at(value, format!("{field} must be a whole number from {low} to {high}"));
        low
    }

    pub(crate) fn optional_number(&mut self, field: &'static str, range: RangeInclusive<u32>) -> Option<u32> {
        self.present(field).then(|| self.number(field, range))
    }

    /// An inline table with fields of its own.
    pub(crate) fn table<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Block<'s, '_>) -> T,
    ) -> Option<T> {
        let value = self.required(field)?;
        self.inner(field, value, read)
    }

    pub(crate) fn optional_table<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Block<'s, '_>) -> T,
    ) -> Option<T> {
        if self.present(field) { self.table(field, read) } else { None }
    }

    /// A list of inline tables, each read the same way.
    pub(crate) fn list<T>(
        &mut self,
        field: &'static str,
        mut read: impl FnMut(&mut Block<'s, '_>) -> T,
    ) -> Vec<T> {
        let values = self.items(field);
        values.into_iter().flatten().filter_map(|value| self.inner(field, value, &mut read)).collect()
    }

    /// Like `list`; empty if the field is left out.
    pub(crate) fn optional_list<T>(
        &mut self,
        field: &'static str,
        read: impl FnMut(&mut Block<'s, '_>) -> T,
    ) -> Vec<T> {
        if self.present(field) { self.list(field, read) } else { Vec::new() }
    }

    /// A list of lists of words: the rows of a grid.
    pub(crate) fn rows<V>(&mut self, field: &'static str) -> Vec<Vec<V>>
    where
        V: Vocabulary + FromStr<Err: Display>,
    {
        let mut rows = Vec::new();
        for row in self.items(field).into_iter().flatten() {
            let mut words = Vec::new();
            for cell in row.get_ref().as_array().into_iter().flatten() {
                match cell.get_ref().as_str().unwrap_or_default().parse() {
                    Ok(word) => words.push(word),
                    Err(error) => self.fault_at(cell, format!("{field} {error}")),
                }
            }
            rows.push(words);
        }
        rows
    }

    /// Reports a mistake in a field that has been read, at the position of its value.
    pub(crate) fn fault(&mut self, field: &'static str, message: impl Display) {
        let offset = self.table.get(field).map_or(self.place.offset, |value| value.span().start);
        self.notes.fault(SourcePosition { offset, ..self.place }, format!("{field} {message}"));
    }

    fn inner<T>(
        &mut self,
        field: &'static str,
        value: &'s Value<'s>,
        read: impl FnOnce(&mut Block<'s, '_>) -> T,
    ) -> Option<T> {
        let Some(table) = value.get_ref().as_table() else {
            self.fault_at(value, format!("{field} must be a table {{ … }}"));
            return None;
        };
        let place = SourcePosition { offset: value.span().start, ..self.place };
        let mut block = Block::new(table, place, self.notes);
        let read = read(&mut block);
        block.finish();
        Some(read)
    }

    fn both_languages(&mut self, field: &'static str, value: &'s Value<'s>) -> Text {
        let Some(table) = value.get_ref().as_table() else {
            self.fault_at(value, format!("{field} must be {{ en = \"…\", de = \"…\" }}"));
            return Text::default();
        };
        if table.len() > 2 {
            self.fault_at(value, format!("{field} has a language other than en and de"));
        }
        let mut one = |language: &str| {
            let text = table.get(language).and_then(|text| text.get_ref().as_str()).unwrap_or_default();
            if !is_line(text) {
                self.fault_at(value, format!("{field} needs one line of text in {language}"));
            }
            text.into()
        };
        let text = Text { en: one("en"), de: one("de") };
        if let Some(drift) = drift(&text.en, &text.de) {
            self.fault_at(value, format!("{field} {drift}"));
        }
        text
    }

    fn string(&mut self, field: &'static str) -> Option<(&'s str, SourcePosition)> {
        let value = self.required(field)?;
        let place = SourcePosition { offset: value.span().start, ..self.place };
        let text = value.get_ref().as_str().filter(|text| is_line(text));
        if text.is_none() {
            self.fault_at(value, format!("{field} must be one line of text in quotes"));
        }
        text.map(|text| (text, place))
    }

    fn lines(&mut self, field: &'static str) -> Option<Vec<(&'s str, SourcePosition)>> {
        let values = self.items(field)?;
        let mut lines = Vec::with_capacity(values.len());
        for value in values {
            match value.get_ref().as_str().filter(|text| is_line(text)) {
                Some(text) => lines.push((text, SourcePosition { offset: value.span().start, ..self.place })),
                None => self.fault_at(value, format!("{field} must list lines of text in quotes")),
            }
        }
        Some(lines)
    }

    fn items(&mut self, field: &'static str) -> Option<&'s DeArray<'s>> {
        let value = self.required(field)?;
        let array = value.get_ref().as_array();
        if array.is_none() {
            self.fault_at(value, format!("{field} must be a list [ … ]"));
        }
        array
    }

    fn required(&mut self, field: &'static str) -> Option<&'s Value<'s>> {
        let present = self.present(field);
        if !present {
            self.notes.fault(self.place, format!("{field} is missing"));
        }
        self.table.get(field)
    }

    fn present(&mut self, field: &'static str) -> bool {
        let present = self.table.contains_key(field);
        if !self.asked.contains(&field) {
            self.asked.push(field);
            self.found += usize::from(present);
        }
        present
    }

    fn fault_at(&mut self, value: &Value<'_>, message: String) {
        self.notes.fault(SourcePosition { offset: value.span().start, ..self.place }, message);
    }
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.bytes().any(|byte| byte.is_ascii_control())
}
