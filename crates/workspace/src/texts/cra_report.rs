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
    MEMBER_STATES_HINT = "Two-letter codes, one per line, such as DE.", "Länderkürzel mit zwei Buchstaben, je Zeile eines, etwa DE.";
    AWARE_HINT = "The clocks start here. It can be corrected, with a reason, until the first stage is filed.", "Hier beginnen die Fristen. Mit Begründung lässt es sich korrigieren, bis die erste Stufe eingereicht ist.";
    AWARE_REASON = "Reason for correcting “Known since”", "Grund für die Korrektur von „Bekannt seit“";
    AWARE_REASON_HINT = "Required if you change that time; kept in the history.", "Erforderlich, wenn Sie diesen Zeitpunkt ändern; steht danach im Verlauf.";
    CORRECTIVE_HINT = "Starts the clock of the final report on a vulnerability.", "Startet die Frist des Abschlussberichts zu einer Schwachstelle.";
    NEXT_DUE = "Next due", "Als Nächstes fällig";
    NOTHING_DUE = "nothing due", "nichts fällig";
    STAGES = "What to file, and when", "Was wann zu melden ist";
    DUE = "Due", "Fällig";
    NO_CLOCK = "The clock has not started yet.", "Die Frist hat noch nicht begonnen.";
    FILED_ELSEWHERE = "Prepare the contents of each stage here and file them with the authority through the single reporting platform. Once you record the stage as filed, its contents are kept as they were.", "Bereiten Sie den Inhalt jeder Stufe hier vor und reichen Sie ihn bei der Behörde über die einheitliche Meldeplattform ein. Sobald Sie die Stufe als eingereicht erfassen, bleibt ihr Inhalt so erhalten, wie er war.";
    SAVE_CONTENTS = "Save the contents", "Inhalt speichern";
    CONTENTS_KEPT = "As filed; later changes of the report do not change it.", "Wie eingereicht; spätere Änderungen der Meldung ändern ihn nicht.";
    BESIDES = "What else Art. 14 asks for", "Was Art. 14 außerdem verlangt";
    FORM = "Form as PDF", "Formular als PDF";
    LEFT = "{time} left", "noch {time}";
    OVER = "{time} late", "{time} zu spät";
    FILE_FIRST = "File the stage with the authority first, then record it here.", "Reichen Sie die Stufe zuerst bei der Behörde ein und erfassen Sie sie dann hier.";
    FILED_AT_HINT = "Whether the stage was in time is judged by this. Leave it empty if you filed it just now.", "Danach richtet sich, ob die Frist eingehalten ist. Lassen Sie das Feld leer, wenn Sie gerade eben eingereicht haben.";
    MEASURE_FIRST = "The final report on a vulnerability is due 14 days after the corrective measure became available, so this is needed first.", "Der Abschlussbericht zu einer Schwachstelle ist 14 Tage nach der Verfügbarkeit der Korrekturmaßnahme fällig; deshalb wird diese Angabe zuerst gebraucht.";
    ALREADY_PROVIDED = "Nothing filed, because the stage before contained it: reason", "Nichts eingereicht, weil die Stufe davor es enthielt: Begründung";
    ALREADY_PROVIDED_HINT = "Art. 14(2) and (4): the stage then counts as filed with the one before. Otherwise leave it empty.", "Art. 14 Abs. 2 und 4: Die Stufe gilt dann als mit der davor eingereicht. Sonst leer lassen.";
    IN_DAYS = "Counted to the end of the last day in your time zone: our reading, after Regulation (EEC, Euratom) No 1182/71, Art. 3(2).", "Bis zum Ende des letzten Tages in Ihrer Zeitzone gerechnet: unsere Lesart nach Art. 3 Abs. 2 der Verordnung (EWG, Euratom) Nr. 1182/71.";
    INTERIM_OWED = "Requested and not sent: due without undue delay", "Verlangt und nicht gesendet: unverzüglich fällig";
    INCIDENT = "Incident", "Vorfall";
    KEEP = "What was filed is kept", "Eingereichtes bleibt erhalten";
    KEEP_HELP = "A report with a filed stage cannot be deleted. Archived, it leaves the list and its clocks no longer remind anyone; it stays readable and can be restored.", "Eine Meldung mit eingereichter Stufe lässt sich nicht löschen. Archiviert steht sie nicht mehr in der Liste, und ihre Fristen lösen keine Erinnerungen mehr aus; sie bleibt lesbar und lässt sich wiederherstellen.";
    ARCHIVED_HELP = "This report is archived. Restore it to change it; its clocks then run on.", "Diese Meldung ist archiviert. Um sie zu ändern, stellen Sie sie wieder her; ihre Fristen laufen dann weiter.";
}
