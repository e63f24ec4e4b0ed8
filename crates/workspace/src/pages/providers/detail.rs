//! One provider on one page: the data of the register, and the institution's own data.

use app::{
    catalogue::{Edition, vendor::DimensionId},
    provider::{Contract, ProviderPage, ProviderView, ReviewComparison},
};
use axum::extract::{Path, State};
use domain::{
    evidence::LinkType,
    id::ProviderId,
    provider::{Dimension, Provider, Questions, Review, ReviewScores, ReviewStatus},
    right::{Resource, Right},
    rounding::Hundredths,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    DONE, address_of, clause, critical_badge, provider_id, rating_tone, review_address, state_tone,
    status_tone, subcontractor,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{comments, evidence, file, findings, ict_arrangements, incidents, past, record, reference},
    respond::{self, Answer},
    route,
    texts::{common, provider as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        notice::complaints,
        table::{Column, table},
    },
};

const NAMES: [(&str, Label); 5] = [
    ("questions", Review::QUESTIONS.label),
    ("due_on", Review::DUE_ON.label),
    ("review", texts::REVIEW),
    ("name", texts::SUBCONTRACTORS),
    ("country", texts::MAKE_COUNTRY),
];

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let (id, comments) = (provider_id(id)?, comments::are_printed(&visit));
        let pdf = workspace.app.report.provider_pdf(visit.caller(), id, visit.language, comments).await?;
        return file::pdf(pdf);
    }
    let form = Form::filled([("questions", Questions::ByCriticality.to_string())]);
    respond::page(page(&workspace, &visit, provider_id(&id)?, &form).await?)
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: ProviderId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let (shown, _) = app.third_parties.provider_page(caller, id).await?;
    let limits = app.third_parties.thresholds(caller).await?.0.thresholds;
    let compared = app.third_parties.compare_reviews(caller, id).await?;
    let edition = reference::edition(workspace)?;
    let may_write = visit.may(Resource::Providers, Right::Write);
    let files = evidence::section(
        workspace,
        visit,
        LinkType::Provider,
        id,
        visit.may(Resource::Evidence, Right::Write),
    )
    .await?;
    let history = past::section(workspace, visit, id, &[], |_| html! {}).await?;
    let (provider, t) = (&shown.provider, |label| visit.t(label));
    let name = provider.row.record.name.as_str();
    let actions = html! {
        (ui::link_button(&format!("{}.pdf", address_of(id)), "PDF", false))
        @if may_write { (ui::link_button(&format!("{}/edit", address_of(id)), t(texts::EDIT), false)) }
    };
    let content = html! {
        (ui::head(name, "", Some(actions)))
        (ui::notice::done(visit, &DONE))
        (complaints(visit, form, &NAMES))
        div.row {
            (critical_badge(visit, provider))
            (badge(state_tone(provider.state), t(provider.state.label())))
        }
        div.split {
            div {
                (contracts(visit, &shown))
                (clauses(visit, &edition, provider))
                (reviews(visit, &shown, form, may_write))
                @if let Some(compared) = &compared { (comparison(visit, &edition, compared)) }
                (subcontractor::section(visit, &shown, form, may_write))
                (findings(visit, &shown))
                (incidents(visit, &shown))
            }
            div {
                (facts(visit, provider))
                (own(visit, provider))
                (ui::section(t(Provider::SCORES.label), &html! {
                    (scores(visit, provider.row.record.scores))
                    (measured(visit, provider, limits.enabled.then_some(limits.provider.get())))
                }))
                (archetype(visit, provider))
                (functions(visit, provider))
                (files)
                (history)
            }
        }
    };
    Ok(ui::layout::page(visit, name, &content))
}

fn facts(visit: &Visit, provider: &ProviderView) -> Markup {
    let (record, facts, t) = (&provider.row.record, &provider.facts, |label| visit.t(label));
    let content = html! {
        p.hint { (t(texts::FROM_REGISTER_HELP)) }
        dl.facts {
            dt { (t(Provider::LEI.label)) } dd { (visit.or_none(record.lei.map(|lei| lei.to_string()))) }
            dt { (t(Provider::COUNTRY.label)) } dd { (record.country) }
            dt { (t(Provider::PARENT.label)) } dd { (visit.or_none(facts.parent.as_ref().map(|(name, _)| name))) }
            dt { (t(Provider::ARRANGEMENTS.label)) } dd { (facts.arrangements) }
            dt { (t(Provider::SHARE.label)) } dd { (visit.or_none(provider.share.map(|share| visit.percent(share)))) }
        }
    };
    ui::section(t(texts::FROM_REGISTER), &content)
}

