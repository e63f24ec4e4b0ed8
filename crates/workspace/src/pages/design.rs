//! The design system on one page, as a reference for developers of pages.

use axum::{Router, routing::get};
use domain::{threshold::OutOfRange, wording::Label};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, design as texts, reference},
    ui::{
        self,
        badge::{Tone, badge},
        chart::{self, Bar, Gauge, Mark, Part},
        field::{self, Choice, Field},
        notice::notice,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::DESIGN, get(show))
}

/// The colour tokens a page may use, by their names in `assets/tokens.css`.
const COLOURS: [&str; 12] = [
    "ground", "surface", "raised", "line", "text", "quiet", "accent", "good", "notice", "warning",
    "critical", "running",
];
const SIZES: [&str; 6] = ["small", "body", "lead", "title", "head", "display"];
const TREND: [f64; 6] = [3.0, 5.0, 4.0, 6.0, 2.0, 1.0];
const SPACES: [&str; 7] = ["1", "2", "3", "4", "5", "6", "7"];

fn tone_name(tone: Tone) -> Label {
    match tone {
        Tone::Good => texts::GOOD,
        Tone::Notice => texts::NOTICE,
        Tone::Warning => texts::WARNING,
        Tone::Critical => texts::CRITICAL,
        Tone::Running => texts::RUNNING,
        Tone::Neutral => texts::NEUTRAL,
        Tone::Muted => texts::MUTED,
    }
}

