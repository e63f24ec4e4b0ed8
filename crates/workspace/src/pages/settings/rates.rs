//! The exchange rates of analyses and simulations.

use app::exchange_rate::RatesRow;
use axum::extract::State;
use domain::{
    change::Change,
    currency::Currency,
    moment::Day,
    right::{Resource, Right},
    violation::{Complaint, Violations},
    wording::Label,
};
use maud::{Markup, html};

use super::refused;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    pages::concentration_risk,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field::{self, Field},
};

pub(super) const NAMES: [(&str, Label); 2] = [("valid_on", texts::RATES_DAY), ("rates", texts::RATES)];

pub(super) fn part(visit: &Visit, form: &Form, currency: Currency, kept: Option<&RatesRow>) -> Markup {
    let filled = filled(kept);
    let form = if form.is_checked("rates") { form } else { &filled };
    html! {
        p { (visit.fill(texts::RATES_HELP, &[("currency", &currency)])) }
        @if let Some(kept) = kept {
            @if kept.base != currency {
                p.hint { (visit.fill(texts::RATES_OTHER, &[("base", &kept.base), ("currency", &currency)])) }
            }
        }
        @if visit.may(Resource::Register, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/rates" } {
                (visit.form_token())
                (Field::day(visit, form, "valid_on", texts::RATES_DAY).hint(texts::RATES_DAY_HINT).optional().render())
                (field::area(visit, form, "rates", texts::RATES, Some(texts::RATES_HINT)))
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else {
            @match kept {
                None => { p.quiet { (visit.t(texts::NO_RATES)) } }
                Some(kept) => {
                    dl.facts {
                        dt { (visit.t(texts::RATES_DAY)) } dd { (visit.day(kept.valid_on)) }
                        @for (code, rate) in &kept.rates { dt { (code) } dd { (rate) } }
                    }
                }
            }
        }
    }
}

fn filled(kept: Option<&RatesRow>) -> Form {
    let Some(kept) = kept else { return Form::default() };
    let lines: Vec<_> = kept.rates.iter().map(|(code, rate)| format!("{code} {rate}")).collect();
    Form::filled([("valid_on", kept.valid_on.to_string()), ("rates", lines.join("\n"))])
}

pub(super) async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Register, Right::Write)?;
    let valid_on: Option<Day> = form.parse_optional("valid_on");
    let rates = match form.lines("rates") {
        Change::Set(lines) => lines.iter().map(|line| concentration_risk::rate(line)).collect(),
        _ => Vec::new(),
    };
    let saved = match form.finish(Some(())) {
        Ok(()) => {
            workspace.app.third_parties.set_exchange_rates(visit.caller(), valid_on, rates).await.map(|_| ())
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => respond::go_to(&route::done(route::SETTINGS, "rates")),
        Err(app::Error::Invalid(violations)) => {
            // A violation about one rate belongs to the one field that contains them all.
            let mut moved = Violations::default();
            for (field, message) in
                violations.fields().iter().flat_map(|(field, all)| all.iter().map(move |one| (field, one)))
            {
                match field.strip_prefix("rates.") {
                    Some(code) => moved.add("rates", Complaint::about(code.to_owned(), message.clone())),
                    None => moved.add(field, message.clone()),
                }
            }
            refused(&workspace, &visit, form, app::Error::Invalid(moved)).await
        }
        Err(error) => Err(error.into()),
    }
}
