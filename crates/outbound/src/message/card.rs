//! A message in one language, for any medium.
//!
//! Every text here is clean (one line, no control characters) but not escaped: each medium does that.

use domain::{
    event::EventKind,
    tone::Tone,
    vocabulary::{Severity, Vocabulary as _},
};

use super::{
    notice::{Content, Digest, Notice, SwitchOff},
    text::clean,
    words::Words,
};

#[derive(Debug)]
pub(super) struct Card {
    /// The event in a few words of our own.
    pub(super) heading: String,
    /// An explanation of our own.
    pub(super) note: Option<&'static str>,
    /// The reference of the record, where it has one.
    pub(super) reference: Option<String>,
    /// The title of the record, typed by a user.
    pub(super) title: Option<String>,
    pub(super) facts: Vec<Fact>,
    /// The first lines of a digest, at most as many as any medium shows.
    pub(super) items: Vec<Item>,
    /// The total number of lines of the digest.
    pub(super) total: usize,
    pub(super) link: Link,
    /// Kind, id and time of the event, so that a repeated message can be recognised.
    pub(super) footer: String,
    /// The event's id, where the message is about one event.
    pub(super) event: Option<String>,
    pub(super) tone: Tone,
}

#[derive(Debug)]
pub(super) struct Fact {
    pub(super) label: &'static str,
    pub(super) value: String,
}

/// One line of a digest.
#[derive(Debug)]
pub(super) struct Item {
    /// The event's id, so that a repeated message can be recognised.
    pub(super) event: String,
    pub(super) occurred_at: String,
    pub(super) reference: String,
    pub(super) title: String,
    pub(super) detail: String,
    pub(super) url: String,
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) label: &'static str,
    pub(super) url: String,
}

/// The most lines of a digest that any medium shows.
pub(super) const MAX_ITEMS: usize = 50;

impl Card {
    pub(super) fn new(content: &Content<'_>, language: Words) -> Self {
        match content {
            Content::Event(notice) => event(notice, language),
            Content::Digest(notices) => digest(notices, language),
            Content::SwitchOff(switched) => switch_off(switched, language),
        }
    }

    /// The message in one line: the subject of a mail, the text of a notification.
    pub(super) fn summary(&self) -> String {
        let named: Vec<_> =
            [self.reference.as_deref(), self.title.as_deref()].into_iter().flatten().collect();
        if named.is_empty() { self.heading.clone() } else { format!("{}: {}", self.heading, named.join(" ")) }
    }
}

fn event(notice: &Notice, language: Words) -> Card {
    let left = notice.deadline.as_ref().map(|near| near.due.left(notice.occurred_at, &notice.time_zone));
    let happened = language.happened(notice.kind, left);
    let heading = if notice.test { format!("{}: {happened}", language.test_prefix()) } else { happened };
    Card {
        heading,
        note: notice.test.then(|| language.test_note()),
        reference: notice.record.reference.as_deref().map(clean),
        title: Some(clean(&notice.record.title)),
        facts: facts(notice, language),
        items: vec![],
        total: 0,
        link: Link {
            label: language.pick("Open in Tidewall", "In Tidewall öffnen"),
            url: notice.record.url.clone(),
        },
        footer: format!("{} · {} · {}", notice.kind, notice.event, notice.occurred_at),
        event: Some(notice.event.to_string()),
        tone: tone(notice.severity.as_deref()),
    }
}

