//! The kinds of entities: those of DORA Art. 2(1), as the register of information names them, and their suppliers.

use crate::vocabulary;

vocabulary! {
    /// What an institution or a supplier is. The kind decides which duties, clocks and reports hold for it.
    EntityKind {
        CreditInstitution = "credit-institution" ("Credit institution", "Kreditinstitut"),
        PaymentInstitution = "payment-institution" ("Payment institution", "Zahlungsinstitut"),
        AccountInformationServiceProvider = "account-information-service-provider" ("Account information service provider", "Kontoinformationsdienstleister"),
        ElectronicMoneyInstitution = "electronic-money-institution" ("Electronic money institution", "E-Geld-Institut"),
        InvestmentFirm = "investment-firm" ("Investment firm", "Wertpapierfirma"),
        CryptoAssetServiceProvider = "crypto-asset-service-provider" ("Crypto-asset service provider", "Anbieter von Kryptowerte-Dienstleistungen"),
        IssuerOfAssetReferencedTokens = "issuer-of-asset-referenced-tokens" ("Issuer of asset-referenced tokens", "Emittent wertreferenzierter Token"),
        CentralSecuritiesDepository = "central-securities-depository" ("Central securities depository", "Zentralverwahrer"),
        CentralCounterparty = "central-counterparty" ("Central counterparty", "Zentrale Gegenpartei"),
        TradingVenue = "trading-venue" ("Trading venue", "Handelsplatz"),
        TradeRepository = "trade-repository" ("Trade repository", "Transaktionsregister"),
        ManagerOfAlternativeInvestmentFunds = "manager-of-alternative-investment-funds" ("Manager of alternative investment funds", "Verwalter alternativer Investmentfonds"),
        ManagementCompany = "management-company" ("UCITS management company", "OGAW-Verwaltungsgesellschaft"),
        DataReportingServiceProvider = "data-reporting-service-provider" ("Data reporting service provider", "Datenbereitstellungsdienst"),
        InsuranceUndertaking = "insurance-undertaking" ("Insurance or reinsurance undertaking", "Versicherungs- oder Rückversicherungsunternehmen"),
        InsuranceIntermediary = "insurance-intermediary" ("Insurance intermediary", "Versicherungsvermittler"),
        OccupationalPensionInstitution = "occupational-pension-institution" ("Institution for occupational retirement provision", "Einrichtung der betrieblichen Altersversorgung"),
        CreditRatingAgency = "credit-rating-agency" ("Credit rating agency", "Ratingagentur"),
        AdministratorOfCriticalBenchmarks = "administrator-of-critical-benchmarks" ("Administrator of critical benchmarks", "Administrator kritischer Referenzwerte"),
        CrowdfundingServiceProvider = "crowdfunding-service-provider" ("Crowdfunding service provider", "Schwarmfinanzierungsdienstleister"),
        SecuritisationRepository = "securitisation-repository" ("Securitisation repository", "Verbriefungsregister"),
        OtherFinancialEntity = "other-financial-entity" ("Other financial entity", "Sonstiges Finanzunternehmen"),
        IntraGroupIctProvider = "intra-group-ict-provider" ("Intra-group ICT provider", "Gruppeninterner IKT-Dienstleister"),
        NonFinancialEntity = "non-financial-entity" ("Non-financial entity", "Nichtfinanzielles Unternehmen"),
        IctProvider = "ict-provider" ("ICT provider", "IKT-Dienstleister"),
        Manufacturer = "manufacturer" ("Manufacturer of products with digital elements", "Hersteller von Produkten mit digitalen Elementen"),
        Other = "other" ("Other", "Sonstiges"),
    }
}
