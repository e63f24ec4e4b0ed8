//! Evidence as a table and as a report.

use domain::{
    evidence::{Evidence, EvidenceFile, EvidenceInput, EvidenceState},
    wording::{Label, Language},
};
use reports::document::Section;

use super::{
    ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, of},
    list::{Listed, asked_days, asked_names, asked_words},
    words::{self, word},
};
use crate::{
    evidence::{EvidenceFilter, EvidenceView},
    records::{Exchanged, Given},
};

const VALID_BEFORE: Label = word("Ends before", "Endet vor");

const COLUMNS: &[RecordColumn<EvidenceView>] = &[
    (TableColumn::id(), |evidence| evidence.row.id.to_string()),
    (of::text(Evidence::TITLE).names_rows(1, Evidence::TITLE.label), |evidence| {
        evidence.row.record.title.to_string()
    }),
    (of::text(Evidence::KIND), |evidence| cell(evidence.row.record.kind.as_ref())),
    (of::text(Evidence::DESCRIPTION), |evidence| cell(evidence.row.record.description.as_ref())),
    (of::word::<EvidenceState>(Evidence::STATE).unread().points(84), |evidence| evidence.state.to_string()),
    (of::text(Evidence::FILE_NAME).unread(), |evidence| cell(file(evidence).map(|file| &file.name))),
    (of::number(Evidence::BYTES).unread(), |evidence| cell(file(evidence).map(|file| file.bytes))),
    (of::text(Evidence::SHA256).unread(), |evidence| cell(file(evidence).map(|file| &file.sha256))),
    (of::text(Evidence::URL), |evidence| cell(evidence.row.record.url.as_ref())),
    (of::day(Evidence::COLLECTED_ON).points(76), |evidence| evidence.row.record.collected_on.to_string()),
    (of::day(Evidence::VALID_UNTIL).points(76), |evidence| cell(evidence.row.record.valid_until)),
    (of::day(Evidence::KEEP_UNTIL), |evidence| evidence.row.record.keep_until.to_string()),
    (of::text(Evidence::KEEP_BECAUSE), |evidence| cell(evidence.row.record.keep_because.as_ref())),
    (of::text(Evidence::OWNER).points(92), |evidence| cell(evidence.row.record.owner.as_ref())),
    (of::text(Evidence::LINKS).unread(), |evidence| {
        let links = evidence.links.iter().map(|link| format!("{} {}", link.kind, link.target));
        links.collect::<Vec<_>>().join("; ")
    }),
];

fn file(evidence: &EvidenceView) -> Option<&EvidenceFile> {
    evidence.row.record.file.as_ref()
}

impl Listed for Evidence {
    const FILE: &'static str = "evidence";
    const TITLE: Label = words::EVIDENCE;
    const CELLS: &'static [RecordColumn<EvidenceView>] = COLUMNS;

    fn asked(filter: &EvidenceFilter, language: Language) -> Vec<(Label, Option<String>)> {
        vec![
            (Evidence::STATE.label, asked_words(&filter.state, language)),
            (Evidence::OWNER.label, asked_names(&filter.owner, language)),
            (VALID_BEFORE, asked_days(&filter.valid_before, language)),
            (words::SEARCH, filter.search.clone()),
        ]
    }

    fn detail(ctx: &ReportContext, section: Section, evidence: &EvidenceView) -> Section {
        let (record, page) = (&evidence.row.record, OnPage { ctx, columns: COLUMNS, view: evidence });
        let mut facts = page.facts(&[
            Evidence::STATE,
            Evidence::COLLECTED_ON,
            Evidence::VALID_UNTIL,
            Evidence::KEEP_UNTIL,
            Evidence::KEEP_BECAUSE,
            Evidence::OWNER,
        ]);
        if record.file.is_some() {
            facts.extend(page.facts(&[Evidence::FILE_NAME, Evidence::SHA256]));
        }
        if record.url.is_some() {
            facts.extend(page.facts(&[Evidence::URL]));
        }
        let section = section.heading(record.title.as_str()).key_values(facts);
        let section = page.passages(section, &[Evidence::DESCRIPTION]);
        let links: Vec<String> = evidence
            .links
            .iter()
            .map(|link| format!("{} {}", ctx.t(link.kind.label()), link.target))
            .collect();
        ctx.passage(section, Evidence::LINKS, (!links.is_empty()).then(|| links.join("; ")).as_deref())
    }
}

impl Exchanged for Evidence {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(evidence: &EvidenceView) -> Vec<String> {
        cells(COLUMNS, evidence)
    }

    fn input(given: &Given) -> Self::Input {
        EvidenceInput {
            title: given.text("title"),
            kind: given.text("kind"),
            description: given.text("description"),
            url: given.text("url"),
            collected_on: given.text("collected_on"),
            valid_until: given.text("valid_until"),
            keep_until: given.text("keep_until"),
            keep_because: given.text("keep_because"),
            owner: given.text("owner"),
        }
    }
}
