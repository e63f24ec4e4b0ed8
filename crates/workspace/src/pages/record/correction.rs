//! Corrections of what was recorded: how they are shown beside the value, and the form that makes them.

use std::collections::HashMap;

use app::audit::Who;
use domain::{
    change::Change,
    correction::{CorrectedField, Correction, CorrectionInput},
    moment::{Day, Moment},
    text::{Name, Prose},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    texts::correction as texts,
    ui::{
        field::{self, Choice, Field},
        history,
    },
};

/// The labels of the fields that the rules of corrections name.
pub(crate) const NAMES: [(&str, Label); 4] = [
    ("value", texts::VALUE),
    ("reason", texts::REASON),
    ("field", texts::VALUE),
    ("stage", texts::CORRECTION),
];

/// Corrections with the names of who recorded and who corrected.
#[derive(Debug)]
pub(crate) struct Corrections {
    all: Vec<Correction>,
    people: HashMap<String, Who>,
}

impl Corrections {
    /// With the names of further people whose ids the page shows.
    pub(crate) async fn of(
        workspace: &Workspace,
        visit: &Visit,
        all: Vec<Correction>,
        others: Vec<String>,
    ) -> Result<Self, PageError> {
        let named = all.iter().flat_map(|each| each.value.recorded_by.iter().chain([&each.corrected_by]));
        let actors: Vec<String> = named.cloned().chain(others).collect();
        let people = workspace.app.actor_names(visit.caller(), actors).await?;
        Ok(Self { all, people })
    }

    /// The name of an actor.
    pub(crate) fn person(&self, view: &View, actor: &str) -> String {
        history::author(view, self.people.get(actor))
    }

    /// What was corrected at this place, oldest first.
    pub(crate) fn list(&self, view: &View, place: impl Fn(&str) -> bool) -> Markup {
        html! {
            @for each in self.all.iter().filter(|each| place(&each.value.place)) {
                p.hint.correction {
                    strong { (view.t(texts::CORRECTION)) } " " (view.t(each.field.label())) ": "
                    (shown(view, each.value.before.as_deref())) " → " (shown(view, each.value.after.as_deref())) ". "
                    @if let Some(by) = &each.value.recorded_by {
                        (view.fill(texts::FIRST_RECORDED, &[("who", &self.person(view, by))])) " "
                    }
                    (view.fill(texts::CORRECTED_BY, &[
                        ("who", &self.person(view, &each.corrected_by)),
                        ("when", &view.moment(each.corrected_at)),
                        ("reason", &each.reason),
                    ]))
                }
            }
        }
    }
}

/// Days and times in the reader's format; the id of a receipt is shown as a word, its title is beside it.
fn shown(view: &View, value: Option<&str>) -> String {
    let Some(text) = value else { return view.t(texts::NOTHING).to_owned() };
    if let Ok(day) = text.parse::<Day>() {
        return view.day(day);
    }
    match text.parse::<Moment>() {
        Ok(at) => view.moment(at),
        Err(_) if text.parse::<domain::id::EvidenceId>().is_ok() => view.t(texts::A_FILE).to_owned(),
        Err(_) => text.to_owned(),
    }
}

/// The value of a recorded fact now, as the form shows it.
#[derive(Debug, Clone)]
pub(crate) enum Now {
    At(Moment),
    Day(CorrectedField, Day),
    Line(CorrectedField, Option<String>),
    Text(Option<String>),
    Receipt(Option<String>, Vec<Choice>),
}

impl Now {
    fn field(&self) -> CorrectedField {
        match self {
            Self::At(_) => CorrectedField::SubmittedAt,
            Self::Day(field, _) | Self::Line(field, _) => *field,
            Self::Text(_) => CorrectedField::Note,
            Self::Receipt(..) => CorrectedField::Receipt,
        }
    }

