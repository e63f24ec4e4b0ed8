//! Settings of the institution: the thresholds of its concentration risk, its language, currency and time zone, the
//! classification of its reports, the lead times of deadlines, who must have a second factor, the types of evidence files,
//! the domains of its mail addresses, and a test of mail.

mod due_days;
mod identity_provider;
mod institution;
mod institution_scope;
mod key_life;
mod key_policy;
mod lead_time;
mod lists;
mod mail;
mod rates;
mod reading;
mod second_factor;
mod tabs;

use app::{
    exchange_rate::RatesRow, lead_time::ChosenLeads, mail::MailState, pages::Precondition, tenant::TenantRow,
    threshold::ThresholdsRow,
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    currency::Currency,
    due_days::DueDays,
    evidence::FileTypes,
    key_policy::KeyPolicy,
    mail_domain::MailDomains,
    right::{Resource, Right},
    threshold::{Percent, ReviewDays, ThresholdsPatch},
    user::SecondFactorPolicy,
    wording::{Label, Language},
};
use maud::{Markup, html};

use self::tabs::Tab;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, custom_field, institution as institution_texts, own_risk, profile, setting as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        notice::complaints,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::SETTINGS, get(show).post(change))
        .route(route::INSTITUTION, get(institution::show).post(institution::change))
        .route(&format!("{}/language", route::SETTINGS), post(change_language))
        .route(&format!("{}/currency", route::SETTINGS), post(change_currency))
        .route(&format!("{}/rates", route::SETTINGS), post(rates::change))
        .route(&format!("{}/due-days", route::SETTINGS), post(due_days::change))
        .route(&format!("{}/time-zone", route::SETTINGS), post(reading::change_time_zone))
        .route(&format!("{}/classification", route::SETTINGS), post(reading::change_classification))
        .route(&format!("{}/key-life", route::SETTINGS), post(key_life::change))
        .route(&format!("{}/key-policy", route::SETTINGS), post(key_policy::change))
        .route(&format!("{}/lead-times", route::SETTINGS), post(lead_time::change))
        .route(&format!("{}/evidence-types", route::SETTINGS), post(lists::change_types))
        .route(&format!("{}/mail-domains", route::SETTINGS), post(lists::change_domains))
        .route(&format!("{}/second-factor", route::SETTINGS), post(second_factor::change))
        .route(route::SIGN_IN_SETTINGS, get(identity_provider::show).post(identity_provider::change))
        .route(&format!("{}/check", route::SIGN_IN_SETTINGS), post(identity_provider::check))
        .route(&format!("{}/remove", route::SIGN_IN_SETTINGS), post(identity_provider::remove))
        .route(&format!("{}/mail-test", route::SETTINGS), post(mail::test))
        .route(&format!("{}/mail-titles", route::SETTINGS), post(mail::change_titles))
}

const PERCENTS: [(&str, Label); 4] = [
    ("provider_concentration_pct", texts::PROVIDER),
    ("sector_concentration_pct", texts::SECTOR),
    ("regional_concentration_pct", texts::REGIONAL),
    ("technology_concentration_pct", texts::TECHNOLOGY),
];
const REVIEW: &str = "review_frequency_days";

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Settings, Right::Read)?;
    let (row, _) = workspace.app.third_parties.thresholds(visit.caller()).await?;
    respond::page(page(&visit, &row, &filled(&row), &Settings::read(&workspace, &visit).await?))
}

/// The content of the page besides the thresholds.
struct Settings {
    tenant: TenantRow,
    currency: Currency,
    rates: Option<RatesRow>,
    leads: ChosenLeads,
    due_days: DueDays,
    key_days: Option<i64>,
    evidence_types: FileTypes,
    mail_domains: MailDomains,
    key_policy: KeyPolicy,
    mail: MailState,
    titles_in_mail: bool,
    second_factor: SecondFactorPolicy,
}

impl Settings {
    async fn read(workspace: &Workspace, visit: &Visit) -> Result<Self, PageError> {
        Ok(Self {
            tenant: workspace.app.tenant_of(visit.caller()).await?,
            currency: workspace.app.people.currency(visit.caller()).await?,
            rates: workspace.app.third_parties.exchange_rates(visit.caller()).await?,
            leads: workspace.app.messages.lead_times(visit.caller()).await?,
            due_days: workspace.app.resilience.due_days(visit.caller()).await?,
            key_days: workspace.app.people.key_days(visit.caller()).await?,
            evidence_types: workspace.app.compliance.evidence_types(visit.caller()).await?,
            mail_domains: workspace.app.messages.mail_domains(visit.caller()).await?,
            key_policy: workspace.app.people.key_policy(visit.caller()).await?,
            mail: workspace.app.operations.mail_state().await?,
            titles_in_mail: workspace.app.messages.titles_in_mail(visit.caller()).await?,
            second_factor: workspace.app.people.second_factor_policy(visit.caller()).await?,
        })
    }
}

