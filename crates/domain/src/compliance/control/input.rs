//! The input of a control, and the rules that turn it into a control.

use super::{
    Control, ControlCadence, ControlComplaint, ControlReference, ControlStatus, Effectiveness, Overrule,
    Performance, Proof,
};
use crate::{
    change::{Change, Fields, without_repeats},
    moment::Day,
    text::Name,
    violation::{FieldComplaint, Violations},
};

/// The context of the rules.
#[derive(Clone, Copy)]
pub struct ControlWorld<'a> {
    pub today: Day,
    pub is_measure: &'a dyn Fn(&str) -> bool,
    pub is_requirement: &'a dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for ControlWorld<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ControlWorld").field("today", &self.today).finish_non_exhaustive()
    }
}

/// The input of a control.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ControlInput {
    pub title: Change<String>,
    pub description: Change<String>,
    pub measure_id: Change<String>,
    pub requirements: Change<Vec<String>>,
    pub status: Change<String>,
    /// Overrides the rule; `null` removes the override.
    pub effectiveness: Change<String>,
    pub effectiveness_reason: Change<String>,
    pub owner: Change<String>,
    pub cadence: Change<String>,
    pub next_due_on: Change<String>,
    pub functions: Change<Vec<String>>,
    /// The reason for a change of status, for the history.
    pub note: Change<String>,
}

impl ControlInput {
    /// A new control; the caller computes the results of tests and findings about its measure afterwards.
    pub fn create(
        &self,
        reference: ControlReference,
        world: &ControlWorld<'_>,
    ) -> Result<Control, Violations> {
        self.read(reference, None, world)
    }

    /// The control after this change.
    pub fn change(&self, current: &Control, world: &ControlWorld<'_>) -> Result<Control, Violations> {
        self.read(current.reference, Some(current), world)
    }

    fn read(
        &self,
        reference: ControlReference,
        current: Option<&Control>,
        world: &ControlWorld<'_>,
    ) -> Result<Control, Violations> {
        let mut fields = Fields::default();
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let description =
            fields.prose("description", &self.description, current.and_then(|c| c.description.clone()));
        let measure_id = self.measure(&mut fields, current, world);
        let requirements = self.requirements(&mut fields, current, world);
        let status = fields.required(
            "status",
            &self.status,
            Some(current.map_or(ControlStatus::Planned, |c| c.status)),
            |word| word.parse(),
        );
        let overrule = self.overrule(&mut fields, current);
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let cadence = fields.required(
            "cadence",
            &self.cadence,
            Some(current.map_or(ControlCadence::None, |c| c.cadence)),
            |word| word.parse(),
        );
        let functions =
            fields.list("functions", &self.functions, current.map(|c| c.functions.clone()), |text| {
                Name::parse(text).map_err(|_| ControlComplaint::FunctionLength)
            });
        fields.prose("note", &self.note, None);
        let last_performed_on = current.and_then(|c| c.last_performed_on);
        let next_due_on = self.next_due(&mut fields, current, status, cadence, world.today);
        let control = title.zip(status).zip(cadence).map(|((title, status), cadence)| Control {
            reference,
            title,
            description,
            measure_id,
            requirements,
            status,
            computed: current.map_or(Proof::default().effectiveness(), |c| c.computed),
            overrule,
            owner,
            cadence,
            last_performed_on,
            next_due_on,
            functions: without_repeats(functions),
        });
        fields.finish(control)
    }

    fn measure(
        &self,
        fields: &mut Fields,
        current: Option<&Control>,
        world: &ControlWorld<'_>,
    ) -> Option<String> {
        let known = |id: &String| {
            if (world.is_measure)(id) { Ok(id.clone()) } else { Err(ControlComplaint::NotAMeasure) }
        };
        fields.optional("measure_id", &self.measure_id, current.and_then(|c| c.measure_id.clone()), known)
    }

    fn requirements(
        &self,
        fields: &mut Fields,
        current: Option<&Control>,
        world: &ControlWorld<'_>,
    ) -> Vec<String> {
        let known = |id: &String| {
            if (world.is_requirement)(id) { Ok(id.clone()) } else { Err(ControlComplaint::NotARequirement) }
        };
        let kept = current.map(|c| c.requirements.clone());
        without_repeats(fields.list("requirements", &self.requirements, kept, known))
    }

