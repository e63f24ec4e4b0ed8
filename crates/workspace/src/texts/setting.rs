//! Settings of the institution.

use super::texts;

texts! {
    TITLE = "Settings", "Einstellungen";
    INTRO = "These settings apply to everyone at {tenant}.", "Sie gelten für alle bei {tenant}.";
    THRESHOLDS = "Concentration thresholds", "Schwellen für Konzentrationsrisiken";
    THRESHOLDS_HELP = "A share above its threshold is a breach.", "Ein Anteil, der echt über seiner Schwelle liegt, ist eine Überschreitung.";
    PROVIDER = "Provider", "Anbieter";
    SECTOR = "Sector", "Sektor";
    REGIONAL = "Region", "Region";
    TECHNOLOGY = "Technology", "Technologie";
    PERCENT_HINT = "Per cent, 1 to 100", "Prozent, 1 bis 100";
    REVIEW = "Days between reviews", "Tage zwischen Überprüfungen";
    REVIEW_HINT = "30 to 730", "30 bis 730";
    ENABLED = "Compare shares with these thresholds", "Anteile mit diesen Schwellen vergleichen";
    ENABLED_HELP = "Switched off, an analysis shows shares but no breaches.", "Ausgeschaltet zeigt eine Analyse Anteile, aber keine Überschreitungen.";
    LAST_CHANGED = "Last changed", "Zuletzt geändert";
    READ_ONLY = "Your role can view these settings but not change them.", "Ihre Rolle sieht diese Einstellungen, kann sie aber nicht ändern.";
    WAS_SAVED = "Thresholds saved.", "Die Schwellen sind gespeichert.";
    LANGUAGE = "Language of messages", "Sprache der Meldungen";
    LANGUAGE_HELP = "Slack, Teams and email messages are sent in this language.", "Meldungen in Slack, Teams und per E-Mail kommen in dieser Sprache.";
    LANGUAGE_SAVED = "Message language saved.", "Die Sprache der Meldungen ist gespeichert.";
    CURRENCY = "Currency of analyses", "Währung der Analysen";
    CURRENCY_HELP = "Concentration analyses use this currency unless you choose another one.", "Konzentrationsanalysen entstehen in dieser Währung, wenn keine andere verlangt wird.";
    CURRENCY_CODE = "Currency", "Währung";
    CURRENCY_HINT = "Three letters, such as EUR.", "Drei Buchstaben, etwa EUR.";
    CURRENCY_SAVED = "Currency saved.", "Die Währung ist gespeichert.";
    LEADS = "Lead times", "Vorlaufzeiten";
    LEADS_HELP = "How long before a deadline webhooks subscribed to deadlines are notified, once per lead time. Changes take effect within a minute: deadlines already announced with a shorter lead time are not announced again, and deadlines that already fall within a new lead time are announced immediately.", "So früh erfährt es ein Webhook, der auf Fristen hört, je Vorlaufzeit einmal. Eine Änderung gilt ab der nächsten Minute: Was mit kürzerem Vorlauf gemeldet wurde, wird nicht noch einmal gemeldet; was schon in einer neuen Vorlaufzeit liegt, wird sofort gemeldet.";
    LEADS_USUAL = "These are the default lead times.", "Das sind die üblichen Vorlaufzeiten.";
    LEADS_CHOSEN = "Custom", "Gewählt";
    LEADS_SAVED = "Lead times saved.", "Die Vorlaufzeiten sind gespeichert.";
    LEADS_RESET = "Reset to the defaults: {days} days and {hours} hours", "Zurück zu den üblichen: {days} Tage und {hours} Stunden";
    LEADS_DAYS = "Days before", "Tage vorher";
    LEADS_DAYS_HINT = "For findings, test cases, programmes, reviews and regulatory dates: up to 8 numbers from 1 to 180, separated by commas.", "Für Feststellungen, Testfälle, Programme, Überprüfungen und gesetzliche Termine: bis zu 8 Zahlen von 1 bis 180, mit Kommas.";
    LEADS_HOURS = "Hours before", "Stunden vorher";
    LEADS_HOURS_HINT = "For the stages of CRA reports: up to 8 numbers from 1 to 168, separated by commas.", "Für die Stufen von CRA-Meldungen: bis zu 8 Zahlen von 1 bis 168, mit Kommas.";
    LEADS_OF_DAYS = "Findings, test cases, programmes, reviews and regulatory dates", "Feststellungen, Testfälle, Programme, Überprüfungen und gesetzliche Termine";
    LEADS_OF_STAGES = "Stages of CRA reports", "Stufen von CRA-Meldungen";
    DAYS_BEFORE = "{days} days before", "{days} Tage vorher";
    HOURS_BEFORE = "{hours} hours before", "{hours} Stunden vorher";
    TO_WEBHOOKS = "Go to webhooks", "Zu den Webhooks";
    MAIL = "Mail", "E-Mail";
    MAIL_NOT_SET = "No mail server is configured", "Kein Mailserver ist eingerichtet";
    MAIL_NOT_SET_HELP = "Email webhooks are held back, and links for invitations and new passwords have to be passed on by hand. The operator configures smtp.url and smtp.from.", "E-Mail-Webhooks warten, Einladungen und neue Passwörter gehen als Link von Hand zu Hand. Der Betrieb setzt smtp.url und smtp.from.";
    MAIL_READY = "Mail is set up", "E-Mail ist eingerichtet";
    MAIL_READY_HELP = "Email webhooks, invitations and new passwords are sent by mail.", "E-Mail-Webhooks, Einladungen und neue Passwörter gehen per E-Mail hinaus.";
    MAIL_UNREACHABLE = "The mail server is not responding", "Der Mailserver antwortet nicht";
    MAIL_UNREACHABLE_HELP = "Mail is queued and will be retried. Please inform the operator.", "E-Mails werden aufgehoben und erneut versucht. Bitte den Betrieb benachrichtigen.";
    MAIL_TEST = "Send a test mail to {email}", "Testmail an {email} senden";
    MAIL_TEST_SENT = "The test mail is on its way. If it has not arrived within a few minutes, please inform the operator.", "Die Testmail ist unterwegs. Ist sie nach einigen Minuten nicht da, bitte den Betrieb benachrichtigen.";
    PERSONAL = "Language and appearance", "Sprache und Aussehen";
    PERSONAL_HELP = "These apply only to you and are set in your profile.", "Sie gehören nur Ihnen und stehen in Ihrem Profil.";
    TO_PROFILE = "Go to your profile", "Zum eigenen Profil";
}
