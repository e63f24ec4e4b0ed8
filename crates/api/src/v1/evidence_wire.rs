//! The wire types of evidence.

use super::{
    record::Noun,
    wire::{ORDER, words},
};
use crate::{
    ApiError,
    extract::{Fields, PageQuery},
};
use app::{
    App,
    evidence::{Evidence as AppEvidence, EvidenceChange as AppChange, EvidenceFilter, Link},
    history::Detail,
};
use domain::{
    evidence::{Evidence as Record, EvidenceFile, EvidenceInput},
    id::EvidenceId,
    moment::{Day, Moment},
};
use serde::Serialize;
use utoipa::ToSchema;

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
pub(crate) struct Evidence {
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
}

impl From<&AppEvidence> for Evidence {
    fn from(evidence: &AppEvidence) -> Self {
        let AppEvidence { row, state, links } = evidence;
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
        }
    }
}

impl From<&Detail<AppEvidence>> for Evidence {
    fn from(detail: &Detail<AppEvidence>) -> Self {
        Self::from(&detail.record)
    }
}

/// Evidence to add. As `multipart/form-data` the fields are parts of the same names, and the part `file` is the file.
#[derive(Debug, ToSchema)]
#[schema(as = NewOwnEvidence, example = json!({
    "title": "Report of the restore test",
    "url": "https://intranet.example.com/reports/restore-2026",
    "collected_on": "2026-11-02",
    "valid_until": "2027-11-01",
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewEvidence {
    /// Needed unless there is a file, whose name is then the title.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    kind: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    /// Needed unless there is a file. An http or https address.
    #[schema(max_length = 2000)]
    url: Option<String>,
    /// Today by default.
    #[schema(format = Date, nullable = false)]
    collected_on: Option<String>,
    #[schema(format = Date)]
    valid_until: Option<String>,
    /// Five years after `collected_on` by default.
    #[schema(format = Date, nullable = false)]
    keep_until: Option<String>,
    #[schema(max_length = 255)]
    keep_because: Option<String>,
    #[schema(max_length = 255)]
    owner: Option<String>,
}

/// The same as parts of a form.
#[derive(Debug, ToSchema)]
#[schema(as = NewOwnEvidenceForm)]
#[expect(dead_code, reason = "documentation only; the handler reads the parts")]
pub(crate) struct EvidenceForm {
    #[schema(value_type = String, format = Binary)]
    file: String,
    title: Option<String>,
    kind: Option<String>,
    description: Option<String>,
    url: Option<String>,
    collected_on: Option<String>,
    valid_until: Option<String>,
    keep_until: Option<String>,
    keep_because: Option<String>,
    owner: Option<String>,
}

/// Changes to evidence. Fields that are absent keep their values; `null` clears a field. The file cannot be changed.
#[derive(Debug, ToSchema)]
#[schema(as = OwnEvidenceChange, example = json!({ "valid_until": "2027-12-31" }))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct EvidenceChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    kind: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    #[schema(max_length = 2000)]
    url: Option<String>,
    #[schema(format = Date, nullable = false)]
    collected_on: Option<String>,
    #[schema(format = Date)]
    valid_until: Option<String>,
    /// Not before the day it is kept until now.
    #[schema(format = Date, nullable = false)]
    keep_until: Option<String>,
    #[schema(max_length = 255)]
    keep_because: Option<String>,
    #[schema(max_length = 255)]
    owner: Option<String>,
}

/// A record to attach evidence to.
#[derive(Debug, ToSchema)]
#[schema(as = NewOwnEvidenceLink, example = json!({ "type": "finding", "id": "fnd_01k9x14js0e00000000000000a" }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewLink {
    r#type: LinkType,
    /// The id of the record; of an assessment, the id of its requirement.
    id: String,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct EvidenceParams {
    /// Only evidence with this state.
    state: Option<EvidenceState>,
    /// Only evidence of this kind.
    kind: Option<String>,
    /// Only evidence of the owner of exactly this name.
    owner: Option<String>,
    /// Only evidence that is attached to the record with this id.
    linked_to: Option<String>,
    /// Only evidence whose last day is before this day.
    #[param(format = Date)]
    valid_before: Option<String>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<EvidenceSort>,
}

impl Noun for Record {
    type Item = Evidence;
    type Full = Evidence;

    const PATH: &'static str = "/api/v1/evidence";

    fn filter(app: &App, query: &mut PageQuery) -> Result<EvidenceFilter, ApiError> {
        Ok(EvidenceFilter {
            state: query.filter("state"),
            today: Some(app.clock.now().day()),
            kind: query.exactly("kind"),
            owner: query.exactly("owner"),
            linked_to: query.exactly("linked_to"),
            valid_before: query.filter("valid_before"),
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> AppChange {
        AppChange::Fields(Box::new(fields_of(fields)))
    }
}

pub(super) fn fields_of(fields: &mut Fields) -> EvidenceInput {
    EvidenceInput {
        title: fields.text_change("title"),
        kind: fields.text_change("kind"),
        description: fields.text_change("description"),
        url: fields.text_change("url"),
        collected_on: fields.text_change("collected_on"),
        valid_until: fields.text_change("valid_until"),
        keep_until: fields.text_change("keep_until"),
        keep_because: fields.text_change("keep_because"),
        owner: fields.text_change("owner"),
    }
}
