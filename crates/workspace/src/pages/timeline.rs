//! The timeline: a band of years with its milestones, and a list of them.

use app::{
    catalogue::{
        Edition,
        language::publisher,
        milestone::{Milestone, MilestoneCategory, MilestoneFilter, MilestoneStatus},
        record::Needle,
    },
    work::{TaskFilter, WorkItem},
};
use axum::{Router, extract::State, routing::get};
use domain::{moment::Day, page::PageRequest, task::TaskType};
use maud::{Markup, html};

use super::{reference, work};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{common, count, record, reference as texts},
    ui::{
        self,
        badge::{Tone, badge},
        chart::{self, Mark, Part},
        filter,
        pager::counted,
        table::{Column, table},
    },
};

/// So many own dates of each kind are shown, and so many days ahead.
const FEW: u64 = 5;
const AHEAD_DAYS: i64 = 180;

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
    let timeline = workspace.app.resilience.timeline().await?;
    let today = timeline.today;
    let wanted = MilestoneFilter {
        status: filter::word(&visit, "status"),
        category: filter::word(&visit, "category"),
    };
    let (framework, edition) = (filter::framework(&visit), reference::edition(&workspace)?);
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = timeline.milestones.select(&needle, visit.language, |milestone| {
        wanted.keeps(milestone, today)
            && framework.is_none_or(|framework| milestone.framework == Some(framework))
    });
    let t = |label| visit.t(label);
    let own = own_dates(&workspace, &visit, &edition, today).await?;
    let content = html! {
        (reference::head(&visit, t(texts::TIMELINE), t(texts::TIMELINE_INTRO), None))
        (filter::bar(&visit, &[
            filter::words::<MilestoneStatus>(&visit, "status", common::STATUS),
            filter::words::<MilestoneCategory>(&visit, "category", texts::CATEGORY),
            filter::frameworks(&visit, &edition),
        ]))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::MILESTONE, count::MILESTONES))
            (ui::section(t(texts::TIMELINE_BAND), &html! {
                (band(&visit, &shown, today))
                (by_status(&visit, &shown, today))
            }))
            (by_year(&visit, &shown, today))
        }
        (own)
    };
    respond::page(ui::layout::page(&visit, t(texts::TIMELINE), &content))
}

/// The institution's own dates with third parties and authorities, apart from those of the law.
async fn own_dates(
    workspace: &Workspace,
    visit: &Visit,
    edition: &Edition,
    today: Day,
) -> Result<Markup, PageError> {
    let few = PageRequest::new(Some(FEW), None).unwrap_or_default();
    let mut items = Vec::new();
    for kind in [TaskType::Provider, TaskType::Arrangement, TaskType::RegisterFiling] {
        let due_before = Some(today.plus_days(AHEAD_DAYS));
        let filter = TaskFilter { owner: None, due_before, kind: Some(kind) };
        items.extend(workspace.app.work.tasks(visit.caller(), filter, visit.language, few).await?.items);
    }
    if items.is_empty() {
        return Ok(html! {});
    }
    items.sort_by_key(WorkItem::day);
    let t = |label| visit.t(label);
    let columns =
        [Column::tight(t(texts::DATE)), Column::text(t(texts::OWN_DATE)), Column::text(t(record::OWNER))];
    let row = |item: &WorkItem| {
        vec![
            visit.day_or_none(item.day()),
            html! {
                a href=(work::address_of(edition, item)) { (item.title) }
                br;
                span.quiet { (t(item.kind.label())) ": " (t(item.action.label())) }
            },
            visit.or_none(item.owner.as_ref()),
        ]
    };
    let rows: Vec<_> = items.iter().map(row).collect();
    Ok(ui::section(
        t(texts::OWN_DATES),
        &html! {
            p.hint { (t(texts::OWN_DATES_HELP)) " " a href=(route::WORK) { (t(texts::ALL_OWN_DATES)) } }
            (table(t(texts::OWN_DATES), &columns, &rows))
        },
    ))
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
    let name = view.t(texts::TIMELINE_BAND);
    let columns = [
        Column::tight(view.t(texts::DATE)),
        Column::text(view.t(texts::MILESTONE)),
        Column::tight(view.t(common::STATUS)),
    ];
    let rows: Vec<_> = milestones
        .iter()
        .map(|milestone| {
            vec![
                html! { (view.day(milestone.date)) },
                html! { (milestone.title.get(view.language)) },
                html! { (view.t(milestone.status(today).label())) },
            ]
        })
        .collect();
    let drawn = chart::band(name, &marks, today, view.t(texts::TODAY));
    chart::figure(view, name, &drawn, &columns, &rows)
}

/// How many are past, near and far, which is also the key of the band.
fn by_status(view: &View, milestones: &[&Milestone], today: Day) -> Markup {
    let parts: Vec<_> = MilestoneStatus::ALL
        .iter()
        .map(|status| {
            let count =
                milestones.iter().filter(|milestone| milestone.status(today) == *status).count() as u64;
            Part {
                label: view.t(status.label()).to_owned(),
                weight: count,
                shown: count.to_string(),
                tone: tone(*status),
            }
        })
        .collect();
    let name = view.t(texts::BY_STATUS);
    let columns = [Column::text(view.t(common::STATUS)), Column::number(view.t(texts::MILESTONES))];
    let rows: Vec<_> =
        parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    chart::figure(view, name, &chart::stack(name, &parts), &columns, &rows)
}

fn by_year(view: &View, milestones: &[&Milestone], today: Day) -> Markup {
    let mut years: Vec<i32> = milestones.iter().map(|milestone| milestone.date.year()).collect();
    years.dedup();
    // Past years are closed unless the list is filtered.
    let open = |year: i32| year >= today.year() || view.address.contains('?');
    html! {
        @for year in years {
            @let own: Vec<_> = milestones.iter().filter(|milestone| milestone.date.year() == year).collect();
            details.card open[open(year)] {
                summary.year { h2 { (year) } span.quiet { (own.len()) " " (view.t(texts::MILESTONES)) } }
                ul.steps.tall { @for milestone in own { (entry(view, milestone, today)) } }
            }
        }
    }
}

fn entry(view: &View, milestone: &Milestone, today: Day) -> Markup {
    let status = milestone.status(today);
    let left = today.days_until(milestone.date);
    let framework = milestone.framework.map_or(view.t(texts::OTHER).to_owned(), |framework| framework.name());
    html! {
        li id=(milestone.id) {
            div {
                strong { (milestone.title.get(view.language)) }
                p { (milestone.summary.get(view.language)) }
                p.hint {
                    (view.day(milestone.date)) ", " (framework) ", " (view.t(milestone.category.label())) ", "
                    (publisher(&milestone.authority, view.language))
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
