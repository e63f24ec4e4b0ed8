//! Why a requirement applies, does not, or may.

use domain::{moment::Day, sentences, wording::Label};

sentences! {
    /// Why a requirement applies, does not, or may.
    AppliesReason {
        Everyone =
            "Applies to every institution that the framework covers.",
            "Gilt für jedes Unternehmen, das das Rahmenwerk erfasst.";
        ForKind { kind: Label } =
            "Applies to this kind of entity: {kind}.",
            "Gilt für diese Art von Unternehmen: {kind}.";
        ForRegime { regime: Label } =
            "Applies under the regime of the profile: {regime}.",
            "Gilt unter dem Rahmen des Profils: {regime}.";
        ForRole =
            "Applies to a role of the profile.",
            "Gilt für eine Rolle des Profils.";
        ForSignificance { whom: Label } =
            "Applies by significance: {whom}.",
            "Gilt nach der Bedeutung: {whom}.";
        ReliefPossible { relief: Label } =
            "Applies, possibly in an easier form: {relief}.",
            "Gilt, möglicherweise in erleichterter Form: {relief}.";
        ForProvider =
            "Addressed to ICT providers, and the institution is one.",
            "Richtet sich an IKT-Dienstleister, und das Unternehmen ist einer.";
        NoDuty =
            "A definition or a heading: there is nothing to meet.",
            "Begriff oder Überschrift: Hier ist nichts zu erfüllen.";
        OnlyAnOption =
            "An option: no duty follows from it.",
            "Eine Option: Daraus folgt keine Pflicht.";
        OfAuthority =
            "Addressed to the authority, not to the institution.",
            "Richtet sich an die Behörde, nicht an das Unternehmen.";
        OfProvider =
            "Addressed to ICT providers.",
            "Richtet sich an IKT-Dienstleister.";
        OutsideDora =
            "DORA does not apply to the institution (Art. 2).",
            "DORA gilt für das Unternehmen nicht (Art. 2).";
        OtherKinds { kind: Label } =
            "Not for this kind of entity: {kind}.",
            "Nicht für diese Art von Unternehmen: {kind}.";
        OtherCountry { country: Label } =
            "The law of another country than that of the profile: {country}.",
            "Recht eines anderen Landes als das des Profils: {country}.";
        OtherRoles =
            "Only for roles that the profile does not name.",
            "Nur für Rollen, die das Profil nicht nennt.";
        OtherRegime { regime: Label } =
            "Belongs to the other regime of DORA: {regime}.",
            "Gehört zum anderen Rahmen von DORA: {regime}.";
        MicroExempt =
            "Microenterprises are exempt.",
            "Kleinstunternehmen sind ausgenommen.";
        MicroOnly =
            "Holds only for microenterprises.",
            "Gilt nur für Kleinstunternehmen.";
        BelowMedium =
            "Holds only from medium size (NIS2 Art. 2(1)); the providers that Art. 2(2) names are covered whatever their size.",
            "Gilt erst ab mittlerer Größe (NIS2 Art. 2 Abs. 1); die in Art. 2 Abs. 2 genannten Anbieter sind unabhängig von ihrer Größe erfasst.";
        OtherSignificance { whom: Label } =
            "Limited by significance: {whom}.",
            "Nach der Bedeutung begrenzt: {whom}.";
        KindUnknown =
            "The profile does not say what kind of entity the institution is.",
            "Das Profil sagt nicht, welche Art von Unternehmen es ist.";
        CountryUnknown =
            "The profile does not say in which country the institution is.",
            "Das Profil sagt nicht, in welchem Land das Unternehmen sitzt.";
        RolesUnknown =
            "The profile does not say which roles the institution has.",
            "Das Profil sagt nicht, welche Rollen das Unternehmen hat.";
        RegimeUnknown =
            "The profile does not decide which regime of DORA holds.",
            "Das Profil entscheidet nicht, welcher Rahmen von DORA gilt.";
        SizeUnknown =
            "The profile does not say how large the institution is.",
            "Das Profil sagt nicht, wie groß das Unternehmen ist.";
        SignificanceUnknown =
            "The profile does not say whether the institution is significant.",
            "Das Profil sagt nicht, ob das Institut bedeutend ist.";
        FromDay { day: Day } =
            "Applies from {day}.",
            "Gilt ab {day}.";
        NoLonger { day: Day } =
            "Applied until {day}.",
            "Galt bis {day}.";
        Voluntary =
            "Voluntary: counted because the institution measures itself against it.",
            "Freiwillig: zählt, weil sich das Unternehmen daran misst.";
        Selected =
            "A control of Annex A: it applies unless the statement of applicability excludes it with a reason.",
            "Eine Maßnahme aus Anhang A: Sie gilt, solange die Erklärung zur Anwendbarkeit sie nicht mit Begründung ausschließt.";
        ForTlpt =
            "Applies to institutions identified for threat-led penetration tests (DORA Art. 26(8)).",
            "Gilt für Institute, die für bedrohungsorientierte Penetrationstests ermittelt sind (DORA Art. 26 Abs. 8).";
        NotForTlpt =
            "Only for institutions that the authority has identified for threat-led penetration tests (DORA Art. 26(8)).",
            "Nur für Institute, die die Behörde für bedrohungsorientierte Penetrationstests ermittelt hat (DORA Art. 26 Abs. 8).";
        TlptUnknown =
            "The profile does not say whether the authority has identified the institution for threat-led penetration tests.",
            "Das Profil sagt nicht, ob die Behörde das Institut für bedrohungsorientierte Penetrationstests ermittelt hat.";
        ForCritical =
            "Applies for functions that are critical or important.",
            "Gilt für kritische oder wichtige Funktionen.";
        NoneCritical =
            "Only for functions that are critical or important, and none of the institution's functions is.",
            "Nur für kritische oder wichtige Funktionen, und keine Funktion des Instituts ist kritisch oder wichtig.";
        NotLarge =
            "Of investment firms only the large ones are covered (section 2(18) WpIG).",
            "Von den Wertpapierfirmen sind nur die großen erfasst (§ 2 Abs. 18 WpIG).";
        LargeUnknown =
            "The profile does not say whether the institution is a large investment firm.",
            "Das Profil sagt nicht, ob das Unternehmen eine große Wertpapierfirma ist.";
        FewNonPerforming =
            "Only where at least 5 % of the loans are non-performing (MaRisk AT 2.1 Tz. 1).",
            "Nur ab einer Quote notleidender Kredite von 5 % (MaRisk AT 2.1 Tz. 1).";
        NonPerformingUnknown =
            "The profile does not say whether at least 5 % of the loans are non-performing.",
            "Das Profil sagt nicht, ob die Quote notleidender Kredite 5 % erreicht.";
        LittleRealEstate =
            "Only above the thresholds of real estate business: EUR 40 million or 4 % of the balance sheet total (MaRisk BTO 3 Tz. 1).",
            "Nur oberhalb der Schwellen für das Immobiliengeschäft: 40 Mio. EUR oder 4 % der Bilanzsumme (MaRisk BTO 3 Tz. 1).";
        RealEstateUnknown =
            "The profile does not say whether real estate business exceeds the thresholds of MaRisk BTO 3.",
            "Das Profil sagt nicht, ob das Immobiliengeschäft die Schwellen von MaRisk BTO 3 übersteigt.";
        SmallExempt =
            "Small and non-complex institutions are exempt.",
            "Kleine und nicht komplexe Institute sind ausgenommen.";
    }
}
