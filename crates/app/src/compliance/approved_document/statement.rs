//! The content of the statement of applicability: its lines as they were approved, and what changed since.

use std::collections::HashMap;

use domain::{
    assessment::{AssessmentStatus, JustificationSource, StatedApplicability, StatedField},
    framework::Framework,
    wording::{Label, Language},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ApprovedDocument;
use crate::{
    Compliance, Error, Result,
    assessment::{AssessmentView, STATEMENT},
    authz::Caller,
    catalogue::Edition,
    library_text::control_title,
};

/// A text in both languages, so that it stays when the catalogue changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Both {
    pub en: String,
    pub de: String,
}

impl Both {
    fn of(text: impl Fn(Language) -> String) -> Self {
        Self { en: text(Language::English), de: text(Language::German) }
    }

    fn word(label: Label) -> Self {
        Self::of(|language| label.text(language).to_owned())
    }

    fn same(text: &str) -> Self {
        Self::of(|_| text.to_owned())
    }

    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::German => &self.de,
        }
    }
}

/// A control of the institution that a line names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedControl {
    pub reference: String,
    pub title: Both,
}

/// What the statement says about one requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementLine {
    /// The id of the requirement.
    pub id: String,
    pub number: String,
    pub title: Both,
    pub section: Both,
    applicable: String,
    pub justification: Both,
    source: String,
    status: String,
    pub owner: Option<String>,
    pub controls: Vec<StatedControl>,
}

impl StatementLine {
    fn of(edition: &Edition, view: &AssessmentView) -> Option<Self> {
        let requirement = edition.requirements.get(&view.row.requirement)?;
        let section = edition.sections.get(&requirement.section);
        let control = |control: &crate::control::CompactControl| {
            let title =
                |language| control_title(edition, control.measure_id.as_deref(), &control.title, language);
            StatedControl { reference: control.reference.to_string(), title: Both::of(title) }
        };
        Some(Self {
            id: requirement.id.to_string(),
            number: requirement.number.to_string(),
            title: Both::of(|language| requirement.title.get(language).to_owned()),
            section: section
                .map(|section| Both::of(|language| section.title.get(language).to_owned()))
                .unwrap_or_default(),
            applicable: view.stated().as_str().to_owned(),
            justification: Both::of(|language| view.justification(language).text),
            source: view.justification(Language::English).source.as_str().to_owned(),
            status: view.row.assessment.status.as_str().to_owned(),
            owner: view.row.assessment.owner.as_ref().map(ToString::to_string),
            controls: view.controls.iter().map(control).collect(),
        })
    }

    pub fn applicable(&self) -> StatedApplicability {
        self.applicable.parse().unwrap_or(StatedApplicability::NotDecided)
    }

    pub fn source(&self) -> JustificationSource {
        self.source.parse().unwrap_or(JustificationSource::Proposed)
    }

    pub fn status(&self) -> AssessmentStatus {
        self.status.parse().unwrap_or(AssessmentStatus::NotAssessed)
    }

    /// The controls as one text.
    pub fn controls_in(&self, language: Language) -> String {
        let named =
            |control: &StatedControl| format!("{} {}", control.reference, control.title.get(language));
        self.controls.iter().map(named).collect::<Vec<_>>().join("; ")
    }

    fn value(&self, field: StatedField) -> Both {
        match field {
            StatedField::Applicable => Both::word(self.applicable().label()),
            StatedField::Justification => self.justification.clone(),
            StatedField::Status => Both::word(self.status().label()),
            StatedField::Owner => Both::same(self.owner.as_deref().unwrap_or_default()),
            StatedField::Controls => {
                let references: Vec<&str> = self.controls.iter().map(|one| one.reference.as_str()).collect();
                Both::same(&references.join("; "))
            }
        }
    }
}

/// A field of a line that is not as it was approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementChange {
    pub id: String,
    pub number: String,
    pub title: Both,
    pub field: StatedField,
    pub approved: Both,
    pub now: Both,
}

