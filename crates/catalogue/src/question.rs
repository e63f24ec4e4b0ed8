//! Questions of the vendor risk assessment, with the evidence for a good answer.

use domain::vocabulary;

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

#[derive(Debug, Clone)]
pub struct Question {
    pub id: Box<str>,
    /// The question itself.
    pub title: Text,
    pub section: QuestionSection,
    /// From 1 to 5; 5 has the most weight.
    pub weight: u32,
    pub guidance: Text,
    pub expected_evidence: Vec<Text>,
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
            section: block.word("section"),
            weight: block.number("weight", 1..=5),
            guidance: block.text("guidance"),
            expected_evidence: block.texts("expected_evidence"),
            red_flag: block.text("red_flag"),
            scale: block.texts("scale"),
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        };
        if question.scale.len() != Self::STEPS {
            block.fault("scale", format_args!("must have {} steps, worst first", Self::STEPS));
        }
        question
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
        self.expected_evidence.iter().for_each(|text| visit(Wording::Both(text)));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
