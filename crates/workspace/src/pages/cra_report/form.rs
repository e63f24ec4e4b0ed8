//! Creating and changing a report. The events that start its clocks can be corrected until the first stage is filed.

use app::{Error, cra_report::CraReportRow};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    country::Country,
    cra_report::{CraReport as Record, CraReportInput, CraReportKind, ProductInput},
    finding::Finding,
    permission::Permission,
    reference::FindingReference,
    text::Name,
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, report_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::record,
    respond::{self, Answer},
    route,
    texts::{common, cra_report as texts, finding, record as shared},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 13] = [
    ("kind", texts::KIND),
    ("aware_at", texts::AWARE_AT),
    ("title", texts::HEADING),
    ("product.name", texts::PRODUCT_NAME),
    ("product.version", texts::PRODUCT_VERSION),
    ("severity", texts::SEVERITY),
    ("cve", texts::CVE),
    ("member_states", texts::MEMBER_STATES),
    ("corrective_measure_at", texts::CORRECTIVE_AT),
    ("description", shared::DESCRIPTION),
    ("finding_id", texts::FINDING),
    ("owner", shared::OWNER),
    ("note", texts::AWARE_REASON),
];

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require(Permission::Write)?;
    let form = Form::filled([
        ("severity", Severity::High.to_string()),
        ("aware_at", field::moment_value(&visit, Some(visit.now))),
    ]);
    respond::page(new_page(&visit, &form))
}

fn new_page(visit: &Visit, form: &Form) -> Markup {
    let kinds: Vec<_> =
        CraReportKind::ALL.iter().map(|kind| Choice::new(kind.as_str(), visit.t(kind.label()))).collect();
    let start = html! {
        div.columns {
            (field::select(visit, form, "kind", texts::KIND, &kinds))
            (Field::moment(visit, form, "aware_at", texts::AWARE_AT).hint(texts::AWARE_HINT).render())
        }
    };
    page(visit, form, texts::NEW, &start, (route::CRA_REPORTS, texts::CREATE, route::CRA_REPORTS))
}

