//! The effect of signing, changing or ending arrangements. The register is not changed, and the result is saved only
//! if it is given a name.

use app::{
    analysis::{AnalysisRequest, WantedChange},
    arrangement::{ArrangementFilter, ArrangementRow},
};
use axum::extract::State;
use domain::{
    arrangement::{Arrangement, ArrangementInput, ArrangementSort, CostInput, ProviderInput},
    change::Change,
    money::Money,
    page::{Page, PageRequest},
    right::{Resource, Right},
    violation::{RecordComplaint, Violations},
    wording::Label,
};
use maud::{Markup, html};

use super::{kept, question};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{
        ict_arrangements,
        record::form::{RecordForm as _, complaints},
    },
    respond::{self, Answer},
    route,
    texts::analysis as texts,
    ui::{
        self,
        field::{self, Choice, Field},
        filter,
    },
};

/// The number of arrangements offered; a register has more than a page can show.
const CHOICES: u64 = 15;

const NAMES: [(&str, Label); 6] = [
    ("name", texts::SIMULATION_NAME),
    ("end", texts::END),
    ("changes", texts::CHANGE),
    ("change.cost", texts::NEW_COST),
    ("rates", texts::RATES),
    ("as_of", texts::AS_OF),
];

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let chosen = visit.query("end").map(|id| ("end", id));
    let form = Form::filled(chosen);
    respond::page(page(&workspace, &visit, &form, &html! {}).await?)
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    outcome: &Markup,
) -> Result<Markup, PageError> {
    let t = |label| visit.t(label);
    let rows = offered(workspace, visit).await?;
    let action = format!("{}/simulate", route::CONCENTRATION);
    let drafted = form.is_checked("provider.name");
    let draft =
        if drafted { Some(Arrangement::form_fields(workspace, visit, form, None).await?) } else { None };
    let content = html! {
        (ui::head(t(texts::SIMULATION), t(texts::SIMULATION_INTRO), None))
        (ui::notice::done(visit, &[("deleted", texts::SIMULATION_DELETED)]))
        (complaints::<Arrangement>(visit, form, &NAMES))
        (outcome)
        (filter::bar(visit, &[]))
        form.card method="post" action=(action) {
            (visit.form_token())
            (field::choices(visit, form, "end", texts::END, true, &choices(&rows, form)))
            @if rows.total > rows.items.len() as u64 {
                p.hint { (visit.fill(texts::END_CUT, &[("shown", &rows.items.len()), ("total", &rows.total)])) }
            }
            (changing(visit, form, &rows))
            details open[drafted] {
                summary { (t(if drafted { texts::SIGN_DRAFT } else { texts::SIGN })) }
                @if let Some(draft) = &draft { (draft) }
                @else {
                    p.hint { (t(texts::SIGN_HELP)) }
                    (ui::link_button(&format!("{}/new", route::ARRANGEMENTS), t(texts::SIGN), false))
                }
            }
            details open[question::is_refused(form)] {
                summary { (t(texts::QUESTION)) }
                (question::fields(visit, form))
            }
            div.form-end {
                button.button.primary type="submit" { (t(texts::SIMULATE)) }
                @if drafted { (ict_arrangements::more_rows(visit)) }
                a.button href=(route::CONCENTRATION) { (t(texts::TITLE)) }
            }
        }
        (kept::list(workspace, visit).await?)
    };
    Ok(ui::layout::page(visit, t(texts::SIMULATION), &content))
}

/// The costliest arrangements that match the search: they move shares the most.
async fn offered(workspace: &Workspace, visit: &Visit) -> Result<Page<ArrangementRow>, PageError> {
    let wanted = ArrangementFilter {
        search: filter::search(visit),
        active_on: Some(visit.now.day()),
        sort: Some(ArrangementSort::Costliest),
        ..ArrangementFilter::default()
    };
    let some = PageRequest::new(Some(CHOICES), None).unwrap_or_default();
    Ok(workspace.app.records.records::<Arrangement>(visit.caller(), &wanted, some).await?)
}

fn name(row: &ArrangementRow) -> String {
    let content = &row.record.contract;
    format!("{}: {} ({})", content.reference, content.provider.name, content.service)
}

