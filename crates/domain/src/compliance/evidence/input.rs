//! The input of evidence, and the rules that turn it into evidence.

use super::{Evidence, EvidenceComplaint, EvidenceFile, KEPT_YEARS};
use crate::{
    change::{Change, Fields},
    moment::Day,
    text::Name,
    violation::{FieldComplaint, FieldName, Violations},
};

/// The longest address.
const MAX_URL: usize = 2000;

/// The input of evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceInput {
    pub title: Change<String>,
    pub kind: Change<String>,
    pub description: Change<String>,
    pub url: Change<String>,
    pub collected_on: Change<String>,
    pub valid_until: Change<String>,
    pub keep_until: Change<String>,
    pub keep_because: Change<String>,
    pub owner: Change<String>,
}

/// Whether the catalogue has a kind of evidence.
pub type KnownKind<'a> = &'a (dyn Fn(&str) -> bool + Sync);

impl EvidenceInput {
    /// New evidence. Its title is the name of the file unless the caller gives one.
    pub fn create(
        &self,
        file: Option<EvidenceFile>,
        uploaded_by: &str,
        today: Day,
        is_kind: KnownKind<'_>,
    ) -> Result<Evidence, Violations> {
        self.read(None, file, uploaded_by, today, is_kind)
    }

    /// The evidence after this change.
    pub fn change(
        &self,
        current: &Evidence,
        today: Day,
        is_kind: KnownKind<'_>,
    ) -> Result<Evidence, Violations> {
        self.read(Some(current), current.file.clone(), &current.uploaded_by, today, is_kind)
    }

    fn read(
        &self,
        current: Option<&Evidence>,
        file: Option<EvidenceFile>,
        uploaded_by: &str,
        today: Day,
        is_kind: KnownKind<'_>,
    ) -> Result<Evidence, Violations> {
        let mut fields = Fields::default();
        let named = file.as_ref().and_then(|file| Name::fitted(file.name.as_str()));
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()).or(named), |text| {
                Name::parse(text)
            });
        let kind = fields.optional("kind", &self.kind, of(current, |c| &c.kind), |id| {
            if is_kind(id) { Ok(id.clone()) } else { Err(EvidenceComplaint::NoKind) }
        });
        let description = fields.prose("description", &self.description, of(current, |c| &c.description));
        let url = fields.optional("url", &self.url, of(current, |c| &c.url), |text| address(text));
        if file.is_none() && url.is_none() && !matches!(self.url, Change::Set(_)) {
            fields.refuse("file", EvidenceComplaint::NothingToShow);
        }
        let collected_on = self.read_collected_on(&mut fields, current, today);
        let valid_until = self.read_valid_until(&mut fields, current, collected_on);
        let (keep_until, keep_because) = self.read_keeping(&mut fields, current, collected_on);
        let owner = fields.line("owner", &self.owner, of(current, |c| &c.owner));
        let build = || {
            Some(Evidence {
                title: title?,
                kind,
                description,
                file,
                url,
                collected_on: collected_on?,
                valid_until,
                keep_until: keep_until?,
                keep_because,
                owner,
                uploaded_by: uploaded_by.to_owned(),
            })
        };
        fields.finish(build())
    }

    /// In the sender's time zone it may already be tomorrow.
    fn read_collected_on(&self, fields: &mut Fields, current: Option<&Evidence>, today: Day) -> Option<Day> {
        let before = Some(current.map_or(today, |c| c.collected_on));
        let day = fields.required("collected_on", &self.collected_on, before, |text| text.parse::<Day>())?;
        if day > today.plus_days(1) {
            fields.refuse("collected_on", FieldComplaint::NotInTheFuture);
        }
        Some(day)
    }

    fn read_valid_until(
        &self,
        fields: &mut Fields,
        current: Option<&Evidence>,
        collected_on: Option<Day>,
    ) -> Option<Day> {
        let before = of(current, |c| &c.valid_until);
        let day = fields.optional("valid_until", &self.valid_until, before, |text| text.parse::<Day>())?;
        if let Some(collected) = collected_on.filter(|collected| day < *collected) {
            let field = FieldName::CollectedOn;
            fields.refuse("valid_until", FieldComplaint::Before { field, day: collected });
        }
        Some(day)
    }

    /// The retention can be extended, never shortened.
    fn read_keeping(
        &self,
        fields: &mut Fields,
        current: Option<&Evidence>,
        collected_on: Option<Day>,
    ) -> (Option<Day>, Option<Name>) {
        let usual = collected_on.map(|day| day.plus_years(KEPT_YEARS));
        let before = current.map(|c| c.keep_until);
        let day = match &self.keep_until {
            Change::Set(text) => {
                fields.required("keep_until", &Change::Set(text.clone()), None, |text| text.parse::<Day>())
            }
            change => fields.required("keep_until", change, before.or(usual), |text| text.parse::<Day>()),
        };
        if let (Some(day), Some(before)) = (day, before)
            && day < before
        {
            fields.refuse("keep_until", EvidenceComplaint::KeptShorter { day: before });
        }
        let said = of(current, |c| &c.keep_because);
        (day, fields.line("keep_because", &self.keep_because, said))
    }
}

/// A URL that is shown as a link. Schemes other than http and https could run code.
fn address(text: &str) -> Result<String, EvidenceComplaint> {
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    let is_plain = text.chars().count() <= MAX_URL
        && !text
            .chars()
            .any(|letter| letter.is_whitespace() || letter.is_control() || "\"<>\\^`{|}".contains(letter));
    match rest {
        Some(rest) if is_plain && rest.starts_with(|first: char| first.is_alphanumeric() || first == '[') => {
            Ok(text.to_owned())
        }
        _ => Err(EvidenceComplaint::NotAnAddress),
    }
}

fn of<T: Clone>(current: Option<&Evidence>, field: impl Fn(&Evidence) -> &Option<T>) -> Option<T> {
    current.and_then(|current| field(current).clone())
}
