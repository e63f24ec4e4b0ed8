//! The vocabularies of incident management.

use crate::vocabulary::vocabulary;

vocabulary! {
    /// A regime that may require a report of the same event.
    Regime {
        Dora = "dora" ("DORA", "DORA"),
        Nis2 = "nis2" ("NIS2", "NIS2"),
        Gdpr = "gdpr" ("GDPR", "DSGVO"),
        Cra = "cra" ("CRA", "CRA"),
    }
}

vocabulary! {
    /// The result of a classification.
    Outcome {
        Major = "major" ("Major", "Schwerwiegend"),
        NotMajor = "not_major" ("Not major", "Nicht schwerwiegend"),
        Undetermined = "undetermined" ("Undetermined", "Noch offen"),
        /// To be reported under another regime than DORA.
        Significant = "significant" ("Significant", "Erheblich"),
    }
}

vocabulary! {
    /// The criteria of DORA Art. 18(1) as the report names them (field 2.5).
    Criterion {
        Clients = "clients_financial_counterparts_and_transactions_affected"
            ("Clients, financial counterparts and transactions", "Kunden, finanzielle Gegenparteien und Transaktionen"),
        Geography = "geographical_spread" ("Geographical spread", "Geografische Ausbreitung"),
        DataLosses = "data_losses" ("Data losses", "Datenverluste"),
        CriticalServices = "critical_services_affected" ("Critical services affected", "Betroffene kritische Dienste"),
        EconomicImpact = "economic_impact" ("Economic impact", "Wirtschaftliche Auswirkungen"),
        Reputation = "reputational_impact" ("Reputational impact", "Auswirkungen auf den Ruf"),
        Duration = "duration_and_service_downtime" ("Duration and service downtime", "Dauer und Ausfallzeit der Dienste"),
        /// A condition of another regime than DORA.
        Other = "other" ("Other condition", "Andere Bedingung"),
    }
}

vocabulary! {
    /// How an incident affects the reputation: Delegated Regulation (EU) 2024/1772, Art. 2(1).
    Reputation {
        Media = "media" ("Reported in the media", "In den Medien"),
        Complaints = "complaints" ("Repeated complaints of different clients or counterparts", "Wiederholte Beschwerden verschiedener Kunden oder Gegenparteien"),
        Regulatory = "regulatory" ("Regulatory requirements at risk", "Aufsichtliche Anforderungen gefährdet"),
        LossOfClients = "loss_of_clients" ("Loss of clients or counterparts with a material impact", "Verlust von Kunden oder Gegenparteien mit wesentlichen Folgen"),
    }
}

vocabulary! {
    /// What happened to data: Delegated Regulation (EU) 2024/1772, Art. 5.
    DataLoss {
        Availability = "availability" ("Availability", "Verfügbarkeit"),
        Authenticity = "authenticity" ("Authenticity", "Authentizität"),
        Integrity = "integrity" ("Integrity", "Integrität"),
        Confidentiality = "confidentiality" ("Confidentiality", "Vertraulichkeit"),
    }
}

vocabulary! {
    /// Costs and losses that count: Delegated Regulation (EU) 2024/1772, Art. 7(1)(a) to (h).
    CostKind {
        Expropriated = "expropriated" ("Expropriated funds or assets", "Entwendete Gelder oder Vermögenswerte"),
        Replacement = "replacement" ("Replacing or relocating software, hardware or infrastructure", "Ersatz oder Verlagerung von Software, Hardware oder Infrastruktur"),
        Staff = "staff" ("Staff", "Personal"),
        ContractFees = "contract_fees" ("Fees for breaching contracts", "Vertragsstrafen"),
        Redress = "redress" ("Redress and compensation to customers", "Entschädigung von Kunden"),
        ForgoneRevenue = "forgone_revenue" ("Forgone revenue", "Entgangene Einnahmen"),
        Communication = "communication" ("Internal and external communication", "Interne und externe Kommunikation"),
        Advisory = "advisory" ("Legal, forensic and remediation advice", "Rechts-, Forensik- und Behebungsberatung"),
    }
}

