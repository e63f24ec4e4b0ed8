//! Due-diligence reviews of providers.

use std::{collections::BTreeMap, sync::LazyLock};

use domain::{
    any_of::AnyOf,
    id::{ProviderId, ReviewId},
    provider::{Review, ReviewAnswer, ReviewFile, ReviewStatus},
    text::Prose,
};
use serde_json::{Map, Value as Json, json};

use crate::{
    Error, Reader, Result, TenantScope, params,
    provider::{scores, scores_json},
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    OPEN = "SELECT id FROM provider_reviews WHERE tenant_id = $1 AND provider_id = $2 AND open = 1 LIMIT 1";
}

pub type ReviewRow = RecordRow<Review>;

/// Which reviews, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    pub provider: Option<ProviderId>,
    pub status: AnyOf<ReviewStatus>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Review::TABLE));

impl Kind for Review {
    type Id = ReviewId;
    type Filter = ReviewFilter;

    const TABLE: Table<Self> = Table {
        name: "provider_reviews",
        prefix: ReviewId::PREFIX,
        columns: &[
            TableColumn::fixed("provider_id", |review| Value::from(review.provider_id)),
            TableColumn::new("status", |review| Value::from(review.status.as_str())),
            TableColumn::derived("open", |review| Value::from(review.status.is_open())),
            TableColumn::fixed("questions", |review| Value::json(&review.questions)),
            TableColumn::new("answers", |review| Value::Owned(answers_json(&review.answers).to_string())),
            TableColumn::new("due_on", |review| Value::day(review.due_on)),
            TableColumn::new("sent_at", |review| Value::from(review.sent_at)),
            TableColumn::new("link_expires_at", |review| Value::from(review.link_expires_at)),
            TableColumn::new("submitted_at", |review| Value::from(review.submitted_at)),
            TableColumn::new("submitted_by", |review| Value::from(review.submitted_by.as_ref())),
            TableColumn::new("completed_on", |review| Value::day(review.completed_on)),
            TableColumn::new("scores", |review| Value::Owned(scores_json(review.scores).to_string())),
            TableColumn::new("findings", |review| Value::Owned(json!(review.findings).to_string())),
            TableColumn::new("files", |review| Value::Owned(files_json(&review.files).to_string())),
        ],
        archives: false,
        work: None,
        filters: &[
            Filter { name: "provider", condition: "r.provider_id = ?" },
            Filter { name: "status", condition: "r.status = ?" },
        ],
        sorts: &[],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            provider_id: cells.parse("provider_id")?,
            status: cells.parse("status")?,
            questions: cells.json("questions")?,
            answers: answers(&cells.json("answers")?)?,
            due_on: cells.day("due_on")?,
            sent_at: cells.get("sent_at")?,
            link_expires_at: cells.get("link_expires_at")?,
            submitted_at: cells.get("submitted_at")?,
            submitted_by: cells.name_opt("submitted_by")?,
            completed_on: cells.day("completed_on")?,
            scores: scores(&cells.json("scores")?)?,
            findings: findings(&cells.json("findings")?)?,
            files: files(&cells.json::<Vec<Json>>("files")?)?,
        })
    }

    fn narrow<'q>(filter: &'q ReviewFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.filter_opt("provider", filter.provider).any_word("status", &filter.status)
    }
}

/// Whether a review of the provider is open.
pub fn is_open(reader: &mut Reader<'_>, scope: &TenantScope, provider: ProviderId) -> Result<bool> {
    Ok(reader.query_opt(&OPEN, params![scope.tenant(), provider], |_| Ok(()))?.is_some())
}

fn answers_json(answers: &BTreeMap<String, ReviewAnswer>) -> Json {
    let one = |answer: &ReviewAnswer| {
        json!({
            "answer": answer.answer,
            "value": answer.value.as_ref().map(Prose::as_str),
            "note": answer.note.as_ref().map(Prose::as_str),
            "evidence": answer.evidence,
        })
    };
    answers.iter().map(|(question, answer)| (question.clone(), one(answer))).collect::<Map<_, _>>().into()
}

fn answers(kept: &Map<String, Json>) -> Result<BTreeMap<String, ReviewAnswer>> {
    let one = |(question, kept): (&String, &Json)| {
        let evidence = kept["evidence"].as_array().into_iter().flatten().filter_map(Json::as_str);
        let answer = kept["answer"].as_str().map(str::parse).transpose().map_err(Error::corrupt)?;
        let prose = |field: &str| kept[field].as_str().map(Prose::parse).transpose().map_err(Error::corrupt);
        let (value, note) = (prose("value")?, prose("note")?);
        let evidence = evidence.map(|id| id.parse().map_err(Error::corrupt)).collect::<Result<_>>()?;
        Ok((question.clone(), ReviewAnswer { answer, value, note, evidence }))
    };
    kept.iter().map(one).collect()
}

fn files_json(files: &[ReviewFile]) -> Json {
    let one = |file: &ReviewFile| json!({ "evidence": file.evidence, "question": file.question, "name": file.name });
    files.iter().map(one).collect()
}

fn files(kept: &[Json]) -> Result<Vec<ReviewFile>> {
    let one = |kept: &Json| {
        Ok(ReviewFile {
            evidence: kept["evidence"].as_str().unwrap_or_default().parse().map_err(Error::corrupt)?,
            question: kept["question"].as_str().map(str::to_owned),
            name: kept["name"].as_str().unwrap_or_default().to_owned(),
        })
    };
    kept.iter().map(one).collect()
}

fn findings(kept: &BTreeMap<String, String>) -> Result<BTreeMap<String, domain::id::FindingId>> {
    let one =
        |(question, id): (&String, &String)| Ok((question.clone(), id.parse().map_err(Error::corrupt)?));
    kept.iter().map(one).collect()
}
