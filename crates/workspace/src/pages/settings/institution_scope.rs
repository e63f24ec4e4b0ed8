//! Roles and single facts of the institution, each with the duties that it decides.

use domain::{
    change::Change,
    entity_kind::OperatorRole,
    profile::{Profile, ScopeFacts},
    wording::Label,
};
use maud::{Markup, html};

use super::institution::yes_or_no;
use crate::{
    extract::Visit,
    form::Form,
    texts::{common, institution as texts},
    ui::{
        self,
        field::{self, Choice},
    },
};

/// The box of an institution that has none of the roles. Without any box the roles follow from the kind of entity.
const NONE: &str = "none";
/// Boxes that are not checked are not sent, so this field says that they were on the page.
const ASKED: &str = "roles_asked";

type Fact = (&'static str, Label, Label, fn(&ScopeFacts) -> Option<bool>);

const FACTS: [Fact; 5] = [
    ("tlpt_identified", texts::TLPT, texts::TLPT_HELP, |facts| facts.tlpt_identified),
    ("small_non_complex", texts::SMALL_NON_COMPLEX, texts::SMALL_NON_COMPLEX_HELP, |facts| {
        facts.small_non_complex
    }),
    ("npl_from_5_percent", texts::NPL, texts::NPL_HELP, |facts| facts.npl_from_5_percent),
    ("real_estate_thresholds", texts::REAL_ESTATE, texts::REAL_ESTATE_HELP, |facts| {
        facts.real_estate_thresholds
    }),
    ("large_investment_firm", texts::LARGE_FIRM, texts::LARGE_FIRM_HELP, |facts| facts.large_investment_firm),
];

/// The stored answers as a form.
pub(super) fn filled(profile: &Profile) -> Form {
    let said = |answer: bool| if answer { "yes" } else { "no" }.to_owned();
    let facts =
        FACTS.iter().map(|(name, _, _, read)| (*name, read(&profile.scope).map(said).unwrap_or_default()));
    let roles = match &profile.roles {
        None => Vec::new(),
        Some(roles) if roles.is_empty() => vec![("roles", NONE.to_owned())],
        Some(roles) => roles.iter().map(|role| ("roles", role.to_string())).collect(),
    };
    Form::filled(facts.chain(roles))
}

pub(super) fn questions(visit: &Visit, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let roles = OperatorRole::ALL.iter().map(|role| Choice::new(role.as_str(), t(role.label())));
    let none = Choice::new(NONE, t(texts::NO_ROLE));
    let choices: Vec<Choice> = roles.chain([none]).collect();
    html! {
        (ui::section(t(texts::ASK_ROLES), &html! {
            p { (t(texts::ROLES_HELP)) }
            input type="hidden" name=(ASKED) value="yes";
            (field::choices(visit, form, "roles", texts::ROLES, true, &choices))
        }))
        (ui::section(t(texts::SCOPE), &html! {
            p { (t(texts::SCOPE_HELP)) }
            @for (name, label, help, _) in FACTS {
                (field::select(visit, form, name, label, &yes_or_no(visit)))
                p.hint { (t(help)) }
            }
        }))
    }
}

/// For readers without the right to change them.
pub(super) fn facts(visit: &Visit, profile: &Profile) -> Markup {
    let t = |label| visit.t(label);
    let word = |answer: Option<bool>| match answer {
        None => texts::UNKNOWN,
        Some(true) => common::YES,
        Some(false) => common::NO,
    };
    let roles = match &profile.roles {
        None => t(texts::UNKNOWN).to_owned(),
        Some(roles) if roles.is_empty() => t(texts::NO_ROLE).to_owned(),
        Some(roles) => roles.iter().map(|role| t(role.label())).collect::<Vec<_>>().join(", "),
    };
    html! {
        dl.facts {
            dt { (t(texts::ROLES)) } dd { (roles) }
            @for (_, label, _, read) in FACTS {
                dt { (t(label)) } dd { (t(word(read(&profile.scope)))) }
            }
        }
    }
}

/// The roles that were checked, if the page asked for them.
pub(super) fn roles(form: &Form) -> Change<Vec<String>> {
    if !form.is_checked(ASKED) {
        return Change::Keep;
    }
    let checked: Vec<String> = form.all("roles").map(str::to_owned).collect();
    if checked.is_empty() {
        return Change::Clear;
    }
    Change::Set(checked.into_iter().filter(|role| role != NONE).collect())
}
