//! The profile of the institution: five questions, one by one after the first sign-in or all on one page later.

use app::{pages::Precondition, profile::ProfileRow};
use axum::extract::State;
use domain::{
    change::Change,
    country::Country,
    entity_kind::EntityKind,
    profile::{DoraRegime, ProfileInput, RegimeInput, RegimeSource, Size},
    right::{Resource, Right},
    text::Name,
    wording::{Label, Sentence as _},
};
use maud::{Markup, html};

use super::institution_scope as scope;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, institution as texts, setting},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const QUESTIONS: usize = 5;

const NAMES: [(&str, Label); 20] = [
    ("entity_kind", texts::KIND),
    ("size", texts::SIZE),
    ("significant", texts::SIGNIFICANT),
    ("country", texts::COUNTRY),
    ("time_zone", setting::TIME_ZONE),
    ("currency", setting::CURRENCY_CODE),
    ("legal_name", texts::LEGAL_NAME),
    ("lei", texts::LEI),
    ("authority", texts::AUTHORITY),
    ("nis2_entity", texts::NIS2_ENTITY),
    ("trading_venue_operator", texts::TRADING_VENUE),
    ("relief_excluded_since", texts::RELIEF_EXCLUDED),
    ("regime.value", texts::REGIME),
    ("regime.reason", texts::REGIME_REASON),
    ("roles", texts::ROLES),
    ("tlpt_identified", texts::TLPT),
    ("large_investment_firm", texts::LARGE_FIRM),
    ("npl_from_5_percent", texts::NPL),
    ("real_estate_thresholds", texts::REAL_ESTATE),
    ("small_non_complex", texts::SMALL_NON_COMPLEX),
];

/// The current question, if the guide is in progress.
fn asked(text: Option<String>) -> Option<usize> {
    text?.parse().ok().filter(|number| (1..=QUESTIONS).contains(number))
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let (row, _) = workspace.app.compliance.profile(visit.caller()).await?;
    respond::page(page(&visit, &row, &filled(&row), asked(visit.query("question"))))
}

