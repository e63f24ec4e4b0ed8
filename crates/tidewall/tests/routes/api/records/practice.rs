//! Records for daily work: measures, evidence, risks, drills, training, questions.

use serde_json::json;

use super::record;

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
                "provenance": "own",
                "source": null
            },
            {
                "framework": "iso-27001",
                "requirement": "iso-27001-9-3",
                "provenance": "own",
                "source": null
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
        "cause": "…",
        "event": "…",
        "effect": "…",
        "indicator": "…",
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
            { "at_minute": 0, "text": "…" },
            { "at_minute": 30, "text": "…" }
        ],
        "tasks": [
            { "role": "ciso", "text": "…" },
            { "role": "compliance", "text": "…" }
        ],
        "success_criteria": ["…", "…"],
        "facilitator": ["…", "…"],
        "solution": {
            "result": "…",
            "classification": [
                { "criterion": "critical_services_affected", "judgement": "met", "reason": "…" },
                { "criterion": "data_losses", "judgement": "met", "reason": "…" }
            ],
            "due": [
                { "clock": "clock-dora-initial-notification", "at": "…" },
                { "clock": "clock-dora-intermediate-report", "at": "…" }
            ],
            "decisions": ["…", "…"]
        },
        "scoring": [
            { "points": 25, "text": "…" },
            { "points": 25, "text": "…" }
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
        "lessons": [
            {
                "title": "…",
                "text": [
                    "…",
                    "…"
                ]
            }
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
        "to_provider": "…",
        "asked": "provider",
        "answer": "text",
        "unit": null,
        "section": "provider-profile",
        "section_title": "…",
        "weight": 3,
        "guidance": "…",
        "expected_evidence": [
            "…",
            "…"
        ],
        "own_evidence": [],
        "red_flag": "…",
        "scale": [
            "…",
            "…"
        ],
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
                "provenance": "own",
                "source": null
            },
            {
                "framework": "iso-27001",
                "requirement": "iso-27001-9-3",
                "number": "9.3",
                "provenance": "own",
                "source": null
            }
        ],
        "citation": "…",
        "source": null
    });
    assert_eq!(record("/api/v1/dora/measures", "measure-ict-risk-status-reporting").await, expected);
}
