//! Records of acts, authorities and calendars.

use serde_json::json;

use super::{official, record};

#[tokio::test]
async fn a_source() {
    let expected = json!({
        "id": "dora",
        "title": "…",
        "number": "…",
        "celex": "32022R2554",
        "url": "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32022R2554",
        "published": "2022-12-27",
        "in_force": "2023-01-16",
        "applies": "2025-01-17",
        "amended_by": [],
        "articles": 64,
        "verified_on": "2026-11-16",
        "grade": "primary"
    });
    assert_eq!(record("/api/sources", "dora").await, expected);
}

#[tokio::test]
async fn a_gap() {
    let expected = json!({
        "id": "gap-dora-art-05-01",
        "framework": "dora",
        "requirement": "dora-art-05-01",
        "number": "…",
        "title": "…",
        "question": "…",
        "target": "…",
        "typical_gap": "…",
        "priority": "high",
        "effort": "medium",
        "coverage": "covered",
        "measures": [
            "measure-ict-risk-status-reporting"
        ],
        "steps": [
            "…",
            "…"
        ],
        "evidence": [
            "evidence-ict-risk-status-report",
            "evidence-management-body-minutes"
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/gap-analysis", "gap-dora-art-05-01").await, expected);
}

#[tokio::test]
async fn a_signal() {
    let expected = json!({
        "id": "signal-eba-ict-gl-2025",
        "title": "…",
        "summary": "…",
        "authority": "EBA",
        "date": "2025-02-11",
        "topic": "…",
        "impact": "medium",
        "frameworks": ["dora"],
        "so_what": "…",
        "url": "https://www.eba.europa.eu/publications-and-media/press-releases/eba-amends-its-guidelines-ict-and-security-risk-management-measures-context-dora-application",
        "citation": "…",
        "source": null,
        "proof": {
            "act": "eba",
            "url": "https://www.eba.europa.eu/publications-and-media/press-releases/eba-amends-its-guidelines-ict-and-security-risk-management-measures-context-dora-application",
            "verified_on": "2026-11-15",
            "grade": "primary"
        }
    });
    assert_eq!(record("/api/radar", "signal-eba-ict-gl-2025").await, expected);
}

#[tokio::test]
async fn a_framework() {
    let expected = json!({
        "id": "dora",
        "title": "…",
        "version": "…",
        "summary": "…",
        "sections": [
            {
                "id": "dora-chapter-i",
                "title": "…",
                "requirements": 3
            },
            {
                "id": "dora-chapter-ii",
                "title": "…",
                "requirements": 120
            }
        ],
        "citation": "…",
        "source": null,
        "proof": official()
    });
    assert_eq!(record("/api/frameworks", "dora").await, expected);
}

#[tokio::test]
async fn a_requirement() {
    let expected = json!({
        "id": "dora-art-05-01",
        "framework": "dora",
        "section": "dora-chapter-ii",
        "number": "…",
        "title": "…",
        "summary": "…",
        "applies_to": null,
        "version": null,
        "coverage": "covered",
        "measures": [
            "measure-ict-risk-status-reporting"
        ],
        "basis": [],
        "cadence": null,
        "audit_steps": ["…", "…"],
        "model": null,
        "applicability": {
            "entities": [],
            "countries": [],
            "roles": [],
            "regime": "full",
            "sizes": [],
            "significance": null,
            "addressee": "entity",
            "force": "shall",
            "limits": [],
            "applies_from": null
        },
        "related": [],
        "citation": "…",
        "source": null,
        "proof": official(),
        "valid_from": "2025-01-17",
        "valid_until": null,
        "superseded_by": null,
        "explanation": null
    });
    assert_eq!(record("/api/requirements", "dora-art-05-01").await, expected);
    // A clause of a contract comes with a proposed wording.
    assert_eq!(record("/api/requirements", "dora-art-30-02-a").await["model"], "…");
}

#[tokio::test]
async fn an_act() {
    let expected = json!({
        "id": "dora-ref-2024-1502",
        "framework": "dora",
        "number": "…",
        "title": "…",
        "summary": "…",
        "in_force": "2024-06-19",
        "citation": "…",
        "source": "…",
        "proof": {
            "act": "dora-2024-1502",
            "url": "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32024R1502",
            "verified_on": "2026-11-16",
            "grade": "secondary"
        }
    });
    assert_eq!(record("/api/acts", "dora-ref-2024-1502").await, expected);
}

#[tokio::test]
async fn a_clock() {
    let expected = json!({
        "id": "clock-dora-initial-notification",
        "title": "…",
        "summary": "…",
        "regime": "dora",
        "stage": "initial_notification",
        "applies_to": "major_incident",
        "base": "classified_major_at",
        "duration": "4h",
        "cap": {
            "base": "aware_at",
            "duration": "24h"
        },
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/clocks", "clock-dora-initial-notification").await, expected);
}

#[tokio::test]
async fn a_designated_provider() {
    let expected = json!({
        "id": "ctpp-accenture-plc",
        "name": "…",
        "title": "…",
        "listed_on": "2025-11-18",
        "citation": "…",
        "source": "…"
    });
    assert_eq!(record("/api/critical-providers", "ctpp-accenture-plc").await, expected);
}

#[tokio::test]
async fn a_milestone() {
    let expected = json!({
        "id": "milestone-iso-27001-2022",
        "title": "…",
        "description": "…",
        "framework": "iso-27001",
        "category": "application",
        "authority": "ISO/IEC",
        "date": "2022-10-25",
        "status": "completed",
        "reference": "…",
        "citation": "…",
        "source": "…"
    });
    assert_eq!(record("/api/v2/compliance-timeline", "milestone-iso-27001-2022").await, expected);
}

#[tokio::test]
async fn a_timeline_item() {
    let expected = json!({
        "id": "milestone-iso-27001-2022",
        "title": "…",
        "description": "…",
        "framework": "iso-27001",
        "category": "application",
        "authority": "ISO/IEC",
        "date": "2022-10-25",
        "status": "completed",
        "reference": "…",
        "source": "…"
    });
    assert_eq!(record("/api/v1/compliance-timeline", "milestone-iso-27001-2022").await, expected);
}
