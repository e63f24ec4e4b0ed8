//! Which ICT risk management framework of DORA applies to an institution: Art. 2(1), (3) and (4), Art. 16(1).

use crate::{entity_kind::EntityKind, sentences, vocabulary};

use super::Size;

vocabulary! {
    /// The ICT risk management framework of DORA that applies to an institution.
    DoraRegime {
        Full = "full" ("Full framework (Art. 5 to 15)", "Vollständiger Rahmen (Art. 5 bis 15)"),
        Simplified = "simplified" ("Simplified framework (Art. 16)", "Vereinfachter Rahmen (Art. 16)"),
        None = "none" ("Not under DORA", "Nicht unter DORA"),
    }
}

sentences! {
    /// Why a regime applies to an institution, or why that is unknown.
    #[derive(Copy)]
    RegimeReason {
        KindUnknown =
            "The kind of entity is not known.",
            "Die Art des Unternehmens ist nicht bekannt.";
        Listed =
            "DORA Art. 2(1) names this kind of entity and Art. 16(1) does not.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen, Art. 16 Abs. 1 nennt sie nicht.";
        UnlessExemptedPayment =
            "DORA Art. 2(1) names this kind of entity. If it is exempted under Directive (EU) 2015/2366, Art. 16(1) puts it under the simplified framework: then set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen. Ist es nach der Richtlinie (EU) 2015/2366 ausgenommen, gilt nach Art. 16 Abs. 1 der vereinfachte Rahmen: Legen Sie ihn dann fest.";
        UnlessExemptedMoney =
            "DORA Art. 2(1) names this kind of entity. If it is exempted under Directive 2009/110/EC, Art. 16(1) puts it under the simplified framework: then set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen. Ist es nach der Richtlinie 2009/110/EG ausgenommen, gilt nach Art. 16 Abs. 1 der vereinfachte Rahmen: Legen Sie ihn dann fest.";
        UnlessSmallFirm =
            "DORA Art. 2(1) names this kind of entity. If it is small and non-interconnected (Art. 3(34)), Art. 16(1) puts it under the simplified framework: then set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen. Ist es klein und nicht verflochten (Art. 3 Nr. 34), gilt nach Art. 16 Abs. 1 der vereinfachte Rahmen: Legen Sie ihn dann fest.";
        UnlessSmallPension =
            "DORA Art. 2(1) names this kind of entity. With fewer than 100 members (Art. 3(53)), Art. 16(1) puts it under the simplified framework; with at most 15, Art. 2(3)(c) exempts it: then set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen. Bei weniger als 100 Versorgungsanwärtern (Art. 3 Nr. 53) gilt nach Art. 16 Abs. 1 der vereinfachte Rahmen, bei höchstens 15 nimmt Art. 2 Abs. 3 Buchst. c sie aus: Legen Sie ihn dann fest.";
        UnlessSmallInsurer =
            "DORA Art. 2(1) names this kind of entity. Below the thresholds of Art. 4 of Directive 2009/138/EC, Art. 2(3)(b) exempts it: then set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen. Unterhalb der Schwellen des Art. 4 der Richtlinie 2009/138/EG nimmt Art. 2 Abs. 3 Buchst. b es aus: Legen Sie ihn dann fest.";
        UnlessSmallManager =
            "DORA Art. 2(1) names this kind of entity. Below the thresholds of Art. 3(2) of Directive 2011/61/EU, Art. 2(3)(a) exempts it: then set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen. Unterhalb der Schwellen des Art. 3 Abs. 2 der Richtlinie 2011/61/EU nimmt Art. 2 Abs. 3 Buchst. a es aus: Legen Sie ihn dann fest.";
        IntermediaryLarge =
            "DORA Art. 2(1)(o) names intermediaries, and the exemption of Art. 2(3)(e) ends with medium-sized enterprises.",
            "DORA Art. 2 Abs. 1 Buchst. o nennt Vermittler, und die Ausnahme des Art. 2 Abs. 3 Buchst. e endet mit mittleren Unternehmen.";
        IntermediaryExempt =
            "DORA Art. 2(3)(e) exempts intermediaries that are microenterprises, small or medium-sized.",
            "DORA Art. 2 Abs. 3 Buchst. e nimmt Vermittler aus, die Kleinstunternehmen, kleine oder mittlere Unternehmen sind.";
        IntermediarySizeUnknown =
            "DORA Art. 2(3)(e) exempts intermediaries up to medium size, and the size is not known.",
            "DORA Art. 2 Abs. 3 Buchst. e nimmt Vermittler bis zu mittlerer Größe aus, und die Größe ist nicht bekannt.";
        OtherFinancial =
            "DORA Art. 2(1) does not name this kind of entity; national law may put it under DORA or under Art. 16 (in Germany section 1a(2) and (2a) KWG): set the regime.",
            "DORA Art. 2 Abs. 1 nennt diese Art von Unternehmen nicht; nationales Recht kann DORA oder Art. 16 für sie anordnen (in Deutschland § 1a Abs. 2 und 2a KWG): Legen Sie den Rahmen fest.";
        Provider =
            "An ICT provider is no financial entity: DORA Art. 2(1)(u) and (2). Its customers' duties reach it through contracts, oversight if it is designated as critical.",
            "Ein IKT-Dienstleister ist kein Finanzunternehmen: DORA Art. 2 Abs. 1 Buchst. u und Abs. 2. Pflichten seiner Kunden erreichen ihn über Verträge, die Überwachung, wenn er als kritisch eingestuft ist.";
        NotFinancial =
            "DORA Art. 2(1) and (2): this kind of entity is no financial entity.",
            "DORA Art. 2 Abs. 1 und 2: Diese Art von Unternehmen ist kein Finanzunternehmen.";
    }
}

