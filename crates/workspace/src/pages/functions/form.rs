//! The form of a function.

use app::{Error, function::FunctionRow};
use domain::{
    function::{DiscontinuingImpact, Function, FunctionCriticality, FunctionInput},
    id::FunctionId,
};
use maud::Markup;

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        field::{FormField, Section},
        form::{FormTexts, RecordForm},
    },
    route,
    texts::{function as texts, record as shared},
    ui::field::words,
};

const YEAR: i64 = 525_600;

type Asked = FormField<Function>;

impl RecordForm for Function {
    const ADDRESS: &'static str = route::FUNCTIONS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const NAME: &'static str = "name";
    const FIELDS: &'static [Section<Self>] = &[
        Section::titled(
            shared::PART_BASICS,
            &[
                Asked::title(Self::NAME, |function| &function.name),
                Asked::text(Self::REFERENCE, |function| Some(function.reference()))
                    .hint(texts::REFERENCE_HINT)
                    .kept()
                    .shown_apart(),
                Asked::line(Self::LICENSED_ACTIVITY, |function| function.licensed_activity.as_ref()).bulk(),
                Asked::person(Self::OWNER, |function| function.owner.as_ref()).bulk().cell(),
            ],
        ),
        Section::titled(
            shared::PART_RATING,
            &[
                Asked::choice(Self::CRITICALITY, words::<FunctionCriticality>, |function| {
                    function.criticality.as_str()
                })
                .bulk()
                .shown_apart(),
                Asked::choice(Self::DISCONTINUING, words::<DiscontinuingImpact>, |function| {
                    function.impact_of_discontinuing.as_str()
                })
                .bulk(),
                Asked::number(Self::RTO, (0, YEAR), |function| function.rto_minutes).bulk().shown_apart(),
                Asked::number(Self::RPO, (0, YEAR), |function| function.rpo_minutes).bulk().shown_apart(),
                Asked::day(Self::ASSESSED_ON, |function| function.assessed_on).bulk(),
                Asked::prose(Self::REASONS, |function| function.reasons.as_ref()).bulk(),
            ],
        ),
    ];

    fn proposed(_: &Visit) -> Form {
        Form::filled([
            ("criticality", FunctionCriticality::NotAssessed.to_string()),
            ("impact_of_discontinuing", DiscontinuingImpact::NotAssessed.to_string()),
        ])
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

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: FunctionId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::page(workspace, visit, id, form).await
    }
}
