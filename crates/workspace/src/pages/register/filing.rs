//! Filings of the register: the list, and the form that freezes a new one.

use app::register::{RegisterFilingFilter, RegisterFilingRow};
use axum::extract::State;
use domain::{
    id::RegisterFilingId,
    register::filing::Scope,
    register_filing::{RegisterFiling, RegisterFilingInput, RegisterFilingSort, RegisterFilingStatus},
    right::{Resource, Right},
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{record, views},
    respond::{self, Answer},
    route,
    texts::{common, record as shared, register, register_filing as texts},
    ui::{
        self,
        badge::{Tone, badge},
        columns::chosen_table,
        field::{self, Field},
        filter,
        notice::complaints,
        pager::{counted, pager},
        table::Column,
    },
};

pub(super) fn address_of(id: RegisterFilingId) -> String {
    format!("{}/{id}", route::REGISTER_FILINGS)
}

pub(super) fn tone(status: RegisterFilingStatus) -> Tone {
    match status {
        RegisterFilingStatus::Drafted => Tone::Notice,
        RegisterFilingStatus::Submitted => Tone::Running,
        RegisterFilingStatus::Accepted => Tone::Good,
        RegisterFilingStatus::Refused => Tone::Critical,
    }
}

pub(super) fn status_badge(view: &View, status: RegisterFilingStatus) -> Markup {
    badge(tone(status), view.t(status.label()))
}

/// The name of a filing.
pub(super) fn name_of(view: &View, filing: &RegisterFiling) -> String {
    let (day, scope) = (view.day(filing.reference_date), view.t(filing.scope.label()));
    view.fill(texts::NAMED, &[("day", &day), ("scope", &scope)])
}

