//! The statement of applicability as a document: an approved version, or the draft of the next one.

use bytes::Bytes;
use domain::{
    assessment::{JustificationSource, StatedApplicability},
    framework::Framework,
    page::PageRequest,
    wording::{Label, Language},
};
use reports::document::{Cell, Column, Cover, Document, Section, Table, Tone};
use serde_json::{Value, json};

use super::{Content, File, ReportContext, words as shared, words::word};
use crate::{
    Error, Reports, Result,
    approved_document::{Approved, ApprovedDocument, StatementChange, StatementLine, changes},
    assessment::STATEMENT,
    authz::Caller,
};

const TITLE: Label = word("Statement of applicability", "Erklärung zur Anwendbarkeit");
const ANNEX: Label = word("ISO/IEC 27001, Annex A", "ISO/IEC 27001, Anhang A");
const DRAFT: Label = word("Draft", "Entwurf");
const MARK: Label = word("DRAFT", "ENTWURF");
const APPROVED: Label = word("Approved", "Freigegeben");
const APPROVAL: Label = word("Approval", "Freigabe");
const ASKED_BY: Label = word("Approval asked for by", "Freigabe beantragt von");
const ASKED_AT: Label = word("Asked for on", "Beantragt am");
const REASON: Label = word("Reason", "Begründung");
const APPROVED_BY: Label = word("Approved by", "Freigegeben von");
const APPROVED_AT: Label = word("Approved on", "Freigegeben am");
const RECORD_VERSION: Label = word("Version of the lines", "Version der Zeilen");
const UNCHANGED: Label = word(
    "This version is kept unchanged. Its SHA-256 and its signature are stored beside it.",
    "Diese Fassung bleibt unverändert erhalten. Ihr SHA-256-Wert und ihre Signatur sind bei ihr gespeichert.",
);
const NEVER: Label = word("No version has been approved yet.", "Bisher wurde keine Fassung freigegeben.");
const SINCE: Label = word("Changes since version", "Änderungen seit Version");
const NO_CHANGE: Label = word(
    "Nothing has changed since the approved version.",
    "Seit der freigegebenen Fassung hat sich nichts geändert.",
);
const COUNTS: Label = word("Requirements", "Anforderungen");
const APPLY: Label = word("Apply", "Anwendbar");
const DO_NOT_APPLY: Label = word("Do not apply", "Nicht anwendbar");
const UNDECIDED: Label = word("Not decided", "Nicht entschieden");
const NUMBER: Label = word("No.", "Nr.");
const REQUIREMENT: Label = word("Requirement", "Anforderung");
const APPLIES: Label = word("Applies", "Anwendbar");
const JUSTIFICATION: Label = word("Justification", "Begründung");
const CONTROLS: Label = word("Own controls", "Eigene Kontrollen");
const PROPOSED: Label = word("Proposed from the profile", "Aus dem Profil vorgeschlagen");
const FIELD: Label = word("Field", "Feld");
const WAS: Label = word("Approved", "Freigegeben");
const NOW: Label = word("Now", "Jetzt");

/// What is known of the approval of the statement that is written.
enum Standing<'s> {
    Approved(&'s Approved),
    /// With the version that was approved last, and what changed since.
    Draft(Option<(ApprovedDocument, Vec<StatementChange>)>),
}

impl Reports {
    /// The statement as it is now, marked as a draft.
    pub async fn statement_draft(
        &self,
        caller: &Caller,
        framework: Framework,
        language: Language,
    ) -> Result<File> {
        let lines = self.compliance.statement_lines(caller, framework).await?;
        let mut since = None;
        if framework == Framework::ISO_27001 {
            let versions =
                self.compliance.approved_documents(caller, STATEMENT, PageRequest::part(1, 0)).await?;
            if let Some(last) = versions.items.into_iter().next() {
                let approved = self.compliance.statement_version(caller, last.number).await?;
                since = Some((last, changes(&approved.lines, &lines)));
            }
        }
        let ctx = ReportContext::new(self, caller, language).await?;
        let document = document(&ctx, framework, &lines, &Standing::Draft(since));
        ctx.set(document, format!("{STATEMENT}-draft")).await
    }

    /// The content of the version that is approved now, and its file in every language.
    pub(crate) async fn statement_files(
        &self,
        caller: &Caller,
        approved: &Approved,
    ) -> Result<(Value, Vec<(Language, Bytes)>)> {
        let lines = self.compliance.statement_lines(caller, Framework::ISO_27001).await?;
        // Times are those of the institution, not of the person who approves.
        let institution = Caller::system(caller.tenant());
        let mut files = Vec::new();
        for language in Language::ALL {
            let ctx = ReportContext::new(self, &institution, language).await?;
            let document = document(&ctx, Framework::ISO_27001, &lines, &Standing::Approved(approved));
            match ctx.set(document, STATEMENT.to_owned()).await?.content {
                Content::Bytes(bytes) => files.push((language, bytes)),
                Content::Stored(_) => return Err(Error::internal("a document is written to memory")),
            }
        }
        Ok((json!({ "lines": lines }), files))
    }
}

