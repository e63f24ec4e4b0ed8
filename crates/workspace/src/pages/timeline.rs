//! The timeline: a band of years with its milestones, and the list behind it.

use app::catalogue::milestone::{Milestone, MilestoneCategory, MilestoneFilter, MilestoneStatus};
use axum::{Router, extract::State, routing::get};
use domain::{
    moment::Day,
    vocabulary::{Framework, Vocabulary as _},
};
use maud::{Markup, html};

use super::reference;
use crate::{
    Workspace,
    charts::{self, Mark},
    respond::{self, Answer},
    route,
    texts::{common, record as shared, reference as texts},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::TIMELINE, get(show))
}

fn tone(status: MilestoneStatus) -> Tone {
    match status {
        MilestoneStatus::Completed => Tone::Neutral,
        MilestoneStatus::DueSoon => Tone::Warning,
        MilestoneStatus::Upcoming => Tone::Notice,
    }
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let timeline = workspace.app.timeline().await?;
    let today = timeline.today;
    let wanted = MilestoneFilter {
        status: filter::word(&visit, "status"),
        category: filter::word(&visit, "category"),
    };
    let framework: Option<Framework> = filter::word(&visit, "framework");
    let sought = filter::search(&visit).unwrap_or_default().to_lowercase();
    let fits = |milestone: &&Milestone| {
        let text = format!("{} {}", milestone.title.get(visit.language), milestone.summary.get(visit.language));
        wanted.keeps(milestone, today)
            && framework.is_none_or(|framework| milestone.framework == Some(framework))
            && text.to_lowercase().contains(&sought)
    };
    let shown: Vec<_> = timeline.milestones.iter().filter(fits).collect();
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::TIMELINE), t(texts::TIMELINE_INTRO), None))
        (filter::bar(&visit, &[
            filter::words::<MilestoneStatus>(&visit, "status", common::STATUS),
            filter::words::<MilestoneCategory>(&visit, "category", texts::CATEGORY),
            filter::words::<Framework>(&visit, "framework", shared::FRAMEWORK),
        ]))
        @if shown.is_empty() { (ui::empty(t(shared::NOTHING), t(shared::NOTHING_HELP), None)) }
        @else {
            (ui::section(t(texts::TIMELINE_BAND), &band(&visit, &shown, today)))
            (by_year(&visit, &shown, today))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TIMELINE), &content))
}

fn band(view: &View, milestones: &[&Milestone], today: Day) -> Markup {
    let marks: Vec<_> = milestones
        .iter()
        .map(|milestone| Mark {
            day: milestone.date,
            title: format!("{}: {}", view.day(milestone.date), milestone.title.get(view.language)),
            tone: tone(milestone.status(today)),
        })
        .collect();
    charts::band(view.t(texts::TIMELINE_BAND), &marks, today, view.t(texts::TODAY))
}

fn by_year(view: &View, milestones: &[&Milestone], today: Day) -> Markup {
    let mut years: Vec<i32> = milestones.iter().map(|milestone| milestone.date.year()).collect();
    years.dedup();
    html! {
        @for year in years {
            (ui::section(&year.to_string(), &html! {
                ul.steps {
                    @for milestone in milestones.iter().filter(|milestone| milestone.date.year() == year) {
                        (entry(view, milestone, today))
                    }
                }
            }))
        }
    }
}

fn entry(view: &View, milestone: &Milestone, today: Day) -> Markup {
    let status = milestone.status(today);
    let left = today.days_until(milestone.date);
    let framework =
        milestone.framework.map_or(view.t(texts::OTHER), |framework| view.t(framework.label()));
    html! {
        li {
            div {
                strong { (milestone.title.get(view.language)) }
                p { (milestone.summary.get(view.language)) }
                p.hint {
                    (view.day(milestone.date)) ", " (framework) ", " (view.t(milestone.category.label())) ", "
                    (milestone.authority)
                }
                details { summary.hint { (milestone.reference) }
                    (reference::provenance(view, &milestone.cite, milestone.source.as_deref())) }
            }
            div {
                (badge(tone(status), view.t(status.label())))
                @if left > 0 { p.hint { (view.fill(texts::IN_DAYS, &[("days", &left)])) } }
            }
        }
    }
}
