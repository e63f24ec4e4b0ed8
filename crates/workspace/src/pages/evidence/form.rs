//! The form of evidence, and adding evidence with its file.

use std::collections::HashSet;

use app::{
    Error,
    authz::Caller,
    catalogue::{
        Edition,
        evidence::{Evidence as LibraryEvidence, EvidenceKind},
    },
    evidence::{EvidenceRow, Link},
};
use axum::extract::State;
use domain::{
    control::Control,
    evidence::{Evidence, EvidenceInput, LinkType},
    field::Field,
    id::EvidenceId,
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    link::{link_of, page_of},
    size,
};
use crate::{
    Workspace, assets,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        names::Names,
        record::{
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm, complaints, filled},
        },
        reference::edition,
    },
    respond::{self, Answer},
    route,
    texts::{common, evidence as texts},
    ui::{
        self,
        field::{self, Choice},
    },
    upload::{Purpose, Uploaded, busy},
};

type Asked = FormField<Evidence>;

impl RecordForm for Evidence {
    const ADDRESS: &'static str = route::EVIDENCE;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const NAMES: &'static [(&'static str, Label)] = &[("type", texts::LINK_TYPE), ("id", texts::LINK_ID)];
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::custom(
            Self::TITLE,
            |ask| Box::pin(title(ask)),
            |_, evidence| vec![(Self::TITLE.name, evidence.title.to_string())],
        ),
        Asked::text(Self::URL, |evidence| evidence.url.clone()).hint(texts::URL_HINT).wide().shown_apart(),
        Asked::custom(
            Self::KIND,
            |ask| Box::pin(kinds(ask)),
            |_, evidence| vec![(Self::KIND.name, filled(evidence.kind.as_ref()))],
        ),
        Asked::day(Self::COLLECTED_ON, |evidence| Some(evidence.collected_on)).kept().bulk(),
        Asked::day(Self::VALID_UNTIL, |evidence| evidence.valid_until).bulk().cell(),
        Asked::day(Self::KEEP_UNTIL, |evidence| Some(evidence.keep_until))
            .hint(texts::KEEP_UNTIL_HINT)
            .kept()
            .bulk(),
        Asked::line(Self::KEEP_BECAUSE, |evidence| evidence.keep_because.as_ref())
            .hint(texts::KEEP_BECAUSE_HINT)
            .bulk(),
        Asked::person(Self::OWNER, |evidence| evidence.owner.as_ref()).bulk().cell(),
        Asked::prose(Self::DESCRIPTION, |evidence| evidence.description.as_ref()).bulk(),
    ])];

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&EvidenceRow>,
    ) -> Result<EvidenceInput, Error> {
        Ok(input(form, false))
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: EvidenceId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

/// Who may add evidence.
#[derive(Debug)]
pub(super) struct ForEvidence;

impl Purpose for ForEvidence {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_right(Resource::Evidence, Right::Write)
    }
}

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Evidence, Right::Write)?;
    let text = |name: &str| visit.query(name).unwrap_or_default();
    let form = Form::filled([("type", text("type")), ("id", text("id"))]);
    respond::page(new_page(&workspace, &visit, &form).await?)
}

async fn new_page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let names = Names::of(workspace, visit, [form.value("id")]).await?;
    let most = size(visit, workspace.app.compliance.max_evidence_bytes());
    let t = |label| visit.t(label);
    let fields = Evidence::form_fields(workspace, visit, form, None).await?;
    let content = html! {
        (ui::head(t(texts::NEW), t(texts::INTRO), None))
        (complaints::<Evidence>(visit, form, &[]))
        form.card method="post" action=(route::EVIDENCE) enctype="multipart/form-data" data-busy
            data-files=(back(&edition, form)) data-files-done=(t(texts::SENT)) data-files-refused=(t(texts::NOT_SENT)) {
            (visit.form_token())
            (target(visit, &names, form))
            div.field {
                label for="file" { (t(Evidence::FILE.label)) }
                p.hint #file-hint { (visit.fill(texts::FILE_HINT, &[("size", &most)])) }
                input #file type="file" name="file" aria-describedby="file-hint";
                ul data-files-list hidden aria-live="polite" {}
            }
            (fields)
            div.form-end {
                button.button.primary type="submit" { (t(texts::CREATE)) }
                a.button href=(route::EVIDENCE) { (t(common::CANCEL)) }
            }
            (busy(visit))
        }
        script src=(assets::FILES_SCRIPT.path()) defer {}
    };
    Ok(ui::layout::page(visit, t(texts::NEW), &content))
}

/// Where the form of several files returns to: the record they belong to, or the list.
fn back(edition: &Edition, form: &Form) -> String {
    record_of(edition, form).unwrap_or_else(|| route::EVIDENCE.to_owned())
}

/// The page of the record that the form was opened from.
fn record_of(edition: &Edition, form: &Form) -> Option<String> {
    form.value("type").parse::<LinkType>().ok()?;
    page_of(edition, form.value("id"))
}

