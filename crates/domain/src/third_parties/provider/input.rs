//! The input of a provider's own fields.

use super::{Provider, ProviderComplaint, months_later};
use crate::{
    arrangement::notice_days_of,
    change::{Change, Fields},
    user::Email,
    violation::Violations,
};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProviderInput {
    pub owner: Change<String>,
    pub rating: Change<String>,
    pub archetype: Change<String>,
    pub contact: Change<String>,
    pub review_months: Change<f64>,
    pub notice_days: Change<f64>,
    pub next_review_on: Change<String>,
    pub note: Change<String>,
    /// Fields of the register that the request names; none of them can be changed here.
    pub of_register: Vec<&'static str>,
}

const MOST_MONTHS: u32 = 60;

impl ProviderInput {
    /// The provider after this change. Setting a cadence for a provider that was reviewed sets the next day, unless
    /// the request contains one.
    pub fn change(&self, current: &Provider) -> Result<Provider, Violations> {
        let mut fields = Fields::default();
        for field in &self.of_register {
            fields.refuse(field, ProviderComplaint::FromRegister);
        }
        let owner = fields.line("owner", &self.owner, current.owner.clone());
        let rating = fields.optional("rating", &self.rating, current.rating, |word| word.parse());
        let archetype = fields.line("archetype", &self.archetype, current.archetype.clone());
        let contact =
            fields.optional("contact", &self.contact, current.contact.clone(), |text| text.parse::<Email>());
        let review_months =
            fields.optional("review_months", &self.review_months, current.review_months, |number| {
                whole(*number, 1..=MOST_MONTHS).ok_or(ProviderComplaint::Months)
            });
        let notice_days = fields.optional("notice_days", &self.notice_days, current.notice_days, |number| {
            notice_days_of(&number.to_string())
        });
        let mut next_review_on =
            fields
                .optional("next_review_on", &self.next_review_on, current.next_review_on, |day| day.parse());
        if self.next_review_on == Change::Keep && review_months != current.review_months {
            let last = current.last_review_on.zip(review_months);
            next_review_on = last.map(|(on, months)| months_later(on, months)).or(next_review_on);
        }
        let note = fields.prose("note", &self.note, current.note.clone());
        let changed = Provider {
            owner,
            rating,
            archetype,
            contact,
            review_months,
            notice_days,
            note,
            next_review_on,
            ..current.clone()
        };
        fields.finish(Some(changed))
    }
}

fn whole(number: f64, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    // A whole number is printed without a point, and only then parses as one.
    number.to_string().parse::<u32>().ok().filter(|whole| range.contains(whole))
}
