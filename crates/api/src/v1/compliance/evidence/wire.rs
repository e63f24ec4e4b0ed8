//! The wire types of evidence.

use std::borrow::Cow;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words, WordsOrNone, exactly},
    schema::{body, body_of},
    v1::{
        record::Noun,
        wire::{ORDER, words},
    },
};
use app::{
    App,
    control::Keys,
    evidence::{EvidenceFilter, EvidenceView, Link},
    history::Detail,
};
use domain::{
    any_of::UNSET,
    evidence::{Evidence, EvidenceFile, EvidenceInput},
    id::EvidenceId,
    moment::{Day, Moment},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{
        KnownFormat, RefOr, SchemaFormat,
        schema::{ObjectBuilder, Schema, Type},
    },
};

words! {
    EvidenceState = domain::evidence::EvidenceState, "Whether evidence still holds.";
    LinkType = domain::evidence::LinkType, "What evidence can be attached to.";
    EvidenceSort = domain::evidence::EvidenceSort, ORDER;
}

/// The file of evidence. Its bytes are at `…/content`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnEvidenceFile)]
pub(crate) struct File {
    #[schema(example = "restore-test-2026.pdf")]
    name: String,
    /// From a fixed list, by the content of the file.
    #[schema(example = "application/pdf")]
    media_type: String,
    bytes: u64,
    sha256: String,
}

impl From<&EvidenceFile> for File {
    fn from(file: &EvidenceFile) -> Self {
        Self {
            name: file.name.to_string(),
            media_type: file.media_type.clone(),
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        }
    }
}

/// A record that evidence is attached to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnEvidenceLink)]
pub(crate) struct EvidenceLink {
    r#type: LinkType,
    id: String,
}