pub(super) async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    if let Some(start) = views::start(&workspace, &visit, "register_filings").await? {
        return respond::go_to(&start);
    }
    respond::page(page(&workspace, &visit, &Form::default()).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let filter =
        RegisterFilingFilter { status: filter::any(visit, "status"), sort: filter::word(visit, "sort") };
    let page = record::list::page_of::<RegisterFiling>(workspace, visit, &filter).await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::FILING)),
        Column::tight(t(common::STATUS)).key("status"),
        Column::tight(t(shared::DUE_ON)).key("due_on"),
        Column::person(t(shared::OWNER)).key("owner"),
        Column::number(t(texts::EDITION)).key("edition"),
        Column::text(t(texts::PROBLEMS)).key("problems"),
    ];
    let rows: Vec<_> = page.items.iter().map(|row| cells(visit, row)).collect();
    let narrowed = filter != RegisterFilingFilter::default() || filter::is_part(visit);
    let mut filters = vec![
        filter::any_words::<RegisterFilingStatus>(visit, "status", common::STATUS),
        filter::order::<RegisterFilingSort>(visit),
        filter::as_of_field(visit),
    ];
    let views = views::row(workspace, visit, "register_filings", &columns).await?;
    filters.extend(record::list::tag_filter::<RegisterFiling>(workspace, visit).await?);
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (ui::notice::done(visit, &record::DONE))
        (complaints(visit, form, &NAMES))
        @if page.total > 0 || narrowed {
            (views)
            (filter::bar(visit, &filters))
        }
        (filter::as_of_notice(visit))
        @if page.items.is_empty() {
            (record::nothing(visit, narrowed, (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(visit, page.total, texts::ONE, texts::MANY))
            (chosen_table(visit, t(texts::TITLE), &columns, &rows))
            (pager(visit, &page))
        }
        @if visit.may(Resource::Register, Right::Decide) && filter::as_of(visit).is_none() { (ui::section(t(texts::FREEZE), &freeze(visit, form))) }
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

pub(super) const NAMES: [(&str, domain::wording::Label); 9] = [
    ("register", register::REGISTER),
    ("scope", texts::SCOPE),
    ("reference_date", texts::REFERENCE_DATE),
    ("country", texts::COUNTRY),
    ("owner", shared::OWNER),
    ("due_on", shared::DUE_ON),
    ("status", common::STATUS),
    ("note", shared::NOTE),
    ("file", texts::FEEDBACK_FILE),
];

fn cells(view: &View, row: &RegisterFilingRow) -> Vec<Markup> {
    let filing = &row.record;
    vec![
        html! { a href=(address_of(row.id)) { (name_of(view, filing)) } },
        status_badge(view, filing.status),
        view.day_or_none(filing.due_on),
        view.person(filing.owner.as_ref()),
        html! { (filing.frozen.edition) },
        html! { (problems(view, filing)) },
    ]
}

pub(super) fn problems(view: &View, filing: &RegisterFiling) -> String {
    let counts = filing.frozen.problems;
    let places: [(&str, &dyn std::fmt::Display); 3] =
        [("refused", &counts.refused), ("noted", &counts.noted), ("advice", &counts.advice)];
    view.fill(texts::PROBLEMS_OF, &places)
}

fn freeze(visit: &Visit, form: &Form) -> Markup {
    let scopes: Vec<_> = field::words::<Scope>(visit);
    html! {
        p.hint { (visit.t(texts::FREEZE_HELP)) }
        form method="post" action=(route::REGISTER_FILINGS) data-busy {
            (visit.form_token())
            (field::select(visit, form, "scope", texts::SCOPE, &scopes))
            (Field::day(visit, form, "reference_date", texts::REFERENCE_DATE)
                .hint(texts::REFERENCE_DATE_HINT).optional().render())
            (Field::text(visit, form, "country", texts::COUNTRY)
                .hint(texts::COUNTRY_HINT).at_most(2).optional().render())
            (plan_fields(visit, form))
            div.form-end { button.button.primary type="submit" { (visit.t(texts::FREEZE)) } }
        }
    }
}

pub(super) fn plan_fields(visit: &Visit, form: &Form) -> Markup {
    html! {
        (Field::person(visit, form, "owner", shared::OWNER).render())
        (Field::day(visit, form, "due_on", shared::DUE_ON).optional().render())
    }
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let input = RegisterFilingInput {
        scope: form.change("scope"),
        reference_date: form.change("reference_date"),
        country: form.change("country"),
        owner: form.change("owner"),
        due_on: form.change("due_on"),
        ..RegisterFilingInput::default()
    };
    match workspace
        .app
        .third_parties
        .create_register_filing(visit.caller(), input, None, |_| String::new())
        .await
    {
        Ok(made) => {
            respond::go_to(&route::done(&format!("{}/{}", route::REGISTER_FILINGS, made.subject), "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

/// The last filing and the next day to file, for the overview of the register.
pub(super) async fn glance(workspace: &Workspace, visit: &Visit) -> Result<Markup, PageError> {
    let (last, next) = workspace.app.third_parties.register_filing_glance(visit.caller()).await?;
    let t = |label| visit.t(label);
    let content = html! {
        dl.facts {
            dt { (t(texts::LAST)) }
            dd {
                @match &last {
                    Some(row) => {
                        a href=(address_of(row.id)) { (name_of(visit, &row.record)) } " "
                        (status_badge(visit, row.record.status))
                    }
                    None => span.quiet { (t(texts::EMPTY)) },
                }
            }
            dt { (t(texts::NEXT_DUE)) }
            dd {
                @match &next {
                    Some(row) => {
                        (visit.day_or_none(row.record.due_on)) " "
                        a href=(address_of(row.id)) { (name_of(visit, &row.record)) }
                    }
                    None => (visit.day_or_none(None)),
                }
            }
        }
        div.row {
            (ui::link_button(route::REGISTER_FILINGS, t(texts::ALL_FILINGS), false))
            @if let Some(row) = &last {
                (ui::link_button(&format!("{}/difference", address_of(row.id)), t(register::CHANGED_SINCE), false))
            }
        }
    };
    Ok(ui::section(t(texts::FILINGS), &content))
}
