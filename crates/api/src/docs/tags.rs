//! The groups of operations, in display order.

use utoipa::openapi::tag::{Tag, TagBuilder};

use crate::v1;

/// Those after the subjects of a tenant's own records, which v1 declares with their routes.
const TAGS: &[(&str, &str)] = &[
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
    let own = v1::SUBJECTS.iter().map(|subject| (subject.tag, subject.about));
    let tag = |(name, about)| TagBuilder::new().name(name).description(Some(about)).build();
    own.chain(TAGS.iter().copied()).map(tag)
}
