//! CRA reports.

use super::texts;

texts! {
    TITLE = "CRA reports", "CRA-Meldungen";
    INTRO = "Exploited vulnerabilities and severe incidents of your products, with the clocks of Art. 14.", "Ausgenutzte Schwachstellen und schwerwiegende Vorfälle Ihrer Produkte, mit den Fristen von Art. 14.";
    NEW = "New report", "Neue Meldung";
    EDIT = "Change the report", "Meldung ändern";
    CREATE = "Start the clocks", "Fristen starten";
    EMPTY = "There is no report yet", "Es gibt noch keine Meldung";
    EMPTY_HELP = "Start one as soon as you know of an exploited vulnerability or a severe incident: the first stage is due within 24 hours.", "Beginnen Sie, sobald Sie von einer ausgenutzten Schwachstelle oder einem schwerwiegenden Vorfall wissen: Die erste Stufe ist binnen 24 Stunden fällig.";
    REPORT = "Report", "Meldung";
    KIND = "Kind", "Art";
    HEADING = "Title", "Titel";
    PRODUCT = "Product", "Produkt";
    PRODUCT_NAME = "Product", "Produkt";
    PRODUCT_VERSION = "Version", "Version";
    SEVERITY = "Severity", "Schweregrad";
    CVE = "CVE", "CVE";
    MEMBER_STATES = "Member States", "Mitgliedstaaten";
    MEMBER_STATES_HINT = "Two-letter codes, one per line, such as DE.", "Länderkürzel mit zwei Buchstaben, je Zeile eines, etwa DE.";
    AWARE_AT = "Known since (UTC)", "Bekannt seit (UTC)";
    AWARE_HINT = "The clocks start here; it cannot be changed later.", "Hier beginnen die Fristen; das lässt sich später nicht ändern.";
    CORRECTIVE_AT = "Corrective measure available since (UTC)", "Korrekturmaßnahme verfügbar seit (UTC)";
    CORRECTIVE_HINT = "Starts the clock of the final report on a vulnerability.", "Startet die Frist des Abschlussberichts zu einer Schwachstelle.";
    NEXT_DUE = "Next due", "Als Nächstes fällig";
    NOTHING_DUE = "nothing due", "nichts fällig";
    STAGES = "What to file, and when", "Was wann zu melden ist";
    DUE = "Due", "Fällig";
    NO_CLOCK = "The clock has not started yet.", "Die Frist hat noch nicht begonnen.";
    SUBMITTED = "Submitted", "Eingereicht";
    ASKED = "Information to provide", "Anzugeben";
    BESIDES = "What else Art. 14 asks for", "Was Art. 14 außerdem verlangt";
    FORM = "Form as PDF", "Formular als PDF";
    LEFT = "{time} left", "noch {time}";
    OVER = "{time} late", "{time} zu spät";
    STAMPED = "Recording a stage stamps it with the present moment, so file it with the authority first.", "Das Erfassen einer Stufe stempelt sie mit dem jetzigen Zeitpunkt; reichen Sie sie also zuerst bei der Behörde ein.";
}
