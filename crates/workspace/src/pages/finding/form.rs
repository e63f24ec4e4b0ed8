//! Creating and changing a finding.

use app::{Error, finding::FindingRow};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    finding::{Finding, FindingInput},
    format,
    id::FindingId,
    page::PageRequest,
    test_case::TestCase as TestCaseRecord,
    text::Name,
    vocabulary::Severity,
    wording::{Label, Language},
};
use maud::{Markup, html};

use super::{address_of, detail::finding_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        measures, record,
        record::{
            field::{PlainField, areas, entries},
            form::filled,
        },
    },
    respond::{self, Answer},
    route,
    texts::{common, finding as texts, record as shared},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 8] = [
    ("title", texts::HEADING),
    ("severity", texts::SEVERITY),
    ("programme_id", shared::PROGRAMME),
    ("test_case_id", shared::TEST_CASE),
    ("cve", texts::CVE),
    ("cvss", texts::CVSS),
    ("due_on", shared::DUE_ON),
    ("measures", shared::MEASURES),
];

/// The fields that the form and the page show alike.
pub(super) const PLAIN: [PlainField<Finding>; 4] = [
    PlainField::person("owner", shared::OWNER, |finding| finding.owner.as_ref()),
    PlainField::line("affected_asset", texts::ASSET, |finding| finding.affected_asset.as_ref()),
    PlainField::prose("description", shared::DESCRIPTION, |finding| finding.description.as_ref()),
    PlainField::prose("remediation", texts::REMEDIATION, |finding| finding.remediation.as_ref()),
];

fn names() -> impl Iterator<Item = (&'static str, Label)> {
    NAMES.into_iter().chain(PLAIN.iter().map(|field| (field.name, field.label)))
}

/// The label of a field in the form.
pub(crate) fn label_of(field: &str) -> Option<Label> {
    names().find(|(name, _)| *name == field).map(|(_, label)| label)
}

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let named = |name: &str| visit.query(name).unwrap_or_default();
    let form = Form::filled([
        ("severity", Severity::Medium.to_string()),
        ("programme_id", named("programme_id")),
        ("test_case_id", named("test_case_id")),
    ]);
    respond::page(new_page(&workspace, &visit, &form).await?)
}

async fn new_page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let fields = fields(workspace, visit, form).await?;
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::INTRO), None))
        (complaints(visit, form, &names().collect::<Vec<_>>()))
        form.card method="post" action=(route::FINDINGS) {
            (visit.form_token())
            (fields)
            (end(visit, texts::CREATE, route::FINDINGS))
        }
    };
    Ok(ui::layout::page(visit, visit.t(texts::NEW), &content))
}

fn end(visit: &Visit, submit: Label, back: &str) -> Markup {
    html! {
        div.form-end {
            button.button.primary type="submit" { (visit.t(submit)) }
            a.button href=(back) { (visit.t(common::CANCEL)) }
        }
    }
}

async fn fields(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    // An existing finding keeps its due day, also none.
    let is_new = !form.is_checked(record::SEEN);
    let due_hint = if is_new { due_hint(workspace, visit).await? } else { None };
    let mut programmes = vec![Choice::new("", visit.t(shared::NO_PROGRAMME))];
    programmes.extend(record::programme_choices(&workspace.app, visit.caller()).await?);
    let test_cases = test_case_choices(workspace, visit, form, &programmes).await?;
    let severities: Vec<_> = Severity::ALL
        .iter()
        .map(|severity| Choice::new(severity.as_str(), visit.t(severity.label())))
        .collect();
    Ok(html! {
        (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).focused().render())
        div.columns {
            (field::select(visit, form, "severity", texts::SEVERITY, &severities))
            div {
                (Field::day(visit, form, "due_on", shared::DUE_ON).optional().render())
                @if let Some(hint) = &due_hint { p.hint { (hint) } }
            }
            (entries(&PLAIN, visit, form))
            (field::select(visit, form, "programme_id", shared::PROGRAMME, &programmes))
            (field::select(visit, form, "test_case_id", shared::TEST_CASE, &test_cases))
            (Field::text(visit, form, "cve", texts::CVE).hint(texts::CVE_HINT).optional().render())
            (Field::text(visit, form, "cvss", texts::CVSS).hint(texts::CVSS_HINT).optional().render())
        }
        (areas(&PLAIN, visit, form))
        (measures::fields(workspace, visit, form)?)
    })
}

/// The default due day of a finding, if the institution has set one.
async fn due_hint(workspace: &Workspace, visit: &Visit) -> Result<Option<String>, PageError> {
    let held = workspace.app.due_days(visit.caller()).await?;
    let days: Vec<_> = Severity::ALL
        .iter()
        .filter_map(|severity| {
            let (name, days) = (visit.t(severity.label()), held.of(*severity)?);
            Some(visit.fill(texts::DUE_OF, &[("severity", &name), ("days", &days)]))
        })
        .collect();
    Ok((!days.is_empty()).then(|| visit.fill(texts::DUE_HINT, &[("days", &days.join(", "))])))
}

