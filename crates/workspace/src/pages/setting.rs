//! Settings of the institution: the thresholds of its concentration risk.

use app::{pages::Precondition, threshold::ThresholdsRow};
use axum::{Router, extract::State, routing::get};
use domain::{
    permission::Permission,
    threshold::{Percent, ReviewDays, ThresholdsPatch},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Field},
        notice::complaints,
    },
    visit::{Posted, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::SETTINGS, get(show).post(change))
}

const PERCENTS: [(&str, Label); 4] = [
    ("provider_concentration_pct", texts::PROVIDER),
    ("sector_concentration_pct", texts::SECTOR),
    ("regional_concentration_pct", texts::REGIONAL),
    ("technology_concentration_pct", texts::TECHNOLOGY),
];
const REVIEW: &str = "review_frequency_days";

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let (row, _) = workspace.app.thresholds(visit.caller()).await?;
    respond::page(page(&visit, &row, &filled(&row)))
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

fn page(visit: &Visit, row: &ThresholdsRow, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let may_write = visit.caller().may(Permission::Write);
    let names: Vec<_> = PERCENTS.into_iter().chain([(REVIEW, texts::REVIEW)]).collect();
    let intro = visit.fill(texts::INTRO, &[("tenant", &visit.session().tenant_name)]);
    let thresholds = if may_write { ask(visit, form) } else { facts(visit, row) };
    let content = html! {
        (ui::head(t(texts::TITLE), &intro, None))
        (ui::notice::done(visit, &[("saved", texts::WAS_SAVED)]))
        (complaints(visit, form, &names))
        (ui::section(t(texts::THRESHOLDS), &html! {
            p { (t(texts::THRESHOLDS_HELP)) }
            (thresholds)
            p.hint { (t(texts::LAST_CHANGED)) ": " (visit.time_or_never(row.updated_at)) }
        }))
        (ui::section(t(texts::PERSONAL), &html! {
            p { (t(texts::PERSONAL_HELP)) }
            (ui::link_button(route::PROFILE, t(texts::TO_PROFILE), false))
        }))
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
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

/// For those who may only look.
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
    let changed = match patch(&mut form) {
        Ok(patch) => workspace.app.change_thresholds(visit.caller(), patch, Precondition::None).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(route::SETTINGS, "saved")),
        Err(error) => {
            form.refuse(error)?;
            let (row, _) = workspace.app.thresholds(visit.caller()).await?;
            respond::refused(page(&visit, &row, &form))
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
