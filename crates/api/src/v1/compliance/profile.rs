//! The profile of the institution.

use app::{App, authz::Caller};
use axum::{extract::State, response::Response};
use domain::{
    change::Change,
    entity_kind::{EntityKind, OperatorRole},
    evidence::FileTypes,
    mail_domain::MailDomains,
    moment::{Day, Moment},
    profile::{ProfileInput, RegimeInput, RegimeSource},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{Body, IfMatch, IfNoneMatch, Reader, Writer},
    respond::{self, Data},
    schema::word,
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors, NotModified, StaleError, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "profile",
    about: "What the institution is: kind, size, country and what follows from them.",
    list: None,
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
    /// Operates a trading venue, whatever its kind, and therefore has no relief at weekends (2025/301 Art. 5(5)).
    trading_venue_operator: Option<bool>,
    /// Since when there is no relief by decision of the authority (2025/301 Art. 5(6)).
    #[schema(value_type = Option<String>, format = Date)]
    relief_excluded_since: Option<Day>,
    regime: ProfileRegime,
    /// The extensions of files that are accepted as evidence. Administrators change them in the workspace.
    #[schema(example = json!(["csv", "docx", "pdf"]))]
    evidence_types: Vec<String>,
    /// The domains of the institution's mail addresses. The owner of any other address is asked before mail is sent there.
    /// Administrators change them in the workspace.
    #[schema(example = json!(["bank.example"]))]
    mail_domains: Vec<String>,
    /// When it was last changed; null while it never was.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Moment>,
    /// The authority identified it for threat-led penetration tests (DORA Art. 26(8)); without that Art. 26 and 27 and
    /// (EU) 2025/1190 do not apply.
    tlpt_identified: Option<bool>,
    /// A large investment firm (section 2(18) WpIG): MaRisk addresses no others (AT 2.1 Tz. 2).
    large_investment_firm: Option<bool>,
    /// At least 5 % of its loans are non-performing, gross (MaRisk AT 2.1 Tz. 1).
    npl_from_5_percent: Option<bool>,
    /// Its real estate business exceeds EUR 40 million or 4 % of the balance sheet total (MaRisk BTO 3 Tz. 1).
    real_estate_thresholds: Option<bool>,
    /// A small and non-complex institution (CRR Art. 4(1)(145)), which has the reliefs of MaRisk for small ones.
    small_non_complex: Option<bool>,
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
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "entity_kind": "credit-institution", "size": "large", "significant": false,
    "country": "DE" }))]
pub(crate) struct ProfileChange {
    #[schema(nullable = false)]
    legal_name: Option<Option<String>>,
    lei: Option<Option<String>>,
    country: Option<Option<String>>,
    #[schema(value_type = Option<word::EntityKind>)]
    entity_kind: Option<Option<String>>,
    #[schema(value_type = Option<Vec<word::OperatorRole>>)]
    roles: Option<Option<Vec<String>>>,
    #[schema(value_type = Option<EntitySize>)]
    size: Option<Option<String>>,
    significant: Option<Option<bool>>,
    #[schema(nullable = false)]
    time_zone: Option<Option<String>>,
    /// A Member State; null for that of the institution.
    holidays: Option<Option<String>>,
    #[schema(nullable = false)]
    currency: Option<Option<String>>,
    authority: Option<Option<String>>,
    nis2_entity: Option<Option<bool>>,
    trading_venue_operator: Option<Option<bool>>,
    /// The day on which the decision was notified.
    #[schema(format = Date)]
    relief_excluded_since: Option<Option<String>>,
    /// Null for what follows from the kind of entity and its size.
    regime: Option<Option<ProfileRegimeChange>>,
    tlpt_identified: Option<Option<bool>>,
    large_investment_firm: Option<Option<bool>>,
    npl_from_5_percent: Option<Option<bool>>,
    real_estate_thresholds: Option<Option<bool>>,
    small_non_complex: Option<Option<bool>>,
}

/// A regime that a person sets, such as that of an exempted payment institution.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ProfileRegimeChange {
    #[schema(value_type = DoraRegime)]
    value: Option<Option<String>>,
    #[schema(
        required = true,
        nullable = false,
        example = "Exempted under Art. 32 of Directive (EU) 2015/2366"
    )]
    reason: Option<Option<String>>,
}

impl Profile {
    fn new(row: &app::profile::ProfileRow, lists: &Lists) -> Self {
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
            trading_venue_operator: profile.trading_venue_operator,
            relief_excluded_since: profile.relief_excluded_since,
            regime: ProfileRegime {
                value: regime.value.map(DoraRegime::from),
                derived,
                reason: Some(reason),
            },
            evidence_types: lists.evidence_types.iter().map(str::to_owned).collect(),
            mail_domains: lists.mail_domains.iter().map(str::to_owned).collect(),
            updated_at: row.updated_at,
            tlpt_identified: profile.scope.tlpt_identified,
            large_investment_firm: profile.scope.large_investment_firm,
            npl_from_5_percent: profile.scope.npl_from_5_percent,
            real_estate_thresholds: profile.scope.real_estate_thresholds,
            small_non_complex: profile.scope.small_non_complex,
        }
    }
}

/// What administrators set beside the profile.
struct Lists {
    evidence_types: FileTypes,
    mail_domains: MailDomains,
}

impl Lists {
    async fn read(app: &App, caller: &Caller) -> Result<Self, ApiError> {
        let (evidence_types, mail_domains) =
            (app.compliance.evidence_types(caller).await?, app.messages.mail_domains(caller).await?);
        Ok(Self { evidence_types, mail_domains })
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
    let (row, revision) = app.compliance.profile(&caller).await?;
    let validator = app.record_validator(row.version, revision);
    let lists = Lists::read(&app, &caller).await?;
    Ok(respond::record(&Profile::new(&row, &lists), &validator, &if_none_match))
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
    let request: ProfileChange = fields.read();
    let input = fields.finish(Some(request.into()))?;
    let (row, revision) = app.compliance.change_tenant_profile(&caller, input, precondition).await?;
    let validator = app.record_validator(row.version, revision);
    let lists = Lists::read(&app, &caller).await?;
    Ok(respond::record(&Profile::new(&row, &lists), &validator, &IfNoneMatch::default()))
}

impl From<ProfileChange> for ProfileInput {
    fn from(change: ProfileChange) -> Self {
        Self {
            legal_name: change.legal_name.into(),
            lei: change.lei.into(),
            country: change.country.into(),
            entity_kind: change.entity_kind.into(),
            roles: change.roles.into(),
            size: change.size.into(),
            significant: change.significant.into(),
            time_zone: change.time_zone.into(),
            holidays: change.holidays.into(),
            currency: change.currency.into(),
            authority: change.authority.into(),
            nis2_entity: change.nis2_entity.into(),
            trading_venue_operator: change.trading_venue_operator.into(),
            relief_excluded_since: change.relief_excluded_since.into(),
            regime: Change::<ProfileRegimeChange>::from(change.regime).map(RegimeInput::from),
            tlpt_identified: change.tlpt_identified.into(),
            large_investment_firm: change.large_investment_firm.into(),
            npl_from_5_percent: change.npl_from_5_percent.into(),
            real_estate_thresholds: change.real_estate_thresholds.into(),
            small_non_complex: change.small_non_complex.into(),
        }
    }
}

impl From<ProfileRegimeChange> for RegimeInput {
    fn from(change: ProfileRegimeChange) -> Self {
        Self { value: change.value.into(), reason: change.reason.into() }
    }
}