fn own(visit: &Visit, provider: &ProviderView) -> Markup {
    let (record, t) = (&provider.row.record, |label| visit.t(label));
    let content = html! {
        dl.facts {
            dt { (t(Provider::RATING.label)) }
            dd {
                @match record.rating {
                    Some(rating) => (badge(rating_tone(rating), t(rating.label()))),
                    None => span.quiet { (t(texts::NO_RATING)) },
                }
            }
            dt { (t(Provider::ARCHETYPE.label)) }
            dd { (visit.or_none(provider.archetype().map(|vendor| vendor.title.get(visit.language)))) }
            (record::field::facts(visit, record))
            dt { (t(Provider::LAST_REVIEW_ON.label)) } dd { (visit.day_or_none(record.last_review_on)) }
            dt { (t(common::CHANGED)) } dd { (visit.time(provider.row.updated_at)) }
        }
        (record::field::passages(visit, record))
    };
    ui::section(t(texts::OWN), &content)
}

/// The archetype's scores beside those of the last review.
fn archetype(visit: &Visit, provider: &ProviderView) -> Markup {
    let Some(vendor) = provider.archetype() else { return html! {} };
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::DIMENSION)),
        Column::number(t(texts::OWN_SCORE)),
        Column::number(t(Provider::ARCHETYPE.label)),
    ];
    let own = provider.row.record.scores;
    let row = |(dimension, benchmark): (&Dimension, &DimensionId)| {
        let score = own.and_then(|scores| scores.get(*dimension)).map(|score| score.to_string());
        vec![
            html! { (t(dimension.label())) },
            visit.or_none(score),
            html! { (vendor.scores.get(*benchmark)) },
        ]
    };
    let mut rows: Vec<_> = Dimension::ALL.iter().zip(DimensionId::ALL).map(row).collect();
    let overall = own.and_then(|scores| scores.overall).map(|score| score.to_string());
    rows.push(vec![
        html! { strong { (t(texts::OVERALL)) } },
        visit.or_none(overall),
        html! { (visit.decimal(vendor.overall)) },
    ]);
    let address = format!("{}/{}", route::VENDOR_SCORECARD, vendor.id);
    let content = html! {
        p.hint { (t(texts::ARCHETYPE_HELP)) }
        p { a href=(address) { (vendor.title.get(visit.language)) } }
        (table(t(Provider::ARCHETYPE.label), &columns, &rows))
    };
    ui::section(t(Provider::ARCHETYPE.label), &content)
}

fn functions(visit: &Visit, provider: &ProviderView) -> Markup {
    let content = html! {
        ul.bullets {
            @for (name, critical) in &provider.facts.functions {
                li { (name) @if *critical { " (" (visit.t(Provider::CRITICAL.label)) ")" } }
            }
        }
    };
    ui::section(visit.t(Provider::FUNCTIONS.label), &content)
}

fn contracts(visit: &Visit, page: &ProviderPage) -> Markup {
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::SERVICE)),
        Column::tight(t(texts::ENDS_ON)),
        Column::tight(t(texts::NOTICE_BY)),
        Column::text(t(texts::CLAUSES)),
    ];
    let row = |contract: &Contract| {
        let place = (page.provider.row.id, contract.row.id);
        let present = contract
            .clauses
            .clauses
            .iter()
            .filter(|line| line.state == Some(domain::provider::ClauseState::Present))
            .count();
        vec![
            html! {
                a href=(ict_arrangements::address_of(contract.row.id)) { (contract.row.record.contract.service.as_str()) }
                br;
                span.quiet {
                    (contract.row.record.contract.reference.as_str())
                    @if contract.clauses.critical { " · " (t(Provider::CRITICAL.label)) }
                }
            },
            visit.day_or_none(contract.row.record.contract.ends_on),
            visit.day_or_none(contract.notice_by),
            html! { a href=(clause::address(place)) { (present) "/" (contract.clauses.clauses.len()) } },
        ]
    };
    let rows: Vec<_> = page.contracts.iter().map(row).collect();
    ui::section(t(Provider::ARRANGEMENTS.label), &table(t(Provider::ARRANGEMENTS.label), &columns, &rows))
}

fn clauses(visit: &Visit, edition: &Edition, provider: &ProviderView) -> Markup {
    let counts = &provider.clauses;
    let sum = visit.fill(
        texts::CLAUSES_SUM,
        &[
            ("present", &counts.present),
            ("required", &counts.required),
            ("missing", &counts.missing.len()),
            ("open", &counts.not_assessed),
        ],
    );
    let content = html! {
        p { (sum) }
        ul.bullets { @for id in &counts.missing { li { (clause::title(visit, edition, id)) } } }
    };
    html! { div #clauses { (ui::section(visit.t(texts::CLAUSES), &content)) } }
}

fn reviews(visit: &Visit, page: &ProviderPage, form: &Form, may_write: bool) -> Markup {
    let (t, provider) = (|label| visit.t(label), page.provider.row.id);
    let is_open = page.reviews.iter().any(|row| row.record.status.is_open());
    let questions: Vec<_> =
        Questions::ALL.iter().map(|word| Choice::new(word.as_str(), t(word.label()))).collect();
    let content = html! {
        @if page.reviews.is_empty() { p.quiet { (t(texts::NO_REVIEWS)) } }
        ul.steps {
            @for row in &page.reviews {
                @let (answered, total) = (row.record.answered(), row.record.questions.len());
                li {
                    div {
                        a href=(review_address((provider, row.id))) { (visit.time(row.created_at)) }
                        p.hint { (visit.fill(texts::ANSWERED, &[("answered", &answered), ("total", &total)])) }
                    }
                    (badge(status_tone(row.record.status), t(row.record.status.label())))
                }
            }
        }
        @if may_write && !is_open {
            form #review method="post" action={ (address_of(provider)) "/reviews" } {
                (visit.form_token())
                (field::select(visit, form, "questions", Review::QUESTIONS.label, &questions))
                (Field::day(visit, form, "due_on", Review::DUE_ON.label).optional().render())
                div.form-end { button.button.primary type="submit" { (t(texts::BEGIN_REVIEW)) } }
            }
        }
    };
    ui::section(t(texts::REVIEWS), &content)
}

