//! The form of a control.

use app::{Error, control::ControlRow};
use domain::{
    change::Change,
    control::{Control, ControlCadence, ControlInput, ControlStatus, Effectiveness},
    id::ControlId,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        record::{
            bulk_field::BulkField,
            cell::Cell,
            form::{FormTexts, RecordForm, filled},
        },
        reference,
    },
    route,
    texts::{common, control as texts, record as shared},
    ui::field::{self, Choice, Field, words},
};

impl RecordForm for Control {
    const ADDRESS: &'static str = route::CONTROLS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("title", texts::HEADING),
        ("status", common::STATUS),
        ("owner", shared::OWNER),
        ("cadence", texts::CADENCE),
        ("next_due_on", texts::NEXT_DUE),
        ("measure_id", texts::MEASURE),
        ("requirements", texts::REQUIREMENTS),
        ("effectiveness", texts::OVERRULE),
        ("effectiveness_reason", texts::OVERRULE_REASON),
        ("description", shared::DESCRIPTION),
        ("functions", texts::FUNCTIONS),
        ("controls", texts::TITLE),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::status(|visit| words::<ControlStatus>(visit), |control| control.status.as_str()),
        Cell::owner(|control| control.owner.as_ref()),
        Cell::required_day(("next_due", "next_due_on"), texts::NEXT_DUE, |control| control.next_due_on),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::words("status", common::STATUS, |visit| words::<ControlStatus>(visit)),
        BulkField::person("owner", shared::OWNER),
        BulkField::words("cadence", texts::CADENCE, |visit| words::<ControlCadence>(visit)),
        BulkField::day("next_due_on", texts::NEXT_DUE).required(),
        BulkField::prose("description", shared::DESCRIPTION),
    ];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([("requirements", visit.query("requirement").unwrap_or_default())])
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&ControlRow>,
    ) -> Result<Markup, PageError> {
        let edition = reference::edition(workspace)?;
        let mut overrules = vec![Choice::new("", visit.t(texts::OVERRULE_NONE))];
        overrules.extend(words::<Effectiveness>(visit));
        Ok(html! {
            (field::section(visit, shared::PART_BASICS, &html! {
                (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
                (field::area(visit, form, "description", shared::DESCRIPTION, None))
                div.columns {
                    (field::select(visit, form, "status", common::STATUS, &words::<ControlStatus>(visit)))
                    (Field::person(visit, form, "owner", shared::OWNER).render())
                    (field::select(visit, form, "cadence", texts::CADENCE, &words::<ControlCadence>(visit)))
                    (Field::day(visit, form, "next_due_on", texts::NEXT_DUE).optional().render())
                }
            }))
            (field::section(visit, shared::PART_LINKS, &html! {
                div.field {
                    label for="measure_id" { (visit.t(texts::MEASURE)) }
                    input #measure_id type="text" name="measure_id" value=(form.value("measure_id")) list="measures"
                        autocomplete="off" aria-describedby="measure_id-hint";
                    datalist #measures {
                        @for measure in &edition.measures {
                            option value=(measure.id) { (measure.title.get(visit.language)) }
                        }
                    }
                    p.hint id="measure_id-hint" { (visit.t(texts::MEASURE_HINT)) }
                }
                (field::area(visit, form, "requirements", texts::REQUIREMENTS, Some(texts::REQUIREMENTS_HINT)))
                (field::area(visit, form, "functions", texts::FUNCTIONS, Some(shared::ONE_PER_LINE)))
            }))
            (field::section(visit, shared::PART_RATING, &html! {
                div.columns {
                    (field::select(visit, form, "effectiveness", texts::OVERRULE, &overrules))
                    (Field::text(visit, form, "effectiveness_reason", texts::OVERRULE_REASON).optional().render())
                }
            }))
        })
    }

    async fn input(
        workspace: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&ControlRow>,
    ) -> Result<ControlInput, Error> {
        let edition = workspace.app.catalogue()?;
        let measure_id = match form.change("measure_id") {
            // A title that was typed in full is replaced by the id of its measure.
            Change::Set(text) => Change::Set(app::measure::named(&edition, &text).unwrap_or(text)),
            other => other,
        };
        let overruled = matches!(form.change("effectiveness"), Change::Set(_));
        Ok(ControlInput {
            title: form.required_change("title"),
            description: form.change("description"),
            measure_id,
            requirements: form.lines("requirements"),
            status: form.filled_change("status"),
            effectiveness: form.change("effectiveness"),
            effectiveness_reason: if overruled { form.change("effectiveness_reason") } else { Change::Keep },
            owner: form.change("owner"),
            cadence: form.filled_change("cadence"),
            next_due_on: form.filled_change("next_due_on"),
            functions: form.lines("functions"),
            ..ControlInput::default()
        })
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &ControlRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let functions: Vec<_> = record.functions.iter().map(Name::as_str).collect();
        let overrule = record.overrule.as_ref();
        Ok(vec![
            ("title", record.title.to_string()),
            ("status", record.status.to_string()),
            ("owner", filled(record.owner.as_ref())),
            ("cadence", record.cadence.to_string()),
            ("next_due_on", filled(record.next_due_on)),
            ("measure_id", record.measure_id.clone().unwrap_or_default()),
            ("requirements", record.requirements.join("\n")),
            ("description", filled(record.description.as_ref())),
            ("functions", functions.join("\n")),
            ("effectiveness", filled(overrule.map(|word| word.effectiveness))),
            ("effectiveness_reason", filled(overrule.map(|word| &word.reason))),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: ControlId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}
