//! The index of the public reference routes.

use app::catalogue::Edition;
use axum::response::Response;
use domain::wording::{Label, Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, ReferenceMeta},
};
use crate::{
    ApiError,
    docs::{self, RouteSummary},
    extract::LanguageParams,
    respond,
};

/// A public operation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PublicRoute)]
pub(crate) struct Route {
    #[schema(example = "/api/measures")]
    path: String,
    title: String,
}

#[derive(Debug, Serialize)]
struct Index {
    data: Vec<Route>,
    meta: ReferenceMeta,
}

pub(super) const BODY: PublicBody =
    PublicBody { name: "index", write: |edition, language| Ok(body(edition, language)) };

/// The titles of the routes. A route without one uses its summary in the documentation.
const TITLES: &[(&str, Label)] = &[
    (
        "/api",
        Label::new("Index of the public reference routes", "Verzeichnis der öffentlichen Referenzrouten"),
    ),
    (
        "/api/acts",
        Label::new(
            "Level-2 acts, guidelines and circulars",
            "Level-2-Rechtsakte, Leitlinien und Rundschreiben",
        ),
    ),
    (
        "/api/compliance-timeline.ics",
        Label::new("Compliance timeline as a calendar", "Zeitleiste der Regulierung als Kalender"),
    ),
    ("/api/radar.atom", Label::new("Regulatory radar as a feed", "Regulatorischer Radar als Feed")),
    (
        "/api/changes",
        Label::new("Changes of acts and of the catalogue", "Änderungen der Rechtsakte und des Katalogs"),
    ),
    ("/api/clocks", Label::new("Reporting clocks", "Meldefristen")),
    (
        "/api/critical-providers",
        Label::new("Designated critical ICT providers", "Benannte kritische IKT-Drittdienstleister"),
    ),
    ("/api/evidence", Label::new("Evidence catalogue", "Nachweiskatalog")),
    ("/api/frameworks", Label::new("Frameworks and their sections", "Regelwerke und ihre Abschnitte")),
    ("/api/gap-analysis", Label::new("Framework gap analysis", "Gap-Analyse der Regelwerke")),
    ("/api/incident-drills", Label::new("Incident drill scenarios", "Szenarien für Vorfallübungen")),
    ("/api/measures", Label::new("Catalogue of DORA measures", "Katalog der DORA-Maßnahmen")),
    ("/api/modules", Label::new("Platform modules and their routes", "Module der Plattform und ihre Routen")),
    ("/api/radar", Label::new("Regulatory radar signals", "Signale des regulatorischen Radars")),
    ("/api/requirements", Label::new("Requirements of all frameworks", "Anforderungen aller Regelwerke")),
    ("/api/risk-register", Label::new("ICT risk register", "IKT-Risikoregister")),
    (
        "/api/oscal/catalogs/{framework}",
        Label::new("A framework as an OSCAL catalogue", "Ein Regelwerk als OSCAL-Katalog"),
    ),
    (
        "/api/oscal/mappings",
        Label::new("Crosswalks as an OSCAL mapping collection", "Zuordnungen als OSCAL-Mapping-Collection"),
    ),
    (
        "/api/sources",
        Label::new("Acts and publications that records cite", "Zitierte Rechtsakte und Veröffentlichungen"),
    ),
    ("/api/stats", Label::new("Platform statistics", "Kennzahlen der Plattform")),
    ("/api/vendor-scorecard", Label::new("Vendor scorecard", "Bewertung der Dienstleister")),
];

fn body(edition: &Edition, language: Language) -> Vec<u8> {
    let data: Vec<Route> = docs::routes()
        .iter()
        .filter(|route| route.has_tag("reference"))
        .map(|r| entry(r, language))
        .collect();
    let meta = ReferenceMeta { count: data.len() as u64, version: edition.version };
    respond::to_json(&Index { data, meta })
}

fn entry(route: &RouteSummary, language: Language) -> Route {
    let title = TITLES.iter().find(|(path, _)| *path == route.path).map(|(_, label)| label.text(language));
    Route { path: route.path.clone(), title: title.unwrap_or(&route.summary).to_owned() }
}

/// Lists the public reference operations.
#[utoipa::path(get, path = "/api", operation_id = "getReferenceIndex",
    tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Route>), PublicErrors))]
pub(crate) async fn get(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