fn filled(row: &ProfileRow) -> Form {
    let profile = &row.profile;
    let said = |answer: bool| if answer { "yes" } else { "no" }.to_owned();
    let (regime, reason) = match &profile.set_regime {
        Some((regime, reason)) => (regime.to_string(), reason.to_string()),
        None => (String::new(), String::new()),
    };
    Form::filled([
        ("entity_kind", profile.kind.map(|kind| kind.to_string()).unwrap_or_default()),
        ("size", profile.size.map(|size| size.to_string()).unwrap_or_default()),
        ("significant", profile.significant.map(said).unwrap_or_default()),
        ("country", profile.country.map(|country| country.to_string()).unwrap_or_default()),
        ("time_zone", profile.time_zone.to_string()),
        ("currency", profile.currency.to_string()),
        ("legal_name", profile.legal_name.to_string()),
        ("lei", profile.lei.map(|lei| lei.to_string()).unwrap_or_default()),
        ("authority", profile.authority.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("nis2_entity", profile.nis2_entity.map(said).unwrap_or_default()),
        ("trading_venue_operator", profile.trading_venue_operator.map(said).unwrap_or_default()),
        (
            "relief_excluded_since",
            profile.relief_excluded_since.map(|day| day.to_string()).unwrap_or_default(),
        ),
        ("regime.value", regime),
        ("regime.reason", reason),
    ])
    .or(&scope::filled(profile))
}

fn page(visit: &Visit, row: &ProfileRow, form: &Form, question: Option<usize>) -> Markup {
    let t = |label| visit.t(label);
    let body = match question {
        _ if !visit.may(Resource::Profile, Right::Write) => facts(visit, row),
        Some(number) => alone(visit, form, number),
        None => together(visit, row, form),
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (ui::notice::done(visit, &[("saved", texts::SAVED)]))
        (complaints(visit, form, &NAMES))
        (body)
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

/// One question of the guide.
fn alone(visit: &Visit, form: &Form, number: usize) -> Markup {
    let t = |label| visit.t(label);
    let progress = visit.fill(texts::QUESTION_OF, &[("number", &number), ("count", &QUESTIONS)]);
    let (title, help) = heading(number);
    html! {
        (ui::section(t(title), &html! {
            p.hint { (progress) }
            p { (t(help)) }
            form method="post" action=(route::INSTITUTION) {
                (visit.form_token())
                input type="hidden" name="question" value=(number);
                (answer(visit, form, number))
                div.form-end {
                    a.button href=(after(number)) { (t(texts::SKIP)) }
                    button.button.primary type="submit" { (t(texts::CONTINUE)) }
                }
            }
        }))
    }
}

/// The address after a question of the guide.
fn after(number: usize) -> String {
    if number < QUESTIONS {
        format!("{}?question={}", route::INSTITUTION, number + 1)
    } else {
        route::done(route::INSTITUTION, "saved")
    }
}

fn together(visit: &Visit, row: &ProfileRow, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    html! {
        p { a href={ (route::INSTITUTION) "?question=1" } { (t(texts::GUIDE)) } }
        form method="post" action=(route::INSTITUTION) {
            (visit.form_token())
            @for number in 1..=QUESTIONS {
                @let (title, help) = heading(number);
                (ui::section(t(title), &html! { p { (t(help)) } (answer(visit, form, number)) }))
            }
            (ui::section(t(texts::NAMES), &html! {
                p { (t(texts::NAMES_HELP)) }
                (Field::text(visit, form, "legal_name", texts::LEGAL_NAME).at_most(Name::MAX).render())
                (Field::text(visit, form, "lei", texts::LEI).optional().at_most(20).render())
                (Field::text(visit, form, "authority", texts::AUTHORITY).optional().at_most(Name::MAX).render())
            }))
            (scope::questions(visit, form))
            (ui::section(t(texts::RELIEF), &html! {
                p { (t(texts::RELIEF_HELP)) }
                (field::select(visit, form, "nis2_entity", texts::NIS2_ENTITY, &yes_or_no(visit)))
                (field::select(visit, form, "trading_venue_operator", texts::TRADING_VENUE, &yes_or_no(visit)))
                (Field::day(visit, form, "relief_excluded_since", texts::RELIEF_EXCLUDED).optional().render())
            }))
            (ui::section(t(texts::REGIME), &html! {
                (regime(visit, row))
                p { (t(texts::REGIME_HELP)) }
                (field::select(visit, form, "regime.value", texts::REGIME, &open_list(
                    t(texts::FOLLOWS),
                    DoraRegime::ALL.iter().map(|regime| (regime.as_str(), t(regime.label()).to_owned())),
                )))
                (field::area(visit, form, "regime.reason", texts::REGIME_REASON, None))
            }))
            div.form-end { button.button.primary type="submit" { (t(common::SAVE)) } }
        }
    }
}

fn regime(visit: &Visit, row: &ProfileRow) -> Markup {
    let regime = row.profile.regime();
    let value = regime.value.map_or(texts::UNKNOWN, DoraRegime::label);
    let (source, reason) = match regime.because {
        RegimeSource::Derived(reason) => (texts::REGIME_DERIVED, reason.text(visit.language)),
        RegimeSource::Person(reason) => (texts::REGIME_SET, reason.to_string()),
    };
    html! {
        p { strong { (visit.t(value)) } }
        p.hint { (visit.t(source)) " " (reason) }
    }
}

fn heading(number: usize) -> (Label, Label) {
    match number {
        1 => (texts::ASK_KIND, texts::KIND_HELP),
        2 => (texts::ASK_SIZE, texts::SIZE_HELP),
        3 => (texts::ASK_SIGNIFICANT, texts::SIGNIFICANT_HELP),
        4 => (texts::ASK_COUNTRY, texts::COUNTRY_HELP),
        _ => (texts::ASK_ZONE, texts::ZONE_HELP),
    }
}

fn open_list(unknown: &str, words: impl Iterator<Item = (&'static str, String)>) -> Vec<Choice> {
    let first = Choice::new("", unknown.to_owned());
    [first].into_iter().chain(words.map(|(word, text)| Choice::new(word, text))).collect()
}

pub(super) fn yes_or_no(visit: &Visit) -> Vec<Choice> {
    let answers = [("yes", visit.t(common::YES).to_owned()), ("no", visit.t(common::NO).to_owned())];
    open_list(visit.t(texts::UNKNOWN), answers.into_iter())
}

fn answer(visit: &Visit, form: &Form, number: usize) -> Markup {
    let t = |label: Label| visit.t(label).to_owned();
    let unknown = visit.t(texts::UNKNOWN);
    match number {
        1 => {
            let kinds = EntityKind::ALL.iter().map(|kind| (kind.as_str(), t(kind.label())));
            field::select(visit, form, "entity_kind", texts::KIND, &open_list(unknown, kinds))
        }
        2 => {
            let sizes = Size::ALL.iter().map(|size| (size.as_str(), t(size.label())));
            field::select(visit, form, "size", texts::SIZE, &open_list(unknown, sizes))
        }
        3 => field::select(visit, form, "significant", texts::SIGNIFICANT, &yes_or_no(visit)),
        4 => {
            let mut countries: Vec<_> = Country::all().collect();
            countries.sort_by_key(|country| country.label().text(visit.language));
            let choices = countries
                .into_iter()
                .map(|country| Choice::new(country.to_string(), country.named(visit.language)));
            let choices: Vec<_> = [Choice::new("", unknown.to_owned())].into_iter().chain(choices).collect();
            field::select(visit, form, "country", texts::COUNTRY, &choices)
        }
        _ => html! {
            (Field::text(visit, form, "time_zone", setting::TIME_ZONE).hint(setting::TIME_ZONE_HINT).render())
            (Field::text(visit, form, "currency", setting::CURRENCY_CODE)
                .hint(setting::CURRENCY_HINT).at_most(3).render())
        },
    }
}

/// For readers without the right to change it.
fn facts(visit: &Visit, row: &ProfileRow) -> Markup {
    let t = |label| visit.t(label);
    let profile = &row.profile;
    let known = |label: Option<Label>| t(label.unwrap_or(texts::UNKNOWN));
    let yes_no = |significant: bool| if significant { common::YES } else { common::NO };
    html! {
        dl.facts {
            dt { (t(texts::LEGAL_NAME)) } dd { (profile.legal_name.as_str()) }
            dt { (t(texts::KIND)) } dd { (known(profile.kind.map(EntityKind::label))) }
            dt { (t(texts::SIZE)) } dd { (known(profile.size.map(Size::label))) }
            dt { (t(texts::SIGNIFICANT)) } dd { (known(profile.significant.map(yes_no))) }
            dt { (t(texts::COUNTRY)) } dd { (known(profile.country.map(Country::label))) }
            dt { (t(setting::TIME_ZONE)) } dd { (profile.time_zone.as_str()) }
            dt { (t(setting::CURRENCY_CODE)) } dd { (profile.currency.to_string()) }
        }
        (scope::facts(visit, profile))
        (ui::section(t(texts::REGIME), &regime(visit, row)))
        p.hint { (t(texts::READ_ONLY)) }
    }
}

pub(super) async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Profile, Right::Write)?;
    let question = asked(Some(form.value("question").to_owned()));
    let input = input(&form);
    match workspace.app.compliance.change_tenant_profile(visit.caller(), input, Precondition::None).await {
        Ok(_) => {
            let next = question.map_or_else(|| route::done(route::INSTITUTION, "saved"), after);
            respond::go_to(&next)
        }
        Err(error) => {
            form.refuse(error)?;
            let (row, _) = workspace.app.compliance.profile(visit.caller()).await?;
            respond::refused(page(&visit, &row, &form, question))
        }
    }
}

fn input(form: &Form) -> ProfileInput {
    let upper = |change: Change<String>| match change {
        Change::Set(text) => Change::Set(text.to_uppercase()),
        other => other,
    };
    let regime = match form.change("regime.value") {
        Change::Set(value) => {
            Change::Set(RegimeInput { value: Change::Set(value), reason: form.change("regime.reason") })
        }
        Change::Clear => Change::Clear,
        Change::Keep => Change::Keep,
    };
    ProfileInput {
        legal_name: form.required_change("legal_name"),
        lei: upper(form.change("lei")),
        country: form.change("country"),
        entity_kind: form.change("entity_kind"),
        roles: scope::roles(form),
        size: form.change("size"),
        significant: answered(form, "significant"),
        time_zone: form.required_change("time_zone"),
        holidays: Change::Keep,
        currency: upper(form.required_change("currency")),
        authority: form.change("authority"),
        nis2_entity: answered(form, "nis2_entity"),
        trading_venue_operator: answered(form, "trading_venue_operator"),
        relief_excluded_since: form.change("relief_excluded_since"),
        regime,
        tlpt_identified: answered(form, "tlpt_identified"),
        large_investment_firm: answered(form, "large_investment_firm"),
        npl_from_5_percent: answered(form, "npl_from_5_percent"),
        real_estate_thresholds: answered(form, "real_estate_thresholds"),
        small_non_complex: answered(form, "small_non_complex"),
    }
}

fn answered(form: &Form, name: &str) -> Change<bool> {
    match form.change(name) {
        Change::Set(answer) => Change::Set(answer == "yes"),
        Change::Clear => Change::Clear,
        Change::Keep => Change::Keep,
    }
}
