//! The routes of the contract, by module. Routes outside the contract are assigned by their prefix.

use domain::wording::Label;

use super::ModuleDefinition;

/// Every module, in display order. The last one gets the routes that match no other.
pub(in crate::public) const MODULES: &[ModuleDefinition] = &[
    ModuleDefinition {
        id: "programmes",
        title: Label::new("Test programmes", "Testprogramme"),
        contract: &[("GET", "/api/v1/programmes"), ("GET", "/api/v1/programmes/{id}")],
        prefixes: &["/api/v1/programmes"],
    },
    ModuleDefinition {
        id: "test-cases",
        title: Label::new("Test cases", "Testfälle"),
        contract: &[("GET", "/api/v1/test-cases"), ("GET", "/api/v1/test-cases/{id}")],
        prefixes: &["/api/v1/test-cases", "/api/v1/test-coverage"],
    },
    ModuleDefinition {
        id: "findings",
        title: Label::new("Findings", "Feststellungen"),
        contract: &[("GET", "/api/v1/findings"), ("GET", "/api/v1/findings/{id}")],
        prefixes: &["/api/v1/findings"],
    },
    ModuleDefinition {
        id: "compliance-status",
        title: Label::new("Compliance status and scores", "Erfüllungsstand und Kennzahlen"),
        contract: &[
            ("GET", "/api/v1/compliance-status"),
            ("GET", "/api/v1/compliance-status/dora"),
            ("GET", "/api/v1/compliance-status/marisk"),
            ("GET", "/api/v1/compliance-status/iso-27001"),
            ("GET", "/api/v1/compliance-status/cra"),
            ("GET", "/api/v2/compliance-scores"),
        ],
        prefixes: &["/api/v1/compliance-status", "/api/v2/compliance-scores"],
    },
    ModuleDefinition {
        id: "measures",
        title: Label::new("DORA measures and exports", "DORA-Maßnahmen und Exporte"),
        contract: &[
            ("GET", "/api/measures"),
            ("GET", "/api/v1/dora/measures"),
            ("GET", "/api/v1/dora/measures/{id}"),
            ("GET", "/api/v1/exports/measures/csv"),
            ("GET", "/api/v1/exports/measures/json"),
        ],
        prefixes: &["/api/measures", "/api/v1/dora", "/api/v1/exports/measures"],
    },
    ModuleDefinition {
        id: "evidence",
        title: Label::new("Evidence catalogue", "Nachweiskatalog"),
        contract: &[("GET", "/api/evidence")],
        prefixes: &["/api/evidence"],
    },
    ModuleDefinition {
        id: "risk-register",
        title: Label::new("ICT risk register", "IKT-Risikoregister"),
        contract: &[("GET", "/api/risk-register"), ("GET", "/api/v2/risk-register")],
        prefixes: &["/api/risk-register", "/api/v2/risk-register"],
    },
    ModuleDefinition {
        id: "vendor-scorecard",
        title: Label::new("Vendor scorecard", "Bewertung der Dienstleister"),
        contract: &[("GET", "/api/vendor-scorecard"), ("GET", "/api/v2/vendor-scorecard")],
        prefixes: &["/api/vendor-scorecard", "/api/v2/vendor-scorecard"],
    },
    ModuleDefinition {
        id: "vendor-risk-assessment",
        title: Label::new("Vendor risk assessment", "Risikobewertung der Dienstleister"),
        contract: &[("GET", "/api/v2/vendor-risk-assessment")],
        prefixes: &["/api/v2/vendor-risk-assessment"],
    },
    ModuleDefinition {
        id: "incident-drills",
        title: Label::new("Incident drills", "Vorfallübungen"),
        contract: &[("GET", "/api/incident-drills"), ("GET", "/api/v2/incident-drills")],
        prefixes: &["/api/incident-drills", "/api/v2/incident-drills"],
    },
    ModuleDefinition {
        id: "gap-analysis",
        title: Label::new("Framework gap analysis", "Gap-Analyse der Regelwerke"),
        contract: &[("GET", "/api/gap-analysis"), ("GET", "/api/v2/gap-analysis")],
        prefixes: &["/api/gap-analysis", "/api/v2/gap-analysis"],
    },
    ModuleDefinition {
        id: "compliance-timeline",
        title: Label::new("Compliance timeline", "Zeitleiste der Regulierung"),
        contract: &[
            ("GET", "/api/v1/compliance-timeline"),
            ("POST", "/api/v1/compliance-timeline/sync"),
            ("GET", "/api/v2/compliance-timeline"),
        ],
        prefixes: &["/api/compliance-timeline", "/api/v1/compliance-timeline", "/api/v2/compliance-timeline"],
    },
    ModuleDefinition {
        id: "regulatory-radar",
        title: Label::new("Regulatory radar", "Regulierungsradar"),
        contract: &[("GET", "/api/radar")],
        prefixes: &["/api/radar"],
    },
    ModuleDefinition {
        id: "compliance-training",
        title: Label::new("Compliance training", "Schulungen"),
        contract: &[("GET", "/api/v2/compliance-training")],
        prefixes: &["/api/v2/compliance-training"],
    },
    ModuleDefinition {
        id: "concentration-risk",
        title: Label::new("Concentration risk", "Konzentrationsrisiko"),
        contract: &[
            ("POST", "/api/v1/concentration-risk/analyze"),
            ("GET", "/api/v1/concentration-risk/latest"),
            ("GET", "/api/v1/concentration-risk/breaches"),
            ("GET", "/api/v1/concentration-risk/thresholds"),
            ("PATCH", "/api/v1/concentration-risk/thresholds"),
        ],
        prefixes: &["/api/v1/concentration-risk", "/api/v1/ict-arrangements"],
    },
    ModuleDefinition {
        id: "controls",
        title: Label::new("Controls and assessments", "Kontrollen und Bewertungen"),
        contract: &[],
        prefixes: &[
            "/api/v1/controls",
            "/api/v1/assessments",
            "/api/v1/own-frameworks",
            "/api/v1/statement-of-applicability",
        ],
    },
    ModuleDefinition {
        id: "evidence",
        title: Label::new("Evidence", "Nachweise"),
        contract: &[],
        prefixes: &["/api/v1/evidence"],
    },
    ModuleDefinition {
        id: "risks",
        title: Label::new("Own risks", "Eigene Risiken"),
        contract: &[],
        prefixes: &["/api/v1/risks"],
    },
    ModuleDefinition {
        id: "institution",
        title: Label::new("Profile and functions of the institution", "Profil und Funktionen des Hauses"),
        contract: &[],
        prefixes: &["/api/v1/profile", "/api/v1/functions"],
    },
    ModuleDefinition {
        id: "drill-runs",
        title: Label::new("Drill runs", "Übungen"),
        contract: &[],
        prefixes: &["/api/v1/drill-runs"],
    },
    ModuleDefinition {
        id: "trainings",
        title: Label::new("Trainings of people", "Schulungen von Personen"),
        contract: &[],
        prefixes: &["/api/v1/trainings"],
    },
    ModuleDefinition {
        id: "providers",
        title: Label::new("Providers and due diligence", "Dienstleister und ihre Prüfung"),
        contract: &[],
        prefixes: &["/api/v1/providers"],
    },
    ModuleDefinition {
        id: "incidents",
        title: Label::new("Incidents", "Vorfälle"),
        contract: &[],
        prefixes: &["/api/v1/incidents"],
    },
    ModuleDefinition {
        id: "cra-reports",
        title: Label::new("CRA vulnerability reports", "CRA-Meldungen"),
        contract: &[("GET", "/api/v1/cra/reports/{id}"), ("PATCH", "/api/v1/cra/reports/{id}")],
        prefixes: &["/api/v1/cra"],
    },
    ModuleDefinition {
        id: "vulnerability-scan",
        title: Label::new("Vulnerability scan", "Schwachstellenscan"),
        contract: &[("GET", "/api/v1/vulnerability-scan/latest")],
        prefixes: &["/api/v1/vulnerability-scan"],
    },
    ModuleDefinition {
        id: "webhooks",
        title: Label::new("Webhooks", "Webhooks"),
        contract: &[
            ("GET", "/api/v1/webhooks"),
            ("POST", "/api/v1/webhooks"),
            ("GET", "/api/v1/webhooks/{webhook}"),
            ("PUT", "/api/v1/webhooks/{webhook}"),
            ("PATCH", "/api/v1/webhooks/{webhook}"),
            ("DELETE", "/api/v1/webhooks/{webhook}"),
        ],
        prefixes: &["/api/v1/webhooks"],
    },
    ModuleDefinition {
        id: "api-keys",
        title: Label::new("API keys", "API-Schlüssel"),
        contract: &[("POST", "/api/v1/keys")],
        prefixes: &["/api/v1/keys"],
    },
    ModuleDefinition {
        id: "dashboard",
        title: Label::new("Dashboard, alerts and performance", "Übersicht, Warnungen und Leistung"),
        contract: &[
            ("GET", "/api/v2/dashboard-widgets"),
            ("GET", "/api/v2/alerts"),
            ("GET", "/api/v2/performance/overview"),
        ],
        prefixes: &["/api/v2/dashboard-widgets", "/api/v2/alerts", "/api/v2/performance"],
    },
    ModuleDefinition {
        id: "search",
        title: Label::new("Search across modules", "Modulübergreifende Suche"),
        contract: &[("GET", "/api/v2/search")],
        prefixes: &["/api/v2/search"],
    },
    ModuleDefinition {
        id: "operations",
        title: Label::new("Operations", "Betrieb"),
        contract: &[
            ("GET", "/api/health"),
            ("GET", "/api/health-detailed"),
            ("GET", "/api/health/history"),
            ("GET", "/api/healthz"),
            ("GET", "/api/ping"),
            ("GET", "/api/auto-heal/status"),
            ("GET", "/api/errors/500-rate"),
            ("GET", "/api/cron/info"),
            ("GET", "/api/actions/disk-report"),
        ],
        prefixes: &["/api/health", "/api/auto-heal", "/api/errors", "/api/cron", "/api/actions"],
    },
    ModuleDefinition {
        id: "platform",
        title: Label::new("The platform itself", "Die Plattform selbst"),
        contract: &[("GET", "/api"), ("GET", "/api/modules"), ("GET", "/api/stats"), ("GET", "/api/v2")],
        prefixes: &["/api"],
    },
];