/// The record it will be attached to, if the form was opened from one.
fn target(visit: &Visit, names: &Names, form: &Form) -> Markup {
    let Ok(kind) = form.value("type").parse::<LinkType>() else { return html! {} };
    let id = form.value("id");
    let name = names.get(id).unwrap_or_else(|| id.to_owned());
    html! {
        input type="hidden" name="type" value=(kind.as_str());
        input type="hidden" name="id" value=(id);
        p { (visit.fill(texts::WILL_LINK, &[("type", &visit.t(kind.label())), ("id", &name)])) }
    }
}

/// The kinds that the record is expected to have: those of the measures that meet a requirement, or of the measure that
/// a control carries out.
async fn expected(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Vec<String>, PageError> {
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let id = form.value("id");
    let measures: Vec<String> = match form.value("type").parse::<LinkType>() {
        Ok(LinkType::Assessment) => edition.measures_for(id).map(|measure| measure.id.to_string()).collect(),
        Ok(LinkType::Control) => match id.parse() {
            Ok(id) => {
                let (detail, _) = workspace.app.records.record::<Control>(visit.caller(), id).await?;
                detail.record.row.record.measure_id.into_iter().collect()
            }
            Err(_) => Vec::new(),
        },
        _ => Vec::new(),
    };
    let named = measures.iter().filter_map(|id| edition.measures.get(id)).flat_map(|one| &one.evidence);
    let mut kinds: Vec<String> = named.map(ToString::to_string).collect();
    let mut seen = HashSet::new();
    kinds.retain(|kind| seen.insert(kind.clone()));
    Ok(kinds)
}

/// The kinds of evidence in groups, those that are expected first.
async fn kinds(ask: &Ask<'_, Evidence>) -> Result<Markup, PageError> {
    let Ask { workspace, visit, form, .. } = *ask;
    let edition = edition(workspace)?;
    let expected = expected(workspace, visit, form).await?;
    let choice = |kind: &LibraryEvidence| Choice::new(kind.id.to_string(), kind.title.get(visit.language));
    let first: Vec<_> = expected.iter().filter_map(|id| edition.evidence.get(id)).map(choice).collect();
    let mut groups = vec![(visit.t(texts::EXPECTED_KINDS), first)];
    groups.extend(EvidenceKind::ALL.iter().map(|word| {
        let others = edition.evidence.iter();
        let others = others.filter(|kind| kind.kind == *word && !expected.iter().any(|id| **id == *kind.id));
        (visit.t(word.label()), others.map(choice).collect())
    }));
    let none = Choice::new("", visit.t(texts::NO_KIND));
    Ok(field::grouped_select(visit, form, Evidence::KIND.name, Evidence::KIND.label, &none, &groups))
}

/// What asks for the title; evidence without one is called after its file.
#[expect(
    clippy::unused_async,
    reason = "the form waits for what asks for a field; this one reads no records"
)]
async fn title(ask: &Ask<'_, Evidence>) -> Result<Markup, PageError> {
    let Field { name, label } = Evidence::TITLE;
    let title = field::Field::text(ask.visit, ask.form, name, label).at_most(Name::MAX);
    let is_new = ask.before.is_none();
    Ok(if is_new { title.optional().hint(texts::HEADING_HINT).render() } else { title.render() })
}

/// An empty field of a new record is left to the rules; of an existing one it was cleared.
fn input(form: &Form, is_new: bool) -> EvidenceInput {
    let change = |name: &str| if is_new { form.filled_change(name) } else { form.change(name) };
    EvidenceInput {
        title: if is_new { form.filled_change("title") } else { form.required_change("title") },
        kind: change("kind"),
        description: change("description"),
        url: change("url"),
        collected_on: form.filled_change("collected_on"),
        valid_until: change("valid_until"),
        keep_until: form.filled_change("keep_until"),
        keep_because: change("keep_because"),
        owner: change("owner"),
    }
}

pub(super) async fn create(State(workspace): State<Workspace>, mut sent: Uploaded<ForEvidence>) -> Answer {
    let file = sent.take_sent();
    let Uploaded { visit, mut form, .. } = sent;
    let link: Result<Option<Link>, Error> =
        if form.value("type").is_empty() { Ok(None) } else { link_of(&mut form).map(Some) };
    let done = match link {
        Ok(link) => {
            let fields = input(&form, true);
            workspace
                .app
                .compliance
                .add_evidence(visit.caller(), fields, file, link, None, |_| String::new())
                .await
        }
        Err(error) => Err(error),
    };
    match done {
        Ok(created) => {
            // A form that was opened from a record returns to it.
            let edition = workspace.app.edition_of(visit.caller()).await?;
            if let Some(record) = record_of(&edition, &form) {
                return respond::go_to(&format!("{record}#evidence-links"));
            }
            let address = format!("{}/{}", route::EVIDENCE, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&workspace, &visit, &form).await?)
        }
    }
}
