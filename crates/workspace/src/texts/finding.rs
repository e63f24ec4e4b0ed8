//! Findings.

use super::texts;

texts! {
    TITLE = "Findings", "Feststellungen";
    INTRO = "What needs to be fixed, from discovery to closure.", "Was zu beheben ist, von der Entdeckung bis zum Abschluss.";
    NEW = "New finding", "Neue Feststellung";
    EDIT = "Change the finding", "Feststellung ändern";
    EMPTY = "There is no finding yet", "Es gibt noch keine Feststellung";
    NONE_OPEN = "No finding is open", "Keine Feststellung ist offen";
    NONE_OPEN_HELP = "Closed ones are listed with the status “All”.", "Abgeschlossene zeigt der Status „Alle“.";
    EMPTY_HELP = "Record what a test, an audit or a scan has shown.", "Halten Sie fest, was ein Test, eine Prüfung oder ein Scan gezeigt hat.";
    ONE = "1 finding", "1 Feststellung";
    MANY = "{count} findings", "{count} Feststellungen";
    FINDING = "Finding", "Feststellung";
    OPEN_ONES = "Without a choice: open ones", "Ohne Auswahl: offene";
    CVE_HINT = "Such as CVE-2026-12345.", "Etwa CVE-2026-12345.";
    CVSS_HINT = "0.0 to 10.0", "0,0 bis 10,0";
    ACCEPT = "Accept the risk", "Risiko akzeptieren";
    ACCEPT_HELP = "The finding reopens automatically the day after.", "Die Feststellung öffnet sich am Tag danach von selbst wieder.";
    OVERDUE_FILTER = "Due", "Fälligkeit";
    OVERDUE_ONLY = "Overdue only", "Nur überfällige";
    CREATE = "Record the finding", "Feststellung anlegen";
    BULK_DONE = "{changed} changed, {unchanged} {unchanged|was|were} like that already.", "{changed} geändert, {unchanged} {unchanged|war|waren} schon so.";
    BULK_REFUSED = "Nothing was changed, because not all of them can be changed like this:", "Nichts wurde geändert, weil sich nicht alle so ändern lassen:";
    IMPORT = "Import", "Importieren";
    BULK_NONE = "No finding was chosen.", "Keine Feststellung war ausgewählt.";
    DUE_BY_RULE = "from the settings", "aus den Einstellungen";
    DUE_HINT = "Left empty, it follows from the severity: {days}.", "Bleibt es leer, folgt es aus dem Schweregrad: {days}.";
    DUE_OF = "{severity} {days} {days|day|days}", "{severity} {days} {days|Tag|Tage}";
    AGE = "Age", "Alter";
    ONE_DAY = "1 day", "1 Tag";
    DAYS = "{days} {days|day|days}", "{days} {days|Tag|Tage}";
    SOURCE = "Source", "Quelle";
    BY_HAND = "Entered by hand", "Von Hand erfasst";
    RETESTS = "Retests", "Nachtests";
    NO_RETEST = "Not retested yet.", "Noch nicht nachgetestet.";
    RETEST_NEEDED = "Can be closed only after a passed retest", "Lässt sich erst nach einem bestandenen Nachtest schließen";
    RECORD_RETEST = "Record a retest", "Nachtest erfassen";
    RETEST_HELP = "What was recorded stays as it is. To correct a retest, record another one.", "Was erfasst ist, bleibt stehen. Ein weiterer Nachtest berichtigt es.";
    RETEST_BY_HINT = "Left empty, it was you.", "Bleibt es leer, waren Sie es.";
    RETEST_ACTUAL_HINT = "Required when the retest failed.", "Nötig, wenn der Nachtest nicht bestanden wurde.";
    RETEST_PERFORMED_BY = "Performed by {who}", "Durchgeführt von {who}";
    RETEST_RECORDED_BY = "Recorded by {who}, {when}", "Erfasst von {who}, {when}";
    WAS_RETESTED = "The retest is recorded.", "Der Nachtest ist erfasst.";
    CHOOSE = "Choose", "Auswählen";
}