async fn show(visit: Visit) -> Answer {
    if !visit.shows_design {
        return Err(PageError::NotFound);
    }
    let t = |label| visit.t(label);
    let parts = [
        (texts::COLOURS, colours(&visit)),
        (texts::TYPE, sizes(&visit)),
        (texts::SPACING, spaces(&visit)),
        (texts::STATES, states(&visit)),
        (texts::BUTTONS, buttons(&visit)),
        (texts::FIELDS, fields(&visit)),
        (texts::TABLES, tables(&visit)),
        (texts::CHARTS, drawn(&visit)),
        (texts::NOTICES, notices(&visit)),
        (texts::EMPTY, ui::empty(t(texts::EMPTY_TITLE), t(texts::EMPTY_HELP), None)),
    ];
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        @for (title, part) in &parts { (ui::section(t(*title), part)) }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn colours(visit: &Visit) -> Markup {
    html! {
        p { (visit.t(texts::COLOURS_HELP)) }
        ul.swatches {
            @for name in COLOURS { li { span class={ "swatch swatch-" (name) } {} code { "--" (name) } } }
        }
    }
}

fn sizes(visit: &Visit) -> Markup {
    html! {
        @for name in SIZES {
            p class={ "size-" (name) } { (visit.t(texts::TYPE_SAMPLE)) " " code.size-small { "--size-" (name) } }
        }
    }
}

fn spaces(visit: &Visit) -> Markup {
    html! {
        p { (visit.t(texts::SPACING_HELP)) }
        ul.swatches {
            @for name in SPACES { li { span class={ "space space-" (name) } {} code { "--space-" (name) } } }
        }
    }
}

fn states(visit: &Visit) -> Markup {
    html! {
        p { (visit.t(texts::STATES_HELP)) }
        div.row { @for tone in Tone::ALL { (badge(tone, visit.t(tone_name(tone)))) } }
    }
}

fn buttons(visit: &Visit) -> Markup {
    html! {
        p { (visit.t(texts::BUTTONS_HELP)) }
        div.row {
            button.button.primary type="button" { (visit.t(texts::PRIMARY)) }
            button.button type="button" { (visit.t(texts::PLAIN)) }
            button.button.danger type="button" { (visit.t(texts::DANGER)) }
            button.button type="button" disabled { (visit.t(common::INACTIVE)) }
        }
    }
}

fn fields(visit: &Visit) -> Markup {
    let mut form =
        Form::filled([("sample", String::new()), ("sample_wrong", "101".into()), ("pick", "a".into())]);
    form.complain("sample_wrong", OutOfRange { min: 1, max: 100 });
    let choices = [
        Choice::new("a", visit.t(texts::GOOD)).help(visit.t(texts::FIELD_HINT)),
        Choice::new("b", visit.t(texts::WARNING)),
    ];
    html! {
        div.columns {
            (Field::text(visit, &form, "sample", texts::FIELD_TEXT).hint(texts::FIELD_HINT).optional().render())
            (Field::number(visit, &form, "sample_wrong", texts::FIELD_WRONG, (1, 100)).render())
        }
        (field::choices(visit, &form, "pick", texts::STATES, false, &choices))
    }
}

fn tables(visit: &Visit) -> Markup {
    let rows: Vec<_> = (1..)
        .zip([Tone::Good, Tone::Warning, Tone::Critical])
        .map(|(number, tone)| {
            let state = badge(tone, visit.t(tone_name(tone)));
            vec![html! { (visit.t(texts::TYPE_SAMPLE)) }, state, html! { (number * 1_250) }]
        })
        .collect();
    let columns =
        [Column::text(visit.t(common::NAME)), Column::text(visit.t(common::STATUS)), Column::number("EUR")];
    html! { p { (visit.t(texts::TABLES_HELP)) } (table(visit.t(texts::TABLES), &columns, &rows)) }
}

fn drawn(visit: &Visit) -> Markup {
    let bar = |label: &str, percent: f64, tone| Bar {
        label: label.to_owned(),
        percent,
        shown: format!("{percent:.1} %"),
        tone,
    };
    let shares = [
        bar("Alpha Cloud", 38.4, Tone::Critical),
        bar("Nordsee Rechenzentrum", 24.0, Tone::Good),
        bar("Gamma Payments", 12.5, Tone::Good),
    ];
    let axes: Vec<_> = [("A", 82), ("B", 64), ("C", 90), ("D", 45), ("E", 71)]
        .into_iter()
        .map(|(name, score)| (name.to_owned(), score))
        .collect();
    let (name, gauge, marks) = (visit.t(texts::CHARTS), sample_gauge(visit), marks(visit));
    html! {
        p { (visit.t(texts::CHARTS_HELP)) }
        (shown(visit, &chart::bars(name, &shares, Some(25.0)), shares.iter().map(|bar| (bar.label.clone(), bar.shown.clone()))))
        (shown(visit, &chart::stack(name, &parts(visit)), parts(visit).map(|part| (part.label, part.shown))))
        div.columns {
            (shown(visit, &chart::radar(name, &axes), axes.iter().map(|(name, score)| (name.clone(), score.to_string()))))
            (shown(visit, &chart::gauge(&gauge), [(gauge.label.to_owned(), gauge.shown.clone())]))
            (shown(visit, &chart::sparkline(name, &TREND), TREND.iter().zip(1..).map(|(value, at)| (at.to_string(), value.to_string()))))
        }
        (shown(visit, &chart::band(name, &marks, visit.now.day(), visit.t(reference::TODAY)),
            marks.iter().map(|mark| (mark.title.clone(), visit.day(mark.day)))))
    }
}

/// A chart with its table, as on every page.
fn shown(visit: &Visit, drawn: &Markup, rows: impl IntoIterator<Item = (String, String)>) -> Markup {
    let columns = [Column::text(visit.t(common::NAME)), Column::number(visit.t(texts::VALUE))];
    let rows: Vec<_> =
        rows.into_iter().map(|(name, value)| vec![html! { (name) }, html! { (value) }]).collect();
    chart::figure(visit, visit.t(texts::CHARTS), drawn, &columns, &rows)
}

fn parts(visit: &Visit) -> [Part; 3] {
    let part = |tone, weight: u64| Part {
        label: visit.t(tone_name(tone)).to_owned(),
        weight,
        shown: weight.to_string(),
        tone,
    };
    [part(Tone::Good, 12), part(Tone::Warning, 5), part(Tone::Critical, 3)]
}

fn sample_gauge(visit: &Visit) -> Gauge<'static> {
    let label = visit.t(texts::WARNING);
    let (name, shown) = (format!("{label}: 62 %"), "62 %".to_owned());
    Gauge { name, label, percent: 62.0, shown, threshold: Some(50.0), tone: Tone::Warning }
}

fn marks(visit: &Visit) -> Vec<Mark> {
    let today = visit.now.day();
    let mark = |(days, tone): (i64, Tone)| Mark {
        day: today.plus_days(days),
        title: visit.t(tone_name(tone)).to_owned(),
        tone,
    };
    [
        (-300, Tone::Neutral),
        (-20, Tone::Neutral),
        (40, Tone::Warning),
        (60, Tone::Warning),
        (500, Tone::Notice),
    ]
    .map(mark)
    .into()
}

fn notices(visit: &Visit) -> Markup {
    html! {
        @for tone in [Tone::Good, Tone::Notice, Tone::Warning, Tone::Critical] {
            (notice(tone, visit.t(tone_name(tone)), &html! { p { (visit.t(texts::FIELD_HINT)) } }))
        }
    }
}
