//! The form of a function.

use app::{Error, function::FunctionRow};
use domain::{
    function::{DiscontinuingImpact, Function, FunctionCriticality, FunctionInput},
    id::FunctionId,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        bulk_field::BulkField,
        cell::Cell,
        form::{FormTexts, RecordForm, filled},
    },
    route,
    texts::{common, function as texts, record as shared},
    ui::field::{self, Field, words},
};

const YEAR: i64 = 525_600;

impl RecordForm for Function {
    const ADDRESS: &'static str = route::FUNCTIONS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAME: &'static str = "name";
    const NAMES: &'static [(&'static str, Label)] = &[
        ("name", common::NAME),
        ("reference", shared::REFERENCE),
        ("criticality", texts::CRITICALITY),
        ("licensed_activity", texts::LICENSED_ACTIVITY),
        ("reasons", texts::REASONS),
        ("assessed_on", texts::ASSESSED_ON),
        ("rto_minutes", texts::RTO),
        ("rpo_minutes", texts::RPO),
        ("impact_of_discontinuing", texts::IMPACT),
        ("owner", shared::OWNER),
    ];
    const CELLS: &'static [Cell<Self>] = &[Cell::owner(|function| function.owner.as_ref())];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::words("criticality", texts::CRITICALITY, |visit| words::<FunctionCriticality>(visit)),
        BulkField::words("impact_of_discontinuing", texts::IMPACT, |visit| {
            words::<DiscontinuingImpact>(visit)
        }),
        BulkField::person("owner", shared::OWNER),
        BulkField::line("licensed_activity", texts::LICENSED_ACTIVITY),
        BulkField::number("rto_minutes", texts::RTO, (0, YEAR)),
        BulkField::number("rpo_minutes", texts::RPO, (0, YEAR)),
        BulkField::day("assessed_on", texts::ASSESSED_ON),
        BulkField::prose("reasons", texts::REASONS),
    ];

    fn proposed(_: &Visit) -> Form {
        Form::filled([
            ("criticality", FunctionCriticality::NotAssessed.to_string()),
            ("impact_of_discontinuing", DiscontinuingImpact::NotAssessed.to_string()),
        ])
    }

    async fn form_fields(
        _: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&FunctionRow>,
    ) -> Result<Markup, PageError> {
        Ok(html! {
            (field::section(visit, shared::PART_BASICS, &html! {
                (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).render())
                div.columns {
                    (Field::text(visit, form, "reference", shared::REFERENCE)
                        .hint(texts::REFERENCE_HINT).optional().at_most(Name::MAX).render())
                    (Field::text(visit, form, "licensed_activity", texts::LICENSED_ACTIVITY)
                        .optional().at_most(Name::MAX).render())
                    (Field::person(visit, form, "owner", shared::OWNER).render())
                }
            }))
            (field::section(visit, shared::PART_RATING, &html! {
                div.columns {
                    (field::select(visit, form, "criticality", texts::CRITICALITY,
                        &words::<FunctionCriticality>(visit)))
                    (field::select(visit, form, "impact_of_discontinuing", texts::IMPACT,
                        &words::<DiscontinuingImpact>(visit)))
                    (Field::number(visit, form, "rto_minutes", texts::RTO, (0, YEAR)).optional().render())
                    (Field::number(visit, form, "rpo_minutes", texts::RPO, (0, YEAR)).optional().render())
                    (Field::day(visit, form, "assessed_on", texts::ASSESSED_ON).optional().render())
                }
                (field::area(visit, form, "reasons", texts::REASONS, None))
            }))
        })
    }

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&FunctionRow>,
    ) -> Result<FunctionInput, Error> {
        let input = FunctionInput {
            reference: form.filled_change("reference"),
            name: form.required_change("name"),
            licensed_activity: form.change("licensed_activity"),
            criticality: form.filled_change("criticality"),
            reasons: form.change("reasons"),
            assessed_on: form.change("assessed_on"),
            rto_minutes: form.decimal("rto_minutes"),
            rpo_minutes: form.decimal("rpo_minutes"),
            impact_of_discontinuing: form.filled_change("impact_of_discontinuing"),
            owner: form.change("owner"),
        };
        form.finish(Some(input))
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &FunctionRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        Ok(vec![
            ("name", record.name.to_string()),
            ("reference", record.reference()),
            ("criticality", record.criticality.to_string()),
            ("impact_of_discontinuing", record.impact_of_discontinuing.to_string()),
            ("licensed_activity", filled(record.licensed_activity.as_ref())),
            ("owner", filled(record.owner.as_ref())),
            ("rto_minutes", filled(record.rto_minutes)),
            ("rpo_minutes", filled(record.rpo_minutes)),
            ("assessed_on", filled(record.assessed_on)),
            ("reasons", filled(record.reasons.as_ref())),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: FunctionId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::page(workspace, visit, id, form).await
    }
}
