//! Notices about questionnaires that a provider has submitted.

use std::collections::BTreeSet;

use domain::{
    id::{ReviewId, UserId},
    inbox::Reason,
    provider::{Provider, Review},
};
use store::{Tx, record, user, watch};

use crate::{Error, Result, author::Author, inbox::About};

impl Author {
    /// The owner of the provider and the people who watch the provider or the review get a notice; the managers if
    /// these are none.
    pub(super) fn notify_answered(&self, tx: &mut Tx<'_>, id: ReviewId) -> Result<()> {
        let scope = *self.scope();
        let review = record::get::<Review>(tx, &scope, id)?.ok_or(Error::NotFound)?;
        let provider =
            record::get::<Provider>(tx, &scope, review.record.provider_id)?.ok_or(Error::NotFound)?;
        let mut people: BTreeSet<UserId> = BTreeSet::new();
        for subject in [provider.id.to_string(), id.to_string()] {
            people.extend(watch::of(tx, &scope, &subject)?);
        }
        if let Some(owner) = &provider.record.owner
            && let [owner] = self.named(tx, owner)?[..]
        {
            people.insert(owner);
        }
        if people.is_empty() {
            people.extend(user::managers(tx, &scope)?);
        }
        let about = About {
            subject: id.to_string(),
            version: review.version,
            kind: "provider_reviews",
            reference: None,
            title: provider.record.name.to_string(),
            due: None,
        };
        for person in people {
            self.notify(tx, person, Reason::ProviderAnswered, &about)?;
        }
        Ok(())
    }
}
