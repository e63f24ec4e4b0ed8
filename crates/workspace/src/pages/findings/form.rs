//! Creating and changing a finding.

use app::{Error, finding::FindingRow, records::PickKind};
use domain::{
    change::Change,
    finding::{AcceptanceInput, Finding, FindingInput, FindingStatus},
    id::FindingId,
    page::PageRequest,
    test_case::TestCase,
    vocabulary::Severity,
};
use maud::{Markup, html};

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        measures, pick,
        record::{
            self,
            bulk_field::BulkField,
            cell::{self, Cell},
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm, RecordSteps},
        },
        requirements,
    },
    route,
    texts::{finding as texts, record as shared},
    ui::field::{Choice, words},
};

type Asked = FormField<Finding>;

impl RecordForm for Finding {
    const ADDRESS: &'static str = route::FINDINGS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const FIELDS: &'static [Section<Self>] = &[
        Section::titled(
            shared::PART_BASICS,
            &[
                Asked::title(Self::TITLE, |finding| &finding.title).focused(),
                Asked::choice(Self::SEVERITY, words::<Severity>, |finding| finding.severity.as_str())
                    .bulk()
                    .shown_apart(),
                Asked::day(Self::DUE_ON, |finding| finding.due_on)
                    .below(|ask| Box::pin(due_hint(ask)))
                    .bulk()
                    .cell()
                    .shown_apart(),
                Asked::person(Self::OWNER, |finding| finding.owner.as_ref()).bulk().cell(),
                Asked::line(Self::ASSET, |finding| finding.affected_asset.as_ref()).bulk(),
            ],
        ),
        Section::titled(
            shared::PART_DETAILS,
            &[
                Asked::prose(Self::DESCRIPTION, |finding| finding.description.as_ref()).bulk(),
                Asked::prose(Self::ROOT_CAUSE, |finding| finding.root_cause.as_ref()).bulk(),
                Asked::prose(Self::REMEDIATION, |finding| finding.remediation.as_ref()).bulk(),
            ],
        ),
        Section::titled(
            shared::PART_ORIGIN,
            &[
                Asked::chosen(
                    Self::PROGRAMME,
                    |ask| Box::pin(record::programmes_or_none(ask)),
                    |finding| finding.programme_id.map(|id| id.to_string()),
                ),
                Asked::chosen(
                    Self::TEST_CASE,
                    |ask| Box::pin(test_cases(ask)),
                    |finding| finding.test_case_id.map(|id| id.to_string()),
                ),
                Asked::text(Self::CVE, |finding| finding.cve.as_ref().map(ToString::to_string))
                    .hint(texts::CVE_HINT)
                    .bulk()
                    .shown_apart(),
                Asked::decimal(Self::CVSS, |view, finding| finding.cvss.map(|score| view.score(score)))
                    .hint(texts::CVSS_HINT)
                    .shown_apart(),
            ],
        ),
        Section::titled(
            shared::PART_LINKS,
            &[
                Asked::requirements(Self::REQUIREMENTS, |finding| finding.requirements.clone()),
                Asked::records(Self::CONTROLS, &[PickKind("control")], |finding| {
                    finding.controls.iter().map(ToString::to_string).collect()
                }),
                Asked::suggested(
                    Self::MEASURES,
                    |ask| Box::pin(measures::offered(ask)),
                    |finding| finding.measures.clone(),
                )
                .hint(shared::MEASURES_HINT)
                .shown_apart(),
            ],
        ),
    ];
    const CELLS: &'static [Cell<Self>] = &[Cell::step(
        |visit, finding| cell::steps(visit, finding.status, |to| detail::is_offered(visit, &[], to)),
        <Self as RecordSteps>::step,
    )];
    const BULK: &'static [BulkField<Self>] = &[BulkField::step(
        |visit| {
            // Accepting a risk needs a reason and an end day of its own.
            let offered = FindingStatus::ALL.iter().filter(|to| detail::is_offered(visit, &[], **to));
            offered.map(|to| Choice::new(to.as_str(), visit.t(to.label()))).collect()
        },
        <Self as RecordSteps>::step,
    )];

    fn proposed(visit: &Visit) -> Form {
        let named = |name: &str| visit.query(name).unwrap_or_default();
        Form::filled([
            ("severity", Severity::Medium.to_string()),
            ("programme_id", named("programme_id")),
            ("test_case_id", named("test_case_id")),
        ])
    }

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        _: Option<&FindingRow>,
    ) -> Result<FindingInput, Error> {
        let controls = pick::ids(workspace, visit, form, "controls", &[PickKind("control")]).await?;
        let requirements = requirements::entered(workspace, visit, form).await?;
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

/// The default due day of a new finding, if the institution has set one. An existing finding keeps its due day, also
/// none.
async fn due_hint(ask: &Ask<'_, Finding>) -> Result<Markup, PageError> {
    if ask.before.is_some() {
        return Ok(html! {});
    }
    let (visit, held) = (ask.visit, ask.workspace.app.resilience.due_days(ask.visit.caller()).await?);
    let days: Vec<_> = Severity::ALL
        .iter()
        .filter_map(|severity| {
            let (name, days) = (visit.t(severity.label()), held.of(*severity)?);
            Some(visit.fill(texts::DUE_OF, &[("severity", &name), ("days", &days)]))
        })
        .collect();
    Ok(html! {
        @if !days.is_empty() { p.hint { (visit.fill(texts::DUE_HINT, &[("days", &days.join(", "))])) } }
    })
}

/// The test cases of the chosen programme, or all with their programme; the programme follows from the test case.
async fn test_cases(ask: &Ask<'_, Finding>) -> Result<Vec<Choice>, PageError> {
    let Ask { workspace, visit, form, .. } = ask;
    let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
    let mut choices = vec![Choice::new("", visit.t(shared::NO_TEST_CASE))];
    let programme = form.value("programme_id").parse().ok();
    let filter = app::test_case::TestCaseFilter { programme: programme.into(), ..Default::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = workspace.app.records.records::<TestCase>(visit.caller(), &filter, all).await?;
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
        && let Ok((detail, _)) = workspace.app.records.record::<TestCase>(visit.caller(), id).await
    {
        choices.push(Choice::new(chosen.to_owned(), detail.record.row.record.title.as_str()));
    }
    Ok(choices)
}
