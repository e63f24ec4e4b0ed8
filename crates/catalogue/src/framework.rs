//! Frameworks, their sections, the requirements in them, and the acts they refer to.

use domain::{moment::Day, vocabulary};

use crate::{
    applicability::Applicability,
    block::Block,
    kind::Kind,
    language::Text,
    proof::Proof,
    record::{Record, Wording},
    vocabulary::{Cadence, FrameworkId},
};

/// A rule book: a regulation, a directive, a circular or a standard.
#[derive(Debug, Clone)]
pub struct Framework {
    pub id: FrameworkId,
    pub title: Text,
    pub version: Box<str>,
    pub summary: Text,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
    pub proof: Proof,
    /// For whom the whole framework applies.
    pub scope: Applicability,
}

/// A chapter, a group of modules or a part of an annex.
#[derive(Debug, Clone)]
pub struct Section {
    pub id: Box<str>,
    pub framework: FrameworkId,
    pub title: Text,
    /// For whom all its requirements apply; what a requirement says itself takes its place.
    pub scope: Applicability,
}

vocabulary! {
    /// For whom a requirement applies.
    AppliesTo {
        #[doc = "Less significant institutions under the Single Supervisory Mechanism."]
        Lsi = "LSI" ("Less significant institutions", "Weniger bedeutende Institute"),
    }
}

/// One duty: an article, a paragraph, a clause, a control or a module.
#[derive(Debug, Clone)]
pub struct Requirement {
    pub id: Box<str>,
    pub framework: FrameworkId,
    pub section: Box<str>,
    /// As printed: `Art. 6(5)`, `A.8.13`, `AT 7.2`.
    pub number: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
    pub proof: Proof,
    pub applies_to: Option<AppliesTo>,
    pub version: Option<Box<str>>,
    /// The requirements it details: the article of a regulation that a delegated act specifies.
    pub basis: Vec<Box<str>>,
    /// The measures that meet it, besides those that name it themselves.
    pub measures: Vec<Box<str>>,
    /// How an auditor tests it, step by step.
    pub audit_steps: Vec<Text>,
    /// A proposed wording of our own, for requirements that are clauses of a contract.
    pub model: Option<Text>,
    /// How often the text itself requires an action.
    pub cadence: Option<Cadence>,
    pub applicability: Applicability,
    pub validity: Validity,
    /// The issuer's explanation, which is no part of the requirement itself.
    pub explanation: Option<Text>,
}

/// The days in which a provision holds in the form described, and what took its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validity {
    /// Where it is left out, the day on which the act applies.
    pub from: Option<Day>,
    /// The last day.
    pub until: Option<Day>,
    /// The requirement that took its place.
    pub superseded_by: Option<Box<str>>,
}

/// A level-2 act, a guideline or a circular: cited, without a duty of its own.
#[derive(Debug, Clone)]
pub struct Reference {
    pub id: Box<str>,
    pub framework: FrameworkId,
    pub number: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
    pub proof: Proof,
    pub in_force: Option<Day>,
}

impl Framework {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let id = block.id(Kind::Framework).parse().unwrap_or_else(|error| {
            block.fault("id", error);
            FrameworkId::DORA
        });
        Self {
            id,
            title: block.text("title"),
            version: block.line("version"),
            summary: block.text("summary"),
            cite: block.cite(),
            source: block.optional_line("source"),
            proof: Proof::read(block),
            scope: block.optional_table("applies", Applicability::read).unwrap_or_default(),
        }
    }
}

impl Section {
    pub(crate) fn read(framework: FrameworkId, block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Section),
            framework,
            title: block.text("title"),
            scope: block.optional_table("applies", Applicability::read).unwrap_or_default(),
        }
    }
}

impl Validity {
    fn read(block: &mut Block<'_, '_>) -> Self {
        let validity = Self {
            from: block.optional_day("valid_from"),
            until: block.optional_day("valid_until"),
            superseded_by: block.optional_reference("superseded_by", Kind::Requirement),
        };
        if validity.from.zip(validity.until).is_some_and(|(from, until)| until < from) {
            block.fault("valid_until", "must not be before valid_from");
        }
        if validity.superseded_by.is_some() && validity.until.is_none() {
            block.fault("superseded_by", "needs valid_until, the last day of what it replaces");
        }
        validity
    }
}

impl Requirement {
    pub(crate) fn read(framework: FrameworkId, block: &mut Block<'_, '_>) -> Self {
        let requirement = Self {
            id: block.id(Kind::Requirement),
            framework,
            section: block.reference("section", Kind::Section),
            number: block.line("number"),
            title: block.text("title"),
            summary: block.text("summary"),
            cite: block.cite(),
            source: block.optional_line("source"),
            proof: Proof::read(block),
            applies_to: block.optional_word("applies_to"),
            version: block.optional_line("version"),
            basis: block.optional_references("basis", Kind::Requirement),
            measures: block.optional_references("measures", Kind::Measure),
            audit_steps: block.optional_texts("audit_steps"),
            model: block.optional_text("model"),
            cadence: block.optional_word("cadence"),
            applicability: block.optional_table("applies", Applicability::read).unwrap_or_default(),
            validity: Validity::read(block),
            explanation: block.optional_text("explanation"),
        };
        if !requirement.audit_steps.is_empty() && !(2..=4).contains(&requirement.audit_steps.len()) {
            block.fault("audit_steps", "must be two to four steps");
        }
        let rest = requirement.id.strip_prefix(framework.as_str());
        if !rest.is_some_and(|rest| rest.starts_with('-')) {
            block.fault("id", format_args!("must start with {framework}-, the framework it belongs to"));
        }
        requirement
    }
}

impl Reference {
    pub(crate) fn read(framework: FrameworkId, block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Reference),
            framework,
            number: block.line("number"),
            title: block.text("title"),
            summary: block.text("summary"),
            cite: block.cite(),
            source: block.optional_line("source"),
            proof: Proof::read(block),
            in_force: block.optional_day("in_force"),
        }
    }
}

impl Record for Framework {
    fn kind(&self) -> Kind {
        Kind::Framework
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.version));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}

impl Record for Section {
    fn kind(&self) -> Kind {
        Kind::Section
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, _visit: &mut dyn FnMut(Wording<'a>)) {}
}

impl Record for Requirement {
    fn kind(&self) -> Kind {
        Kind::Requirement
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn number(&self) -> Option<&str> {
        Some(&self.number)
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.number));
        self.audit_steps
            .iter()
            .chain(&self.model)
            .chain(&self.explanation)
            .for_each(|text| visit(Wording::Both(text)));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}

impl Record for Reference {
    fn kind(&self) -> Kind {
        Kind::Reference
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn number(&self) -> Option<&str> {
        Some(&self.number)
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.number));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
