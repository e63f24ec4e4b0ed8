//! The form of an assessment: the institution's own answer to a requirement.

use app::{assessment::AssessmentView, catalogue::framework::Requirement};
use domain::{
    assessment::{Assessment, AssessmentInput, AssessmentStatus},
    change::Change,
    field::{self as fields, Fields as _},
    wording::Label,
};
use maud::{Markup, html};

use super::address_of;
use crate::{
    extract::{View, Visit},
    form::Form,
    pages::record,
    texts::{assessment as texts, common},
    ui::{
        field::{self, Choice, Field},
        notice::complaints_of,
    },
};

/// What the pages ask for besides the fields of an assessment.
const OTHERS: [(&str, Label); 4] = [
    ("reason", texts::REASON),
    ("assessment", texts::OWN_WORD),
    ("from", texts::RELATED),
    ("requirements", texts::REQUIREMENT),
];

pub(super) fn label_of(field: &str) -> Option<Label> {
    let known = fields::find(Assessment::ALL, field).map(|known| known.label);
    known.or_else(|| OTHERS.into_iter().find(|(name, _)| *name == field).map(|(_, label)| label))
}

pub(super) fn complaints(view: &View, form: &Form) -> Markup {
    complaints_of(view, form, |field| label_of(field).map(|label| view.t(label).to_owned()))
}

const MATURITY: [Label; 5] =
    [texts::MATURITY_0, texts::MATURITY_1, texts::MATURITY_2, texts::MATURITY_3, texts::MATURITY_4];

pub(super) fn own_word(
    visit: &Visit,
    form: &Form,
    requirement: &Requirement,
    view: &AssessmentView,
) -> Markup {
    let t = |label| visit.t(label);
    let states: Vec<Choice> = field::words::<AssessmentStatus>(visit);
    let mut levels = vec![Choice::new("", t(texts::NO_MATURITY))];
    levels
        .extend((0..).zip(MATURITY).map(|(level, label): (u8, _)| Choice::new(level.to_string(), t(label))));
    let word = t(if view.by_profile { common::YES } else { common::NO });
    let against = if view.by_profile { ("false", texts::AGAINST_NO) } else { ("true", texts::AGAINST_YES) };
    let applies = [
        Choice::new("", visit.fill(texts::BY_PROFILE, &[("word", &word)])),
        Choice::new(against.0, t(against.1)),
    ];
    html! {
        form.card method="post" action=(address_of(requirement)) {
            h2 { (t(texts::OWN_WORD)) }
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (field::select(visit, form, "status", Assessment::STATUS.label, &states))
            (field::select(visit, form, "maturity", Assessment::MATURITY.label, &levels))
            (field::area(visit, form, "rationale", Assessment::RATIONALE.label, Some(texts::RATIONALE_HINT)))
            (Field::person(visit, form, "owner", Assessment::OWNER.label).render())
            (Field::day(visit, form, "due_on", Assessment::DUE_ON.label).optional().render())
            (Field::day(visit, form, "next_review_on", Assessment::NEXT_REVIEW_ON.label).optional().render())
            (field::select(visit, form, "applies", texts::APPLIES_WORD, &applies))
            (Field::text(visit, form, "applies_reason", Assessment::APPLIES_REASON.label).optional().render())
            (Field::text(visit, form, "reason", texts::REASON).optional().render())
            div.form-end {
                button.button.primary type="submit" { (t(common::SAVE)) }
                button.button type="submit" name="then" value="next" { (t(texts::SAVE_NEXT)) }
            }
        }
    }
}

pub(super) fn filled(view: &AssessmentView, validator: String) -> Form {
    let said = &view.row.assessment;
    let text = |text: Option<String>| text.unwrap_or_default();
    Form::filled([
        (record::SEEN, validator),
        ("status", said.status.to_string()),
        ("maturity", text(said.maturity.map(|level| level.to_string()))),
        ("rationale", text(said.rationale.as_ref().map(ToString::to_string))),
        ("owner", text(said.owner.as_ref().map(ToString::to_string))),
        ("due_on", text(said.due_on.map(|day| day.to_string()))),
        ("next_review_on", text(said.next_review_on.map(|day| day.to_string()))),
        ("applies", text(said.applies.as_ref().map(|word| word.applies.to_string()))),
        ("applies_reason", text(said.applies.as_ref().map(|word| word.reason.to_string()))),
    ])
}

pub(super) fn input(form: &mut Form) -> AssessmentInput {
    let applies = match form.value("applies") {
        "true" => Change::Set(true),
        "false" => Change::Set(false),
        _ => Change::Clear,
    };
    let overridden = matches!(applies, Change::Set(_));
    AssessmentInput {
        status: form.filled_change("status"),
        applies,
        applies_reason: if overridden { form.change("applies_reason") } else { Change::Keep },
        maturity: form.decimal("maturity"),
        rationale: form.change("rationale"),
        owner: form.change("owner"),
        due_on: form.change("due_on"),
        next_review_on: form.change("next_review_on"),
        reason: form.filled_change("reason"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_maturity_has_a_name_that_begins_with_its_number() {
        for (level, label) in MATURITY.iter().enumerate() {
            assert!(label.en.starts_with(&level.to_string()) && label.de.starts_with(&level.to_string()));
        }
    }
}
