//! Creating and changing a report. The events that start its clocks can be corrected until the first stage is filed.

use app::{Error, cra_report::CraReportRow, records::PickKind};
use domain::{
    change::Change,
    cra_report::{CraReport, CraReportInput, CraReportKind, ProductInput},
    field::Field,
    id::CraReportId,
    vocabulary::Severity,
};
use maud::Markup;

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        pick,
        record::{
            field::{FormField, Section},
            form::{FormTexts, RecordForm},
        },
    },
    route,
    texts::{cra_report as texts, finding},
    ui::field::{moment_value, words},
};

type Asked = FormField<CraReport>;

impl RecordForm for CraReport {
    const ADDRESS: &'static str = route::CRA_REPORTS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const FIELDS: &'static [Section<Self>] = &[
        Section::untitled(&[
            Asked::choice(Self::KIND, words::<CraReportKind>, |report| report.kind.as_str())
                .fixed()
                .shown_apart(),
            Asked::moment(Self::AWARE_AT, |report| Some(report.aware_at))
                .hint(texts::AWARE_HINT)
                .required()
                .asked_if(|report| report.is_none_or(starts_later)),
            Asked::text(Field::NOTE.called(texts::AWARE_REASON), |_| None)
                .hint(texts::AWARE_REASON_HINT)
                .asked_if(|report| report.is_some_and(starts_later))
                .shown_apart(),
            Asked::title(Self::TITLE, |report| &report.title),
            Asked::line(Self::PRODUCT_NAME, |report| Some(&report.product.name)).required().shown_apart(),
            Asked::line(Self::PRODUCT_VERSION, |report| report.product.version.as_ref()).shown_apart(),
            Asked::choice(Self::SEVERITY, words::<Severity>, |report| report.severity.as_str())
                .bulk()
                .shown_apart(),
            Asked::text(Self::CVE, |report| report.cve.as_ref().map(ToString::to_string))
                .hint(finding::CVE_HINT)
                .bulk()
                .shown_apart(),
            Asked::moment(Self::CORRECTIVE_AT, |report| report.corrective_measure_at)
                .hint(texts::CORRECTIVE_HINT),
            Asked::person(Self::OWNER, |report| report.owner.as_ref()).bulk().cell(),
            Asked::lines(Self::MEMBER_STATES, |report| {
                report.member_states.iter().map(ToString::to_string).collect()
            })
            .hint(texts::MEMBER_STATES_HINT)
            .shown_apart(),
            Asked::prose(Self::DESCRIPTION, |report| report.description.as_ref()).bulk(),
            Asked::record(Self::FINDING, &[PickKind("finding")], |report| {
                report.finding.map(|id| id.to_string())
            }),
        ]),
        // The intermediate report that the CSIRT may request.
        Section::titled(
            Self::INTERIM.label,
            &[
                Asked::moment(Self::INTERIM_REQUESTED, |report| report.interim.requested_at)
                    .asked_if(|report| report.is_some())
                    .shown_apart(),
                Asked::moment(Self::INTERIM_SENT, |report| {
                    report.interim.sent.as_ref().map(|sent| sent.submitted_at)
                })
                .asked_if(|report| report.is_some())
                .shown_apart(),
                Asked::line(Self::INTERIM_REFERENCE, |report| {
                    report.interim.sent.as_ref().and_then(|sent| sent.reference.as_ref())
                })
                .asked_if(|report| report.is_some())
                .shown_apart(),
            ],
        ),
    ];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([
            ("severity", Severity::High.to_string()),
            ("aware_at", moment_value(visit, Some(visit.now))),
        ])
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

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: CraReportId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}

/// Whether the time that starts the clocks can still be corrected: no stage is filed.
fn starts_later(report: &CraReport) -> bool {
    !report.submissions.any()
}
