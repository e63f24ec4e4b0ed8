//! What proves a requirement, beside its assessment and its controls: findings, tests, risks, and the evidence of its
//! controls.

use app::requirement_proof::RequirementProof;
use domain::page::Page;
use maud::{Markup, html};

use crate::{
    extract::Visit,
    pages::{evidence, findings, risks, test_cases},
    route,
    texts::{assessment as texts, record as shared},
    ui::{self, badge::badge},
};

/// The sections, each with a link to the whole list where not all fit.
pub(super) fn sections(visit: &Visit, requirement: &str, proof: &RequirementProof) -> Markup {
    let t = |label| visit.t(label);
    html! {
        @if proof.findings.total > 0 {
            (ui::section(t(texts::PROOF_FINDINGS), &html! {
                p.hint { (visit.fill(texts::PROOF_OPEN, &[("open", &proof.open_findings), ("total", &proof.findings.total)])) }
                (findings::short_table(visit, &proof.findings.items))
                (more(visit, &format!("{}?status=all&requirement={requirement}", route::FINDINGS), &proof.findings))
            }))
        }
        @if proof.test_cases.total > 0 {
            (ui::section(t(texts::PROOF_TESTS), &html! {
                (test_cases::short_table(visit, &proof.test_cases.items))
                (more(visit, &format!("{}?requirement={requirement}", route::TEST_CASES), &proof.test_cases))
            }))
        }
        @if proof.risks.total > 0 { (risks(visit, requirement, proof)) }
        @if proof.evidence.total > 0 { (files(visit, requirement, proof)) }
    }
}

fn risks(visit: &Visit, requirement: &str, proof: &RequirementProof) -> Markup {
    let content = html! {
        ul.steps {
            @for risk in &proof.risks.items {
                @let record = &risk.row.record;
                li {
                    a href=(risks::address_of(risk.row.id)) { (record.reference.to_string()) " " (record.title.as_str()) }
                    (badge(risks::tone(record.status), visit.t(record.status.label())))
                }
            }
        }
        (more(visit, &format!("{}?requirement={requirement}", route::RISKS), &proof.risks))
    };
    ui::section(visit.t(texts::PROOF_RISKS), &content)
}

fn files(visit: &Visit, requirement: &str, proof: &RequirementProof) -> Markup {
    let content = html! {
        ul.steps {
            @for one in &proof.evidence.items {
                li {
                    a href=(evidence::address_of(one.row.id)) { (one.row.record.title.as_str()) }
                    (evidence::state_badge(visit, one))
                }
            }
        }
        (more(visit, &format!("{}?requirement={requirement}", route::EVIDENCE), &proof.evidence))
    };
    ui::section(visit.t(texts::PROOF_EVIDENCE), &content)
}

/// How many records are not shown, as a link to the list of all of them.
fn more<T>(visit: &Visit, address: &str, page: &Page<T>) -> Markup {
    let rest = page.total.saturating_sub(page.items.len() as u64);
    html! { @if rest > 0 { p { a href=(address) { (visit.fill(shared::MORE, &[("count", &rest)])) } } } }
}
