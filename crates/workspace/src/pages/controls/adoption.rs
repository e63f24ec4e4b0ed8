//! Adopting measures of the catalogue as controls: all of a framework, or those of chosen chapters with an owner.

use app::{
    Error,
    control::{Adopted, Adopting, Adoption, AdoptionPreview, SectionPreview},
};
use axum::extract::State;
use domain::{
    framework::Framework,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, control as texts, record as shared},
    ui::{
        self,
        badge::Tone,
        field::Field,
        notice::{complaints, notice},
        table::{Column, table},
    },
};

const NAMES: [(&str, Label); 2] = [("sections", texts::ADOPT_CHAPTER), ("owner", shared::OWNER)];

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Controls, Right::Write)?;
    let Some(name) = visit.query("framework").filter(|name| !name.is_empty()) else {
        return frameworks(&workspace, &visit).await;
    };
    let framework = workspace.app.edition_of(visit.caller()).await?.framework_named(&name);
    let framework = framework.map_err(|_| PageError::NotFound)?;
    let preview =
        workspace.app.compliance.adoption_preview(visit.caller(), Adoption::Framework(framework)).await?;
    respond::page(chapters(&workspace, &visit, framework, &preview, &Form::default(), None).await?)
}

/// Every framework with its counts, to adopt as a whole or by chapter.
async fn frameworks(workspace: &Workspace, visit: &Visit) -> Answer {
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(shared::FRAMEWORK)),
        Column::number(t(texts::ADOPT_COUNT)),
        Column::number(t(texts::ADOPT_THERE)),
        Column::actions(t(common::ACTIONS)),
    ];
    let mut rows = Vec::new();
    for (framework, preview) in workspace.app.compliance.adoption_previews(visit.caller()).await? {
        if preview.created + preview.skipped > 0 {
            rows.push(vec![
                html! { (framework.name()) },
                html! { (preview.created) },
                html! { (preview.skipped) },
                buttons(visit, framework, preview.created),
            ]);
        }
    }
    let content = html! {
        (ui::head(t(texts::ADOPT), t(texts::ADOPT_INTRO), None))
        (table(t(texts::ADOPT), &columns, &rows))
    };
    respond::page(ui::layout::page(visit, t(texts::ADOPT), &content))
}

fn buttons(visit: &Visit, framework: Framework, created: u64) -> Markup {
    html! {
        @if created == 0 { span.quiet { (visit.t(texts::ADOPT_DONE)) } }
        @else {
            div.row {
                a.button href={ (route::ADOPT_CONTROLS) "?framework=" (framework) } {
                    (visit.t(texts::ADOPT_CHOOSE)) span.unseen { " " (framework.name()) }
                }
                form.inline method="post" action=(route::ADOPT_CONTROLS) {
                    (visit.form_token())
                    input type="hidden" name="framework" value=(framework);
                    button.button type="submit" {
                        (visit.fill(texts::ADOPT_ALL, &[("count", &created)]))
                        span.unseen { " " (framework.name()) }
                    }
                }
            }
        }
    }
}

