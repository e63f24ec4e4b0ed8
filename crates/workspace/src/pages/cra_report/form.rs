//! Creating and changing a report. The events that start its clocks can be corrected until the first stage is filed.

use app::{Error, cra_report::CraReportRow, records::PickKind};
use domain::{
    change::Change,
    country::Country,
    cra_report::{CraReport, CraReportInput, CraReportKind, ProductInput},
    id::CraReportId,
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
        pick,
        record::{
            bulk_field::BulkField,
            cell::Cell,
            form::{FormTexts, RecordForm, filled},
        },
    },
    route,
    texts::{cra_report as texts, finding, record as shared},
    ui::field::{self, Choice, Field},
};

impl RecordForm for CraReport {
    const ADDRESS: &'static str = route::CRA_REPORTS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
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
        ("contents", texts::ASKED),
        ("filed_contents", texts::FILED_CONTENTS),
        ("interim_requested_at", texts::INTERIM_REQUESTED),
        ("interim_submitted_at", texts::INTERIM_SENT),
        ("interim_reference", texts::INTERIM_REFERENCE),
    ];
    const CELLS: &'static [Cell<Self>] = &[Cell::owner(|report| report.owner.as_ref())];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::words("severity", texts::SEVERITY, field::words::<Severity>),
        BulkField::person("owner", shared::OWNER),
        BulkField::line("cve", texts::CVE),
        BulkField::prose("description", shared::DESCRIPTION),
    ];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([
            ("severity", Severity::High.to_string()),
            ("aware_at", field::moment_value(visit, Some(visit.now))),
        ])
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&CraReportRow>,
    ) -> Result<Markup, PageError> {
        Ok(html! {
            (start(visit, form, before))
            (fields(visit, form))
            (pick::field(workspace, visit, form, ("finding_id", texts::FINDING), &[PickKind("finding")]).await?)
            @if before.is_some() { (interim(visit, form)) }
        })
    }

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&CraReportRow>,
    ) -> Result<CraReportInput, Error> {
        let before = before.map(|row| &row.record);
        let corrected = before.and_then(|before| before.corrective_measure_at);
        let aware_at = form.moment(&visit.zone, "aware_at", before.map(|before| before.aware_at));
        let corrective_measure_at = form.moment(&visit.zone, "corrective_measure_at", corrected);
        let asked = before.and_then(|before| before.interim.requested_at);
        let sent = before.and_then(|before| before.interim.sent.as_ref()).map(|sent| sent.submitted_at);
        let is_known = before.is_some();
        let of_changes = |change| if is_known { change } else { Change::Keep };
        let interim_requested_at = of_changes(form.moment(&visit.zone, "interim_requested_at", asked));
        let interim_submitted_at = of_changes(form.moment(&visit.zone, "interim_submitted_at", sent));
        let input = CraReportInput {
            interim_requested_at,
            interim_submitted_at,
            interim_reference: of_changes(form.change("interim_reference")),
            kind: form.required_change("kind"),
            aware_at: match aware_at {
                Change::Clear => Change::Set(String::new()),
                change => change,
            },
            title: form.required_change("title"),
            product: if form.leaves_out("product.") {
                Change::Keep
            } else {
                Change::Set(ProductInput {
                    name: form.required_change("product.name"),
                    version: form.change("product.version"),
                })
            },
            severity: form.required_change("severity"),
            cve: form.change("cve"),
            member_states: form.lines("member_states"),
            corrective_measure_at,
            description: form.change("description"),
            finding_id: pick::id(workspace, visit, form, "finding_id", &[PickKind("finding")]).await?,
            owner: form.change("owner"),
            note: form.change("note"),
            ..CraReportInput::default()
        };
        form.finish(Some(input))
    }

    async fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &CraReportRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let report = &row.record;
        let finding = pick::labels(workspace, visit, report.finding.iter().map(ToString::to_string)).await?;
        let sent = report.interim.sent.as_ref();
        let states: Vec<_> = report.member_states.iter().map(Country::as_str).collect();
        Ok(vec![
            ("finding_id", finding),
            ("aware_at", field::moment_value(visit, Some(report.aware_at))),
            ("title", report.title.to_string()),
            ("product.name", report.product.name.to_string()),
            ("product.version", filled(report.product.version.as_ref())),
            ("severity", report.severity.to_string()),
            ("cve", report.cve.as_ref().map(|cve| cve.as_str().to_owned()).unwrap_or_default()),
            ("member_states", states.join("\n")),
            ("corrective_measure_at", field::moment_value(visit, report.corrective_measure_at)),
            ("interim_requested_at", field::moment_value(visit, report.interim.requested_at)),
            ("interim_submitted_at", field::moment_value(visit, sent.map(|sent| sent.submitted_at))),
            ("interim_reference", filled(sent.and_then(|sent| sent.reference.as_ref()))),
            ("owner", filled(report.owner.as_ref())),
            ("description", filled(report.description.as_ref())),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: CraReportId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}

/// What starts the clocks: the kind of a new report, and when the institution became aware.
fn start(visit: &Visit, form: &Form, before: Option<&CraReportRow>) -> Markup {
    let kinds: Vec<_> =
        CraReportKind::ALL.iter().map(|kind| Choice::new(kind.as_str(), visit.t(kind.label()))).collect();
    let aware = Field::moment(visit, form, "aware_at", texts::AWARE_AT).hint(texts::AWARE_HINT);
    html! {
        @match before {
            None => div.columns {
                (field::select(visit, form, "kind", texts::KIND, &kinds))
                (aware.render())
            },
            Some(row) if row.record.submissions.any() => {},
            Some(_) => div.columns {
                (aware.render())
                (Field::text(visit, form, "note", texts::AWARE_REASON)
                    .hint(texts::AWARE_REASON_HINT).optional().render())
            },
        }
    }
}

/// The intermediate report that the CSIRT may request.
fn interim(visit: &Visit, form: &Form) -> Markup {
    html! {
        fieldset {
            legend { (visit.t(texts::INTERIM)) }
            div.columns {
                (Field::moment(visit, form, "interim_requested_at", texts::INTERIM_REQUESTED).optional().render())
                (Field::moment(visit, form, "interim_submitted_at", texts::INTERIM_SENT).optional().render())
                (Field::text(visit, form, "interim_reference", texts::INTERIM_REFERENCE)
                    .optional().at_most(Name::MAX).render())
            }
        }
    }
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
            (Field::person(visit, form, "owner", shared::OWNER).render())
        }
        (field::area(visit, form, "member_states", texts::MEMBER_STATES, Some(texts::MEMBER_STATES_HINT)))
        (field::area(visit, form, "description", shared::DESCRIPTION, None))
    }
}