/// The provider's share in the register, which no answer of the provider can show.
fn measured(view: &View, provider: &ProviderView, limit: Option<u8>) -> Markup {
    let Some(share) = provider.share else { return html! {} };
    let is_above = limit.is_some_and(|limit| share > Hundredths::new(i64::from(limit) * 100));
    html! {
        p {
            (view.fill(texts::MEASURED, &[("share", &view.percent(share))])) " "
            @if let Some(limit) = limit.filter(|_| is_above) {
                (badge(Tone::Critical, &view.fill(texts::ABOVE_LIMIT, &[("limit", &limit)])))
            }
        }
    }
}

/// The scores of a review, dimension by dimension.
pub(super) fn scores(view: &View, scores: Option<ReviewScores>) -> Markup {
    let Some(scores) = scores else { return html! { p.quiet { (view.t(texts::NO_SCORES)) } } };
    let score =
        |score: Option<u8>| view.or_none(score.map(|score| view.fill(texts::SCORE_OF, &[("score", &score)])));
    html! {
        dl.facts {
            @for dimension in Dimension::ALL {
                dt { (view.t(dimension.label())) } dd { (score(scores.get(*dimension))) }
            }
            dt { (view.t(texts::OVERALL)) } dd { strong { (score(scores.overall)) } }
        }
    }
}

fn comparison(visit: &Visit, edition: &Edition, compared: &ReviewComparison) -> Markup {
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::DIMENSION)),
        Column::number(t(texts::BEFORE)),
        Column::number(t(texts::AFTER)),
        Column::number(t(texts::DIFFERENCE)),
    ];
    let score = |score: Option<u8>| visit.or_none(score.map(|score| score.to_string()));
    let rows: Vec<_> = compared
        .scores
        .iter()
        .map(|change| {
            let difference = change.before.zip(change.after).map(|(before, after)| {
                visit.points(Hundredths::new(100 * (i64::from(after) - i64::from(before))))
            });
            vec![
                html! { (t(change.dimension.map_or(texts::OVERALL, Dimension::label))) },
                score(change.before),
                score(change.after),
                visit.or_none(difference),
            ]
        })
        .collect();
    let word = |answer: Option<domain::provider::Answer>| {
        t(answer.map_or(texts::NO_ANSWER, domain::provider::Answer::label))
    };
    let title = |id: &str| {
        let question = edition.questions.get(id);
        question.map_or_else(|| id.to_owned(), |question| question.title.get(visit.language).to_owned())
    };
    let content = html! {
        (table(t(texts::COMPARISON), &columns, &rows))
        @if !compared.answers.is_empty() {
            details {
                summary { (t(texts::CHANGED_ANSWERS)) " (" (compared.answers.len()) ")" }
                ul.bullets {
                    @for change in &compared.answers {
                        li { (title(&change.question)) " " strong { (word(change.before)) " → " (word(change.after)) } }
                    }
                }
            }
        }
    };
    ui::section(t(texts::COMPARISON), &content)
}

fn findings(visit: &Visit, page: &ProviderPage) -> Markup {
    let content = html! {
        @if page.findings.is_empty() { p.quiet { (visit.t(texts::NO_FINDINGS)) } }
        ul.steps {
            @for row in &page.findings {
                li {
                    a href=(findings::address_of(row.id)) { (row.record.title.as_str()) }
                    (badge(record::finding_tone(row.record.status), visit.t(row.record.status.label())))
                }
            }
        }
    };
    ui::section(visit.t(texts::FINDINGS), &content)
}

fn incidents(visit: &Visit, page: &ProviderPage) -> Markup {
    let content = html! {
        @if page.incidents.is_empty() { p.quiet { (visit.t(texts::NO_INCIDENTS)) } }
        ul.steps {
            @for row in &page.incidents {
                li {
                    a href=(incidents::address_of(row.id)) { (row.record.title.as_str()) }
                    (badge(incidents::tone(row.record.status), visit.t(row.record.status.label())))
                }
            }
        }
    };
    ui::section(visit.t(Provider::INCIDENTS.label), &content)
}

/// A badge for a status of a review, by its word.
pub(super) fn status_badge(view: &View, word: &str) -> Markup {
    record::status_badge::<ReviewStatus>(view, word, status_tone)
}