/// A version of the statement with its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementVersion {
    pub document: ApprovedDocument,
    pub lines: Vec<StatementLine>,
}

/// What differs, in the order of the lines. A line that only one side has is said to be new or gone by its first field.
pub(crate) fn changes(approved: &[StatementLine], now: &[StatementLine]) -> Vec<StatementChange> {
    let by_id: HashMap<&str, &StatementLine> = approved.iter().map(|line| (&*line.id, line)).collect();
    let remaining: HashMap<&str, &StatementLine> = now.iter().map(|line| (&*line.id, line)).collect();
    let change = |line: &StatementLine, field, approved, now| StatementChange {
        id: line.id.clone(),
        number: line.number.clone(),
        title: line.title.clone(),
        field,
        approved,
        now,
    };
    let mut all = Vec::new();
    for line in now {
        let Some(before) = by_id.get(&*line.id) else {
            let first = StatedField::Applicable;
            all.push(change(line, first, Both::default(), line.value(first)));
            continue;
        };
        for field in StatedField::ALL {
            let (approved, now) = (before.value(*field), line.value(*field));
            if approved != now {
                all.push(change(line, *field, approved, now));
            }
        }
    }
    let gone = approved.iter().filter(|line| !remaining.contains_key(&*line.id));
    let first = StatedField::Applicable;
    all.extend(gone.map(|line| change(line, first, line.value(first), Both::default())));
    all
}

/// The lines of a stored version.
pub(super) fn stored_lines(data: &Value) -> Result<Vec<StatementLine>> {
    serde_json::from_value(data["lines"].clone()).map_err(Error::internal)
}

impl Compliance {
    /// The statement as it is now.
    pub(crate) async fn statement_lines(
        &self,
        caller: &Caller,
        framework: Framework,
    ) -> Result<Vec<StatementLine>> {
        let edition = self.edition_of(caller).await?;
        let views = self.statement_of_applicability(caller, framework, None, Language::English).await?;
        Ok(views.iter().filter_map(|view| StatementLine::of(&edition, view)).collect())
    }

    /// An approved version of the statement.
    pub async fn statement_version(&self, caller: &Caller, number: i64) -> Result<StatementVersion> {
        let (document, data) = self.approved_document(caller, STATEMENT, number).await?;
        Ok(StatementVersion { document, lines: stored_lines(&data)? })
    }

    /// What changed since an approved version.
    pub async fn statement_changes(&self, caller: &Caller, number: i64) -> Result<Vec<StatementChange>> {
        let approved = self.statement_version(caller, number).await?;
        let now = self.statement_lines(caller, Framework::ISO_27001).await?;
        Ok(changes(&approved.lines, &now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, applicable: &str, owner: Option<&str>) -> StatementLine {
        StatementLine {
            id: id.to_owned(),
            number: id.to_uppercase(),
            title: Both::same("Title"),
            section: Both::default(),
            applicable: applicable.to_owned(),
            justification: Both::same("Because"),
            source: "own".to_owned(),
            status: "met".to_owned(),
            owner: owner.map(str::to_owned),
            controls: Vec::new(),
        }
    }

    #[test]
    fn what_differs_is_named_by_line_and_field() {
        let before = [line("a", "yes", None), line("b", "yes", None), line("c", "yes", None)];
        assert!(changes(&before, &before).is_empty());
        let now = [line("a", "no", Some("Dana")), line("b", "yes", None), line("d", "yes", None)];
        let found = changes(&before, &now);
        let shown: Vec<_> =
            found.iter().map(|one| (&*one.id, one.field, &*one.approved.en, &*one.now.de)).collect();
        assert_eq!(
            shown,
            [
                ("a", StatedField::Applicable, "Yes", "Nein"),
                ("a", StatedField::Owner, "", "Dana"),
                ("d", StatedField::Applicable, "", "Ja"),
                ("c", StatedField::Applicable, "Yes", ""),
            ]
        );
    }
}
