//! The options of an analysis or a simulation: basis, arrangements, day and rates.

use app::analysis::AnalysisRequest;
use domain::{
    change::Change,
    concentration::{Basis, Scope},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    extract::View,
    form::Form,
    texts::analysis as texts,
    ui::field::{self, Field},
};

pub(super) const NAMES: [(&str, Label); 4] =
    [("basis", texts::BASIS), ("scope", texts::SCOPE), ("as_of", texts::AS_OF), ("rates", texts::RATES)];

pub(super) fn fields(view: &View, form: &Form) -> Markup {
    html! {
        div.columns {
            (field::select(view, form, "basis", texts::BASIS, &field::words::<Basis>(view)))
            (field::select(view, form, "scope", texts::SCOPE, &field::words::<Scope>(view)))
            (Field::day(view, form, "as_of", texts::AS_OF).hint(texts::AS_OF_HINT).optional().render())
        }
        (field::area(view, form, "rates", texts::RATES, Some(texts::RATES_HINT)))
    }
}

/// Whether one of these fields was refused, so that their section must be open.
pub(super) fn is_refused(form: &Form) -> bool {
    form.violations().fields().keys().any(|field| {
        NAMES.iter().any(|(name, _)| {
            field == name || field.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
        })
    })
}

/// The options for the application.
pub(super) fn request(form: &mut Form) -> Result<AnalysisRequest, app::Error> {
    let basis = if form.value("basis").is_empty() { Some(Basis::default()) } else { form.parse("basis") };
    let scope = if form.value("scope").is_empty() { Some(Scope::default()) } else { form.parse("scope") };
    let as_of = form.parse_optional("as_of");
    let rates = match form.lines("rates") {
        Change::Set(lines) => lines.iter().map(|line| rate(line)).collect(),
        _ => Vec::new(),
    };
    let asked = basis.zip(scope);
    let request = asked.map(|(basis, scope)| AnalysisRequest { basis, scope, as_of, currency: None, rates });
    form.finish(request)
}

/// `USD 0.92` as a currency and its rate; both are validated where they are used.
pub(in crate::pages) fn rate(line: &str) -> (String, String) {
    let (currency, rate) = line.split_once([' ', '=', ':']).unwrap_or((line, ""));
    (currency.trim().to_uppercase(), rate.trim().replace(',', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_currency_and_a_number() {
        assert_eq!(rate("usd 0,92"), ("USD".into(), "0.92".into()));
        assert_eq!(rate("GBP=1.17"), ("GBP".into(), "1.17".into()));
        assert_eq!(rate("CHF"), ("CHF".into(), String::new()));
    }
}