fn filled(row: &ThresholdsRow) -> Form {
    let thresholds = row.thresholds;
    let values = [thresholds.provider, thresholds.sector, thresholds.regional, thresholds.technology];
    let mut pairs: Vec<_> =
        PERCENTS.iter().zip(values).map(|((name, _), value)| (*name, value.get().to_string())).collect();
    pairs.push((REVIEW, thresholds.review_frequency.get().to_string()));
    if thresholds.enabled {
        pairs.push(("enabled", "1".into()));
    }
    Form::filled(pairs)
}

fn page(visit: &Visit, row: &ThresholdsRow, form: &Form, settings: &Settings) -> Markup {
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Thresholds, Right::Write);
    let others = [
        (REVIEW, texts::REVIEW),
        ("currency", texts::CURRENCY),
        ("time_zone", texts::TIME_ZONE),
        ("classification", texts::CLASSIFICATION),
        (key_life::FIELD, texts::KEY_DAYS),
    ];
    let others = others.into_iter().chain(rates::NAMES).chain(lead_time::NAMES).chain(due_days::NAMES);
    let names: Vec<_> = PERCENTS.into_iter().chain(others).chain(lists::NAMES).collect();
    let intro = visit.fill(texts::INTRO, &[("tenant", &visit.session().tenant_name)]);
    let thresholds = if may_write { ask(visit, form) } else { facts(visit, row) };
    let tab = Tab::chosen(visit, form);
    let content = html! {
        (ui::head(t(texts::TITLE), &intro, None))
        (ui::notice::done(visit, &[
            ("saved", texts::WAS_SAVED),
            ("language", texts::LANGUAGE_SAVED),
            ("currency", texts::CURRENCY_SAVED),
            ("rates", texts::RATES_SAVED),
            ("time-zone", texts::TIME_ZONE_SAVED),
            ("classification", texts::CLASSIFICATION_SAVED),
            ("leads", texts::LEADS_SAVED),
            ("due-days", texts::DUE_SAVED),
            ("key-life", texts::KEYS_SAVED),
            ("evidence-types", texts::EVIDENCE_TYPES_SAVED),
            ("mail-domains", texts::MAIL_DOMAINS_SAVED),
            ("key-policy", texts::KEY_POLICY_SAVED),
            ("mail-test", texts::MAIL_TEST_SENT),
            ("mail-titles", texts::MAIL_TITLES_SAVED),
            ("second-factor", texts::FACTOR_SAVED),
        ]))
        (complaints(visit, form, &names))
        (tab.bar(visit))
        (tab.panel(Tab::Institution, &html! {
            (ui::section(t(institution_texts::TITLE), &html! {
                p { (t(institution_texts::INTRO)) }
                div.row { (ui::link_button(route::INSTITUTION, t(institution_texts::TITLE), false)) }
            }))
            (ui::section(t(texts::LANGUAGE), &language_part(visit, settings.tenant.language)))
            (ui::section(t(texts::TIME_ZONE), &reading::time_zone_part(visit, form, &settings.tenant)))
            (ui::section(t(texts::CLASSIFICATION), &reading::classification_part(visit, form, &settings.tenant)))
            (ui::section(t(texts::CURRENCY), &currency_part(visit, form, settings.currency)))
            (ui::section(t(texts::RATES), &rates::part(visit, form, settings.currency, settings.rates.as_ref())))
            (ui::section(t(custom_field::TITLE), &html! {
                p { (t(custom_field::INTRO)) }
                div.row { (ui::link_button(route::OWN_FIELDS, t(custom_field::TITLE), false)) }
            }))
            (ui::section(t(texts::PERSONAL), &html! {
                p { (t(texts::PERSONAL_HELP)) }
                div.row { (ui::link_button(route::PROFILE, t(texts::TO_PROFILE), false)) }
            }))
        }))
        (tab.panel(Tab::Limits, &html! {
            (ui::section(t(texts::THRESHOLDS), &html! {
                p { (t(texts::THRESHOLDS_HELP)) }
                (thresholds)
                p.hint { (t(texts::LAST_CHANGED)) ": " (visit.time_or_never(row.updated_at)) }
            }))
            (ui::section(t(own_risk::APPETITE), &html! {
                p { (t(own_risk::APPETITE_INTRO)) }
                div.row { (ui::link_button(route::RISK_APPETITE, t(own_risk::APPETITE), false)) }
            }))
            (ui::section(t(texts::LEADS), &lead_time::part(visit, form, &settings.leads)))
            (ui::section(t(texts::DUE), &due_days::part(visit, form, &settings.due_days)))
        }))
        (tab.panel(Tab::Access, &html! {
            (ui::section(t(texts::FACTOR), &second_factor::part(visit, settings.second_factor)))
            (identity_provider::part(visit))
            (ui::section(t(texts::KEYS), &key_life::part(visit, form, settings.key_days)))
            (ui::section(t(texts::KEY_POLICY), &key_policy::part(visit, settings.key_policy)))
        }))
        (tab.panel(Tab::Mail, &html! {
            (ui::section(t(texts::MAIL), &mail::part(visit, settings.mail)))
            (ui::section(t(texts::MAIL_TITLES_HEADING), &mail::titles(visit, settings.titles_in_mail)))
            (ui::section(t(texts::MAIL_DOMAINS), &lists::domains_part(visit, form, &settings.mail_domains)))
            (ui::section(t(texts::EVIDENCE_TYPES), &lists::types_part(visit, form, &settings.evidence_types)))
        }))
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

/// The language of the institution's messages.
fn language_part(visit: &Visit, language: Language) -> Markup {
    let named = |language: Language| match language {
        Language::English => visit.t(profile::LANGUAGE_EN),
        Language::German => visit.t(profile::LANGUAGE_DE),
    };
    let form = Form::filled([("language", language.to_string())]);
    let choices = Language::ALL.map(|language| Choice::new(language.as_str(), named(language)));
    html! {
        p { (visit.t(texts::LANGUAGE_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/language" } {
                (visit.form_token())
                (field::select(visit, &form, "language", profile::LANGUAGE, &choices))
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (named(language)) } } }
    }
}

async fn change_language(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    let language: Option<Language> = form.parse("language");
    workspace.app.people.set_language(visit.caller(), form.finish(language)?).await?;
    respond::go_to(&route::done(route::SETTINGS, "language"))
}

/// The currency of analyses.
fn currency_part(visit: &Visit, form: &Form, currency: Currency) -> Markup {
    let form = if form.value("currency").is_empty() {
        &Form::filled([("currency", currency.to_string())])
    } else {
        form
    };
    html! {
        p { (visit.t(texts::CURRENCY_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/currency" } {
                (visit.form_token())
                (Field::text(visit, form, "currency", texts::CURRENCY_CODE).hint(texts::CURRENCY_HINT).at_most(3).render())
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (currency.to_string()) } } }
    }
}

async fn change_currency(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    let currency = form.checked("currency", |text| text.to_uppercase().parse::<Currency>());
    match form.finish(currency) {
        Ok(currency) => {
            workspace.app.people.set_currency(visit.caller(), currency).await?;
            respond::go_to(&route::done(route::SETTINGS, "currency"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}

/// The page again with the entries of one of its smaller forms, and their violations.
async fn refused(workspace: &Workspace, visit: &Visit, mut form: Form, error: app::Error) -> Answer {
    form.refuse(error)?;
    let (row, _) = workspace.app.third_parties.thresholds(visit.caller()).await?;
    let (form, settings) = (form.or(&filled(&row)), Settings::read(workspace, visit).await?);
    respond::refused(page(visit, &row, &form, &settings))
}

fn ask(visit: &Visit, form: &Form) -> Markup {
    html! {
        form method="post" action=(route::SETTINGS) {
            (visit.form_token())
            div.columns {
                @for (name, label) in PERCENTS {
                    (Field::number(visit, form, name, label, (Percent::MIN, Percent::MAX))
                        .hint(texts::PERCENT_HINT).render())
                }
                (Field::number(visit, form, REVIEW, texts::REVIEW, (ReviewDays::MIN, ReviewDays::MAX))
                    .hint(texts::REVIEW_HINT).render())
            }
            (field::switch(visit, form, "enabled", texts::ENABLED, Some(texts::ENABLED_HELP)))
            div.form-end { button.button.primary type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

/// For readers without the right to change it.
fn facts(visit: &Visit, row: &ThresholdsRow) -> Markup {
    let form = filled(row);
    html! {
        dl.facts {
            @for (name, label) in PERCENTS { dt { (visit.t(label)) } dd { (form.value(name)) " %" } }
            dt { (visit.t(texts::REVIEW)) } dd { (form.value(REVIEW)) }
            dt { (visit.t(texts::ENABLED)) }
            dd {
                @if row.thresholds.enabled { (badge(Tone::Good, visit.t(common::YES))) }
                @else { (badge(Tone::Neutral, visit.t(common::NO))) }
            }
        }
        p.hint { (visit.t(texts::READ_ONLY)) }
    }
}

async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Thresholds, Right::Write)?;
    let changed = match patch(&mut form) {
        Ok(patch) => {
            workspace.app.third_parties.change_thresholds(visit.caller(), patch, Precondition::None).await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(route::SETTINGS, "saved")),
        Err(error) => {
            form.refuse(error)?;
            let (row, _) = workspace.app.third_parties.thresholds(visit.caller()).await?;
            let settings = Settings::read(&workspace, &visit).await?;
            respond::refused(page(&visit, &row, &form, &settings))
        }
    }
}

fn patch(form: &mut Form) -> Result<ThresholdsPatch, app::Error> {
    let [provider, sector, regional, technology] = PERCENTS.map(|(name, _)| form.number(name));
    let patch = ThresholdsPatch {
        provider,
        sector,
        regional,
        technology,
        review_frequency: form.number(REVIEW),
        enabled: Some(form.is_checked("enabled")),
    };
    form.finish(Some(patch))
}
