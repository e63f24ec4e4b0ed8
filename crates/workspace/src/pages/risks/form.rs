//! The form of a risk.

use app::{Error, records::PickKind, risk::RiskRow};
use domain::{
    change::Change,
    field::Field,
    id::RiskId,
    risk::{Rating, RatingInput, Risk, RiskCategory, RiskInput, RiskStatus, RiskTreatment, STEPS},
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
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm, RecordSteps, filled},
        },
    },
    route,
    texts::{own_risk as texts, record as shared},
    ui::field::{self, Choice, words},
};

/// The fields of the three ratings, each on a line of its own; a target can be left out.
const RATINGS: [[(Field, bool); 2]; 3] = [
    [(Risk::INHERENT_LIKELIHOOD, false), (Risk::INHERENT_IMPACT, false)],
    [(Risk::RESIDUAL_LIKELIHOOD, false), (Risk::RESIDUAL_IMPACT, false)],
    [(Risk::TARGET_LIKELIHOOD, true), (Risk::TARGET_IMPACT, true)],
];

type Asked = FormField<Risk>;

impl RecordForm for Risk {
    const ADDRESS: &'static str = route::RISKS;
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
                Asked::title(Self::TITLE, |risk| &risk.title),
                Asked::choice(Self::CATEGORY, words::<RiskCategory>, |risk| risk.category.as_str()).bulk(),
                Asked::choice(Self::TREATMENT, words::<RiskTreatment>, |risk| risk.treatment.as_str()).bulk(),
                Asked::person(Self::OWNER, |risk| risk.owner.as_ref()).bulk().cell(),
                Asked::day(Self::REVIEW_ON, |risk| risk.review_on).bulk().cell(),
            ],
        ),
        Section::titled(
            shared::PART_DETAILS,
            &[
                Asked::prose(Self::CAUSE, |risk| risk.cause.as_ref()).bulk(),
                Asked::prose(Self::EVENT, |risk| risk.event.as_ref()).bulk(),
                Asked::prose(Self::EFFECT, |risk| risk.effect.as_ref()).bulk(),
            ],
        ),
        Section::titled(
            shared::PART_RATING,
            &[Asked::custom(Self::INHERENT, |ask| Box::pin(ratings(ask)), |_, risk| steps_of(risk))],
        ),
        Section::titled(
            shared::PART_LINKS,
            &[
                Asked::records(Self::FUNCTIONS, &[PickKind("function")], |risk| risk.functions.clone()),
                Asked::records(Self::CONTROLS, &[PickKind("control")], |risk| risk.controls.clone()),
                Asked::records(Self::FINDINGS, &[PickKind("finding")], |risk| {
                    risk.findings.iter().map(ToString::to_string).collect()
                }),
            ],
        ),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        // An acceptance has a form of its own.
        Cell::step(
            |visit, risk| cell::steps(visit, risk.status, |to| to != RiskStatus::Accepted),
            <Self as RecordSteps>::step,
        ),
    ];
    const BULK: &'static [BulkField<Self>] = &[BulkField::step(
        |visit| {
            words::<RiskStatus>(visit)
                .into_iter()
                .filter(|to| to.value != RiskStatus::Accepted.as_str())
                .collect()
        },
        <Self as RecordSteps>::step,
    )];

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

/// What asks for the three ratings.
async fn ratings(ask: &Ask<'_, Risk>) -> Result<Markup, PageError> {
    let Ask { workspace, visit, form, before } = ask;
    let scale = Scale::of(&*workspace.app.edition_of(visit.caller()).await?, visit.language);
    let unrated = before.is_some_and(|row| row.record.residual.is_none());
    Ok(html! {
        p.hint { (visit.t(texts::RATING_RULE)) }
        @for [likelihood, impact] in RATINGS {
            div.columns {
                @for (Field { name, label }, optional) in [likelihood, impact] {
                    (field::select(visit, form, name, label, &steps(visit, &scale, name, optional || unrated)))
                }
            }
        }
    })
}

/// The steps of the three ratings in the form.
fn steps_of(risk: &Risk) -> Vec<(&'static str, String)> {
    let ratings = [risk.inherent, risk.residual, risk.target];
    let steps = RATINGS.into_iter().zip(ratings).flat_map(|([likelihood, impact], rating)| {
        [
            (likelihood.0.name, filled(rating.map(Rating::likelihood))),
            (impact.0.name, filled(rating.map(Rating::impact))),
        ]
    });
    steps.collect()
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
