//! What own frameworks and their requirements are on the wire.

use std::str::FromStr;

use app::{
    App,
    history::Detail,
    own_framework::{Content, OwnFrameworkFilter, OwnFrameworkRow},
};
use domain::{
    change::Change,
    id::OwnFrameworkId,
    moment::Moment,
    own_framework::{
        OwnFramework, OwnFrameworkInput, OwnFrameworkStatus as Status, OwnRequirement as AppRequirement,
        OwnRequirementInput,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words},
    schema::body,
    v1::{
        record::Noun,
        wire::{HistoryStep, moves, words},
    },
};

words! {
    OwnFrameworkStatus = domain::own_framework::OwnFrameworkStatus, moves::<domain::own_framework::OwnFrameworkStatus>();
}

/// A framework of the institution's own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnFramework)]
pub(crate) struct OwnFrameworkItem {
    #[schema(value_type = String, example = "ofw_01k9x14js0e00000000000000a")]
    id: OwnFrameworkId,
    /// The ids of its requirements begin with it.
    #[schema(example = "house-it")]
    key: String,
    #[schema(example = "IT security policy")]
    title: String,
    description: Option<String>,
    /// What the institution calls this edition.
    #[schema(example = "2027")]
    edition: Option<String>,
    #[schema(example = "Dana Weber")]
    owner: Option<String>,
    status: OwnFrameworkStatus,
    /// The number of the set of requirements that is worked on; 0 before the first.
    content: i64,
    /// How many requirements are in that set.
    requirements: u64,
    /// What was approved and holds now.
    in_force: Option<OwnFrameworkInForce>,
    /// Who changed something since the last approval: these cannot approve it.
    editors: Vec<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    approved_at: Option<Moment>,
    approved_by: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

/// What of an own framework is in force.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnFrameworkInForce {
    title: String,
    edition: Option<String>,
    /// The number of the set of requirements.
    content: i64,
}

/// An own framework with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnFrameworkDetail {
    #[serde(flatten)]
    framework: OwnFrameworkItem,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// A requirement of an own framework.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnRequirement {
    #[schema(example = "house-it-4-2")]
    id: String,
    chapter: String,
    /// As printed.
    #[schema(example = "4.2")]
    number: String,
    title: String,
    text: String,
    /// For whom or for what it holds.
    applicability: Option<String>,
    /// Measures of the catalogue that meet it.
    measures: Vec<String>,
    /// Requirements of the catalogue it details.
    based_on: Vec<String>,
}

body! {
    /// An own framework to create. Its status is `draft`.
    NewOwnFramework from OwnFrameworkChange {
        required: ["key", "title"],
        without: ["status"],
        example: { "key": "house-it", "title": "IT security policy", "edition": "2027" }
    }
}

/// Changes to an own framework. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "approved", "note": "Compared with the board's resolution." }))]
pub(crate) struct OwnFrameworkChange {
    /// Lower-case letters, digits and single hyphens. It cannot be changed later; a change accepts only its own value.
    #[schema(min_length = 1, max_length = 31, nullable = false)]
    key: Option<Option<String>>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    #[schema(max_length = 255)]
    edition: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    /// The next status.
    #[schema(value_type = Option<OwnFrameworkStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

/// A requirement as a whole: what is left out is empty.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "chapter": "Backups", "number": "4.2", "title": "Restore drills",
    "text": "A restore of every critical system is rehearsed once a year.",
    "based_on": ["dora-art-12-02"],
}))]
pub(crate) struct OwnRequirementBody {
    #[schema(max_length = 255)]
    chapter: Option<Option<String>>,
    /// Follows from the id if it is left out.
    #[schema(max_length = 255)]
    number: Option<Option<String>>,
    #[schema(required = true, nullable = false, min_length = 1, max_length = 255)]
    title: Option<Option<String>>,
    #[schema(required = true, nullable = false, min_length = 1, max_length = 6000)]
    text: Option<Option<String>>,
    /// For whom or for what it holds.
    #[schema(max_length = 10_000)]
    applicability: Option<Option<String>>,
    /// Measures of the catalogue that meet it.
    #[schema(max_items = 200)]
    measures: Option<Option<Vec<String>>>,
    /// Requirements of the catalogue it details.
    #[schema(max_items = 200)]
    based_on: Option<Option<Vec<String>>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OwnFrameworkParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only frameworks with this status.
    #[param(value_type = Option<Vec<OwnFrameworkStatus>>)]
    status: Option<Words<Status>>,
    /// Only frameworks of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OwnRequirementParams {
    /// `draft` (the default) for those that are worked on, `in_force` for the approved ones, or the number of a set.
    #[param(value_type = Option<String>)]
    pub(crate) content: Option<Parsed<ContentName>>,
}

