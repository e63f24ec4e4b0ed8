//! Questions of the vendor risk assessment, with the evidence for a good answer.

use domain::{provider::AnswerKind, vocabulary};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
};

vocabulary! {
    /// The section of the questionnaire, in the order of the questions.
    QuestionSection {
        ProviderProfile = "provider-profile" ("Provider profile", "Profil des Dienstleisters"),
        GovernanceAndRisk = "governance-and-risk" ("Governance and risk", "Governance und Risiko"),
        InformationSecurity = "information-security" ("Information security", "Informationssicherheit"),
        DataAndLocation = "data-and-location" ("Data and location", "Daten und Standorte"),
        Resilience = "resilience" ("Resilience", "Resilienz"),
        Incidents = "incidents" ("Incidents", "Vorfälle"),
        TestingAndAssurance = "testing-and-assurance" ("Testing and assurance", "Tests und Nachweise"),
        Subcontracting = "subcontracting" ("Subcontracting", "Unterauftragsvergabe"),
        ContractAndAudit = "contract-and-audit" ("Contract and audit", "Vertrag und Prüfrechte"),
        ConcentrationAndExit = "concentration-and-exit" ("Concentration and exit", "Konzentration und Ausstieg"),
    }
}

vocabulary! {
    /// Who answers a question.
    AskedOf {
        Provider = "provider" ("The provider", "Der Dienstleister"),
        Institution = "institution" ("The institution itself", "Das Institut selbst"),
    }
}

#[derive(Debug, Clone)]
pub struct Question {
    pub id: Box<str>,
    /// The question itself.
    pub title: Text,
    /// The question as the provider reads it.
    pub to_provider: Option<Text>,
    pub asked: AskedOf,
    pub answer: AnswerKind,
    /// What a number counts.
    pub unit: Option<Text>,
    pub section: QuestionSection,
    /// From 1 to 5; 5 has the most weight.
    pub weight: u32,
    pub guidance: Text,
    pub expected_evidence: Vec<Text>,
    /// What the institution finds out itself; it is never asked of the provider.
    pub own_evidence: Vec<Text>,
    pub red_flag: Text,
    /// The meaning of an answer with 0, 1 and 2 points.
    pub scale: Vec<Text>,
    pub measures: Vec<Box<str>>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Question {
    /// The steps of the answer scale: not shown, partly, fully.
    pub const STEPS: usize = 3;

    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let question = Self {
            id: block.id(Kind::Question),
            title: block.text("title"),
            to_provider: block.optional_text("to_provider"),
            asked: block.optional_word("asked").unwrap_or(AskedOf::Provider),
            answer: block.optional_word("answer").unwrap_or(AnswerKind::YesNo),
            unit: block.optional_text("unit"),
            section: block.word("section"),
            weight: block.number("weight", 1..=5),
            guidance: block.text("guidance"),
            expected_evidence: block.texts("expected_evidence"),
            own_evidence: block.optional_texts("own_evidence"),
            red_flag: block.text("red_flag"),
            scale: block.texts("scale"),
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        };
        if question.scale.len() != Self::STEPS {
            block.fault("scale", format_args!("must have {} steps, worst first", Self::STEPS));
        }
        if question.asked == AskedOf::Institution && question.to_provider.is_some() {
            block.fault("to_provider", "has no reader: the institution answers this question itself");
        }
        if (question.answer == AnswerKind::Number) != question.unit.is_some() {
            block.fault("unit", "belongs to questions that are answered with a number, and to these alone");
        }
        question
    }

    /// The question as the provider reads it.
    pub fn for_provider(&self) -> &Text {
        self.to_provider.as_ref().unwrap_or(&self.title)
    }

    /// Whether the provider is asked.
    pub fn is_for_provider(&self) -> bool {
        self.asked == AskedOf::Provider
    }

    /// Only a question that is answered with yes, partly or no counts for the scores.
    pub fn is_scored(&self) -> bool {
        self.answer == AnswerKind::YesNo
    }
}

impl Record for Question {
    fn kind(&self) -> Kind {
        Kind::Question
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.guidance));
        visit(Wording::Both(&self.red_flag));
        self.to_provider.iter().for_each(|text| visit(Wording::Both(text)));
        self.own_evidence.iter().for_each(|text| visit(Wording::Both(text)));
        self.expected_evidence.iter().for_each(|text| visit(Wording::Both(text)));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
