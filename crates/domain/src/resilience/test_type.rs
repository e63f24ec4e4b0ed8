//! The types of test in a resilience programme: the twelve of DORA Art. 25(1), and threat-led penetration testing
//! under Art. 26.

use crate::vocabulary::vocabulary;

vocabulary! {
    /// A kind of test.
    TestType {
        VulnerabilityAssessment = "vulnerability_assessment"
            ("Vulnerability assessment or scan", "Schwachstellenbewertung oder -scan"),
        OpenSourceAnalysis = "open_source_analysis" ("Open source analysis", "Open-Source-Analyse"),
        NetworkSecurityAssessment = "network_security_assessment"
            ("Network security assessment", "Bewertung der Netzwerksicherheit"),
        GapAnalysis = "gap_analysis" ("Gap analysis", "Lückenanalyse"),
        PhysicalSecurityReview = "physical_security_review"
            ("Physical security review", "Überprüfung der physischen Sicherheit"),
        QuestionnaireScanning = "questionnaire_scanning"
            ("Questionnaire or scanning software", "Fragebogen oder Scan-Software"),
        SourceCodeReview = "source_code_review" ("Source code review", "Quellcodeprüfung"),
        ScenarioBasedTest = "scenario_based_test" ("Scenario-based test", "Szenariobasierter Test"),
        CompatibilityTesting = "compatibility_testing" ("Compatibility testing", "Kompatibilitätstest"),
        PerformanceTesting = "performance_testing" ("Performance testing", "Leistungstest"),
        EndToEndTesting = "end_to_end_testing" ("End-to-end testing", "End-to-End-Test"),
        PenetrationTesting = "penetration_testing" ("Penetration testing", "Penetrationstest"),
        Tlpt = "tlpt" ("Threat-led penetration test (TLPT)", "Bedrohungsorientierter Penetrationstest (TLPT)"),
    }
}

impl TestType {
    /// The legal basis.
    pub fn citation(self) -> &'static str {
        match self {
            Self::Tlpt => "DORA Art. 26",
            _ => "DORA Art. 25(1)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_of_article_25_and_one_of_article_26() {
        crate::vocabulary::tests::is_sound::<TestType>();
        let of = |citation| TestType::ALL.iter().filter(|kind| kind.citation() == citation).count();
        assert_eq!((of("DORA Art. 25(1)"), of("DORA Art. 26")), (12, 1));
        assert_eq!("tlpt".parse(), Ok(TestType::Tlpt));
    }
}
