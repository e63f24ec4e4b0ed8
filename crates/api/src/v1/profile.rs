//! The profile of the institution.

use app::App;
use axum::{extract::State, response::Response};
use domain::{
    entity_kind::{EntityKind, OperatorRole},
    moment::{Day, Moment},
    profile::{ProfileInput, RegimeInput, RegimeSource},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::{
    Subject,
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError, words},
};
use crate::{
    ApiError,
    extract::{Body, Fields, IfMatch, IfNoneMatch, Reader, Writer},
    respond::{self, Data},
    schema::word,
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "profile",
    about: "What the institution is: kind, size, country and what follows from them.",
    found: None,
    routes: |router| router.routes(routes!(get, patch)),
};

words! {
    DoraRegime = domain::profile::DoraRegime, "The ICT risk management framework of DORA: full (Art. 5 to 15), simplified (Art. 16), or none.";
    EntitySize = domain::profile::Size, "The size of an enterprise, as in DORA Art. 3(60), (63) and (64).";
}

/// What the institution says of itself. It decides which requirements, clocks and reliefs apply; null means unknown.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Profile {
    #[schema(example = "North Bank AG")]
    legal_name: String,
    #[schema(example = "529900T8BM49AURSDO55")]
    lei: Option<String>,
    /// ISO 3166-1.
    #[schema(example = "DE")]
    country: Option<String>,
    #[schema(value_type = Option<word::EntityKind>)]
    entity_kind: Option<EntityKind>,
    /// Roles under the CRA and NIS2; null while they follow from the kind of entity.
    #[schema(value_type = Option<Vec<word::OperatorRole>>)]
    roles: Option<Vec<OperatorRole>>,
    size: Option<EntitySize>,
    /// A significant credit institution of the Single Supervisory Mechanism.
    significant: Option<bool>,
    /// IANA.
    #[schema(example = "Europe/Berlin")]
    time_zone: String,
    /// The country whose bank holidays hold: that of the institution, unless another is set.
    #[schema(example = "DE")]
    holidays: Option<String>,
    #[schema(example = "EUR")]
    currency: String,
    #[schema(example = "BaFin")]
    authority: Option<String>,
    /// An essential or important entity under NIS2 Art. 3, which has no relief at weekends (2025/301 Art. 5(5)).
    nis2_entity: Option<bool>,
    /// Since when there is no relief by decision of the authority (2025/301 Art. 5(6)).
    #[schema(value_type = Option<String>, format = Date)]
    relief_excluded_since: Option<Day>,
    regime: ProfileRegime,
    /// When it was last changed; null while it never was.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Moment>,
}

/// The ICT risk management framework of DORA that holds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileRegime {
    /// Null while it is not known.
    value: Option<DoraRegime>,
    /// Whether it follows from the kind of entity and its size; otherwise a person set it.
    derived: bool,
    #[schema(example = "DORA Art. 2(1) names this kind of entity and Art. 16(1) does not.")]
    reason: Option<String>,
}

/// Changes to the profile. Fields that are absent keep their values, null makes them unknown.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "entity_kind": "credit-institution", "size": "large", "significant": false,
    "country": "DE" }))]
#[expect(dead_code, reason = "documentation only; `input` reads the fields")]
pub(crate) struct ProfileChange {
    #[schema(nullable = false)]
    legal_name: Option<String>,
    lei: Option<String>,
    country: Option<String>,
    #[schema(value_type = Option<word::EntityKind>)]
    entity_kind: Option<String>,
    #[schema(value_type = Option<Vec<word::OperatorRole>>)]
    roles: Option<Vec<String>>,
    size: Option<EntitySize>,
    significant: Option<bool>,
    #[schema(nullable = false)]
    time_zone: Option<String>,
    /// A Member State; null for that of the institution.
    holidays: Option<String>,
    #[schema(nullable = false)]
    currency: Option<String>,
    authority: Option<String>,
    nis2_entity: Option<bool>,
    /// The day on which the decision was notified.
    #[schema(format = Date)]
    relief_excluded_since: Option<String>,
    /// Null for what follows from the kind of entity and its size.
    regime: Option<ProfileRegimeChange>,
}

/// A regime that a person sets, such as that of an exempted payment institution.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input` reads the fields")]
pub(crate) struct ProfileRegimeChange {
    value: DoraRegime,
    #[schema(example = "Exempted under Art. 32 of Directive (EU) 2015/2366")]
    reason: String,
}

impl From<&app::profile::ProfileRow> for Profile {
    fn from(row: &app::profile::ProfileRow) -> Self {
        let profile = &row.profile;
        let regime = profile.regime();
        let (derived, reason) = match regime.because {
            RegimeSource::Derived(reason) => (true, reason.to_string()),
            RegimeSource::Person(reason) => (false, reason.to_string()),
        };
        Self {
            legal_name: profile.legal_name.to_string(),
            lei: profile.lei.map(|lei| lei.to_string()),
            country: profile.country.map(|country| country.to_string()),
            entity_kind: profile.kind,
            roles: profile.roles.clone(),
            size: profile.size.map(EntitySize::from),
            significant: profile.significant,
            time_zone: profile.time_zone.as_str().to_owned(),
            holidays: profile.holidays().map(|country| country.to_string()),
            currency: profile.currency.to_string(),
            authority: profile.authority.as_ref().map(ToString::to_string),
            nis2_entity: profile.nis2_entity,
            relief_excluded_since: profile.relief_excluded_since,
            regime: ProfileRegime {
                value: regime.value.map(DoraRegime::from),
                derived,
                reason: Some(reason),
            },
            updated_at: row.updated_at,
        }
    }
}

/// Gets the profile of the institution.
///
/// What is null is unknown, and then nothing is excluded because of it.
#[utoipa::path(get, path = "/api/v1/profile", tag = "profile",
    responses((status = 200, body = Data<Profile>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (row, revision) = app.profile(&caller).await?;
    let validator = app.record_validator(row.version, revision);
    Ok(respond::record(&Profile::from(&row), &validator, &if_none_match))
}

/// Updates the profile of the institution.
///
/// Fields that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/profile", tag = "profile", request_body = ProfileChange,
    responses((status = 200, body = Data<Profile>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input = input(&mut fields);
    let input = fields.finish(Some(input))?;
    let (row, revision) = app.change_tenant_profile(&caller, input, precondition).await?;
    let validator = app.record_validator(row.version, revision);
    Ok(respond::record(&Profile::from(&row), &validator, &IfNoneMatch::default()))
}

fn input(fields: &mut Fields) -> ProfileInput {
    ProfileInput {
        legal_name: fields.text_change("legal_name"),
        lei: fields.text_change("lei"),
        country: fields.text_change("country"),
        entity_kind: fields.text_change("entity_kind"),
        roles: fields.texts_change("roles"),
        size: fields.text_change("size"),
        significant: fields.flag_change("significant"),
        time_zone: fields.text_change("time_zone"),
        holidays: fields.text_change("holidays"),
        currency: fields.text_change("currency"),
        authority: fields.text_change("authority"),
        nis2_entity: fields.flag_change("nis2_entity"),
        relief_excluded_since: fields.text_change("relief_excluded_since"),
        regime: fields.object_change("regime", |fields| RegimeInput {
            value: fields.text_change("value"),
            reason: fields.text_change("reason"),
        }),
    }
}
