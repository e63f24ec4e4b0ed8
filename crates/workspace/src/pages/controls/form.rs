//! The form of a control.

use app::{Error, control::ControlRow};
use domain::{
    change::Change,
    control::{Control, ControlCadence, ControlInput, ControlStatus, Effectiveness},
    field::Field,
    id::ControlId,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{
        record::{
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm, filled},
        },
        reference,
    },
    route,
    texts::{control as texts, record as shared},
    ui::field::{Choice, words},
};

type Asked = FormField<Control>;

impl RecordForm for Control {
    const ADDRESS: &'static str = route::CONTROLS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const NAMES: &'static [(&'static str, Label)] = &[("controls", texts::TITLE)];
    const FIELDS: &'static [Section<Self>] = &[
        Section::titled(
            shared::PART_BASICS,
            &[
                Asked::title(Self::TITLE, |control| &control.title),
                Asked::prose(Self::DESCRIPTION, |control| control.description.as_ref()).bulk(),
                Asked::choice(Self::STATUS, words::<ControlStatus>, |control| control.status.as_str())
                    .bulk()
                    .cell()
                    .shown_apart(),
                Asked::person(Self::OWNER, |control| control.owner.as_ref()).bulk().cell(),
                Asked::choice(Self::CADENCE, words::<ControlCadence>, |control| control.cadence.as_str())
                    .bulk(),
                Asked::day(Self::NEXT_DUE_ON, |control| control.next_due_on)
                    .kept()
                    .bulk()
                    .cell_in("next_due")
                    .shown_apart(),
            ],
        ),
        Section::titled(
            shared::PART_LINKS,
            &[
                Asked::custom(
                    Self::MEASURE,
                    |ask| Box::pin(measure(ask)),
                    |_, control| vec![(Self::MEASURE.name, filled(control.measure_id.as_ref()))],
                ),
                Asked::lines(Self::REQUIREMENTS, |control| control.requirements.clone())
                    .hint(texts::REQUIREMENTS_HINT)
                    .shown_apart(),
                Asked::lines(Self::FUNCTIONS, |control| {
                    control.functions.iter().map(Name::to_string).collect()
                })
                .hint(shared::ONE_PER_LINE),
            ],
        ),
        Section::titled(
            shared::PART_RATING,
            &[
                Asked::choice(Self::EFFECTIVENESS.called(texts::OVERRULE), overrules, |control| {
                    control.overrule.as_ref().map_or("", |overrule| overrule.effectiveness.as_str())
                })
                .shown_apart(),
                Asked::text(Self::EFFECTIVENESS_REASON, |control| {
                    control.overrule.as_ref().map(|overrule| overrule.reason.to_string())
                })
                .shown_apart(),
            ],
        ),
    ];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([("requirements", visit.query("requirement").unwrap_or_default())])
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

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: ControlId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

/// What asks for the measure, with those of the catalogue as suggestions.
#[expect(
    clippy::unused_async,
    reason = "the form waits for what asks for a field; this one reads no records"
)]
async fn measure(ask: &Ask<'_, Control>) -> Result<Markup, PageError> {
    let edition = reference::edition(ask.workspace)?;
    let (visit, Field { name, label }) = (ask.visit, Control::MEASURE);
    Ok(html! {
        div.field {
            label for=(name) { (visit.t(label)) }
            input id=(name) type="text" name=(name) value=(ask.form.value(name)) list="measures"
                autocomplete="off" aria-describedby="measure_id-hint";
            datalist #measures {
                @for measure in &edition.measures {
                    option value=(measure.id) { (measure.title.get(visit.language)) }
                }
            }
            p.hint id="measure_id-hint" { (visit.t(texts::MEASURE_HINT)) }
        }
    })
}

/// The effectiveness that a person can set, and that of the rule.
fn overrules(view: &View) -> Vec<Choice> {
    let by_rule = Choice::new("", view.t(texts::OVERRULE_NONE));
    std::iter::once(by_rule).chain(words::<Effectiveness>(view)).collect()
}
