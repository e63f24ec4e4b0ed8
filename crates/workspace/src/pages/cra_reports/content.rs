//! The contents of a stage: entered here until the stage is filed, and shown as they were filed afterwards.

use app::cra_report::CraReportView;
use axum::extract::{Path, State};
use domain::{
    change::Change,
    cra_report::{CraPoint, CraReport, CraReportInput, CraStage},
    incident::contents::Said,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, detail, report_id};
use crate::{
    Workspace,
    extract::{Posted, View, Visit},
    form::Form,
    pages::record,
    respond::{self, Answer},
    route,
    texts::{common, cra_report as texts, incident},
    ui::{
        badge::{Tone, badge},
        field,
    },
};

fn name(point: &CraPoint) -> String {
    format!("contents.{}", point.point.field)
}

/// The labels of the fields in error messages.
pub(super) fn names(report: &CraReportView) -> Vec<(String, Label)> {
    let points = |stage: &CraStage| report.stage(*stage).contents.iter();
    CraStage::ALL.iter().flat_map(points).map(|point| (name(point), point.point.name)).collect()
}

fn text(view: &View, point: &CraPoint) -> String {
    match &point.value {
        None => String::new(),
        Some(Said::Text(text)) => text.clone(),
        Some(Said::Flag(flag)) => view.t(if *flag { common::YES } else { common::NO }).to_owned(),
    }
}

/// The contents of a stage: to be entered, or only read.
pub(super) fn part(visit: &Visit, report: &CraReportView, stage: CraStage, form: &Form) -> Markup {
    let points = &report.stage(stage).contents;
    let may_enter = visit.may(Resource::CraReports, Right::Write) && report.row.archived_at.is_none();
    if !may_enter || report.stage(stage).filed.is_some() {
        return read_only(visit, report, stage);
    }
    let before: Vec<(String, String)> =
        points.iter().map(|point| (name(point), text(visit, point))).collect();
    let kept = Form::filled(before.iter().map(|(name, text)| (name.as_str(), text.clone())));
    let form = if form.value("stage") == stage.as_str() { form } else { &kept };
    html! {
        form method="post" action={ (address_of(report.row.id)) "/contents" } {
            (visit.form_token())
            input type="hidden" name="stage" value=(stage.as_str());
            @for point in points {
                (field::area(visit, form, &name(point), point.point.name, None))
                p.hint.cite {
                    (visit.citation(point.point.article))
                    @if point.missing { " " (badge(Tone::Warning, visit.t(incident::MISSING))) }
                }
            }
            div.form-end { button.button type="submit" { (visit.t(texts::SAVE_CONTENTS)) } }
        }
    }
}

fn read_only(visit: &Visit, report: &CraReportView, stage: CraStage) -> Markup {
    let is_kept = report.row.record.contents.filed.contains_key(stage.as_str());
    html! {
        @if is_kept { p.hint { (visit.t(texts::CONTENTS_KEPT)) } }
        dl.facts {
            @for point in &report.stage(stage).contents {
                @let text = text(visit, point);
                dt { (visit.t(point.point.name)) " " span.hint.cite { (visit.citation(point.point.article)) } }
                dd { span.prose { (visit.or_none((!text.is_empty()).then_some(text))) } }
            }
        }
    }
}

/// Saves the contents of one stage. What is only derived from the report stays derived.
pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, report_id(&id)?);
    visit.caller().require_right(Resource::CraReports, Right::Write)?;
    let stage: Option<CraStage> = form.parse("stage");
    let stage = form.finish(stage)?;
    let (shown, _) = workspace.app.records.record::<CraReport>(visit.caller(), id).await?;
    let entered = |point: &CraPoint| {
        let field = name(point);
        let sent = form.value(&field).replace("\r\n", "\n").trim().to_owned();
        let is_changed = form.is_checked(&field) && sent != text(&visit, point);
        is_changed.then(|| (point.point.field.to_owned(), Some(sent).filter(|text| !text.is_empty())))
    };
    let values = shown.record.stage(stage).contents.iter().filter_map(entered).collect();
    let input = CraReportInput { contents: Change::Set(values), ..CraReportInput::default() };
    let precondition = record::precondition(&form);
    match workspace.app.records.change_record::<CraReport>(visit.caller(), id, input, precondition).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
