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
    HEADING = "Title", "Titel";
    SEVERITY = "Severity", "Schweregrad";
    OPEN_ONES = "Open ones", "Offene";
    ASSET = "Affected asset", "Betroffenes Objekt";
    CVE = "CVE", "CVE";
    CVE_HINT = "Such as CVE-2026-12345.", "Etwa CVE-2026-12345.";
    CVSS = "CVSS score", "CVSS-Wert";
    CVSS_HINT = "0.0 to 10.0", "0,0 bis 10,0";
    REMEDIATION = "Remediation", "Behebung";
    DETECTED = "Detected", "Entdeckt";
    CLOSED = "Closed", "Geschlossen";
    ACCEPTANCE = "Accepted risk", "Akzeptiertes Risiko";
    ACCEPT = "Accept the risk", "Risiko akzeptieren";
    ACCEPT_HELP = "The finding reopens automatically the day after.", "Die Feststellung öffnet sich am Tag danach von selbst wieder.";
    REASON = "Reason", "Begründung";
    UNTIL = "Until", "Bis";
    OVERDUE_FILTER = "Due", "Fälligkeit";
    OVERDUE_ONLY = "Overdue only", "Nur überfällige";
    CREATE = "Record the finding", "Feststellung anlegen";
    BULK = "Change several at once", "Mehrere auf einmal ändern";
    BULK_HELP = "Choose findings in the list, then what all of them should have. What stays empty stays as it is.", "Wählen Sie Feststellungen in der Liste und dann, was alle haben sollen. Was leer bleibt, bleibt, wie es ist.";
    BULK_KEEP = "As it is", "Wie bisher";
    BULK_SUBMIT = "Change the selected findings", "Ausgewählte ändern";
    BULK_DONE = "{changed} changed, {unchanged} were like that already.", "{changed} geändert, {unchanged} waren schon so.";
    BULK_REFUSED = "Nothing was changed, because not all of them can be changed like this:", "Nichts wurde geändert, weil sich nicht alle so ändern lassen:";
    IMPORT = "Import", "Importieren";
    BULK_NONE = "No finding was chosen.", "Keine Feststellung war ausgewählt.";
    DUE_BY_RULE = "from the settings", "aus den Einstellungen";
    DUE_HINT = "Left empty, it follows from the severity: {days}.", "Bleibt es leer, folgt es aus dem Schweregrad: {days}.";
    DUE_OF = "{severity} {days} days", "{severity} {days} Tage";
    AGE = "Age", "Alter";
    ONE_DAY = "1 day", "1 Tag";
    DAYS = "{days} days", "{days} Tage";
    SOURCE = "Source", "Quelle";
    BY_HAND = "Entered by hand", "Von Hand erfasst";
    CHOSEN = "{count} chosen", "{count} ausgewählt";
    CHOOSE = "Choose", "Auswählen";
}
