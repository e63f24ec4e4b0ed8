//! A submitted form: its fields, parsed one by one into domain types, with every violation kept beside its field.

use std::str::FromStr;

use app::Error;
use axum::body::Body;
use domain::{
    change::Change,
    moment::Moment,
    time_zone::TimeZone,
    violation::{Complaint, FieldComplaint, Violations},
    wording::Language,
};
use http::{HeaderMap, header};
use http_body_util::{BodyExt as _, Limited};

use crate::error::PageError;

const MAX_BYTES: usize = 1024 * 1024;

/// Fields as submitted, or as a page fills them in initially.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    pairs: Vec<(String, String)>,
    violations: Violations,
    /// Another user changed the record while this form was filled in.
    overtaken: bool,
    /// The language in which the user writes numbers.
    language: Language,
    /// Whether this is only a part of the fields: what is missing stays as it is, also a box that is not checked.
    part: bool,
}

impl Form {
    pub(crate) async fn read(headers: &HeaderMap, body: Body) -> Result<Self, PageError> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        if kind.split(';').next().unwrap_or("").trim() != "application/x-www-form-urlencoded" {
            return Err(PageError::Malformed);
        }
        let bytes =
            Limited::new(body, MAX_BYTES).collect().await.map_err(|_| PageError::TooLarge)?.to_bytes();
        let pairs = form_urlencoded::parse(&bytes).into_owned().collect();
        Ok(Self { pairs, ..Self::default() })
    }

    /// The same form in the user's language.
    pub(crate) fn spoken(self, language: Language) -> Self {
        Self { language, ..self }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// A form filled with existing values.
    pub(crate) fn filled<'f>(pairs: impl IntoIterator<Item = (&'f str, String)>) -> Self {
        let pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { pairs, ..Self::default() }
    }

    /// This form, completed with the values of another one: a page with several forms gets only one of them back.
    pub(crate) fn or(mut self, other: &Self) -> Self {
        let missing = other.pairs.iter().filter(|(name, _)| !self.is_checked(name));
        let missing: Vec<_> = missing.cloned().collect();
        self.pairs.extend(missing);
        self
    }

    /// All submitted fields except the token.
    pub(crate) fn sent(&self) -> impl Iterator<Item = (&str, &str)> {
        let others = self.pairs.iter().filter(|(name, _)| name != crate::csrf::FIELD);
        others.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The field's value, empty if it was not sent.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or("")
    }

    /// All submitted fields, in order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The form as if these fields had not been sent.
    pub(crate) fn without(mut self, named: impl Fn(&str) -> bool) -> Self {
        self.pairs.retain(|(name, _)| !named(name));
        self
    }

    /// The form with these fields alone, as a change of nothing else.
    pub(crate) fn part(&self, fields: &[&str]) -> Self {
        Self { part: true, ..self.clone().without(|name| !fields.contains(&name)) }
    }

    /// Some values of this form under the names of another one, as a change of nothing else.
    pub(crate) fn part_of(form: &Self, pairs: Vec<(&str, String)>) -> Self {
        Self { part: true, language: form.language, ..Self::filled(pairs) }
    }

    /// Whether fields that are missing stay as they are.
    pub(crate) fn is_part(&self) -> bool {
        self.part
    }

    /// The form with these values of a field in place of those that were sent.
    pub(crate) fn with_all(self, field: &str, values: Vec<String>) -> Self {
        let mut form = self.without(|name| name == field);
        form.pairs.extend(values.into_iter().map(|value| (field.to_owned(), value)));
        form
    }

    /// A box of a form; of a part of a form without it, no change.
    pub(crate) fn box_change(&self, name: &str) -> Change<bool> {
        if self.part && !self.is_checked(name) { Change::Keep } else { Change::Set(self.is_checked(name)) }
    }

    /// Whether this part of a form has none of the fields that begin with this word.
    pub(crate) fn leaves_out(&self, group: &str) -> bool {
        self.part && !self.pairs.iter().any(|(name, _)| name.starts_with(group))
    }

    /// All values sent under one name: checked boxes.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|sent| sent == value)
    }

    /// A box that is sent only when it is checked.
    pub(crate) fn is_checked(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    pub(crate) fn checked<T, E: Into<Complaint>>(
        &mut self,
        name: &str,
        check: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let checked = check(self.value(name).trim());
        self.violations.keep(name, checked)
    }

    pub(crate) fn parse<T: FromStr<Err: Into<Complaint>>>(&mut self, name: &str) -> Option<T> {
        self.checked(name, str::parse)
    }

    /// A field that may stay empty.
    pub(crate) fn parse_optional<T: FromStr<Err: Into<Complaint>>>(&mut self, name: &str) -> Option<T> {
        if self.value(name).trim().is_empty() { None } else { self.parse(name) }
    }

    /// A whole number that converts to `T`.
    pub(crate) fn number<T: TryFrom<i64, Error: Into<Complaint>>>(&mut self, name: &str) -> Option<T> {
        let Ok(number) = self.value(name).trim().parse::<i64>() else {
            self.complain(name, FieldComplaint::NotWhole);
            return None;
        };
        self.violations.keep(name, T::try_from(number))
    }

    /// The change of a field that may be empty; a field that was not sent stays as it is.
    pub(crate) fn change(&self, name: &str) -> Change<String> {
        match self.all(name).next() {
            None => Change::Keep,
            Some(text) if text.trim().is_empty() => Change::Clear,
            Some(text) => Change::Set(text.trim().replace("\r\n", "\n")),
        }
    }

    /// The same for a field that means no change when it is empty.
    pub(crate) fn filled_change(&self, name: &str) -> Change<String> {
        match self.change(name) {
            Change::Clear => Change::Keep,
            change => change,
        }
    }

    /// The same for a field that must not be empty: an empty value is reported.
    pub(crate) fn required_change(&self, name: &str) -> Change<String> {
        match self.change(name) {
            Change::Clear => Change::Set(String::new()),
            change => change,
        }
    }

    /// A local time from a browser's field. One that still equals `before` is not changed, because a field knows a
    /// time only to the minute.
    pub(crate) fn moment(&mut self, zone: &TimeZone, name: &str, before: Option<Moment>) -> Change<String> {
        match self.change(name) {
            Change::Set(text) if before.is_some_and(|before| zone.field(before) == text) => Change::Keep,
            Change::Set(text) => match zone.read(&text) {
                Ok(at) => Change::Set(at.to_string()),
                Err(error) => {
                    self.complain(name, error);
                    Change::Keep
                }
            },
            change => change,
        }
    }

    /// A list, one item per line, in one field or in several of the same name.
    pub(crate) fn lines(&self, name: &str) -> Change<Vec<String>> {
        if !self.is_checked(name) {
            return Change::Keep;
        }
        let lines = self.all(name).flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
        Change::Set(lines.map(str::to_owned).collect())
    }

    /// A number with decimals, with a point or a comma.
    pub(crate) fn decimal(&mut self, name: &str) -> Change<f64> {
        match self.change(name) {
            Change::Keep => Change::Keep,
            Change::Clear => Change::Clear,
            Change::Set(text) => text.replace(',', ".").parse().map_or_else(
                |_| {
                    self.complain(name, FieldComplaint::NotANumber);
                    Change::Keep
                },
                Change::Set,
            ),
        }
    }

    pub(crate) fn complain(&mut self, name: &str, complaint: impl Into<Complaint>) {
        self.violations.add(name, complaint);
    }

    /// What several fields say together; their violations if there are any.
    pub(crate) fn keep_all<T>(&mut self, read: Result<T, Violations>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(found) => {
                self.violations = std::mem::take(&mut self.violations).and(Some(found));
                None
            }
        }
    }

    /// The value, unless there was a violation.
    pub(crate) fn finish<T>(&self, value: Option<T>) -> Result<T, Error> {
        self.violations.clone().or(value).map_err(Error::Invalid)
    }

    /// Keeps violations to show them beside their fields; returns any other error.
    pub(crate) fn refuse(&mut self, error: Error) -> Result<(), PageError> {
        match error {
            Error::Invalid(violations) => {
                self.violations = violations;
                Ok(())
            }
            other => Err(other.into()),
        }
    }

    /// Moves violations to the fields of this form; `place` returns the field and the message.
    pub(crate) fn relocate(&mut self, place: impl Fn(&Self, &str, &Complaint) -> (String, Complaint)) {
        let mut moved = Violations::default();
        for (field, messages) in self.violations.fields() {
            for message in messages {
                let (field, message) = place(self, field, message);
                moved.add(field, message);
            }
        }
        self.violations = moved;
    }

    /// Sets the value of a field.
    pub(crate) fn replace(&mut self, field: &str, value: String) {
        self.pairs.retain(|(name, _)| name != field);
        self.pairs.push((field.to_owned(), value));
    }

    /// Keeps the entries after another user's change, to be saved over it or not; `field` then records that this
    /// newer version was seen.
    pub(crate) fn overtake(&mut self, field: &str, version: String) {
        self.overtaken = true;
        self.replace(field, version);
    }

    pub(crate) fn is_overtaken(&self) -> bool {
        self.overtaken
    }

    pub(crate) fn complaints(&self, name: &str) -> &[Complaint] {
        self.violations.fields().get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn violations(&self) -> &Violations {
        &self.violations
    }
}

