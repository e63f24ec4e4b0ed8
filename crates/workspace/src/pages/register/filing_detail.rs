//! One filing: its package, its steps, differences from another, and the authority's feedback.

use app::{
    authz::Caller,
    history::Detail,
    pages::Precondition,
    register::{FeedbackLine, RegisterFilingRow},
};
use axum::{
    body::Body,
    extract::{Path, State},
    response::Response,
};
use domain::{
    approval::ApprovalAction,
    correction::CorrectedField,
    id::RegisterFilingId,
    page::PageRequest,
    register::Template,
    register_filing::{RegisterFiling, RegisterFilingInput, RegisterFilingStatus},
    right::{Resource, Right},
    transition::{Lifecycle as _, Move},
    wording::Label,
};
use http::{HeaderValue, header};
use maud::{Markup, html};

use super::{
    correct,
    filing::{NAMES, address_of, name_of, plan_fields, problems, status_badge},
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{
        approvals, past,
        record::{
            self,
            correction::{self, Corrections},
        },
    },
    respond::{self, Answer},
    route,
    texts::{correction as corrected, record as shared, register_filing as texts},
    ui::{
        self, field,
        notice::complaints,
        pager::{pager, requested},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded},
};

pub(super) fn filing_id(id: &str) -> Result<RegisterFilingId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, filing_id(&id)?, None).await?)
}