fn facts(notice: &Notice, language: Words) -> Vec<Fact> {
    let deadline = notice.deadline.as_ref();
    let severity = notice.severity.as_deref().map(|severity| language.severity(severity));
    let due = deadline.map(|deadline| language.due(deadline.due, &notice.time_zone));
    let rule_book = notice.rule_book.as_deref();
    let stage =
        deadline.and_then(|deadline| deadline.stage.as_deref()).map(|stage| language.stage(stage, rule_book));
    let fact = |labels: (&'static str, &'static str), value: Option<String>| {
        value.map(|value| Fact { label: language.pick(labels.0, labels.1), value })
    };
    // Other headings name the kind of record themselves.
    let unnamed = notice.kind == EventKind::DeadlineApproaching;
    let record = unnamed.then(|| notice.record.called.text(language.0).to_owned());
    [
        fact(("Record", "Eintrag"), record),
        fact(("Reference", "Referenz"), notice.record.reference.as_deref().map(clean)),
        fact(("Status", "Status"), change(notice, language)),
        fact(("Severity", "Schweregrad"), severity),
        fact(("Regime", "Regelwerk"), rule_book.map(|code| language.rule_book(code))),
        fact(("Stage", "Stufe"), stage),
        fact(("Due", "Fällig"), due),
        fact(("Owner", "Verantwortlich"), notice.owner.as_deref().map(clean)),
        fact(("Organisation", "Organisation"), Some(clean(&notice.tenant))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn change(notice: &Notice, language: Words) -> Option<String> {
    let change = notice.change.as_ref()?;
    let status = |code: &str| language.status(notice.kind, code);
    let to = status(&change.to);
    Some(match &change.from {
        Some(from) => format!("{} → {to}", status(from)),
        None => to,
    })
}

fn digest(digest: &Digest<'_>, language: Words) -> Card {
    let occurred = digest.notices.iter().map(|notice| notice.occurred_at);
    let span = match (occurred.clone().min(), occurred.max()) {
        (Some(first), Some(last)) if first < last => format!(" · {first} – {last}"),
        (Some(only), _) => format!(" · {only}"),
        _ => String::new(),
    };
    Card {
        heading: language.happened_often(digest.kind, digest.notices.len()),
        note: None,
        reference: None,
        title: None,
        facts: vec![Fact {
            label: language.pick("Organisation", "Organisation"),
            value: clean(digest.tenant),
        }],
        items: digest.notices.iter().take(MAX_ITEMS).map(|notice| item(notice, language)).collect(),
        total: digest.notices.len(),
        link: Link {
            label: language.pick("See all in Tidewall", "Alle in Tidewall ansehen"),
            url: digest.url.to_owned(),
        },
        footer: format!("{}{span}", digest.kind),
        event: None,
        tone: tone(worst(digest.notices)),
    }
}

fn item(notice: &Notice, language: Words) -> Item {
    let severity = notice.severity.as_deref().map(|severity| language.severity(severity));
    let due = notice.deadline.as_ref().map(|deadline| language.due(deadline.due, &notice.time_zone));
    let owner = notice.owner.as_deref().filter(|_| notice.kind == EventKind::DeadlineApproaching).map(clean);
    let detail: Vec<_> = [change(notice, language), severity, due, owner].into_iter().flatten().collect();
    let reference = notice.record.reference.as_deref().map(clean);
    Item {
        event: notice.event.to_string(),
        occurred_at: notice.occurred_at.to_string(),
        reference: reference.unwrap_or_else(|| notice.record.called.text(language.0).to_owned()),
        title: clean(&notice.record.title),
        detail: detail.join(" · "),
        url: notice.record.url.clone(),
    }
}

fn switch_off(switched: &SwitchOff, language: Words) -> Card {
    Card {
        heading: language.switched_off().to_owned(),
        note: Some(language.switch_off_note(switched.reason)),
        reference: None,
        title: Some(clean(&switched.webhook)),
        facts: vec![Fact {
            label: language.pick("Organisation", "Organisation"),
            value: clean(&switched.tenant),
        }],
        items: vec![],
        total: 0,
        link: Link { label: language.pick("Open the webhook", "Webhook öffnen"), url: switched.url.clone() },
        footer: switched.at.to_string(),
        event: None,
        tone: Tone::Warning,
    }
}

/// The urgency of a message about a record of this severity.
fn tone(severity: Option<&str>) -> Tone {
    severity.and_then(Severity::find).map_or(Tone::Neutral, Severity::tone)
}

fn worst(notices: &[Notice]) -> Option<&'static str> {
    let severities = notices.iter().filter_map(|notice| notice.severity.as_deref().and_then(Severity::find));
    severities.min().map(Severity::as_str)
}
