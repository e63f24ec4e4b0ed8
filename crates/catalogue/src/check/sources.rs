//! Checks sources: citations name existing articles, other sources can be looked up, and facts that change were
//! compared with their source recently.

use domain::moment::Day;

use super::Definitions;
use crate::{
    citation::{self, Articles},
    kind::Kind,
    load::{Draft, Root},
    notes::Notes,
    proof::Proof,
};

pub(super) fn check(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    citations_exist(draft, notes);
    facts_are_fresh(draft, notes, definitions);
    signals_are_linked(draft, notes, definitions);
}

/// A publication that a reader cannot open is hearsay.
fn signals_are_linked(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    for signal in draft.signals.iter().filter(|signal| signal.proof.url.is_none()) {
        let place = definitions.place(Kind::Signal, &signal.id);
        notes.fault(place, format!("{} has no url of the publication itself", signal.id));
    }
}

fn citations_exist(draft: &Draft, notes: &mut Notes) {
    let mut articles = Articles::of(&draft.acts);
    for cited in std::mem::take(&mut notes.cited) {
        for named in articles.named(&cited.cite) {
            let Some(act) = draft.acts.get(named.act) else { continue };
            if let Some(lacking) = act.lacks(named.article, named.paragraph) {
                notes.fault(cited.place, format!("cite names {} {lacking}", act.number));
            }
        }
        let link = || citation::act_of(&cited.cite, &draft.acts).is_some();
        if cited.secondary && !cited.linked && !link() {
            let message = "source is not the act itself and has no link; add url, or the act to acts/";
            notes.fault(cited.place, message);
        }
    }
}

/// Milestones and signals report decisions of others, so they must be verified again regularly.
fn facts_are_fresh(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let milestones = draft.milestones.iter().map(|fact| (Kind::Milestone, &fact.id, &fact.proof));
    let signals = draft.signals.iter().map(|fact| (Kind::Signal, &fact.id, &fact.proof));
    for (kind, id, proof) in milestones.chain(signals) {
        if let Some(complaint) = stale(&draft.root, proof) {
            notes.fault(definitions.place(kind, id), format!("{id} {complaint}"));
        }
    }
}

fn stale(root: &Root, proof: &Proof) -> Option<String> {
    let Some(verified) = proof.verified_on else {
        return Some(
            "does not say when it was verified; set verified_on in the record or on top of the file".into(),
        );
    };
    let age: i64 = verified.days_until(root.version?);
    let limit = i64::from(root.fact_age_days.unwrap_or(Root::FACT_AGE_DAYS));
    let old = |day: Day| {
        format!("was verified on {day}, more than {limit} days before this version; verify it again")
    };
    (age > limit).then(|| old(verified))
}