/// A regime derived from the facts; no value if they do not decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DerivedRegime {
    pub value: Option<DoraRegime>,
    pub reason: RegimeReason,
}

/// The regime derived from the kind of entity and its size. An exemption that the law grants by licence or threshold
/// is not visible here; the reason names it, and a person sets the regime if it applies.
#[must_use]
pub fn derive_regime(kind: Option<EntityKind>, size: Option<Size>) -> DerivedRegime {
    use EntityKind as Kind;
    let Some(kind) = kind else {
        return DerivedRegime { value: None, reason: RegimeReason::KindUnknown };
    };
    let reason = match kind {
        Kind::PaymentInstitution => RegimeReason::UnlessExemptedPayment,
        Kind::ElectronicMoneyInstitution => RegimeReason::UnlessExemptedMoney,
        Kind::InvestmentFirm => RegimeReason::UnlessSmallFirm,
        Kind::OccupationalPensionInstitution => RegimeReason::UnlessSmallPension,
        Kind::InsuranceUndertaking => RegimeReason::UnlessSmallInsurer,
        Kind::ManagerOfAlternativeInvestmentFunds => RegimeReason::UnlessSmallManager,
        Kind::InsuranceIntermediary => return intermediary(size),
        Kind::OtherFinancialEntity => {
            return DerivedRegime { value: None, reason: RegimeReason::OtherFinancial };
        }
        Kind::IctProvider | Kind::IntraGroupIctProvider => return outside(RegimeReason::Provider),
        Kind::NonFinancialEntity | Kind::Manufacturer | Kind::Other => {
            return outside(RegimeReason::NotFinancial);
        }
        _ => RegimeReason::Listed,
    };
    DerivedRegime { value: Some(DoraRegime::Full), reason }
}

fn intermediary(size: Option<Size>) -> DerivedRegime {
    match size {
        None => DerivedRegime { value: None, reason: RegimeReason::IntermediarySizeUnknown },
        Some(Size::Large) => {
            DerivedRegime { value: Some(DoraRegime::Full), reason: RegimeReason::IntermediaryLarge }
        }
        Some(Size::Micro | Size::Small | Size::Medium) => outside(RegimeReason::IntermediaryExempt),
    }
}

fn outside(reason: RegimeReason) -> DerivedRegime {
    DerivedRegime { value: Some(DoraRegime::None), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(kind: &str, size: Option<Size>) -> Option<DoraRegime> {
        derive_regime(Some(kind.parse().unwrap()), size).value
    }

    /// Art. 2(1)(a) to (t) with Art. 16(1): under the full framework unless an exemption is shown.
    #[test]
    fn every_kind_of_article_two_is_under_the_full_framework() {
        let listed = EntityKind::ALL.iter().filter(|kind| kind.is_financial());
        let full: Vec<_> = listed
            .filter(|kind| derive_regime(Some(**kind), Some(Size::Large)).value == Some(DoraRegime::Full))
            .collect();
        // Twenty points, of which (f) is two kinds; only the kind that the article does not name is left out.
        assert_eq!(full.len(), 21);
        assert!(!full.contains(&&EntityKind::OtherFinancialEntity));
    }

    #[test]
    fn intermediaries_are_exempt_up_to_medium_size() {
        for size in [Size::Micro, Size::Small, Size::Medium] {
            assert_eq!(value("insurance-intermediary", Some(size)), Some(DoraRegime::None), "{size}");
        }
        assert_eq!(value("insurance-intermediary", Some(Size::Large)), Some(DoraRegime::Full));
        assert_eq!(value("insurance-intermediary", None), None);
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        assert_eq!(derive_regime(None, Some(Size::Micro)).value, None);
        assert_eq!(value("other-financial-entity", Some(Size::Micro)), None);
    }

    #[test]
    fn who_is_no_financial_entity_is_not_under_the_framework() {
        for kind in
            ["ict-provider", "intra-group-ict-provider", "manufacturer", "non-financial-entity", "other"]
        {
            assert_eq!(value(kind, None), Some(DoraRegime::None), "{kind}");
        }
    }

    /// Art. 16(1) names exempted institutions, not small ones: size alone never makes the framework simplified.
    #[test]
    fn size_alone_does_not_simplify() {
        for kind in EntityKind::ALL {
            for size in Size::ALL {
                let derived = derive_regime(Some(*kind), Some(*size));
                assert_ne!(derived.value, Some(DoraRegime::Simplified), "{kind} {size}");
            }
        }
    }
}