/// The chapters of a framework with their counts, and who owns the new controls.
async fn chapters(
    workspace: &Workspace,
    visit: &Visit,
    framework: Framework,
    preview: &AdoptionPreview,
    form: &Form,
    counted: Option<Adopted>,
) -> Result<Markup, PageError> {
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::choose(t(texts::ADOPT_CHAPTER)),
        Column::text(t(texts::ADOPT_CHAPTER)),
        Column::number(t(texts::ADOPT_COUNT)),
        Column::number(t(texts::ADOPT_THERE)),
    ];
    let title = |section: &SectionPreview| {
        edition.sections.get(&section.section).map_or("", |known| known.title.get(visit.language))
    };
    let row = |section: &SectionPreview| {
        let label = visit.fill(texts::ADOPT_TICK, &[("chapter", &title(section))]);
        vec![
            html! {
                @if section.counts.created > 0 {
                    input type="checkbox" name="sections" value=(section.section) aria-label=(label)
                        checked[form.has("sections", &section.section)];
                }
            },
            html! { (title(section)) },
            html! { (section.counts.created) },
            html! { (section.counts.skipped) },
        ]
    };
    let rows: Vec<_> = preview.sections.iter().map(row).collect();
    let content = html! {
        (ui::head(&framework.name(), t(texts::ADOPT_CHAPTERS_INTRO), None))
        (complaints(visit, form, &NAMES))
        @if let Some(counted) = counted {
            (notice(Tone::Notice, &counted_text(visit, texts::ADOPT_WOULD, counted), &html! {}))
        }
        form.card method="post" action=(route::ADOPT_CONTROLS) {
            (visit.form_token())
            input type="hidden" name="framework" value=(framework);
            input type="hidden" name="by" value="sections";
            div #sections { (table(t(texts::ADOPT_CHAPTERS), &columns, &rows)) }
            (Field::person(visit, form, "owner", shared::OWNER).hint(texts::ADOPT_OWNER_HINT).render())
            div.form-end {
                button.button.primary type="submit" { (t(texts::ADOPT_CHOSEN)) }
                button.button type="submit" name="step" value="count" { (t(texts::ADOPT_TRY)) }
                a.button href=(route::ADOPT_CONTROLS) { (t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, t(texts::ADOPT_CHAPTERS), &content))
}

fn counted_text(visit: &Visit, label: Label, counts: Adopted) -> String {
    visit.fill(label, &[("created", &counts.created), ("skipped", &counts.skipped)])
}

/// Measures named one by one, those of a framework, or those of its chosen chapters.
fn adoption(form: &Form) -> (Option<Framework>, Adoption) {
    let all = |name: &str| form.all(name).map(str::to_owned).collect();
    match form.value("framework").parse::<Framework>() {
        Ok(framework) if form.value("by") == "sections" => {
            (Some(framework), Adoption::Sections(framework, all("sections")))
        }
        Ok(framework) => (None, Adoption::Framework(framework)),
        Err(_) => (None, Adoption::Measures(all("measures"))),
    }
}

pub(super) async fn adopt(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Controls, Right::Write)?;
    let (app, (by_chapter, adoption)) = (&workspace.app, adoption(&form));
    let adopting = Adopting { owner: form.filled_change("owner"), language: visit.language };
    let is_count = form.value("step") == "count";
    let done = if is_count {
        app.compliance.adoption_preview(visit.caller(), adoption).await.map(|preview| preview.all)
    } else {
        app.compliance.adopt_controls(visit.caller(), &adoption, adopting).await
    };
    let (done, framework) = match (done, by_chapter) {
        (Ok(counted), Some(framework)) if is_count => (Ok(counted), framework),
        (Err(error @ Error::Invalid(_)), Some(framework)) => (Err(error), framework),
        (done, _) => return made(&visit, &form, done?),
    };
    let preview = app.compliance.adoption_preview(visit.caller(), Adoption::Framework(framework)).await?;
    match done {
        Ok(counted) => {
            respond::page(chapters(&workspace, &visit, framework, &preview, &form, Some(counted)).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(chapters(&workspace, &visit, framework, &preview, &form, None).await?)
        }
    }
}

/// Says what was made. A form on the page of a requirement returns to it.
fn made(visit: &Visit, form: &Form, adopted: Adopted) -> Answer {
    if let Some(back) = route::own(form.value("back")) {
        return respond::go_to(&route::done(back, "adopted"));
    }
    let content = html! {
        (ui::head(visit.t(texts::ADOPT), "", None))
        (notice(Tone::Good, &counted_text(visit, texts::ADOPTED, adopted), &html! {}))
        div.row {
            (ui::link_button(route::CONTROLS, visit.t(texts::TITLE), true))
            (ui::link_button(route::ADOPT_CONTROLS, visit.t(texts::ADOPT), false))
        }
    };
    respond::page(ui::layout::page(visit, visit.t(texts::ADOPT), &content))
}
