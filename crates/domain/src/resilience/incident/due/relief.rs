//! Weekends and bank holidays: Delegated Regulation (EU) 2025/301, Art. 5(4) to (6).

use crate::{
    country::Country,
    entity_kind::EntityKind,
    incident::holidays::{DayOff, day_off, is_weekend, next_working_day},
    moment::Moment,
    time_zone::TimeZone,
};

use super::{
    Stage,
    rule::{Exclusion, Relief},
};

/// The reporting entity, as far as due times depend on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Filer {
    pub kind: Option<EntityKind>,
    /// An essential or important entity under NIS2 Art. 3.
    pub is_nis2_entity: bool,
    /// Operates a trading venue, whatever its kind: banks and investment firms may.
    pub operates_trading_venue: bool,
    /// When the authority's decision under Art. 5(6) was notified, if there is one.
    pub no_relief_since: Option<Moment>,
    pub member_state: Option<Country>,
    pub zone: TimeZone,
}

impl Filer {
    /// A filer without known facts: no limit is moved for it.
    #[must_use]
    pub fn unknown(zone: TimeZone) -> Self {
        Self {
            kind: None,
            is_nis2_entity: false,
            operates_trading_venue: false,
            no_relief_since: None,
            member_state: None,
            zone,
        }
    }

    /// Why the filer has no relief for the earlier reports on an incident first reported at that time.
    fn exclusion(&self, reported_at: Moment) -> Option<Exclusion> {
        let excluded =
            [EntityKind::CreditInstitution, EntityKind::CentralCounterparty, EntityKind::TradingVenue];
        let is_excluded = self.kind.is_some_and(|kind| excluded.contains(&kind));
        if self.kind.is_none() && !self.operates_trading_venue {
            Some(Exclusion::Unknown)
        } else if is_excluded || self.operates_trading_venue {
            Some(Exclusion::EntityKind)
        } else if self.is_nis2_entity {
            Some(Exclusion::Nis2Entity)
        } else if self.no_relief_since.is_some_and(|since| reported_at > since) {
            Some(Exclusion::Decision)
        } else {
            None
        }
    }

    /// The due time after the relief, and the effect of the relief. A limit on a working day stays.
    pub(super) fn relieve(
        &self,
        stage: Stage,
        limit: Moment,
        reported_at: Moment,
    ) -> (Moment, Option<Relief>) {
        let day = self.zone.local(limit).day;
        let Some(member_state) = self.member_state else {
            let why = Exclusion::Unknown;
            return (limit, is_weekend(day).then_some(Relief::Excluded { why }));
        };
        let Some(off) = day_off(member_state, day) else { return (limit, None) };
        let exclusion = self.exclusion(reported_at);
        // Paragraphs 5 and 6 name the initial notification and the intermediate report, so the final report keeps it.
        let is_named = matches!(stage, Stage::Initial | Stage::Intermediate);
        if let Some(why) = exclusion.filter(|_| is_named) {
            return (limit, Some(Relief::Excluded { why }));
        }
        let next = next_working_day(member_state, day);
        // Noon exists once on every day in every zone of the Union.
        let noon = self.zone.read(&format!("{next}T12:00")).unwrap_or(limit);
        let relief = match off {
            _ if exclusion.is_some() => Relief::FinalReport { limit },
            DayOff::Weekend => Relief::Weekend { limit },
            DayOff::Holiday(name) => Relief::Holiday { limit, name, state: member_state.label() },
        };
        (noon, Some(relief))
    }
}
