//! Controls as a table and as a report.

use std::collections::HashSet;

use domain::{
    change::Change,
    control::{Control, ControlCadence, ControlInput, ControlStatus, Effectiveness},
    wording::{Label, Language},
};
use reports::document::Section;
use store::Reader;

use super::{
    ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, joined, of},
    list::{Listed, asked_days, asked_names, asked_words},
    words::{self, word},
};
use crate::{
    Result,
    author::Author,
    control::{ControlFilter, ControlView, requirements_of},
    records::{Exchanged, Given},
};

const CONTROLS: Label = word("Controls", "Kontrollen");
const CONTROL: Label = word("Control", "Kontrolle");
const COLUMNS: &[RecordColumn<ControlView>] = &[
    (TableColumn::id(), |control| control.row.id.to_string()),
    (of::text(Control::REFERENCE).unread().points(56), |control| control.row.record.reference.to_string()),
    (of::text(Control::TITLE).names_rows(1, CONTROL), |control| control.row.record.title.to_string()),
    (of::text(Control::DESCRIPTION), |control| cell(control.row.record.description.as_ref())),
    (of::text(Control::MEASURE), |control| cell(control.row.record.measure_id.as_ref())),
    // Those of the measure, too.
    (of::items(Control::REQUIREMENTS.called(words::REQUIREMENTS), "; "), |control| {
        control.requirements.join("; ")
    }),
    (of::word::<ControlStatus>(Control::STATUS).points(76), |control| control.row.record.status.to_string()),
    (of::word::<Effectiveness>(Control::EFFECTIVENESS).points(84), |control| {
        control.row.record.effectiveness().to_string()
    }),
    (of::text(Control::EFFECTIVENESS_REASON), |control| {
        cell(control.row.record.overrule.as_ref().map(|overrule| &overrule.reason))
    }),
    (of::text(Control::OWNER).points(84), |control| cell(control.row.record.owner.as_ref())),
    (of::word::<ControlCadence>(Control::CADENCE), |control| control.row.record.cadence.to_string()),
    (of::day(Control::LAST_PERFORMED_ON).unread(), |control| cell(control.row.record.last_performed_on)),
    (of::day(Control::NEXT_DUE_ON).points(72), |control| cell(control.row.record.next_due_on)),
    (of::items(Control::FUNCTIONS, "; "), |control| joined(&control.row.record.functions)),
    (of::records(Control::EVIDENCE, &["evidence"], "; ").unread(), |control| joined(&control.evidence)),
    (of::number(Control::OPEN_FINDINGS).unread(), |control| control.open_findings.to_string()),
];

impl Listed for Control {
    const FILE: &'static str = "controls";
    const TITLE: Label = CONTROLS;
    const CELLS: &'static [RecordColumn<ControlView>] = COLUMNS;

    fn asked(filter: &ControlFilter, language: Language) -> Vec<(Label, Option<String>)> {
        vec![
            (Control::STATUS.label, asked_words(&filter.status, language)),
            (Control::EFFECTIVENESS.label, asked_words(&filter.effectiveness, language)),
            (Control::OWNER.label, asked_names(&filter.owner, language)),
            (words::DUE_BEFORE, asked_days(&filter.due_before, language)),
            (words::SEARCH, filter.search.clone()),
        ]
    }

    fn detail(ctx: &ReportContext, section: Section, control: &ControlView) -> Section {
        let page = OnPage { ctx, columns: COLUMNS, view: control };
        let mut facts = page.facts(&[
            Control::REFERENCE,
            Control::STATUS,
            Control::EFFECTIVENESS,
            Control::OWNER,
            Control::CADENCE,
            Control::LAST_PERFORMED_ON,
            Control::NEXT_DUE_ON,
            Control::OPEN_FINDINGS,
        ]);
        facts.push(ctx.pair(Control::EVIDENCE, control.evidence.len().to_string()));
        let section = section.heading(control.row.record.title.as_str()).key_values(facts);
        let passages =
            [Control::DESCRIPTION, Control::EFFECTIVENESS_REASON, Control::FUNCTIONS, Control::REQUIREMENTS];
        page.passages(section, &passages)
    }
}

impl Exchanged for Control {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(control: &ControlView) -> Vec<String> {
        cells(COLUMNS, control)
    }

    fn input(given: &Given) -> Self::Input {
        // The result of a person comes with its reason; without one, the rule holds.
        let overrules = given.has(&["effectiveness", "effectiveness_reason"])
            && matches!(given.whole_text("effectiveness_reason"), Change::Set(_));
        ControlInput {
            title: given.text("title"),
            description: given.text("description"),
            measure_id: given.text("measure_id"),
            requirements: given.list("requirements"),
            status: given.text("status"),
            effectiveness: if overrules { given.whole_text("effectiveness") } else { Change::Keep },
            effectiveness_reason: if overrules {
                given.whole_text("effectiveness_reason")
            } else {
                Change::Keep
            },
            owner: given.text("owner"),
            cadence: given.text("cadence"),
            next_due_on: given.text("next_due_on"),
            functions: given.list("functions"),
            ..ControlInput::default()
        }
    }

    /// The cell lists the requirements of the measure, too. They stay the measure's, and do not become the control's own.
    fn refined(
        author: &Author,
        reader: &mut Reader<'_>,
        before: Option<&Self>,
        mut input: ControlInput,
    ) -> Result<ControlInput> {
        let measures = [before.and_then(|control| control.measure_id.clone()), set(&input.measure_id)];
        if let Change::Set(listed) = &mut input.requirements {
            let edition = author.core.edition_in(reader, author.scope())?;
            let of_measures: HashSet<String> = measures
                .iter()
                .flat_map(|measure| requirements_of(&edition, measure.as_deref(), &[]))
                .collect();
            let is_own = |id: &String| before.is_some_and(|control| control.requirements.contains(id));
            listed.retain(|id| is_own(id) || !of_measures.contains(id));
        }
        Ok(input)
    }
}

/// The value that a change gives.
fn set(change: &Change<String>) -> Option<String> {
    match change {
        Change::Set(value) => Some(value.clone()),
        Change::Keep | Change::Clear => None,
    }
}