/// Which requirements a request asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContentName(Content);

impl ContentName {
    /// What a parameter asks for; the draft if it is absent.
    pub(crate) fn wanted(name: Option<Parsed<Self>>) -> Content {
        name.map_or(Content::Draft, |Parsed(Self(content))| content)
    }
}

impl FromStr for ContentName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let content = match text {
            "draft" => Content::Draft,
            "in_force" => Content::InForce,
            text => {
                let number = text.parse().ok().filter(|number| *number > 0);
                let rule = "must be draft, in_force or the number of a set of requirements";
                Content::Number(number.ok_or(rule)?)
            }
        };
        Ok(Self(content))
    }
}

impl From<&OwnFrameworkRow> for OwnFrameworkItem {
    fn from(row: &OwnFrameworkRow) -> Self {
        let record = &row.record;
        Self {
            id: row.id,
            key: record.key.to_string(),
            title: record.title.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            edition: record.edition.as_ref().map(ToString::to_string),
            owner: record.owner.as_ref().map(ToString::to_string),
            status: record.status.into(),
            content: record.content,
            requirements: record.requirements,
            in_force: record.in_force.as_ref().map(|held| OwnFrameworkInForce {
                title: held.title.to_string(),
                edition: held.edition.as_ref().map(ToString::to_string),
                content: held.content,
            }),
            editors: record.editors.clone(),
            approved_at: record.approved.as_ref().map(|signed| signed.at),
            approved_by: record.approved.as_ref().map(|signed| signed.by.clone()),
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

impl From<&Detail<OwnFrameworkRow>> for OwnFrameworkDetail {
    fn from(detail: &Detail<OwnFrameworkRow>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { framework: OwnFrameworkItem::from(&detail.record), history }
    }
}

impl From<&AppRequirement> for OwnRequirement {
    fn from(kept: &AppRequirement) -> Self {
        let AppRequirement { id, chapter, number, title, text, applicability, measures, based_on } =
            kept.clone();
        Self { id, chapter, number, title, text, applicability, measures, based_on }
    }
}

impl Noun for OwnFramework {
    type Item = OwnFrameworkItem;
    type Full = OwnFrameworkDetail;

    const PATH: &'static str = "/api/v1/own-frameworks";

    fn filter(_: &App, query: &mut PageQuery) -> Result<OwnFrameworkFilter, ApiError> {
        let params: OwnFrameworkParams = query.read();
        Ok(OwnFrameworkFilter {
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            status: Words::any(params.status),
            owner: Names::any(params.owner),
            search: params.search.and_then(Search::words),
        })
    }

    fn input(fields: &mut Fields) -> OwnFrameworkInput {
        fields.read::<OwnFrameworkChange>().into()
    }
}

impl From<OwnFrameworkChange> for OwnFrameworkInput {
    fn from(change: OwnFrameworkChange) -> Self {
        Self {
            key: change.key.into(),
            title: change.title.into(),
            description: change.description.into(),
            edition: change.edition.into(),
            owner: change.owner.into(),
            status: change.status.into(),
            note: change.note.into(),
        }
    }
}

impl OwnRequirementBody {
    /// The input for the requirement with this id.
    pub(crate) fn into_input(self, id: String) -> OwnRequirementInput {
        OwnRequirementInput {
            id: Change::Set(id),
            chapter: self.chapter.into(),
            number: self.number.into(),
            title: self.title.into(),
            text: self.text.into(),
            applicability: self.applicability.into(),
            measures: self.measures.into(),
            based_on: self.based_on.into(),
        }
    }
}
