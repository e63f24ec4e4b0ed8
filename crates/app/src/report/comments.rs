//! The comments on a record in its report, if they are asked for. No report to an authority has them.

use std::fmt::Display;

use domain::comment::CommentState;
use reports::document::{Column, Document, Section, Table};

use super::{ReportContext, words};
use crate::{Reports, Result, authz::Caller, comment::Comment};

impl Reports {
    /// The report with the comments on its record.
    pub(super) async fn with_comments(
        &self,
        caller: &Caller,
        ctx: &ReportContext,
        document: Document,
        (record, wanted): (impl Display, bool),
    ) -> Result<Document> {
        if !wanted {
            return Ok(document);
        }
        let comments = self.records.discussion(caller, record.to_string(), true).await?.comments.items;
        Ok(document.section(Section::new(ctx.t(words::COMMENTS)).table(table(ctx, &comments))))
    }
}

fn table(ctx: &ReportContext, comments: &[Comment]) -> Table {
    let columns = [
        Column::points(ctx.t(words::WHEN), 112),
        Column::points(ctx.t(words::BY), 92),
        Column::points(ctx.t(words::STATUS), 84),
        Column::share(ctx.t(words::COMMENT), 1),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(words::NONE));
    comments.iter().fold(empty, |table, comment| {
        // A file leaves the service, so it never has what was withdrawn.
        let kept = comment.text.as_ref().filter(|_| comment.state != CommentState::Withdrawn);
        table.row([
            ctx.moment(comment.row.created_at),
            ctx.person(Some(&comment.author.who)),
            ctx.t(comment.state.label()).to_owned(),
            kept.map_or_else(|| "–".to_owned(), ToString::to_string),
        ])
    })
}
