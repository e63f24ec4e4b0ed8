//! The groups of operations, in display order.

use utoipa::openapi::tag::{Tag, TagBuilder};

const TAGS: &[(&str, &str)] = &[
    ("findings", "Weaknesses found by tests, audits and scanners, from detection to closure."),
    ("programmes", "Test programmes: what an institution plans to test in a period."),
    ("test cases", "The tests of a programme, their results, and which critical functions they cover."),
    ("controls", "What the institution does about its duties: owned, performed, tested."),
    (
        "assessments",
        "What the institution says about every requirement, approved by a second person, and the statement of applicability.",
    ),
    (
        "own frameworks",
        "Frameworks of the institution's own: imported or written, approved by a second person, assessed like the others.",
    ),
    (
        "incidents",
        "Incidents: classification with reasons, due times and reports under DORA, NIS2 and the GDPR.",
    ),
    ("drill runs", "Scenarios of incident drills carried out for practice and scored; never a report."),
    ("evidence", "What proves that something was done: files and addresses, attached to records."),
    ("risks", "The institution's own risks: ratings, treatment, acceptance, appetite and matrix."),
    ("tasks", "What people have to do until a day, over every kind of record, and plain tasks."),
    ("CRA reports", "Reports of exploited vulnerabilities and severe incidents under Article 14 of the CRA."),
    ("ICT arrangements", "Contracts with ICT providers, as in the DORA register of information."),
    (
        "register of information",
        "All fifteen templates of Implementing Regulation (EU) 2024/2956: rows, checks and packages.",
    ),
    ("providers", "Providers of the register: owner, contract clauses, due-diligence reviews and scores."),
    ("concentration risk", "How much depends on single providers, sectors, regions and technologies."),
    ("functions", "Functions of the institution, how critical they are, and what refers to them."),
    ("profile", "What the institution is: kind, size, country and what follows from them."),
    ("webhooks", "Notifications to Slack, Microsoft Teams and email, and their deliveries."),
    ("keys", "API keys of the tenant."),
    ("audit log", "Every change of the tenant, by whom and when."),
    ("alerts", "What needs attention now."),
    ("compliance", "Coverage of the frameworks by the catalogue, and the tenant's scores."),
    ("measures", "DORA measures of the catalogue, as records and as exports."),
    ("timeline", "Dates of application, reporting deadlines and consultations."),
    ("risk register", "The ICT risks of the catalogue."),
    ("vendors", "Provider archetypes with scores, and the questions of the vendor risk assessment."),
    ("incident drills", "Scenarios for incident exercises."),
    ("gap analysis", "Questions and typical gaps for every requirement."),
    ("training", "Training modules with quiz questions."),
    ("dashboards", "Widgets from which a dashboard can be assembled."),
    ("search", "Search across the catalogue and the tenant's records."),
    ("vulnerability scan", "The latest scan of the platform itself."),
    ("reference", "The public catalogue: frameworks, requirements, measures and more. No API key is needed."),
    ("operations", "Health, scheduled jobs and figures for operators. No API key is needed."),
    ("API", "What the API offers."),
];

pub(super) fn all() -> impl Iterator<Item = Tag> {
    let tag =
        |(name, description): &(&str, &str)| TagBuilder::new().name(*name).description(Some(*description));
    TAGS.iter().map(tag).map(TagBuilder::build)
}