fn page(
    visit: &Visit,
    form: &Form,
    title: Label,
    start: &Markup,
    (action, submit, back): (&str, Label, &str),
) -> Markup {
    let content = html! {
        (ui::head(visit.t(title), visit.t(texts::INTRO), None))
        (record::overtaken(visit, form, back))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(action) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (start)
            (fields(visit, form))
            div.form-end {
                button.button.primary type="submit" { (visit.t(submit)) }
                a.button href=(back) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(title), &content)
}

fn fields(visit: &Visit, form: &Form) -> Markup {
    let severities: Vec<_> = Severity::ALL
        .iter()
        .map(|severity| Choice::new(severity.as_str(), visit.t(severity.label())))
        .collect();
    html! {
        (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
        div.columns {
            (Field::text(visit, form, "product.name", texts::PRODUCT_NAME).at_most(Name::MAX).render())
            (Field::text(visit, form, "product.version", texts::PRODUCT_VERSION)
                .optional().at_most(Name::MAX).render())
            (field::select(visit, form, "severity", texts::SEVERITY, &severities))
            (Field::text(visit, form, "cve", texts::CVE).hint(finding::CVE_HINT).optional().render())
            (Field::moment(visit, form, "corrective_measure_at", texts::CORRECTIVE_AT)
                .hint(texts::CORRECTIVE_HINT).optional().render())
            (Field::text(visit, form, "finding_id", texts::FINDING).hint(texts::FINDING_HINT).optional().render())
            (Field::person(visit, form, "owner", shared::OWNER).render())
        }
        (field::area(visit, form, "member_states", texts::MEMBER_STATES, Some(texts::MEMBER_STATES_HINT)))
        (field::area(visit, form, "description", shared::DESCRIPTION, None))
    }
}

/// The form as domain input. `before` is the report it changes.
async fn input(
    workspace: &Workspace,
    visit: &Visit,
    form: &mut Form,
    before: Option<&Record>,
) -> Result<CraReportInput, PageError> {
    let corrected = before.and_then(|before| before.corrective_measure_at);
    let aware_at = form.moment(&visit.zone, "aware_at", before.map(|before| before.aware_at));
    let corrective_measure_at = form.moment(&visit.zone, "corrective_measure_at", corrected);
    Ok(CraReportInput {
        kind: form.required_change("kind"),
        aware_at: match aware_at {
            Change::Clear => Change::Set(String::new()),
            change => change,
        },
        title: form.required_change("title"),
        product: Change::Set(ProductInput {
            name: form.required_change("product.name"),
            version: form.change("product.version"),
        }),
        severity: form.required_change("severity"),
        cve: form.change("cve"),
        member_states: form.lines("member_states"),
        corrective_measure_at,
        description: form.change("description"),
        finding_id: match form.change("finding_id") {
            Change::Set(text) => Change::Set(finding_id(workspace, visit, text).await?),
            change => change,
        },
        owner: form.change("owner"),
        note: form.change("note"),
        ..CraReportInput::default()
    })
}

/// The id of a reference; an unknown reference is left for the rules to refuse.
async fn finding_id(workspace: &Workspace, visit: &Visit, text: String) -> Result<String, PageError> {
    let Ok(reference) = text.parse::<FindingReference>() else { return Ok(text) };
    let found = workspace.app.finding_called(visit.caller(), reference).await?;
    Ok(found.map_or(text, |id| id.to_string()))
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let input = input(&workspace, &visit, &mut form, None).await?;
    let created = match form.finish(Some(input)) {
        Ok(input) => {
            workspace.app.create_record::<Record>(visit.caller(), input, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => {
            let address = format!("{}/{}", route::CRA_REPORTS, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, &form))
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require(Permission::Write)?;
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), report_id(&id)?).await?;
    let row = &detail.record.row;
    let validator = workspace.app.record_validator(row.version, revision);
    let reference = match row.record.finding {
        Some(id) => {
            let (detail, _) = workspace.app.record::<Finding>(visit.caller(), id).await?;
            detail.record.record.reference.to_string()
        }
        None => String::new(),
    };
    respond::page(edit_page(&visit, row, &filled(&visit, row, validator, reference)))
}

fn filled(view: &View, row: &CraReportRow, validator: String, reference: String) -> Form {
    let report = &row.record;
    let states: Vec<_> = report.member_states.iter().map(Country::as_str).collect();
    Form::filled([
        (record::SEEN, validator),
        ("finding_id", reference),
        ("aware_at", field::moment_value(view, Some(report.aware_at))),
        ("title", report.title.to_string()),
        ("product.name", report.product.name.to_string()),
        ("product.version", report.product.version.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("severity", report.severity.to_string()),
        ("cve", report.cve.as_ref().map(|cve| cve.as_str().to_owned()).unwrap_or_default()),
        ("member_states", states.join("\n")),
        ("corrective_measure_at", field::moment_value(view, report.corrective_measure_at)),
        ("owner", report.owner.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("description", report.description.as_ref().map(ToString::to_string).unwrap_or_default()),
    ])
}

fn edit_page(visit: &Visit, row: &CraReportRow, form: &Form) -> Markup {
    let address = address_of(row.id);
    let start = html! {
        @if !row.record.submissions.any() {
            div.columns {
                (Field::moment(visit, form, "aware_at", texts::AWARE_AT).hint(texts::AWARE_HINT).render())
                (Field::text(visit, form, "note", texts::AWARE_REASON)
                    .hint(texts::AWARE_REASON_HINT).optional().render())
            }
        }
    };
    page(visit, form, texts::EDIT, &start, (address.as_str(), common::SAVE, address.as_str()))
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, report_id(&id)?);
    let precondition = record::precondition(&form);
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), id).await?;
    let row = &detail.record.row;
    let input = input(&workspace, &visit, &mut form, Some(&row.record)).await?;
    let changed = match form.finish(Some(input)) {
        Ok(input) => workspace.app.change_record::<Record>(visit.caller(), id, input, precondition).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, workspace.app.record_validator(row.version, revision));
            respond::overtaken(edit_page(&visit, row, &form))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&visit, row, &form))
        }
    }
}
