//! The form of a risk.

use app::{Error, records::PickKind, risk::RiskRow};
use domain::{
    change::Change,
    id::RiskId,
    risk::{Rating, RatingInput, Risk, RiskCategory, RiskInput, RiskStatus, RiskTreatment, STEPS},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::matrix::Scale;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        pick,
        record::{
            bulk_field::BulkField,
            cell::{self, Cell},
            field::{PlainField, areas, entries},
            form::{FormTexts, RecordForm, RecordSteps, filled},
        },
    },
    route,
    texts::{finding, own_risk as texts, record as shared},
    ui::field::{self, Choice, Field, words},
};

/// The fields of the three ratings, each on a line of its own; a target can be left out.
const RATINGS: [[(&str, Label, bool); 2]; 3] = [
    [
        ("inherent.likelihood", texts::INHERENT_LIKELIHOOD, false),
        ("inherent.impact", texts::INHERENT_IMPACT, false),
    ],
    [
        ("residual.likelihood", texts::RESIDUAL_LIKELIHOOD, false),
        ("residual.impact", texts::RESIDUAL_IMPACT, false),
    ],
    [("target.likelihood", texts::TARGET_LIKELIHOOD, true), ("target.impact", texts::TARGET_IMPACT, true)],
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
    const CELLS: &'static [Cell<Self>] = &[
        // An acceptance has a form of its own.
        Cell::step(
            |visit, risk| cell::steps(visit, risk.status, |to| to != RiskStatus::Accepted),
            <Self as RecordSteps>::step,
        ),
        Cell::owner(|risk| risk.owner.as_ref()),
        Cell::day(("review_on", "review_on"), texts::REVIEW_ON, |risk| risk.review_on),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::step(
            |visit| {
                words::<RiskStatus>(visit)
                    .into_iter()
                    .filter(|to| to.value != RiskStatus::Accepted.as_str())
                    .collect()
            },
            <Self as RecordSteps>::step,
        ),
        BulkField::words("category", texts::CATEGORY, |visit| words::<RiskCategory>(visit)),
        BulkField::words("treatment", texts::TREATMENT, |visit| words::<RiskTreatment>(visit)),
        BulkField::person("owner", shared::OWNER),
        BulkField::day("review_on", texts::REVIEW_ON),
        BulkField::prose("cause", texts::CAUSE),
        BulkField::prose("event", texts::EVENT),
        BulkField::prose("effect", texts::EFFECT),
    ];

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&RiskRow>,
    ) -> Result<Markup, PageError> {
        let scale = Scale::of(&*workspace.app.edition_of(visit.caller()).await?, visit.language);
        let unrated = before.is_some_and(|row| row.record.residual.is_none());
        Ok(html! {
            (field::section(visit, shared::PART_BASICS, &html! {
                (Field::text(visit, form, "title", finding::HEADING).at_most(Name::MAX).render())
                div.columns {
                    (field::select(visit, form, "category", texts::CATEGORY, &words::<RiskCategory>(visit)))
                    (field::select(visit, form, "treatment", texts::TREATMENT, &words::<RiskTreatment>(visit)))
                    (entries(Self::PLAIN, visit, form))
                }
            }))
            (field::section(visit, shared::PART_DETAILS, &areas(Self::PLAIN, visit, form)))
            (field::section(visit, shared::PART_RATING, &html! {
                p.hint { (visit.t(texts::RATING_RULE)) }
                @for [likelihood, impact] in RATINGS {
                    div.columns {
                        @for (name, label, optional) in [likelihood, impact] {
                            (field::select(visit, form, name, label, &steps(visit, &scale, name, optional || unrated)))
                        }
                    }
                }
            }))
            (field::section(visit, shared::PART_LINKS, &html! {
                (pick::fields(workspace, visit, form, ("functions", texts::FUNCTIONS), &[PickKind("function")]).await?)
                (pick::fields(workspace, visit, form, ("controls", texts::CONTROLS), &[PickKind("control")]).await?)
                (pick::fields(workspace, visit, form, ("findings", texts::FINDINGS), &[PickKind("finding")]).await?)
            }))
        })
    }

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&RiskRow>,
    ) -> Result<RiskInput, Error> {
        let functions = pick::ids(workspace, visit, form, "functions", &[PickKind("function")]).await?;
        let controls = pick::ids(workspace, visit, form, "controls", &[PickKind("control")]).await?;
        let findings = pick::ids(workspace, visit, form, "findings", &[PickKind("finding")]).await?;
        let input = RiskInput {
            title: form.required_change("title"),
            cause: form.change("cause"),
            event: form.change("event"),
            effect: form.change("effect"),
            category: form.required_change("category"),
            owner: form.change("owner"),
            functions,
            controls,
            findings,
            inherent: rating_or(
                form,
                "inherent",
                unrated(before.and_then(|row| row.record.inherent), before),
            ),
            residual: rating_or(
                form,
                "residual",
                unrated(before.and_then(|row| row.record.residual), before),
            ),
            target: rating_or(form, "target", true),
            treatment: form.required_change("treatment"),
            review_on: form.change("review_on"),
            ..RiskInput::default()
        };
        form.finish(Some(input))
    }

    async fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &RiskRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let findings = record.findings.iter().map(ToString::to_string);
        let step = |rating: Option<Rating>, step: fn(Rating) -> u8| filled(rating.map(step));
        Ok(vec![
            ("title", record.title.to_string()),
            ("category", record.category.to_string()),
            ("treatment", record.treatment.to_string()),
            ("inherent.likelihood", step(record.inherent, Rating::likelihood)),
            ("inherent.impact", step(record.inherent, Rating::impact)),
            ("residual.likelihood", step(record.residual, Rating::likelihood)),
            ("residual.impact", step(record.residual, Rating::impact)),
            ("target.likelihood", step(record.target, Rating::likelihood)),
            ("target.impact", step(record.target, Rating::impact)),
            ("functions", pick::labels(workspace, visit, record.functions.clone()).await?),
            ("controls", pick::labels(workspace, visit, record.controls.clone()).await?),
            ("findings", pick::labels(workspace, visit, findings).await?),
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
    fn step(form: &Form) -> RiskInput {
        RiskInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..RiskInput::default()
        }
    }
}

