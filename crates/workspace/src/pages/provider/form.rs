//! The form of what the institution keeps about a provider.

use app::{Error, provider::ProviderRow};
use domain::{
    arrangement::MOST_NOTICE_DAYS,
    id::ProviderId,
    provider::{Provider, ProviderInput, ProviderRating},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        record::{
            bulk_field::BulkField,
            cell::Cell,
            form::{FormTexts, RecordForm, filled},
        },
        reference,
    },
    route,
    texts::{common, provider as texts, record as shared},
    ui::field::{self, Choice, Field},
};

const MONTHS: (i64, i64) = (1, 60);
const DAYS: (i64, i64) = (0, MOST_NOTICE_DAYS as i64);

impl RecordForm for Provider {
    const ADDRESS: &'static str = route::PROVIDERS;
    // A provider is made by the register, so the texts of a new one are never shown.
    const TEXTS: FormTexts = FormTexts {
        new: texts::EDIT,
        edit: texts::EDIT,
        create: common::SAVE,
        intro: texts::FROM_REGISTER_HELP,
    };
    const NAME: &'static str = "name";
    const NAMES: &'static [(&'static str, Label)] = &[
        ("owner", shared::OWNER),
        ("rating", texts::RATING),
        ("archetype", texts::ARCHETYPE),
        ("contact", texts::CONTACT),
        ("review_months", texts::REVIEW_MONTHS),
        ("notice_days", texts::NOTICE_DAYS),
        ("next_review_on", texts::NEXT_REVIEW),
        ("note", texts::NOTE),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::owner(|provider| provider.owner.as_ref()),
        Cell::day(("next_review", "next_review_on"), texts::NEXT_REVIEW, |provider| provider.next_review_on),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::words("rating", texts::RATING, field::words::<ProviderRating>).optional(),
        BulkField::person("owner", shared::OWNER),
        BulkField::line("contact", texts::CONTACT),
        BulkField::number("review_months", texts::REVIEW_MONTHS, MONTHS),
        BulkField::day("next_review_on", texts::NEXT_REVIEW),
        BulkField::number("notice_days", texts::NOTICE_DAYS, DAYS),
        BulkField::prose("note", texts::NOTE),
    ];

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&ProviderRow>,
    ) -> Result<Markup, PageError> {
        let edition = reference::edition(workspace)?;
        let none = Choice::new("", visit.t(texts::NO_RATING));
        let words = ProviderRating::ALL.iter();
        let words = words.map(|word| Choice::new(word.as_str(), visit.t(word.label())));
        let ratings: Vec<Choice> = [none].into_iter().chain(words).collect();
        let none = Choice::new("", visit.t(texts::NO_ARCHETYPE));
        let vendors = edition.vendors.iter();
        let vendors =
            vendors.map(|vendor| Choice::new(vendor.id.to_string(), vendor.title.get(visit.language)));
        let archetypes: Vec<Choice> = [none].into_iter().chain(vendors).collect();
        let number = |name, label, range| Field::number(visit, form, name, label, range).optional();
        Ok(html! {
            (field::section(visit, shared::PART_BASICS, &html! {
                div.columns {
                    (field::select(visit, form, "rating", texts::RATING, &ratings))
                    (field::select(visit, form, "archetype", texts::ARCHETYPE, &archetypes))
                }
                (field::area(visit, form, "note", texts::NOTE, None))
            }))
            (field::section(visit, shared::PART_RESPONSIBLE, &html! {
                div.columns {
                    (Field::person(visit, form, "owner", shared::OWNER).render())
                    (Field::text(visit, form, "contact", texts::CONTACT).optional().hint(texts::CONTACT_HINT).render())
                    (number("review_months", texts::REVIEW_MONTHS, MONTHS).render())
                    (Field::day(visit, form, "next_review_on", texts::NEXT_REVIEW).optional().render())
                    (number("notice_days", texts::NOTICE_DAYS, DAYS).hint(texts::NOTICE_HINT).render())
                }
            }))
        })
    }

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&ProviderRow>,
    ) -> Result<ProviderInput, Error> {
        let input = ProviderInput {
            owner: form.change("owner"),
            rating: form.change("rating"),
            archetype: form.change("archetype"),
            contact: form.change("contact"),
            review_months: form.decimal("review_months"),
            notice_days: form.decimal("notice_days"),
            next_review_on: form.change("next_review_on"),
            note: form.change("note"),
            of_register: Vec::new(),
        };
        form.finish(Some(input))
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &ProviderRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        Ok(vec![
            ("name", record.name.to_string()),
            ("owner", filled(record.owner.as_ref())),
            ("rating", filled(record.rating)),
            ("archetype", filled(record.archetype.as_ref())),
            ("contact", filled(record.contact.as_ref())),
            ("review_months", filled(record.review_months)),
            ("notice_days", filled(record.notice_days)),
            ("next_review_on", filled(record.next_review_on)),
            ("note", filled(record.note.as_ref())),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: ProviderId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}
