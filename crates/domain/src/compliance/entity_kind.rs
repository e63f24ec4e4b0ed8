//! The kinds of entities: those of DORA Art. 2(1), as the register of information names them, and their suppliers.

use crate::vocabulary;

vocabulary! {
    /// The kind of an institution or a supplier. It decides which duties, clocks and reports apply.
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

impl EntityKind {
    /// Whether it is a financial entity: DORA Art. 2(1)(a) to (t), and the register's kind for others.
    pub fn is_financial(self) -> bool {
        !matches!(
            self,
            Self::IntraGroupIctProvider
                | Self::NonFinancialEntity
                | Self::IctProvider
                | Self::Manufacturer
                | Self::Other
        )
    }
}

vocabulary! {
    /// The role of an undertaking, if the kind of entity does not define it: the economic operators of the CRA, the
    /// providers that Implementing Regulation (EU) 2024/2690 covers, the critical providers that DORA oversees, and the
    /// operators of critical plants under German law.
    OperatorRole {
        Manufacturer = "manufacturer" ("Manufacturer", "Hersteller"),
        AuthorisedRepresentative = "authorised-representative" ("Authorised representative", "Bevollmächtigter"),
        Importer = "importer" ("Importer", "Einführer"),
        Distributor = "distributor" ("Distributor", "Händler"),
        Steward = "steward" ("Open-source software steward", "Verwalter quelloffener Software"),
        DnsServiceProvider = "dns-service-provider" ("DNS service provider", "DNS-Diensteanbieter"),
        TldNameRegistry = "tld-name-registry" ("TLD name registry", "TLD-Namenregister"),
        CloudComputingProvider = "cloud-computing-provider" ("Cloud computing service provider", "Anbieter von Cloud-Computing-Diensten"),
        DataCentreProvider = "data-centre-provider" ("Data centre service provider", "Anbieter von Rechenzentrumsdiensten"),
        ContentDeliveryNetwork = "content-delivery-network" ("Content delivery network provider", "Betreiber von Inhaltszustellnetzen"),
        ManagedServiceProvider = "managed-service-provider" ("Managed service provider", "Anbieter verwalteter Dienste"),
        ManagedSecurityServiceProvider = "managed-security-service-provider" ("Managed security service provider", "Anbieter verwalteter Sicherheitsdienste"),
        OnlineMarketplace = "online-marketplace" ("Provider of an online marketplace", "Anbieter eines Online-Marktplatzes"),
        SearchEngine = "search-engine" ("Provider of an online search engine", "Anbieter einer Online-Suchmaschine"),
        SocialNetwork = "social-network" ("Provider of a social networking services platform", "Anbieter einer Plattform für Dienste sozialer Netzwerke"),
        TrustServiceProvider = "trust-service-provider" ("Trust service provider", "Vertrauensdiensteanbieter"),
        CriticalIctProvider = "critical-ict-provider" ("ICT third-party service provider designated as critical (DORA Art. 31)", "Als kritisch eingestufter IKT-Drittdienstleister (DORA Art. 31)"),
        CriticalPlantOperator = "critical-plant-operator" ("Operator of critical plants (BSIG, KRITIS-Dachgesetz)", "Betreiber kritischer Anlagen (BSIG, KRITIS-Dachgesetz)"),
    }
}
