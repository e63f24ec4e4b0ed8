//! The form of what the institution keeps about a provider.

use app::{Error, provider::ProviderRow};
use domain::{
    arrangement::MOST_NOTICE_DAYS,
    id::ProviderId,
    provider::{Provider, ProviderInput, ProviderRating},
    text::Name,
};
use maud::Markup;

use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{
        record::{
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm},
        },
        reference,
    },
    route,
    texts::{common, provider as texts, record as shared},
    ui::field::{Choice, words},
};

const MONTHS: (i64, i64) = (1, 60);
const DAYS: (i64, i64) = (0, MOST_NOTICE_DAYS as i64);

type Asked = FormField<Provider>;

impl RecordForm for Provider {
    const ADDRESS: &'static str = route::PROVIDERS;
    // A provider is made by the register, so the texts of a new one are never shown.
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::EDIT,
        edit: texts::EDIT,
        create: common::SAVE,
        intro: texts::FROM_REGISTER_HELP,
    };
    const NAME: &'static str = "name";
    const FIELDS: &'static [Section<Self>] = &[
        Section::titled(
            shared::PART_BASICS,
            &[
                Asked::choice(Self::RATING, ratings, |provider| {
                    provider.rating.map_or("", ProviderRating::as_str)
                })
                .bulk()
                .shown_apart(),
                Asked::chosen(
                    Self::ARCHETYPE,
                    |ask| Box::pin(archetypes(ask)),
                    |provider| provider.archetype.as_ref().map(Name::to_string),
                ),
                Asked::prose(Self::NOTE, |provider| provider.note.as_ref()).bulk(),
            ],
        ),
        Section::titled(
            shared::PART_RESPONSIBLE,
            &[
                Asked::person(Self::OWNER, |provider| provider.owner.as_ref()).bulk().cell(),
                Asked::text(Self::CONTACT, |provider| provider.contact.as_ref().map(ToString::to_string))
                    .hint(texts::CONTACT_HINT)
                    .bulk(),
                Asked::number(Self::REVIEW_MONTHS, MONTHS, |provider| provider.review_months).bulk(),
                Asked::day(Self::NEXT_REVIEW_ON, |provider| provider.next_review_on)
                    .bulk()
                    .cell_in("next_review"),
                Asked::number(Self::NOTICE_DAYS, DAYS, |provider| provider.notice_days)
                    .hint(texts::NOTICE_HINT)
                    .bulk(),
            ],
        ),
    ];

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

    /// The name comes from the register.
    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &ProviderRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        Ok(vec![("name", row.record.name.to_string())])
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

fn ratings(view: &View) -> Vec<Choice> {
    let none = Choice::new("", view.t(texts::NO_RATING));
    std::iter::once(none).chain(words::<ProviderRating>(view)).collect()
}

/// The archetypes of the catalogue.
#[expect(clippy::unused_async, reason = "the form waits for what a field offers; this one reads no records")]
async fn archetypes(ask: &Ask<'_, Provider>) -> Result<Vec<Choice>, PageError> {
    let none = Choice::new("", ask.visit.t(texts::NO_ARCHETYPE));
    let edition = reference::edition(ask.workspace)?;
    let vendors = edition.vendors.iter();
    let offered =
        vendors.map(|vendor| Choice::new(vendor.id.to_string(), vendor.title.get(ask.visit.language)));
    Ok(std::iter::once(none).chain(offered).collect())
}