#[cfg(test)]
mod tests {
    use domain::{text::Name, threshold::Percent};

    use super::*;

    async fn read(kind: &str, body: &str) -> Result<Form, PageError> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, kind.parse().unwrap())]);
        Form::read(&headers, Body::from(body.to_owned())).await
    }

    fn said(form: &Form, name: &str) -> Vec<String> {
        form.complaints(name).iter().map(ToString::to_string).collect()
    }

    const FORM: &str = "application/x-www-form-urlencoded; charset=utf-8";

    #[tokio::test]
    async fn gathers_every_complaint() {
        let mut form = read(FORM, "name=+&pct=101&events=a&events=b&on=1").await.unwrap();
        let name = form.checked("name", Name::parse);
        let pct: Option<Percent> = form.number("pct");
        let missing: Option<Percent> = form.number("missing");
        assert!(name.is_none() && pct.is_none() && missing.is_none());
        assert_eq!(said(&form, "name"), ["must not be empty"]);
        assert_eq!(said(&form, "pct"), ["must be a whole number from 1 to 100"]);
        assert_eq!(said(&form, "missing"), ["must be a whole number"]);
        assert_eq!(form.all("events").collect::<Vec<_>>(), ["a", "b"]);
        assert!(form.is_checked("on") && !form.is_checked("off"));
        assert!(form.finish(Some(())).is_err());
    }

    #[test]
    fn times_are_local_and_those_that_were_not_touched_stay() {
        let zone = TimeZone::default();
        let entered = |text: &str| Form::filled([("at", text.to_owned())]);
        let read = |text: &str, before: Option<&str>| {
            entered(text).moment(&zone, "at", before.map(|before| before.parse().unwrap()))
        };
        assert_eq!(read("2026-11-14T15:00", None), Change::Set("2026-11-14T14:00:00Z".into()));
        assert_eq!(read("2026-11-14T15:00", Some("2026-11-14T14:00:31.5Z")), Change::Keep);
        assert_eq!(read("2026-10-25T02:30", Some("2026-10-25T00:30:00Z")), Change::Keep);
        assert_eq!(read("", None), Change::Clear);
        for (wrong, part) in [("2026-03-29T02:30", "does not exist"), ("2026-10-25T02:30", "exists twice")] {
            let mut form = entered(wrong);
            assert_eq!(form.moment(&zone, "at", None), Change::Keep);
            assert!(form.complaints("at")[0].to_string().starts_with(part), "{:?}", form.complaints("at"));
        }
    }

    #[tokio::test]
    async fn takes_forms_only_and_of_reasonable_size() {
        assert_eq!(read("application/json", "{}").await.unwrap_err(), PageError::Malformed);
        assert_eq!(read("text/plain", "a=b").await.unwrap_err(), PageError::Malformed);
        assert_eq!(read(FORM, &"x".repeat(MAX_BYTES + 1)).await.unwrap_err(), PageError::TooLarge);
    }
}
