//! Settings of the institution.

use super::texts;

texts! {
    TITLE = "Settings", "Einstellungen";
    INTRO = "They hold for everybody of {tenant}.", "Sie gelten für alle bei {tenant}.";
    THRESHOLDS = "Concentration thresholds", "Schwellen für Konzentrationsrisiken";
    THRESHOLDS_HELP = "A share strictly above its threshold is a breach.", "Ein Anteil, der echt über seiner Schwelle liegt, ist eine Überschreitung.";
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
    READ_ONLY = "Your role sees these settings but cannot change them.", "Ihre Rolle sieht diese Einstellungen, kann sie aber nicht ändern.";
    WAS_SAVED = "The thresholds are saved.", "Die Schwellen sind gespeichert.";
    LANGUAGE = "Language of messages", "Sprache der Meldungen";
    LANGUAGE_HELP = "Slack, Teams and email messages come in this language.", "Meldungen in Slack, Teams und per E-Mail kommen in dieser Sprache.";
    LANGUAGE_SAVED = "The language of messages is saved.", "Die Sprache der Meldungen ist gespeichert.";
    CURRENCY = "Currency of analyses", "Währung der Analysen";
    CURRENCY_HELP = "Concentration analyses are made in this currency, unless one asks for another.", "Konzentrationsanalysen entstehen in dieser Währung, wenn keine andere verlangt wird.";
    CURRENCY_CODE = "Currency", "Währung";
    CURRENCY_HINT = "Three letters, such as EUR.", "Drei Buchstaben, etwa EUR.";
    CURRENCY_SAVED = "The currency is saved.", "Die Währung ist gespeichert.";
    LEADS = "Lead times", "Vorlaufzeiten";
    LEADS_HELP = "So early a webhook that listens for deadlines is told, once for each lead time. A change counts from the next minute on: what was announced under a shorter lead time is not announced again, and a deadline that already stands in a new one is announced at once.", "So früh erfährt es ein Webhook, der auf Fristen hört, je Vorlaufzeit einmal. Eine Änderung gilt ab der nächsten Minute: Was mit kürzerem Vorlauf gemeldet wurde, wird nicht noch einmal gemeldet; was schon in einer neuen Vorlaufzeit liegt, wird sofort gemeldet.";
    LEADS_USUAL = "These are the usual lead times.", "Das sind die üblichen Vorlaufzeiten.";
    LEADS_CHOSEN = "Chosen", "Gewählt";
    LEADS_SAVED = "The lead times are saved.", "Die Vorlaufzeiten sind gespeichert.";
    LEADS_RESET = "Back to the usual ones: {days} days and {hours} hours", "Zurück zu den üblichen: {days} Tage und {hours} Stunden";
    LEADS_DAYS = "Days before", "Tage vorher";
    LEADS_DAYS_HINT = "For findings, test cases, programmes, reviews and dates of the law: up to 8 numbers from 1 to 180, with commas.", "Für Feststellungen, Testfälle, Programme, Überprüfungen und gesetzliche Termine: bis zu 8 Zahlen von 1 bis 180, mit Kommas.";
    LEADS_HOURS = "Hours before", "Stunden vorher";
    LEADS_HOURS_HINT = "For the stages of CRA reports: up to 8 numbers from 1 to 168, with commas.", "Für die Stufen von CRA-Meldungen: bis zu 8 Zahlen von 1 bis 168, mit Kommas.";
    LEADS_OF_DAYS = "Findings, test cases, programmes, reviews and dates of the law", "Feststellungen, Testfälle, Programme, Überprüfungen und gesetzliche Termine";
    LEADS_OF_STAGES = "Stages of CRA reports", "Stufen von CRA-Meldungen";
    DAYS_BEFORE = "{days} days before", "{days} Tage vorher";
    HOURS_BEFORE = "{hours} hours before", "{hours} Stunden vorher";
    TO_WEBHOOKS = "To the webhooks", "Zu den Webhooks";
    MAIL = "Mail", "E-Mail";
    MAIL_NOT_SET = "No mail server is set", "Kein Mailserver ist eingerichtet";
    MAIL_NOT_SET_HELP = "Email webhooks wait, and invitations and new passwords go by link from hand to hand. The operator sets smtp.url and smtp.from.", "E-Mail-Webhooks warten, Einladungen und neue Passwörter gehen als Link von Hand zu Hand. Der Betrieb setzt smtp.url und smtp.from.";
    MAIL_READY = "Mail is set up", "E-Mail ist eingerichtet";
    MAIL_READY_HELP = "Email webhooks, invitations and new passwords are sent by mail.", "E-Mail-Webhooks, Einladungen und neue Passwörter gehen per E-Mail hinaus.";
    MAIL_UNREACHABLE = "The mail server does not answer", "Der Mailserver antwortet nicht";
    MAIL_UNREACHABLE_HELP = "Mail is kept and tried again. Please tell the operator.", "E-Mails werden aufgehoben und erneut versucht. Bitte den Betrieb benachrichtigen.";
    MAIL_TEST = "Send a test mail to {email}", "Testmail an {email} senden";
    MAIL_TEST_SENT = "The test mail is on its way. If it has not arrived after a few minutes, please tell the operator.", "Die Testmail ist unterwegs. Ist sie nach einigen Minuten nicht da, bitte den Betrieb benachrichtigen.";
    PERSONAL = "Language and appearance", "Sprache und Aussehen";
    PERSONAL_HELP = "These belong to you alone and are set in your profile.", "Sie gehören nur Ihnen und stehen in Ihrem Profil.";
    TO_PROFILE = "To your profile", "Zum eigenen Profil";
}
