//! Creating and changing a finding.

use app::{Error, finding::FindingRow, records::PickKind};
use domain::{
    change::Change,
    finding::{AcceptanceInput, Finding, FindingInput, FindingStatus},
    format,
    id::FindingId,
    page::PageRequest,
    test_case::TestCase,
    text::Name,
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        measures, pick, record,
        record::{
            bulk_field::BulkField,
            cell::{self, Cell},
            field::{FormField, areas, entries},
            form::{FormTexts, RecordForm, RecordSteps, filled},
        },
        requirement,
    },
    route,
    texts::{finding as texts, record as shared},
    ui::field::{self, Choice, Field},
};

impl RecordForm for Finding {
    const ADDRESS: &'static str = route::FINDINGS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("title", texts::HEADING),
        ("severity", texts::SEVERITY),
        ("programme_id", shared::PROGRAMME),
        ("test_case_id", shared::TEST_CASE),
        ("cve", texts::CVE),
        ("cvss", texts::CVSS),
        ("due_on", shared::DUE_ON),
        ("measures", shared::MEASURES),
        ("requirements", shared::REQUIREMENTS),
        ("controls", shared::CONTROLS),
    ];
    const PLAIN: &'static [FormField<Self>] = &[
        FormField::person(Self::OWNER, |finding| finding.owner.as_ref()),
        FormField::line(Self::ASSET, |finding| finding.affected_asset.as_ref()),
        FormField::prose(Self::DESCRIPTION, |finding| finding.description.as_ref()),
        FormField::prose(Self::ROOT_CAUSE, |finding| finding.root_cause.as_ref()),
        FormField::prose(Self::REMEDIATION, |finding| finding.remediation.as_ref()),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::step(
            |visit, finding| cell::steps(visit, finding.status, |to| detail::is_offered(visit, &[], to)),
            <Self as RecordSteps>::step,
        ),
        Cell::owner(|finding| finding.owner.as_ref()),
        Cell::day(("due_on", "due_on"), shared::DUE_ON, |finding| finding.due_on),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::step(
            |visit| {
                // Accepting a risk needs a reason and an end day of its own.
                let offered = FindingStatus::ALL.iter().filter(|to| detail::is_offered(visit, &[], **to));
                offered.map(|to| Choice::new(to.as_str(), visit.t(to.label()))).collect()
            },
            <Self as RecordSteps>::step,
        ),
        BulkField::words("severity", texts::SEVERITY, field::words::<Severity>),
        BulkField::person("owner", shared::OWNER),
        BulkField::day("due_on", shared::DUE_ON),
        BulkField::line("affected_asset", Self::ASSET.label),
        BulkField::line("cve", texts::CVE),
        BulkField::prose("description", shared::DESCRIPTION),
        BulkField::prose("root_cause", Self::ROOT_CAUSE.label),
        BulkField::prose("remediation", Self::REMEDIATION.label),
    ];

    fn proposed(visit: &Visit) -> Form {
        let named = |name: &str| visit.query(name).unwrap_or_default();
        Form::filled([
            ("severity", Severity::Medium.to_string()),
            ("programme_id", named("programme_id")),
            ("test_case_id", named("test_case_id")),
        ])
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&FindingRow>,
    ) -> Result<Markup, PageError> {
        fields(workspace, visit, form, before.is_none()).await
    }

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        _: Option<&FindingRow>,
    ) -> Result<FindingInput, Error> {
        let controls = pick::ids(workspace, visit, form, "controls", &[PickKind("control")]).await?;
        let requirements = requirement::entered(workspace, visit, form).await?;
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
            root_cause: form.change("root_cause"),
            requirements,
            measures: measures::entered(workspace, form)?,
            controls,
            due_on: form.change("due_on"),
            ..FindingInput::default()
        };
        form.finish(Some(input))
    }

    async fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &FindingRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let finding = &row.record;
        let controls =
            pick::labels(workspace, visit, finding.controls.iter().map(ToString::to_string)).await?;
        let requirements = requirement::labels(workspace, visit, &finding.requirements).await?;
        Ok(vec![
            ("title", finding.title.to_string()),
            ("severity", finding.severity.to_string()),
            ("programme_id", filled(finding.programme_id)),
            ("test_case_id", filled(finding.test_case_id)),
            ("cve", filled(finding.cve.as_ref())),
            ("cvss", filled(finding.cvss.map(|score| format::score(visit.language, score)))),
            ("due_on", filled(finding.due_on)),
            ("measures", finding.measures.join("\n")),
            ("controls", controls),
            ("requirements", requirements),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: FindingId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for Finding {
    fn step(form: &Form) -> FindingInput {
        let (reason, until) =
            (form.required_change("acceptance.reason"), form.required_change("acceptance.until"));
        let acceptance = match (reason, until) {
            (Change::Keep, Change::Keep) => Change::Keep,
            (reason, until) => Change::Set(AcceptanceInput { reason, until }),
        };
        FindingInput {
            status: form.required_change("status"),
            note: form.change("note"),
            acceptance,
            ..FindingInput::default()
        }
    }
}

async fn fields(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    is_new: bool,
) -> Result<Markup, PageError> {
    // An existing finding keeps its due day, also none.
    let due_hint = if is_new { due_hint(workspace, visit).await? } else { None };
    let mut programmes = vec![Choice::new("", visit.t(shared::NO_PROGRAMME))];
    programmes.extend(record::programme_choices(&workspace.app, visit.caller()).await?);
    let test_cases = test_case_choices(workspace, visit, form, &programmes).await?;
    let severities: Vec<_> = Severity::ALL
        .iter()
        .map(|severity| Choice::new(severity.as_str(), visit.t(severity.label())))
        .collect();
    Ok(html! {
        (field::section(visit, shared::PART_BASICS, &html! {
            (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).focused().render())
            div.columns {
                (field::select(visit, form, "severity", texts::SEVERITY, &severities))
                div {
                    (Field::day(visit, form, "due_on", shared::DUE_ON).optional().render())
                    @if let Some(hint) = &due_hint { p.hint { (hint) } }
                }
                (entries(Finding::PLAIN, visit, form))
            }
        }))
        (field::section(visit, shared::PART_DETAILS, &areas(Finding::PLAIN, visit, form)))
        (field::section(visit, shared::PART_ORIGIN, &html! {
            div.columns {
                (field::select(visit, form, "programme_id", shared::PROGRAMME, &programmes))
                (field::select(visit, form, "test_case_id", shared::TEST_CASE, &test_cases))
                (Field::text(visit, form, "cve", texts::CVE).hint(texts::CVE_HINT).optional().render())
                (Field::text(visit, form, "cvss", texts::CVSS).hint(texts::CVSS_HINT).optional().render())
            }
        }))
        (field::section(visit, shared::PART_LINKS, &html! {
            (requirement::fields(visit, form))
            (pick::fields(workspace, visit, form, ("controls", shared::CONTROLS), &[PickKind("control")]).await?)
            (measures::fields(workspace, visit, form)?)
        }))
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
    let filter = app::test_case::TestCaseFilter { programme: programme.into(), ..Default::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = workspace.app.records::<TestCase>(visit.caller(), &filter, all).await?;
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
        && let Ok((detail, _)) = workspace.app.record::<TestCase>(visit.caller(), id).await
    {
        choices.push(Choice::new(chosen.to_owned(), detail.record.row.record.title.as_str()));
    }
    Ok(choices)
}
