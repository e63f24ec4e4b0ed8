//! The form of a risk.

use app::{
    Error,
    risk::{RiskChange, RiskRow},
};
use domain::{
    change::Change,
    id::RiskId,
    risk::{Rating, RatingInput, Risk, RiskCategory, RiskInput, RiskTreatment, STEPS},
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
        field::{PlainField, areas, entries},
        form::{FormTexts, RecordForm, RecordSteps, filled},
    },
    route,
    texts::{finding, own_risk as texts, record as shared},
    ui::field::{self, Choice, Field, words},
};

/// The fields of the three ratings; a target can be left out.
const RATINGS: [(&str, Label, bool); 6] = [
    ("inherent.likelihood", texts::INHERENT_LIKELIHOOD, false),
    ("inherent.impact", texts::INHERENT_IMPACT, false),
    ("residual.likelihood", texts::RESIDUAL_LIKELIHOOD, false),
    ("residual.impact", texts::RESIDUAL_IMPACT, false),
    ("target.likelihood", texts::TARGET_LIKELIHOOD, true),
    ("target.impact", texts::TARGET_IMPACT, true),
];

impl RecordForm for Risk {
    const ADDRESS: &'static str = route::RISKS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("title", finding::HEADING),
        ("category", texts::CATEGORY),
        ("inherent.likelihood", texts::INHERENT_LIKELIHOOD),
        ("inherent.impact", texts::INHERENT_IMPACT),
        ("residual.likelihood", texts::RESIDUAL_LIKELIHOOD),
        ("residual.impact", texts::RESIDUAL_IMPACT),
        ("target.likelihood", texts::TARGET_LIKELIHOOD),
        ("target.impact", texts::TARGET_IMPACT),
        ("functions", texts::FUNCTIONS),
        ("controls", texts::CONTROLS),
        ("findings", texts::FINDINGS),
    ];
    const PLAIN: &'static [PlainField<Self>] = &[
        PlainField::person("owner", shared::OWNER, |risk| risk.owner.as_ref()),
        PlainField::day("review_on", texts::REVIEW_ON, |risk| risk.review_on),
        PlainField::prose("cause", texts::CAUSE, |risk| risk.cause.as_ref()),
        PlainField::prose("event", texts::EVENT, |risk| risk.event.as_ref()),
        PlainField::prose("effect", texts::EFFECT, |risk| risk.effect.as_ref()),
    ];

    async fn form_fields(
        _: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&RiskRow>,
    ) -> Result<Markup, PageError> {
        Ok(html! {
            (Field::text(visit, form, "title", finding::HEADING).at_most(Name::MAX).render())
            div.columns {
                (field::select(visit, form, "category", texts::CATEGORY, &words::<RiskCategory>(visit)))
                (field::select(visit, form, "treatment", texts::TREATMENT, &words::<RiskTreatment>(visit)))
                (entries(Self::PLAIN, visit, form))
            }
            (areas(Self::PLAIN, visit, form))
            p.hint { (visit.t(texts::RATING_RULE)) }
            div.columns {
                @for (name, label, optional) in RATINGS {
                    (field::select(visit, form, name, label, &steps(visit, optional)))
                }
            }
            (field::area(visit, form, "functions", texts::FUNCTIONS, Some(texts::FUNCTIONS_HINT)))
            (field::area(visit, form, "controls", texts::CONTROLS, Some(texts::CONTROLS_HINT)))
            (field::area(visit, form, "findings", texts::FINDINGS, Some(texts::FINDINGS_HINT)))
        })
    }

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&RiskRow>,
    ) -> Result<RiskChange, Error> {
        Ok(RiskChange::Fields(Box::new(RiskInput {
            title: form.required_change("title"),
            cause: form.change("cause"),
            event: form.change("event"),
            effect: form.change("effect"),
            category: form.required_change("category"),
            owner: form.change("owner"),
            functions: form.lines("functions"),
            controls: form.lines("controls"),
            findings: form.lines("findings"),
            inherent: Change::Set(rating(form, "inherent")),
            residual: Change::Set(rating(form, "residual")),
            target: match (form.value("target.likelihood"), form.value("target.impact")) {
                ("", "") => Change::Clear,
                _ => Change::Set(rating(form, "target")),
            },
            treatment: form.required_change("treatment"),
            review_on: form.change("review_on"),
            ..RiskInput::default()
        })))
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &RiskRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let lines = |ids: &[String]| ids.join("\n");
        let findings: Vec<String> = record.findings.iter().map(ToString::to_string).collect();
        let target = |step: fn(Rating) -> u8| filled(record.target.map(step));
        Ok(vec![
            ("title", record.title.to_string()),
            ("category", record.category.to_string()),
            ("treatment", record.treatment.to_string()),
            ("inherent.likelihood", record.inherent.likelihood().to_string()),
            ("inherent.impact", record.inherent.impact().to_string()),
            ("residual.likelihood", record.residual.likelihood().to_string()),
            ("residual.impact", record.residual.impact().to_string()),
            ("target.likelihood", target(Rating::likelihood)),
            ("target.impact", target(Rating::impact)),
            ("functions", lines(&record.functions)),
            ("controls", lines(&record.controls)),
            ("findings", lines(&findings)),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: RiskId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for Risk {
    fn step(form: &Form) -> RiskChange {
        RiskChange::Fields(Box::new(RiskInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..RiskInput::default()
        }))
    }
}

fn steps(visit: &Visit, optional: bool) -> Vec<Choice> {
    let none = optional.then(|| Choice::new("", visit.t(texts::UNRATED)));
    none.into_iter().chain(STEPS.map(|step| Choice::new(step.to_string(), step.to_string()))).collect()
}

/// Both steps of a rating; an empty one is left out, so that the rules report it.
fn rating(form: &mut Form, name: &str) -> RatingInput {
    let mut step = |part: &str| match form.decimal(&format!("{name}.{part}")) {
        Change::Set(step) => Change::Set(step),
        Change::Keep | Change::Clear => Change::Keep,
    };
    RatingInput { likelihood: step("likelihood"), impact: step("impact") }
}