/// The steps of a scale with their words.
fn steps(visit: &Visit, scale: &Scale, name: &str, optional: bool) -> Vec<Choice> {
    let none = optional.then(|| Choice::new("", visit.t(texts::NOT_RATED)));
    let is_likelihood = name.ends_with("likelihood");
    let word = |step: u8| if is_likelihood { scale.likelihood(step) } else { scale.impact(step) };
    none.into_iter().chain(STEPS.map(|step| Choice::new(step.to_string(), word(step)))).collect()
}

/// Whether the rating of a stored risk is missing, so that it can be left out again.
fn unrated(rating: Option<Rating>, before: Option<&RiskRow>) -> bool {
    before.is_some() && rating.is_none()
}

/// A rating, or none where it may be left out.
fn rating_or(form: &mut Form, name: &str, optional: bool) -> Change<RatingInput> {
    if form.leaves_out(&format!("{name}.")) {
        return Change::Keep;
    }
    let is_empty = |part: &str| form.value(&format!("{name}.{part}")).is_empty();
    if optional && is_empty("likelihood") && is_empty("impact") {
        return Change::Clear;
    }
    Change::Set(rating(form, name))
}

/// Both steps of a rating; an empty one is left out, so that the rules report it.
fn rating(form: &mut Form, name: &str) -> RatingInput {
    let mut step = |part: &str| match form.decimal(&format!("{name}.{part}")) {
        Change::Set(step) => Change::Set(step),
        Change::Keep | Change::Clear => Change::Keep,
    };
    RatingInput { likelihood: step("likelihood"), impact: step("impact") }
}
