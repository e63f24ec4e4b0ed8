//! The profile of the institution, and the five questions that fill it.

use super::texts;

texts! {
    TITLE = "Profile of the institution", "Profil des Instituts";
    INTRO = "What your institution is decides which requirements, reporting deadlines and reliefs apply. What is left open stays unknown, and then nothing is left out because of it.", "Was Ihr Institut ist, entscheidet, welche Anforderungen, Meldefristen und Erleichterungen gelten. Was offen bleibt, ist unbekannt, und dann entfällt deshalb auch nichts.";
    GUIDE = "Answer the five questions one by one", "Die fünf Fragen nacheinander beantworten";
    QUESTION_OF = "Question {number} of {count}", "Frage {number} von {count}";
    CONTINUE = "Save and continue", "Speichern und weiter";
    SKIP = "Skip", "Überspringen";
    SAVED = "The profile is saved.", "Das Profil ist gespeichert.";
    UNKNOWN = "Not known yet", "Noch nicht bekannt";
    ASK_KIND = "What kind of entity are you?", "Welche Art von Unternehmen sind Sie?";
    KIND_HELP = "Decides which frameworks and articles apply (DORA Art. 2(1)), which regime of DORA holds, and whether reporting deadlines move at weekends.", "Entscheidet, welche Rahmenwerke und Artikel gelten (DORA Art. 2 Abs. 1), welcher Rahmen von DORA gilt und ob sich Meldefristen am Wochenende verschieben.";
    KIND = "Kind of entity", "Art des Unternehmens";
    ASK_SIZE = "How large are you?", "Wie groß sind Sie?";
    SIZE_HELP = "Microenterprises (fewer than 10 people and at most EUR 2 million turnover or balance sheet total) are exempt from some duties of DORA; NIS2 holds from medium size.", "Kleinstunternehmen (weniger als 10 Beschäftigte und höchstens 2 Mio. EUR Umsatz oder Bilanzsumme) sind von einigen Pflichten aus DORA ausgenommen; NIS2 gilt ab mittlerer Größe.";
    SIZE = "Size", "Größe";
    ASK_SIGNIFICANT = "Are you a significant institution?", "Sind Sie ein bedeutendes Institut?";
    SIGNIFICANT_HELP = "Significant credit institutions are supervised by the ECB: they need external testers for threat-led penetration tests, and MaRisk does not address them.", "Bedeutende Kreditinstitute beaufsichtigt die EZB: Sie brauchen externe Tester für bedrohungsorientierte Penetrationstests, und die MaRisk richten sich nicht an sie.";
    SIGNIFICANT = "Significant institution", "Bedeutendes Institut";
    ASK_COUNTRY = "In which country are you?", "In welchem Land sitzen Sie?";
    COUNTRY_HELP = "Decides which national law applies (MaRisk and BSIG in Germany) and whose bank holidays move deadlines.", "Entscheidet, welches nationale Recht gilt (MaRisk und BSIG in Deutschland) und wessen Bankfeiertage Fristen verschieben.";
    COUNTRY = "Country", "Land";
    ASK_ZONE = "Which time zone and currency do you use?", "Welche Zeitzone und Währung verwenden Sie?";
    ZONE_HELP = "Pages, emails and reports show times in this zone; analyses give amounts in this currency.", "Seiten, E-Mails und Berichte zeigen Zeiten in dieser Zone; Analysen geben Beträge in dieser Währung an.";
    NAMES = "Name and supervision", "Name und Aufsicht";
    NAMES_HELP = "Reports to authorities carry these.", "Meldungen an Behörden tragen diese Angaben.";
    LEGAL_NAME = "Legal name", "Rechtlicher Name";
    LEI = "LEI", "LEI";
    AUTHORITY = "Competent authority", "Zuständige Behörde";
    RELIEF = "Limits at weekends and on bank holidays", "Fristen an Wochenenden und Bankfeiertagen";
    RELIEF_HELP = "Limits of reports on major incidents that fall on a day off move to noon of the next working day. Essential and important entities under NIS2 have no such relief for the initial notification and the intermediate report, nor have entities for which the authority decided so (2025/301 Art. 5(4) to (6)).", "Fristen für Meldungen schwerwiegender Vorfälle, die auf einen freien Tag fallen, verschieben sich auf 12 Uhr des nächsten Arbeitstags. Wesentliche und wichtige Einrichtungen nach NIS2 haben diese Erleichterung für Erst- und Zwischenmeldung nicht, ebenso wenig Unternehmen, für die die Behörde das entschieden hat (2025/301 Art. 5 Abs. 4 bis 6).";
    NIS2_ENTITY = "Essential or important entity under NIS2", "Wesentliche oder wichtige Einrichtung nach NIS2";
    RELIEF_EXCLUDED = "No relief by decision of the authority since", "Keine Erleichterung durch Entscheidung der Behörde seit";
    REGIME = "Regime of DORA", "Rahmen von DORA";
    REGIME_DERIVED = "It follows from the kind of entity and its size.", "Er folgt aus der Art des Unternehmens und seiner Größe.";
    REGIME_SET = "Set by a person", "Von einer Person festgelegt";
    REGIME_HELP = "Set it only where an exemption holds, with the reason; left open, it follows from your answers.", "Legen Sie ihn nur fest, wo eine Ausnahme greift, mit Begründung; bleibt er offen, folgt er aus Ihren Angaben.";
    REGIME_REASON = "Reason", "Begründung";
    FOLLOWS = "Follows from the answers", "Folgt aus den Angaben";
    READ_ONLY = "Your role can view the profile but not change it.", "Ihre Rolle sieht das Profil, kann es aber nicht ändern.";
}