vocabulary! {
    /// The providers whose incidents Implementing Regulation (EU) 2024/2690 gives thresholds for.
    ProviderType {
        Dns = "dns" ("DNS service provider", "DNS-Diensteanbieter"),
        TldRegistry = "tld_registry" ("TLD name registry", "TLD-Namenregister"),
        Cloud = "cloud" ("Cloud computing provider", "Cloud-Computing-Anbieter"),
        DataCentre = "data_centre" ("Data centre provider", "Rechenzentrumsanbieter"),
        ContentDelivery = "content_delivery" ("Content delivery network", "Inhaltszustellnetz"),
        ManagedService = "managed_service" ("Managed service or managed security service provider", "Anbieter verwalteter Dienste oder verwalteter Sicherheitsdienste"),
        Marketplace = "marketplace" ("Online marketplace", "Online-Marktplatz"),
        SearchEngine = "search_engine" ("Online search engine", "Online-Suchmaschine"),
        SocialNetwork = "social_network" ("Social networking platform", "Plattform für soziale Netzwerke"),
        TrustService = "trust_service" ("Trust service provider", "Vertrauensdiensteanbieter"),
        /// Any other essential or important entity: the general terms of NIS2 Art. 23(3) apply to it.
        Other = "other" ("Other essential or important entity", "Andere wesentliche oder wichtige Einrichtung"),
    }
}

vocabulary! {
    /// What a personal data breach may mean for the persons concerned: GDPR Art. 33(1) and 34(1).
    PersonalRisk {
        Unlikely = "unlikely" ("Risk unlikely", "Risiko unwahrscheinlich"),
        Likely = "likely" ("Risk", "Risiko"),
        High = "high" ("High risk", "Hohes Risiko"),
    }
}

