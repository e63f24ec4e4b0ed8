//! One record of each kind as callers see it, from the real catalogue. Prose is shown as `…`, and of a list the first
//! two items, so that editing a text breaks nothing here while a field that changes its name or form does.

use serde_json::{Value, json};
use testkit::TestApp;

/// The record without its prose.
fn essence(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains(char::is_whitespace) => "…".into(),
        Value::Array(items) => items.iter().take(2).map(essence).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), essence(field))).collect(),
        other => other.clone(),
    }
}

async fn record(path: &str, id: &str) -> Value {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let list = owner.get(&format!("{path}?limit=500")).await.expect(200).data();
    let found = list.as_array().unwrap().iter().find(|record| record["id"] == id);
    essence(found.unwrap_or_else(|| panic!("{id} is not in {path}")))
}

/// What a record that cites DORA rests on.
fn official() -> Value {
    json!({
        "act": "dora",
        "url": "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32022R2554",
        "verified_on": "2026-11-16",
        "grade": "primary"
    })
}

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
async fn a_measure() {
    let expected = json!({
        "id": "measure-ict-risk-status-reporting",
        "title": "…",
        "summary": "…",
        "action": "…",
        "rationale": "…",
        "owner": "ict-risk-manager",
        "cadence": "quarterly",
        "priority": "high",
        "pillar": "ict-risk-management",
        "articles": [
            "…",
            "…"
        ],
        "requirements": [
            "dora-art-05-01",
            "dora-art-05-02-i"
        ],
        "evidence": [
            "evidence-ict-risk-status-report",
            "evidence-management-body-minutes"
        ],
        "mappings": [
            {
                "framework": "iso-27001",
                "requirement": "iso-27001-9-1",
                "provenance": "published",
                "source": "…"
            },
            {
                "framework": "iso-27001",
                "requirement": "iso-27001-9-3",
                "provenance": "published",
                "source": "…"
            }
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/measures", "measure-ict-risk-status-reporting").await, expected);
}

#[tokio::test]
async fn evidence() {
    let expected = json!({
        "id": "evidence-ict-continuity-policy",
        "title": "…",
        "summary": "…",
        "kind": "document",
        "owner": "bcm-manager",
        "retention_years": 5,
        "cadence": "yearly",
        "measures": [
            "measure-ict-continuity-policy"
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/evidence", "evidence-ict-continuity-policy").await, expected);
}

#[tokio::test]
async fn a_risk() {
    let expected = json!({
        "id": "risk-ransomware-core-banking",
        "title": "…",
        "summary": "…",
        "category": "cyber-attack",
        "level": "critical",
        "status": "open",
        "inherent": {
            "likelihood": 4,
            "impact": 5,
            "level": "critical"
        },
        "residual": {
            "likelihood": 3,
            "impact": 5,
            "level": "critical"
        },
        "treatment": "reduce",
        "owner": "ciso",
        "measures": [
            "measure-isolated-restore-environment",
            "measure-network-segmentation-and-isolation"
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/risk-register", "risk-ransomware-core-banking").await, expected);
}

#[tokio::test]
async fn a_vendor() {
    let expected = json!({
        "id": "vendor-core-banking-saas",
        "title": "…",
        "summary": "…",
        "criticality": "critical",
        "service_types": [
            "S19"
        ],
        "scores": {
            "security": 80,
            "resilience": 76,
            "compliance": 82,
            "concentration": 26,
            "exit": 24
        },
        "overall_score": 62.9,
        "strengths": [
            "…",
            "…"
        ],
        "weaknesses": [
            "…",
            "…"
        ],
        "measures": [
            "measure-third-party-exit-plans",
            "measure-third-party-contract-critical"
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/vendor-scorecard", "vendor-core-banking-saas").await, expected);
}

#[tokio::test]
async fn a_drill() {
    let expected = json!({
        "id": "drill-ransomware-core-banking",
        "title": "…",
        "summary": "…",
        "difficulty": "advanced",
        "duration_minutes": 240,
        "objective": "…",
        "participants": [
            "management-body",
            "ciso"
        ],
        "injects": [
            {
                "at_minute": 0,
                "text": "…"
            },
            {
                "at_minute": 30,
                "text": "…"
            }
        ],
        "tasks": [
            {
                "role": "ciso",
                "text": "…"
            },
            {
                "role": "compliance",
                "text": "…"
            }
        ],
        "success_criteria": [
            "…",
            "…"
        ],
        "clocks": [
            {
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
            },
            {
                "id": "clock-dora-intermediate-report",
                "title": "…",
                "summary": "…",
                "regime": "dora",
                "stage": "intermediate_report",
                "applies_to": "major_incident",
                "base": "initial_submitted_at",
                "duration": "72h",
                "cap": null,
                "citation": "…",
                "source": null
            }
        ],
        "measures": [
            "measure-isolated-restore-environment",
            "measure-restore-verification-and-reconciliation"
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/incident-drills", "drill-ransomware-core-banking").await, expected);
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
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/gap-analysis", "gap-dora-art-05-01").await, expected);
}

#[tokio::test]
async fn a_signal() {
    let expected = json!({
        "id": "signal-bafin-ai-2025",
        "title": "…",
        "summary": "…",
        "authority": "BaFin",
        "date": "2025-12-18",
        "topic": "…",
        "impact": "high",
        "frameworks": [
            "dora"
        ],
        "so_what": "…",
        "url": null,
        "citation": "…",
        "source": "it-finanzmagazin.de",
        "proof": {
            "act": "bafin",
            "url": "https://www.bafin.de",
            "verified_on": "2026-11-15",
            "grade": "secondary"
        }
    });
    assert_eq!(record("/api/radar", "signal-bafin-ai-2025").await, expected);
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
                "requirements": 118
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
        "applicability": {
            "entities": [],
            "roles": [],
            "regime": "full",
            "sizes": [],
            "significance": null,
            "addressee": "entity",
            "force": "shall"
        },
        "related": [],
        "citation": "…",
        "source": null,
        "proof": official()
    });
    assert_eq!(record("/api/requirements", "dora-art-05-01").await, expected);
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
async fn a_training_module() {
    let expected = json!({
        "id": "training-dora-essentials",
        "title": "…",
        "summary": "…",
        "difficulty": "basic",
        "duration_minutes": 25,
        "audience": [
            "compliance",
            "business-owner"
        ],
        "frameworks": [
            "dora"
        ],
        "objectives": [
            "…",
            "…"
        ],
        "questions": [
            {
                "text": "…",
                "options": [
                    "…",
                    "…"
                ],
                "answer": 1,
                "explanation": "…"
            },
            {
                "text": "…",
                "options": [
                    "…",
                    "…"
                ],
                "answer": 0,
                "explanation": "…"
            }
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/v2/compliance-training", "training-dora-essentials").await, expected);
}

#[tokio::test]
async fn an_assessment_question() {
    let expected = json!({
        "id": "question-legal-identity",
        "title": "…",
        "section": "provider-profile",
        "section_title": "…",
        "weight": 3,
        "guidance": "…",
        "expected_evidence": [
            "…",
            "…"
        ],
        "red_flag": "…",
        "measures": [
            "measure-third-party-register-maintenance"
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/v2/vendor-risk-assessment", "question-legal-identity").await, expected);
}

#[tokio::test]
async fn a_widget() {
    let expected = json!({
        "id": "widget-compliance-score",
        "title": "…",
        "summary": "…",
        "kind": "gauge",
        "source": "/api/v2/compliance-scores",
        "size": "medium",
        "roles": [
            "management-body",
            "compliance"
        ],
        "citation": "…"
    });
    assert_eq!(record("/api/v2/dashboard-widgets", "widget-compliance-score").await, expected);
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
async fn a_measure_in_v1() {
    let expected = json!({
        "id": "measure-ict-risk-status-reporting",
        "title": "…",
        "summary": "…",
        "action": "…",
        "rationale": "…",
        "owner": "ict-risk-manager",
        "cadence": "quarterly",
        "priority": "high",
        "pillar": "ict-risk-management",
        "articles": [
            "…",
            "…"
        ],
        "requirements": [
            "dora-art-05-01",
            "dora-art-05-02-i"
        ],
        "evidence": [
            {
                "id": "evidence-ict-risk-status-report",
                "title": "…"
            },
            {
                "id": "evidence-management-body-minutes",
                "title": "…"
            }
        ],
        "mappings": [
            {
                "framework": "iso-27001",
                "requirement": "iso-27001-9-1",
                "number": "9.1",
                "provenance": "published",
                "source": "…"
            },
            {
                "framework": "iso-27001",
                "requirement": "iso-27001-9-3",
                "number": "9.3",
                "provenance": "published",
                "source": "…"
            }
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/v1/dora/measures", "measure-ict-risk-status-reporting").await, expected);
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