fn document(
    ctx: &ReportContext,
    framework: Framework,
    lines: &[StatementLine],
    standing: &Standing<'_>,
) -> Document {
    let subtitle = match framework {
        Framework::ISO_27001 => ctx.t(ANNEX).to_owned(),
        other => other.name(),
    };
    let document = ctx.document(ctx.t(TITLE)).subtitle(subtitle).cover(Cover::Always);
    let document = match standing {
        Standing::Approved(approved) => document
            .fact(ctx.t(shared::VERSION), approved.document.number.to_string())
            .fact(ctx.t(shared::STATUS), ctx.t(APPROVED))
            .fact(ctx.t(APPROVED_AT), ctx.moment(approved.document.approved_at))
            .fact(ctx.t(APPROVED_BY), ctx.person(approved.approver.as_ref())),
        Standing::Draft(_) => document.mark(ctx.t(MARK)).fact(ctx.t(shared::STATUS), ctx.t(DRAFT)),
    };
    let document = document.section(approval(ctx, standing)).section(counts(ctx, lines));
    by_section(lines).into_iter().fold(document, |document, part| {
        let title = part.first().map(|line| line.section.get(ctx.language)).unwrap_or_default();
        document.section(Section::new(title).table(table(ctx, part)))
    })
}

fn approval(ctx: &ReportContext, standing: &Standing<'_>) -> Section {
    let section = Section::new(ctx.t(APPROVAL));
    match standing {
        Standing::Approved(approved) => {
            let document = &approved.document;
            let pairs = [
                ctx.pair(shared::VERSION, document.number.to_string()),
                ctx.pair(RECORD_VERSION, document.subject_version.to_string()),
                ctx.pair(ASKED_BY, ctx.person(approved.asker.as_ref())),
                ctx.pair(ASKED_AT, ctx.moment(document.asked_at)),
                ctx.pair(REASON, approved.reason.as_str()),
                ctx.pair(APPROVED_BY, ctx.person(approved.approver.as_ref())),
                ctx.pair(APPROVED_AT, ctx.moment(document.approved_at)),
            ];
            section.key_values(pairs).note(ctx.t(UNCHANGED))
        }
        Standing::Draft(None) => section.paragraph(ctx.t(NEVER)),
        Standing::Draft(Some((last, changes))) => {
            let pairs = [
                ctx.pair(shared::VERSION, last.number.to_string()),
                ctx.pair(APPROVED_AT, ctx.moment(last.approved_at)),
            ];
            let heading = format!("{} {}", ctx.t(SINCE), last.number);
            let section = section.key_values(pairs).heading(heading);
            if changes.is_empty() {
                return section.paragraph(ctx.t(NO_CHANGE));
            }
            section.table(changed(ctx, changes))
        }
    }
}

fn changed(ctx: &ReportContext, changes: &[StatementChange]) -> Table {
    let columns = [
        Column::points(ctx.t(NUMBER), 44).row_header(),
        Column::points(ctx.t(FIELD), 84),
        Column::share(ctx.t(WAS), 1),
        Column::share(ctx.t(NOW), 1),
    ];
    let value = |text: &str| if text.is_empty() { "–".to_owned() } else { text.to_owned() };
    changes.iter().fold(Table::new(columns), |table, change| {
        table.row([
            change.number.clone(),
            ctx.t(change.field.label()).to_owned(),
            value(change.approved.get(ctx.language)),
            value(change.now.get(ctx.language)),
        ])
    })
}

fn counts(ctx: &ReportContext, lines: &[StatementLine]) -> Section {
    let count = |stated| lines.iter().filter(|line| line.applicable() == stated).count().to_string();
    Section::new(ctx.t(shared::OVERVIEW)).key_values([
        ctx.pair(COUNTS, lines.len().to_string()),
        ctx.pair(APPLY, count(StatedApplicability::Applies)),
        ctx.pair(DO_NOT_APPLY, count(StatedApplicability::DoesNotApply)),
        ctx.pair(UNDECIDED, count(StatedApplicability::NotDecided)),
    ])
}

/// The lines of each section, in their order.
fn by_section(lines: &[StatementLine]) -> Vec<&[StatementLine]> {
    lines.chunk_by(|one, next| one.section == next.section).collect()
}

fn table(ctx: &ReportContext, lines: &[StatementLine]) -> Table {
    let columns = [
        Column::points(ctx.t(NUMBER), 40).row_header(),
        Column::share(ctx.t(REQUIREMENT), 3),
        Column::points(ctx.t(APPLIES), 58),
        Column::share(ctx.t(JUSTIFICATION), 4),
        Column::points(ctx.t(shared::STATUS), 64),
        Column::share(ctx.t(CONTROLS), 3),
    ];
    lines.iter().fold(Table::new(columns), |table, line| {
        table.row([
            Cell::from(line.number.as_str()),
            Cell::from(line.title.get(ctx.language)),
            applicability(ctx, line.applicable()),
            Cell::from(justification(ctx, line)),
            Cell::from(ctx.t(line.status().label())),
            Cell::from(controls(ctx, line)),
        ])
    })
}

fn applicability(ctx: &ReportContext, stated: StatedApplicability) -> Cell {
    let tone = match stated {
        StatedApplicability::Applies => Tone::Good,
        StatedApplicability::DoesNotApply => Tone::Neutral,
        StatedApplicability::NotDecided => Tone::Notice,
    };
    Cell::badge(tone, ctx.t(stated.label()))
}

/// The justification with its source, if that is not the institution.
fn justification(ctx: &ReportContext, line: &StatementLine) -> String {
    let text = line.justification.get(ctx.language);
    match line.source() {
        JustificationSource::Own => text.to_owned(),
        JustificationSource::Proposed => format!("{}: {text}", ctx.t(PROPOSED)),
    }
}

fn controls(ctx: &ReportContext, line: &StatementLine) -> String {
    let named = line.controls_in(ctx.language);
    if named.is_empty() { "–".to_owned() } else { named }
}