impl From<&Link> for EvidenceLink {
    fn from(link: &Link) -> Self {
        Self { r#type: link.kind.into(), id: link.target.clone() }
    }
}

/// Evidence: what proves that something was done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnEvidence)]
pub(crate) struct EvidenceItem {
    #[schema(value_type = String, example = "evd_01k9x14js0e00000000000000a")]
    id: EvidenceId,
    title: String,
    /// The id of a kind of evidence of the catalogue.
    kind: Option<String>,
    description: Option<String>,
    file: Option<File>,
    url: Option<String>,
    #[schema(value_type = String, format = Date)]
    collected_on: Day,
    /// The last day it holds; `null` if it does not expire.
    #[schema(value_type = Option<String>, format = Date)]
    valid_until: Option<Day>,
    /// It cannot be deleted up to and including this day.
    #[schema(value_type = String, format = Date)]
    keep_until: Day,
    /// The legal basis of the retention.
    #[schema(example = "MaRisk AT 6")]
    keep_because: Option<String>,
    owner: Option<String>,
    /// The id of the key or person that added it.
    uploaded_by: String,
    /// `expiring` from 30 days before the last day on.
    state: EvidenceState,
    links: Vec<EvidenceLink>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

impl From<&EvidenceView> for EvidenceItem {
    fn from(evidence: &EvidenceView) -> Self {
        let EvidenceView { row, state, links } = evidence;
        let record = &row.record;
        Self {
            id: row.id,
            title: record.title.to_string(),
            kind: record.kind.clone(),
            description: record.description.as_ref().map(ToString::to_string),
            file: record.file.as_ref().map(File::from),
            url: record.url.clone(),
            collected_on: record.collected_on,
            valid_until: record.valid_until,
            keep_until: record.keep_until,
            keep_because: record.keep_because.as_ref().map(ToString::to_string),
            owner: record.owner.as_ref().map(ToString::to_string),
            uploaded_by: record.uploaded_by.clone(),
            state: (*state).into(),
            links: links.iter().map(EvidenceLink::from).collect(),
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

impl From<&Detail<EvidenceView>> for EvidenceItem {
    fn from(detail: &Detail<EvidenceView>) -> Self {
        Self::from(&detail.record)
    }
}

body! {
    /// Evidence to add. As `multipart/form-data` the fields are parts of the same names, and the part `file` is the file.
    NewOwnEvidence from EvidenceChange {
        required: [],
        without: [],
        example: {
            "title": "Report of the restore test",
            "url": "https://intranet.example.com/reports/restore-2026",
            "collected_on": "2026-11-02",
            "valid_until": "2027-11-01",
        }
    }
}

/// The same as parts of a form, which are all texts but for the file.
#[derive(Debug)]
pub(crate) enum EvidenceForm {}

impl utoipa::PartialSchema for EvidenceForm {
    fn schema() -> RefOr<Schema> {
        let mut form = body_of::<EvidenceChange>(&["The same as parts of a form."], &["file"], &[]);
        for part in form.properties.values_mut() {
            *part = ObjectBuilder::new().schema_type(Type::String).into();
        }
        let binary = SchemaFormat::KnownFormat(KnownFormat::Binary);
        let file = ObjectBuilder::new().schema_type(Type::String).format(Some(binary));
        form.properties.insert("file".to_owned(), file.into());
        form.example = None;
        form.into()
    }
}

impl ToSchema for EvidenceForm {
    fn name() -> Cow<'static, str> {
        "NewOwnEvidenceForm".into()
    }
}

/// Changes to evidence. Fields that are absent keep their values; `null` clears a field. The file cannot be changed.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = OwnEvidenceChange, example = json!({ "valid_until": "2027-12-31" }))]
pub(crate) struct EvidenceChange {
    /// New evidence needs it unless there is a file, whose name is then the title.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    kind: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    /// An http or https address. New evidence needs it unless there is a file.
    #[schema(max_length = 2000)]
    url: Option<Option<String>>,
    /// The default of new evidence is today.
    #[schema(format = Date, nullable = false)]
    collected_on: Option<Option<String>>,
    #[schema(format = Date)]
    valid_until: Option<Option<String>>,
    /// Not before the day it is kept until now. The default of new evidence is five years after `collected_on`.
    #[schema(format = Date, nullable = false)]
    keep_until: Option<Option<String>>,
    #[schema(max_length = 255)]
    keep_because: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
}

/// A record to attach evidence to.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = NewOwnEvidenceLink, example = json!({ "type": "finding", "id": "fnd_01k9x14js0e00000000000000a" }))]
pub(crate) struct NewLink {
    #[schema(required = true, value_type = LinkType)]
    pub(crate) r#type: Option<Parsed<domain::evidence::LinkType>>,
    /// The id of the record; of an assessment, the id of its requirement.
    #[schema(required = true, nullable = false)]
    pub(crate) id: Option<String>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EvidenceParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only evidence with this state.
    #[param(value_type = Option<Vec<EvidenceState>>)]
    state: Option<Words<domain::evidence::EvidenceState>>,
    /// Only evidence of this kind. Sent several times, of any of them; `none` stands for evidence without a kind.
    #[param(value_type = Option<Vec<String>>)]
    kind: Option<Names>,
    /// Only evidence of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only evidence that is attached to the record with this id; `none` stands for evidence that is attached to nothing.
    linked_to: Option<String>,
    /// Only evidence whose last day is before this day; `none` stands for evidence without a day, and can be sent besides a
    /// day.
    #[param(value_type = Option<Vec<String>>, example = json!(["2026-12-31"]))]
    valid_before: Option<WordsOrNone<Day>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<EvidenceSort>)]
    sort: Option<Parsed<domain::evidence::EvidenceSort>>,
}

impl Noun for Evidence {
    type Item = EvidenceItem;
    type Full = EvidenceItem;

    const PATH: &'static str = "/api/v1/evidence";

    fn filter(app: &App, query: &mut PageQuery) -> Result<EvidenceFilter, ApiError> {
        let params: EvidenceParams = query.read();
        let linked_to = params.linked_to.and_then(exactly);
        Ok(EvidenceFilter {
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            state: Words::any(params.state),
            today: Some(app.clock.now().day()),
            kind: Names::any(params.kind),
            owner: Names::any(params.owner),
            is_unlinked: linked_to.as_deref() == Some(UNSET),
            linked_to: linked_to.filter(|id| id != UNSET),
            keys: None,
            valid_before: WordsOrNone::any(params.valid_before),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn proving(filter: &mut EvidenceFilter) -> Option<&mut Option<Keys>> {
        Some(&mut filter.keys)
    }

    fn input(fields: &mut Fields) -> EvidenceInput {
        fields.read::<EvidenceChange>().into()
    }
}

impl From<EvidenceChange> for EvidenceInput {
    fn from(change: EvidenceChange) -> Self {
        Self {
            title: change.title.into(),
            kind: change.kind.into(),
            description: change.description.into(),
            url: change.url.into(),
            collected_on: change.collected_on.into(),
            valid_until: change.valid_until.into(),
            keep_until: change.keep_until.into(),
            keep_because: change.keep_because.into(),
            owner: change.owner.into(),
        }
    }
}
