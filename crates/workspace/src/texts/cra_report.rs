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
    ONE = "1 CRA report", "1 CRA-Meldung";
    MANY = "{count} CRA reports", "{count} CRA-Meldungen";
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
    AWARE_AT = "Known since", "Bekannt seit";
    AWARE_HINT = "The clocks start here. It can be corrected, with a reason, until the first stage is filed.", "Hier beginnen die Fristen. Mit Begründung lässt es sich korrigieren, bis die erste Stufe eingereicht ist.";
    AWARE_REASON = "Reason for correcting “Known since”", "Grund für die Korrektur von „Bekannt seit“";
    AWARE_REASON_HINT = "Required if you change that time; kept in the history.", "Erforderlich, wenn Sie diesen Zeitpunkt ändern; steht danach im Verlauf.";
    CORRECTIVE_AT = "Corrective measure available since", "Korrekturmaßnahme verfügbar seit";
    CORRECTIVE_HINT = "Starts the clock of the final report on a vulnerability.", "Startet die Frist des Abschlussberichts zu einer Schwachstelle.";
    NEXT_DUE = "Next due", "Als Nächstes fällig";
    NOTHING_DUE = "nothing due", "nichts fällig";
    STAGES = "What to file, and when", "Was wann zu melden ist";
    DUE = "Due", "Fällig";
    NO_CLOCK = "The clock has not started yet.", "Die Frist hat noch nicht begonnen.";
    SUBMITTED = "Submitted", "Eingereicht";
    RECORDED = "Recorded here", "Hier erfasst";
    AUTHORITY_REFERENCE = "Reference of the authority", "Aktenzeichen der Behörde";
    ASKED = "Required contents", "Vorgeschriebener Inhalt";
    FILED_ELSEWHERE = "The contents are filed with the authority through the single reporting platform. Here you record only that, when and under which reference a stage was filed.", "Die Inhalte reichen Sie bei der Behörde über die einheitliche Meldeplattform ein. Hier erfassen Sie nur, dass, wann und unter welchem Aktenzeichen eine Stufe eingereicht wurde.";
    BESIDES = "What else Art. 14 asks for", "Was Art. 14 außerdem verlangt";
    FORM = "Form as PDF", "Formular als PDF";
    LEFT = "{time} left", "noch {time}";
    OVER = "{time} late", "{time} zu spät";
    FILE_FIRST = "File the stage with the authority first, then record it here.", "Reichen Sie die Stufe zuerst bei der Behörde ein und erfassen Sie sie dann hier.";
    FILED_AT = "Filed with the authority", "Bei der Behörde eingereicht";
    FILED_AT_HINT = "Whether the stage was in time is judged by this. Leave it empty if you filed it just now.", "Danach richtet sich, ob die Frist eingehalten ist. Lassen Sie das Feld leer, wenn Sie gerade eben eingereicht haben.";
    MEASURE_FIRST = "The final report on a vulnerability is due 14 days after the corrective measure became available, so this is needed first.", "Der Abschlussbericht zu einer Schwachstelle ist 14 Tage nach der Verfügbarkeit der Korrekturmaßnahme fällig; deshalb wird diese Angabe zuerst gebraucht.";
    CORRECT = "Correct the filing", "Einreichung korrigieren";
    CORRECTION_REASON = "Reason for the correction", "Grund der Korrektur";
    SAVE_CORRECTION = "Save the correction", "Korrektur speichern";
    INCIDENT = "Incident", "Vorfall";
    FINDING = "Finding", "Feststellung";
    FINDING_HINT = "The reference of the finding that led to the report, such as F-2026-0042.", "Die Referenz der Feststellung, die zur Meldung geführt hat, etwa F-2026-0042.";
    KEEP = "What was filed is kept", "Eingereichtes bleibt erhalten";
    KEEP_HELP = "A report with a filed stage cannot be deleted. Archived, it leaves the list and its clocks no longer remind anyone; it stays readable and can be restored.", "Eine Meldung mit eingereichter Stufe lässt sich nicht löschen. Archiviert steht sie nicht mehr in der Liste, und ihre Fristen lösen keine Erinnerungen mehr aus; sie bleibt lesbar und lässt sich wiederherstellen.";
    ARCHIVED_HELP = "This report is archived. Restore it to change it; its clocks then run on.", "Diese Meldung ist archiviert. Um sie zu ändern, stellen Sie sie wieder her; ihre Fristen laufen dann weiter.";
}