/// The offered arrangements, and those chosen before even if they are not offered now.
fn choices(rows: &Page<ArrangementRow>, form: &Form) -> Vec<Choice> {
    let mut choices: Vec<_> =
        rows.items.iter().map(|row| Choice::new(row.id.to_string(), name(row))).collect();
    let chosen = form.all("end").filter(|id| rows.items.iter().all(|row| row.id.to_string() != **id));
    choices.extend(chosen.map(|id| Choice::new(id.to_owned(), id)));
    choices
}

fn changing(view: &View, form: &Form, rows: &Page<ArrangementRow>) -> Markup {
    let mut which = vec![Choice::new("", view.t(texts::CHANGE_NONE))];
    which.extend(rows.items.iter().map(|row| Choice::new(row.id.to_string(), name(row))));
    let text = |name, label| Field::text(view, form, name, label).optional().render();
    html! {
        details open[!form.value("change").is_empty()] {
            summary { (view.t(texts::CHANGE)) }
            p.hint { (view.t(texts::CHANGE_HELP)) }
            (field::select(view, form, "change", texts::CHANGE_WHICH, &which))
            div.columns {
                (text("change.provider", texts::NEW_PROVIDER))
                (text("change.sector", texts::NEW_SECTOR))
                (text("change.region", texts::NEW_REGION))
                (text("change.technology", texts::NEW_TECHNOLOGY))
                (text("change.cost", texts::NEW_COST))
            }
        }
    }
}

pub(super) async fn run(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    if ict_arrangements::wants_rows(&mut form) {
        return respond::page(page(&workspace, &visit, &form, &html! {}).await?);
    }
    let simulated = match wanted(&mut form) {
        Ok((request, changes)) => {
            workspace.app.third_parties.simulate(visit.caller(), request, changes).await
        }
        Err(error) => Err(error),
    };
    match simulated {
        Ok(simulated) => {
            let outcome = html! {
                (kept::outcome(&visit, &simulated.content()))
                @if visit.may(Resource::Analyses, Right::Write) { (kept::keeping(&visit, &form)) }
            };
            respond::page(page(&workspace, &visit, &form, &outcome).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form, &html! {}).await?)
        }
    }
}

/// The arrangements to end, to change and, if the form of a new arrangement was sent, to sign.
pub(super) fn wanted(form: &mut Form) -> Result<(AnalysisRequest, Vec<WantedChange>), app::Error> {
    let request = question::request(form)?;
    let mut changes: Vec<_> =
        form.all("end").filter_map(|id| id.parse().ok()).map(WantedChange::End).collect();
    if let Ok(id) = form.value("change").parse() {
        changes.push(WantedChange::Change(id, patch(form)));
    }
    if form.is_checked("provider.name") {
        changes.push(WantedChange::Sign(Box::new(ict_arrangements::draft(form)?)));
    }
    if changes.is_empty() {
        form.complain("changes", RecordComplaint::NoChanges);
    }
    form.finish(Some((request, changes)))
}

type Patch = Box<dyn Fn(&Arrangement) -> Result<Arrangement, Violations> + Send + Sync>;

fn patch(form: &Form) -> Patch {
    let given = |name: &str| match form.value(name).trim() {
        "" => Change::Keep,
        text => Change::Set(text.to_owned()),
    };
    // Another provider has another identity, so the old LEI is removed with the old name.
    let name = given("change.provider");
    let lei = if name == Change::Keep { Change::Keep } else { Change::Clear };
    let input = ArrangementInput {
        provider: Change::Set(ProviderInput {
            name,
            lei,
            sector: given("change.sector"),
            ..ProviderInput::default()
        }),
        region: given("change.region"),
        technology: given("change.technology"),
        ..ArrangementInput::default()
    };
    let (cost, language) = (form.value("change.cost").trim().to_owned(), form.language());
    Box::new(move |current| {
        let amount = match cost.as_str() {
            "" => Change::Keep,
            text => {
                let currency = current.contract.annual_cost.money().currency;
                let money = Money::parse_written(text, currency, language);
                Change::Set(money.map_err(|error| Violations::one("change.cost", error))?.amount)
            }
        };
        let annual_cost = Change::Set(CostInput { amount, currency: Change::Keep });
        ArrangementInput { annual_cost, ..input.clone() }.change(current)
    })
}