/// The page; `form` contains refused entries.
pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: RegisterFilingId,
    form: Option<&Form>,
) -> Result<Markup, PageError> {
    let app = &workspace.app;
    let (Detail { record: row, history: steps, corrections }, _) =
        app.records.record::<RegisterFiling>(visit.caller(), id).await?;
    let badge = |word: &str| record::status_badge::<RegisterFilingStatus>(visit, word, super::filing::tone);
    let past = past::section(workspace, visit, id, &steps, badge).await?;
    let lines = app.third_parties.register_feedback(visit.caller(), id, None, requested(visit)).await?;
    let (records, request) = (&app.records, PageRequest::default());
    let others = records.records::<RegisterFiling>(visit.caller(), &<_>::default(), request).await?.items;
    let by = row.record.submission.iter().map(|sent| sent.by.clone()).collect();
    let corrections = Corrections::of(workspace, visit, corrections, by).await?;
    let names: Vec<_> = NAMES.into_iter().chain(correction::NAMES).collect();
    let empty = Form::default();
    let (t, may_write) = (|label| visit.t(label), visit.may(Resource::Register, Right::Write));
    let is_draft = may_write && row.record.status == RegisterFilingStatus::Drafted;
    let approval =
        approvals::offer(workspace, visit, id.to_string(), is_draft.then_some(ApprovalAction::Submit))
            .await?;
    let (address, title) = (address_of(id), name_of(visit, &row.record));
    let download = ui::link_button(&format!("{address}/package"), t(texts::DOWNLOAD), true);
    let deletion = record::deletable::<RegisterFiling>(workspace, visit, id, (&address, &title)).await?;
    let content = html! {
        (ui::head(&title, t(texts::INTRO), Some(download)))
        (ui::notice::done(visit, &record::DONE))
        (complaints(visit, form.unwrap_or(&empty), &names))
        div.split {
            div {
                section.card {
                    (facts(visit, &row, &corrections))
                    (corrections.list(visit, |_| true))
                    @if visit.may(Resource::Register, Right::Decide) {
                        (correct::form(visit, &address, &row.record, form.unwrap_or(&empty)))
                    }
                }
                (ui::section(t(texts::FEEDBACK), &html! {
                    (feedback(visit, &row.record, &lines.items))
                    (pager(visit, &lines))
                    @if may_write { (feedback_form(visit, &address)) }
                }))
                (ui::section(t(texts::DIFFERENCE), &compare(visit, id, &others)))
            }
            div {
                (approval)
                @if may_write {
                    (ui::section(t(shared::NEXT_STEP), &moves(visit, &address, &row.record)))
                    (ui::section(t(texts::PLAN), &plan(visit, &address, &row.record, form)))
                }
                (past)
                @if row.record.status == RegisterFilingStatus::Drafted && row.record.earlier.is_empty() { (deletion) }
            }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

fn facts(visit: &Visit, row: &RegisterFilingRow, people: &Corrections) -> Markup {
    let (filing, t) = (&row.record, |label| visit.t(label));
    let package = format!("{}/package", address_of(row.id));
    html! {
        div.row { (status_badge(visit, filing.status)) }
        dl.facts {
            dt { (t(texts::REFERENCE_DATE)) } dd { (visit.day(filing.reference_date)) }
            dt { (t(texts::SCOPE)) } dd { (t(filing.scope.label())) }
            dt { (t(texts::COUNTRY)) } dd { (filing.country.named(visit.language)) }
            dt { (t(shared::OWNER)) } dd { (visit.or_none(filing.owner.as_ref())) }
            dt { (t(shared::DUE_ON)) } dd { (visit.day_or_none(filing.due_on)) }
            dt { (t(texts::EDITION)) } dd { (filing.frozen.edition) }
            dt { (t(texts::FROZEN_AT)) } dd { (visit.time(filing.frozen.at)) }
            dt { (t(texts::ROWS)) } dd { (filing.frozen.rows) }
            dt { (t(texts::PROBLEMS)) } dd { (problems(visit, filing)) }
            dt { (t(texts::FILE_NAME)) } dd { code { (filing.frozen.name) } }
            dt { (t(texts::SHA256)) } dd { code { (filing.frozen.sha256) } }
            @if let Some(sent) = &filing.submission {
                dt { (t(texts::SUBMITTED_AT)) } dd { (visit.time(sent.at)) }
                dt { (t(corrected::RECORDED_BY)) } dd { (people.person(visit, &sent.by)) }
                @if let Some(reference) = &sent.reference {
                    dt { (t(CorrectedField::Reference.label())) } dd { (reference.as_str()) }
                }
            }
            @if !filing.earlier.is_empty() {
                dt { (t(texts::EARLIER)) }
                dd {
                    @for frozen in &filing.earlier {
                        a href={ (package) "?edition=" (frozen.edition) } {
                            (visit.fill(texts::EDITION_OF, &[("number", &frozen.edition)]))
                        }
                        " "
                    }
                }
            }
        }
    }
}

/// The confirmation text of a step.
fn question(status: RegisterFilingStatus) -> Label {
    match status {
        RegisterFilingStatus::Drafted => texts::ASK_DRAFTED,
        RegisterFilingStatus::Submitted => texts::ASK_SUBMITTED,
        RegisterFilingStatus::Accepted => texts::ASK_ACCEPTED,
        RegisterFilingStatus::Refused => texts::ASK_REFUSED,
    }
}

fn moves(visit: &Visit, address: &str, filing: &RegisterFiling) -> Markup {
    let steps = filing.status.moves();
    html! {
        @if filing.status == RegisterFilingStatus::Drafted { p.hint { (visit.t(texts::FOUR_EYES)) } }
        @for step in steps { (step_form(visit, address, step)) }
        @if steps.is_empty() { p.quiet { (visit.t(filing.status.label())) } }
    }
}

/// A step with its confirmation, which opens in place, without a script.
fn step_form(visit: &Visit, address: &str, step: &Move<RegisterFilingStatus>) -> Markup {
    let name = format!("note-{}", step.to.as_str());
    html! {
        details.confirm {
            summary.button { (visit.t(step.action)) }
            form.confirm-body method="post" action={ (address) "/move" } data-busy {
                (visit.form_token())
                input type="hidden" name="status" value=(step.to.as_str());
                p { (visit.t(question(step.to))) }
                div.field {
                    label for=(name) { (visit.t(shared::NOTE)) }
                    textarea #(name) name="note" rows="2" maxlength="10000" {}
                }
                button.button.primary type="submit" { (visit.t(step.action)) }
            }
        }
    }
}

fn plan(visit: &Visit, address: &str, filing: &RegisterFiling, form: Option<&Form>) -> Markup {
    let kept = Form::filled([
        ("owner", filing.owner.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("due_on", filing.due_on.map(|day| day.to_string()).unwrap_or_default()),
    ]);
    let shown = form.filter(|form| form.sent().any(|(name, _)| name == "due_on")).unwrap_or(&kept);
    html! {
        form method="post" action=(address) {
            (visit.form_token())
            (plan_fields(visit, shown))
            div.form-end { button.button type="submit" { (visit.t(texts::SAVE)) } }
        }
    }
}

fn feedback(visit: &Visit, filing: &RegisterFiling, lines: &[FeedbackLine]) -> Markup {
    let t = |label| visit.t(label);
    let Some(read) = &filing.feedback else { return html! { p.quiet { (t(texts::FEEDBACK_NONE)) } } };
    let columns =
        [Column::text(t(texts::ROW)), Column::tight(t(texts::RULE)), Column::text(t(texts::MESSAGE))];
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            vec![
                place(visit, line),
                html! { code { (line.rule) } },
                html! { (line.message) @if !line.value.is_empty() { br; code { (line.value) } } },
            ]
        })
        .collect();
    let when = visit.moment(read.at);
    html! {
        p { (visit.fill(texts::FEEDBACK_OF, &[("lines", &read.lines), ("placed", &read.placed), ("when", &when)])) }
        @if !rows.is_empty() { (table(t(texts::FEEDBACK), &columns, &rows)) }
    }
}

/// The location of a line, as a link to the row if it is known.
fn place(view: &View, line: &FeedbackLine) -> Markup {
    let known = line.template.parse::<Template>().ok();
    let row = match line.row_number {
        Some(number) => format!("{} {number}", view.t(texts::ROW)),
        None => view.fill(texts::UNKNOWN_ROW, &[("row", &line.row_name)]),
    };
    html! {
        @match (known, line.row_id) {
            (Some(template), Some(id)) => {
                a href={ (route::REGISTER) "/" (template.id()) "/" (id) "#" (line.column) } {
                    (template.id()) " " (line.column)
                }
            }
            _ => { (line.template) " " (line.column) },
        }
        br;
        span.quiet { (row) }
    }
}

fn feedback_form(visit: &Visit, address: &str) -> Markup {
    html! {
        form method="post" action={ (address) "/feedback" } enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (visit.t(texts::FEEDBACK_FILE)) }
                p.hint #file-hint { (visit.t(texts::FEEDBACK_HELP)) }
                input #file type="file" name="file" required aria-describedby="file-hint" accept=".csv,text/csv";
            }
            div.form-end { button.button type="submit" { (visit.t(texts::FEEDBACK_READ)) } }
        }
    }
}