vocabulary! {
    /// A fact that decides a condition, by its name in the API.
    Fact {
        ClientsAffected = "clients_affected" ("clients affected", "betroffene Kunden"),
        ClientsTotal = "clients_total" ("clients of the affected service", "Kunden des betroffenen Dienstes"),
        CounterpartsAffected = "counterparts_affected" ("financial counterparts affected", "betroffene finanzielle Gegenparteien"),
        CounterpartsTotal = "counterparts_total" ("financial counterparts of the affected service", "finanzielle Gegenparteien des betroffenen Dienstes"),
        TransactionsAffected = "transactions_affected" ("transactions affected", "betroffene Transaktionen"),
        TransactionsDailyAverage = "transactions_daily_average" ("daily average number of transactions", "Transaktionen im Tagesdurchschnitt"),
        AmountAffected = "amount_affected" ("amount of affected transactions", "Betrag der betroffenen Transaktionen"),
        AmountDailyAverage = "amount_daily_average" ("daily average amount of transactions", "Transaktionsbetrag im Tagesdurchschnitt"),
        RelevantClient = "relevant_client" ("whether relevant clients or counterparts are affected", "ob relevante Kunden oder Gegenparteien betroffen sind"),
        Reputation = "reputation" ("effects on the reputation", "Auswirkungen auf den Ruf"),
        ResolvedAt = "resolved_at" ("time of resolution, or an estimate of the duration", "Zeitpunkt der Behebung oder eine Schätzung der Dauer"),
        DowntimeMinutes = "downtime_minutes" ("service downtime", "Ausfallzeit der Dienste"),
        CriticalFunction = "critical_function" ("whether the service supports a critical or important function", "ob der Dienst eine kritische oder wichtige Funktion unterstützt"),
        MemberStates = "member_states" ("Member States with an impact", "Mitgliedstaaten mit Auswirkungen"),
        DataLoss = "data_loss" ("whether data losses harm business objectives or regulatory duties", "ob Datenverluste Geschäftsziele oder aufsichtliche Pflichten beeinträchtigen"),
        MaliciousAccess = "malicious_access" ("whether there was successful malicious access", "ob es einen erfolgreichen böswilligen Zugriff gab"),
        AccessMayLoseData = "access_may_lose_data" ("whether the access may lead to data losses", "ob der Zugriff zu Datenverlusten führen kann"),
        CriticalServices = "critical_services" ("whether critical services are affected", "ob kritische Dienste betroffen sind"),
        ClientInterests = "client_interests_affected" ("whether financial interests of clients are affected", "ob finanzielle Interessen von Kunden betroffen sind"),
        RecipientsAffected = "recipients_affected" ("whether recipients of your services may be affected", "ob Empfänger Ihrer Dienste betroffen sein können"),
        UsersImpacted = "users_impacted" ("whether users of your product are impacted", "ob Nutzer Ihres Produkts betroffen sind"),
        Costs = "costs" ("the kinds of costs still missing, or an estimate of all costs", "die noch fehlenden Kostenarten oder eine Schätzung aller Kosten"),
        EuroRate = "euro_rate" ("exchange rate to the euro", "Umrechnungskurs in Euro"),
        ProviderType = "provider_type" ("kind of provider under NIS2", "Art des Anbieters nach NIS2"),
        ScheduledMaintenance = "scheduled_maintenance" ("whether it was scheduled maintenance", "ob es eine geplante Wartung war"),
        DirectLoss = "direct_loss" ("direct financial loss", "unmittelbarer finanzieller Verlust"),
        AnnualTurnover = "annual_turnover" ("annual turnover of the last financial year", "Jahresumsatz des letzten Geschäftsjahres"),
        TradeSecrets = "trade_secrets" ("whether trade secrets were or can be taken out", "ob Geschäftsgeheimnisse abgeflossen sind oder abfließen können"),
        Death = "death" ("whether a person died or may die", "ob ein Mensch gestorben ist oder sterben kann"),
        HealthDamage = "health_damage" ("whether health was or can be considerably damaged", "ob die Gesundheit erheblich geschädigt ist oder werden kann"),
        DisruptiveAccess = "disruptive_access" ("whether a suspectedly malicious access can cause severe disruption", "ob ein mutmaßlich böswilliger Zugriff schwere Störungen verursachen kann"),
        UnavailableMinutes = "unavailable_minutes" ("minutes of complete unavailability", "Minuten vollständiger Nichtverfügbarkeit"),
        UnavailableWeekMinutes = "unavailable_week_minutes" ("minutes of unavailability in the calendar week", "Minuten der Nichtverfügbarkeit in der Kalenderwoche"),
        UnavailableUsers = "unavailable_users" ("users in the Union cut off completely", "vollständig abgeschnittene Nutzer in der Union"),
        LimitedMinutes = "limited_minutes" ("minutes of limited availability", "Minuten eingeschränkter Verfügbarkeit"),
        LimitedUsers = "limited_users" ("users in the Union with limited availability", "Nutzer in der Union mit eingeschränkter Verfügbarkeit"),
        UsersTotal = "users_total" ("users of the service in the Union", "Nutzer des Dienstes in der Union"),
        ResponseMillis = "response_millis" ("average response time", "durchschnittliche Antwortzeit"),
        SlowMinutes = "slow_minutes" ("minutes of slow response", "Minuten langsamer Antwort"),
        DataCompromised = "data_compromised" ("whether data are compromised", "ob Daten beeinträchtigt sind"),
        DataCompromisedMaliciously = "data_compromised_maliciously" ("whether a suspectedly malicious act compromised data", "ob eine mutmaßlich böswillige Handlung Daten beeinträchtigt hat"),
        CompromisedUsers = "compromised_users" ("users in the Union whose data are compromised", "Nutzer in der Union mit beeinträchtigten Daten"),
        MinorMisconfiguration = "minor_misconfiguration" ("whether only few domain names are wrong through misconfiguration", "ob nur wenige Domänennamen durch Fehlkonfiguration falsch sind"),
        PhysicalAccess = "physical_access" ("whether physical access is compromised", "ob der physische Zugang beeinträchtigt ist"),
        SevereDisruption = "severe_disruption" ("whether it causes or can cause severe disruption or financial loss", "ob schwere Störungen oder finanzielle Verluste eintreten oder möglich sind"),
        ConsiderableDamage = "considerable_damage" ("whether others suffer or can suffer considerable damage", "ob andere erheblichen Schaden erleiden oder erleiden können"),
        PersonalData = "personal_data" ("whether personal data are affected", "ob personenbezogene Daten betroffen sind"),
        PersonalRisk = "personal_risk" ("risk to the persons concerned", "Risiko für die betroffenen Personen"),
        PersonsProtected = "persons_protected" ("whether the data were unintelligible or the high risk was removed", "ob die Daten unlesbar waren oder das hohe Risiko beseitigt ist"),
        ExploitedVulnerability = "exploited_vulnerability" ("whether a vulnerability of your product is actively exploited", "ob eine Schwachstelle Ihres Produkts aktiv ausgenutzt wird"),
        ProductSecurity = "product_security" ("whether your product's protection of important data or functions is affected", "ob Ihr Produkt wichtige Daten oder Funktionen nicht mehr schützt"),
        ProductMaliciousCode = "product_malicious_code" ("whether malicious code got or can get into your product or to its users", "ob Schadcode in Ihr Produkt oder zu dessen Nutzern gelangt ist oder gelangen kann"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn every_list_is_sound() {
        is_sound::<Regime>();
        is_sound::<Outcome>();
        is_sound::<Criterion>();
        is_sound::<Reputation>();
        is_sound::<DataLoss>();
        is_sound::<CostKind>();
        is_sound::<ProviderType>();
        is_sound::<PersonalRisk>();
        is_sound::<Fact>();
        is_sound::<super::super::Met>();
    }
}