    /// An override needs a reason; a reason alone replaces that of an existing override.
    fn overrule(&self, fields: &mut Fields, current: Option<&Control>) -> Option<Overrule> {
        let before = current.and_then(|c| c.overrule.clone());
        let field = "effectiveness";
        let word = before.as_ref().map(|overrule| overrule.effectiveness);
        let word = fields.optional(field, &self.effectiveness, word, |word| word.parse::<Effectiveness>());
        let given = matches!(self.effectiveness, Change::Set(_));
        let kept = before.filter(|_| !given).map(|overrule| overrule.reason);
        let reason = fields.prose("effectiveness_reason", &self.effectiveness_reason, kept);
        match (word, reason) {
            (Some(effectiveness), Some(reason)) => Some(Overrule { effectiveness, reason }),
            (Some(_), None) => {
                fields.refuse("effectiveness_reason", ControlComplaint::NoReason);
                None
            }
            (None, Some(_)) if matches!(self.effectiveness_reason, Change::Set(_)) => {
                fields.refuse("effectiveness_reason", ControlComplaint::StrayReason);
                None
            }
            (None, _) => None,
        }
    }

    /// The given day, or the computed one: a control in force with a cadence is due one interval after its last
    /// performance, or after today. One that is not in force is due only if a day is given.
    fn next_due(
        &self,
        fields: &mut Fields,
        current: Option<&Control>,
        status: Option<ControlStatus>,
        cadence: Option<ControlCadence>,
        today: Day,
    ) -> Option<Day> {
        let (status, cadence) = (status?, cadence?);
        let is_set = matches!(self.next_due_on, Change::Set(_));
        if cadence == ControlCadence::None || status == ControlStatus::Retired {
            if is_set && cadence == ControlCadence::None {
                fields.refuse("next_due_on", ControlComplaint::NoDueDay);
            }
            return None;
        }
        let same = current.is_some_and(|c| c.cadence == cadence);
        let kept = current.and_then(|c| c.next_due_on).filter(|_| same);
        let given = fields.optional("next_due_on", &self.next_due_on, kept, |day| day.parse());
        let last = current.and_then(|c| c.last_performed_on).unwrap_or(today);
        match self.next_due_on {
            Change::Keep if status == ControlStatus::Implemented => {
                given.or_else(|| cadence.next_after(last))
            }
            _ => given,
        }
    }
}

/// The input of one performance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PerformedInput {
    /// Without it, today.
    pub on: Change<String>,
    pub note: Change<String>,
    pub evidence: Change<Vec<String>>,
    /// Whether a control that was planned is implemented with it.
    pub implements: bool,
}

impl PerformedInput {
    /// The performance, and the control after it. A day before the last one is recorded and changes nothing.
    pub fn perform(&self, current: &Control, today: Day) -> Result<(Performance, Control), Violations> {
        let mut fields = Fields::default();
        let on = fields.required("on", &self.on, Some(today), |day| day.parse::<Day>());
        if on.is_some_and(|on| on > today) {
            fields.refuse("on", FieldComplaint::NotInTheFuture);
        }
        if current.status == ControlStatus::Retired {
            fields.refuse("control", ControlComplaint::Retired);
        }
        let note = fields.prose("note", &self.note, None);
        let evidence = fields.list("evidence", &self.evidence, None, |id| Name::parse(id));
        let performance = on.map(|on| Performance {
            on,
            note,
            evidence: without_repeats(evidence).iter().map(ToString::to_string).collect(),
        });
        let performance = fields.finish(performance)?;
        let is_latest = current.last_performed_on.is_none_or(|last| performance.on >= last);
        let mut control = current.clone();
        if is_latest {
            control.last_performed_on = Some(performance.on);
            control.next_due_on = control.cadence.next_after(performance.on);
        }
        if self.implements {
            control.status = ControlStatus::Implemented;
        }
        Ok((performance, control))
    }
}