fn compare(visit: &Visit, id: RegisterFilingId, others: &[RegisterFilingRow]) -> Markup {
    let now = visit.t(texts::TO_REGISTER).to_owned();
    let mut choices = vec![field::Choice::new("", now)];
    choices.extend(others.iter().filter(|row| row.id != id).map(|row| {
        let name = format!("{} ({})", name_of(visit, &row.record), visit.moment(row.record.frozen.at));
        field::Choice::new(row.id.to_string(), name)
    }));
    html! {
        form method="get" action={ (address_of(id)) "/difference" } {
            (field::select(visit, &Form::default(), "to", texts::COMPARE_WITH, &choices))
            div.form-end { button.button type="submit" { (visit.t(texts::COMPARE)) } }
        }
    }
}

pub(super) async fn package(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    visit: Visit,
) -> Answer {
    let edition = match visit.query("edition") {
        Some(text) => Some(text.parse().map_err(|_| PageError::NotFound)?),
        None => None,
    };
    let file = workspace.app.third_parties.register_package(visit.caller(), filing_id(&id)?, edition).await?;
    let named = format!("attachment; filename=\"{}\"", file.frozen.name);
    let named = HeaderValue::from_str(&named).map_err(|_| PageError::Internal)?;
    let mut response = Response::new(Body::from(file.bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(header::CONTENT_DISPOSITION, named);
    Ok(response)
}

async fn changed(
    workspace: &Workspace,
    posted: Posted,
    id: RegisterFilingId,
    input: RegisterFilingInput,
    done: &str,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let precondition = record::precondition(&form);
    match workspace.app.third_parties.change_register_filing(visit.caller(), id, input, precondition).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), done)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(workspace, &visit, id, Some(&form)).await?)
        }
    }
}

pub(super) async fn make_move(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let input = RegisterFilingInput {
        status: posted.form.required_change("status"),
        note: posted.form.change("note"),
        ..RegisterFilingInput::default()
    };
    changed(&workspace, posted, filing_id(&id)?, input, "moved").await
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let input = RegisterFilingInput {
        owner: posted.form.change("owner"),
        due_on: posted.form.change("due_on"),
        ..RegisterFilingInput::default()
    };
    changed(&workspace, posted, filing_id(&id)?, input, "changed").await
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, filing_id(&id)?);
    let precondition = record::precondition(&form);
    match workspace.app.records.delete_record::<RegisterFiling>(visit.caller(), id, precondition).await {
        Ok(()) => respond::go_to(&route::done(route::REGISTER_FILINGS, "deleted")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, id, Some(&form)).await?)
        }
    }
}

/// The authority's feedback.
#[derive(Debug)]
pub(super) struct Feedback;

impl Purpose for Feedback {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_right(Resource::Register, Right::Write)
    }
}

pub(super) async fn take_feedback(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    mut uploaded: Uploaded<Feedback>,
) -> Answer {
    let id = filing_id(&id)?;
    let (upload, _) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let subject = &workspace.app.third_parties;
    match subject.read_register_feedback(visit.caller(), id, upload, Precondition::None).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, id, Some(&form)).await?)
        }
    }
}
