//! Reads the reviews of one provider, and compares the last two completed ones.

use domain::{
    id::{ProviderId, ReviewId},
    page::{Page, PageRequest},
    provider::{Answer, Dimension, Provider, Review, ReviewStatus},
    right::{Resource, Right},
};
use store::{Reader, Revision, record};

use super::{ReviewChange, ReviewFilter, ReviewRow, ReviewView, link};
use crate::{
    Error, Result, ThirdParties,
    authz::Caller,
    history::Detail,
    pages::Precondition,
    records::{self, RecordKind as _},
};

/// The change of one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreDifference {
    /// `None` for the score over all dimensions.
    pub dimension: Option<Dimension>,
    pub before: Option<u8>,
    pub after: Option<u8>,
}

/// A changed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerDifference {
    pub question: String,
    pub before: Option<Answer>,
    pub after: Option<Answer>,
}

/// The comparison of the last two completed reviews of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewComparison {
    pub before: ReviewRow,
    pub after: ReviewRow,
    pub scores: Vec<ScoreDifference>,
    pub answers: Vec<AnswerDifference>,
}

impl ReviewComparison {
    fn of(before: ReviewRow, after: ReviewRow) -> Self {
        let score = |row: &ReviewRow, dimension: Option<Dimension>| {
            let scores = row.record.scores?;
            dimension.map_or(scores.overall, |dimension| scores.get(dimension))
        };
        let dimensions = Dimension::ALL.iter().copied().map(Some).chain([None]);
        let scores = dimensions.map(|dimension| ScoreDifference {
            dimension,
            before: score(&before, dimension),
            after: score(&after, dimension),
        });
        let scores = scores.collect();
        let answer = |row: &ReviewRow, id: &str| row.record.answers.get(id).and_then(|answer| answer.answer);
        // A question that was asked only once shows no change.
        let both = after.record.questions.iter().filter(|id| before.record.questions.contains(id));
        let answers = both.map(|id| AnswerDifference {
            question: id.clone(),
            before: answer(&before, id),
            after: answer(&after, id),
        });
        let answers = answers.filter(|difference| difference.before != difference.after).collect();
        Self { before, after, scores, answers }
    }
}

impl ThirdParties {
    /// A page of the reviews of a provider, newest first.
    pub async fn provider_reviews(
        &self,
        caller: &Caller,
        provider: ProviderId,
        status: Option<ReviewStatus>,
        request: PageRequest,
    ) -> Result<Page<ReviewView>> {
        let (this, scope) = (self.clone(), *caller.scope());
        let filter = ReviewFilter { provider: Some(provider), status: status.into() };
        let read = move |reader: &mut Reader<'_>| {
            record::get::<Provider>(reader, &scope, provider)?.ok_or(Error::NotFound)?;
            let mut page = record::list::<Review>(reader, &scope, &filter, None, request)?;
            let rows = std::mem::take(&mut page.items);
            let views = Review::views(&this, reader, &scope, rows)?;
            Ok(page.with(views))
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    pub async fn provider_review(
        &self,
        caller: &Caller,
        provider: ProviderId,
        id: ReviewId,
    ) -> Result<(Detail<ReviewView>, Revision)> {
        let (this, scope) = (self.clone(), *caller.scope());
        let read = move |reader: &mut Reader<'_>| {
            link::of_provider(reader, &scope, provider, id)?;
            records::detail::<Review>(&this, reader, &scope, id)
        };
        self.db.tenant(&scope).read_at(read).await
    }

    /// Changes a review of this provider.
    pub async fn change_review(
        &self,
        caller: &Caller,
        (provider, id): (ProviderId, ReviewId),
        change: ReviewChange,
        precondition: Precondition,
    ) -> Result<(Detail<ReviewView>, Revision)> {
        caller.require_right(Resource::Providers, Right::Write)?;
        self.provider_review(caller, provider, id).await?;
        self.records.change_record::<Review>(caller, id, change, precondition).await
    }

    /// The last two completed reviews; `None` before there are two.
    pub async fn compare_reviews(
        &self,
        caller: &Caller,
        provider: ProviderId,
    ) -> Result<Option<ReviewComparison>> {
        let two = PageRequest::new(Some(2), None).unwrap_or_default();
        let page = self.provider_reviews(caller, provider, Some(ReviewStatus::Completed), two).await?;
        let mut rows = page.items.into_iter().map(|review| review.row);
        Ok(rows.next().zip(rows.next()).map(|(after, before)| ReviewComparison::of(before, after)))
    }
}