    fn filled(&self, view: &View) -> String {
        match self {
            Self::At(at) => field::moment_value(view, Some(*at)),
            Self::Day(_, day) => day.to_string(),
            Self::Line(_, text) | Self::Text(text) | Self::Receipt(text, _) => {
                text.clone().unwrap_or_default()
            }
        }
    }
}

/// The form that corrects a fact. `prefix` keeps the fields of several such forms on one page apart.
pub(crate) fn form(
    visit: &Visit,
    sent: &Form,
    (prefix, action): (&str, &str),
    now: &[Now],
    takes_back: bool,
) -> Markup {
    let name = |field: CorrectedField| format!("{prefix}.{field}");
    let reason = format!("{prefix}.reason");
    let is_sent = sent.is_checked(&reason);
    let values: Vec<_> = now.iter().map(|each| (name(each.field()), each.filled(visit))).collect();
    let before = Form::filled(values.iter().map(|(name, value)| (name.as_str(), value.clone())));
    let form = if is_sent { sent } else { &before };
    html! {
        details.confirm open[is_sent] {
            summary.button { (visit.t(texts::CORRECT)) }
            form.confirm-body method="post" action=(action) {
                (visit.form_token())
                @for each in now { (entry(visit, form, &name(each.field()), each)) }
                (Field::text(visit, form, &reason, texts::REASON).at_most(Prose::MAX).render())
                button.button type="submit" { (visit.t(texts::SAVE)) }
                @if takes_back {
                    p.hint { (visit.t(texts::TAKE_BACK_HELP)) }
                    button.button.danger type="submit" name={ (prefix) ".submitted" } value="false" {
                        (visit.t(texts::TAKE_BACK))
                    }
                }
            }
        }
    }
}

fn entry(visit: &Visit, form: &Form, name: &str, now: &Now) -> Markup {
    let label = now.field().label();
    match now {
        Now::At(_) => Field::moment(visit, form, name, label).render(),
        Now::Day(CorrectedField::PassedOn, _) => {
            Field::day(visit, form, name, label).optional().hint(texts::NOT_PASSED).render()
        }
        Now::Day(..) => Field::day(visit, form, name, label).render(),
        Now::Line(..) => Field::text(visit, form, name, label).optional().at_most(Name::MAX).render(),
        Now::Text(_) => field::area(visit, form, name, label, None),
        Now::Receipt(_, choices) => {
            let choices: Vec<_> = std::iter::once(Choice::new("", visit.t(texts::NOTHING)))
                .chain(choices.iter().cloned())
                .collect();
            field::select(visit, form, name, label, &choices)
        }
    }
}

/// The corrections that a form asks for: one for each field that differs from what is recorded now.
pub(crate) fn inputs(visit: &Visit, form: &mut Form, prefix: &str, now: &[Now]) -> Vec<CorrectionInput> {
    let reason = form.required_change(&format!("{prefix}.reason"));
    let wish = |field: CorrectedField, value: Change<String>| CorrectionInput {
        field: Change::Set(field.to_string()),
        value,
        reason: reason.clone(),
    };
    if form.is_checked(&format!("{prefix}.submitted")) {
        return vec![wish(CorrectedField::Submitted, Change::Clear)];
    }
    let mut inputs = Vec::new();
    for each in now {
        let name = format!("{prefix}.{}", each.field());
        let value = match each {
            Now::At(at) => match form.moment(&visit.zone, &name, Some(*at)) {
                Change::Clear => Change::Set(String::new()),
                change => change,
            },
            _ => form.change(&name),
        };
        let text = match &value {
            Change::Keep => continue,
            Change::Clear => String::new(),
            Change::Set(text) => text.clone(),
        };
        if text != each.filled(visit) {
            inputs.push(wish(each.field(), value));
        }
    }
    // Without any difference the rules say that there is nothing to correct.
    if inputs.is_empty()
        && let Some(first) = now.first()
    {
        let value = match first {
            Now::At(at) => Change::Set(at.to_string()),
            other => Change::Set(other.filled(visit)),
        };
        inputs.push(wish(first.field(), value));
    }
    inputs
}