/// The test cases of the chosen programme, or all with their programme; the programme follows from the test case.
async fn test_case_choices(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    programmes: &[Choice],
) -> Result<Vec<Choice>, PageError> {
    let mut choices = vec![Choice::new("", visit.t(shared::NO_TEST_CASE))];
    let programme = form.value("programme_id").parse().ok();
    let filter = app::test_case::TestCaseFilter { programme, ..Default::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = workspace.app.records::<TestCaseRecord>(visit.caller(), &filter, all).await?;
    choices.extend(page.items.into_iter().map(|test_case| {
        let (row, of) = (&test_case.row, test_case.row.record.programme_id.to_string());
        let title = row.record.title.as_str();
        let named = programmes.iter().find(|choice| programme.is_none() && choice.value == of);
        let text = named.map_or_else(|| title.to_owned(), |choice| format!("{}: {title}", choice.text));
        Choice::new(row.id.to_string(), text)
    }));
    // A chosen one stays selected even if it is archived or not on this page.
    let chosen = form.value("test_case_id");
    if let Ok(id) = chosen.parse()
        && !choices.iter().any(|choice| choice.value == chosen)
        && let Ok((detail, _)) = workspace.app.record::<TestCaseRecord>(visit.caller(), id).await
    {
        choices.push(Choice::new(chosen.to_owned(), detail.record.row.record.title.as_str()));
    }
    Ok(choices)
}

fn input(form: &mut Form, measures: Change<Vec<String>>) -> Result<FindingInput, Error> {
    let input = FindingInput {
        programme_id: form.change("programme_id"),
        test_case_id: form.change("test_case_id"),
        title: form.required_change("title"),
        description: form.change("description"),
        severity: form.required_change("severity"),
        owner: form.change("owner"),
        affected_asset: form.change("affected_asset"),
        cve: form.change("cve"),
        cvss: form.decimal("cvss"),
        remediation: form.change("remediation"),
        measures,
        due_on: form.change("due_on"),
        ..FindingInput::default()
    };
    form.finish(Some(input))
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let measures = measures::entered(&workspace, &form)?;
    let created = match input(&mut form, measures) {
        Ok(input) => {
            workspace.app.create_record::<Finding>(visit.caller(), input, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => {
            let address = format!("{}/{}", route::FINDINGS, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&workspace, &visit, &form).await?)
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let (detail, revision) = workspace.app.record::<Finding>(visit.caller(), finding_id(&id)?).await?;
    let validator = workspace.app.record_validator(detail.record.version, revision);
    let form = form_of(&detail.record, validator, visit.language);
    respond::page(edit_page(&workspace, &visit, detail.record.id, &form).await?)
}

fn form_of(row: &FindingRow, validator: String, language: Language) -> Form {
    let finding = &row.record;
    let entered = [
        (record::SEEN, validator),
        ("title", finding.title.to_string()),
        ("severity", finding.severity.to_string()),
        ("programme_id", filled(finding.programme_id)),
        ("test_case_id", filled(finding.test_case_id)),
        ("cve", filled(finding.cve.as_ref())),
        ("cvss", filled(finding.cvss.map(|score| format::score(language, score)))),
        ("due_on", filled(finding.due_on)),
        ("measures", finding.measures.join("\n")),
    ];
    Form::filled(entered.into_iter().chain(PLAIN.iter().map(|field| field.filled(finding))))
}

async fn edit_page(
    workspace: &Workspace,
    visit: &Visit,
    id: FindingId,
    form: &Form,
) -> Result<Markup, PageError> {
    let fields = fields(workspace, visit, form).await?;
    let address = address_of(id);
    let content = html! {
        (ui::head(visit.t(texts::EDIT), form.value("title"), None))
        (record::overtaken(visit, form, &address))
        (complaints(visit, form, &names().collect::<Vec<_>>()))
        form.card method="post" action=(address) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (fields)
            (end(visit, common::SAVE, &address))
        }
    };
    Ok(ui::layout::page(visit, visit.t(texts::EDIT), &content))
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, finding_id(&id)?);
    let precondition = record::precondition(&form);
    let measures = measures::entered(&workspace, &form)?;
    let changed = match input(&mut form, measures) {
        Ok(input) => workspace.app.change_record::<Finding>(visit.caller(), id, input, precondition).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.record::<Finding>(visit.caller(), id).await?;
            form.overtake(record::SEEN, workspace.app.record_validator(detail.record.version, revision));
            respond::overtaken(edit_page(&workspace, &visit, id, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&workspace, &visit, id, &form).await?)
        }
    }
}
