//! The register of ICT arrangements.

use super::texts;

texts! {
    TITLE = "ICT arrangements", "IKT-Vereinbarungen";
    INTRO = "Your register of information: who provides which service for which functions. The concentration analysis reads it.", "Ihr Informationsregister: wer welche Dienste für welche Funktionen erbringt. Die Konzentrationsanalyse liest es.";
    NEW = "New arrangement", "Neue Vereinbarung";
    EDIT = "Change the arrangement", "Vereinbarung ändern";
    EMPTY = "The register is empty", "Das Register ist leer";
    EMPTY_HELP = "Import the official templates, or enter the first contract.", "Importieren Sie die amtlichen Vorlagen, oder tragen Sie den ersten Vertrag ein.";
    REFERENCE = "Contract reference", "Vertragsnummer";
    PROVIDER = "Provider", "Dienstleister";
    LEI = "LEI", "LEI";
    COUNTRY = "Country of the provider", "Land des Dienstleisters";
    COUNTRY_HINT = "Two letters, such as DE.", "Zwei Buchstaben, etwa DE.";
    SECTOR = "Sector", "Branche";
    SERVICE = "Service", "Dienst";
    SERVICE_TYPE = "Type of service", "Art des Dienstes";
    TECHNOLOGY = "Technology", "Technologie";
    REGION = "Region", "Region";
    FUNCTIONS = "Functions it supports", "Unterstützte Funktionen";
    FUNCTIONS_HINT = "One per line; an asterisk in front marks a critical or important one.", "Je Zeile eine; ein Stern davor kennzeichnet eine kritische oder wichtige.";
    SUBSTITUTABILITY = "Substitutability", "Ersetzbarkeit";
    COST = "Annual cost", "Jährliche Kosten";
    COST_HINT = "Such as 125000.00.", "Etwa 125000.00.";
    CURRENCY = "Currency", "Währung";
    STARTS_ON = "Starts on", "Beginnt am";
    ENDS_ON = "Ends on", "Endet am";
    CRITICAL = "Critical", "Kritisch";
    CRITICAL_FILTER = "Functions", "Funktionen";
    CRITICAL_ONLY = "With critical functions", "Mit kritischen Funktionen";
    COST_ELSEWHERE = "counted at the framework contract", "beim Rahmenvertrag gezählt";
    CREATE = "Enter the arrangement", "Vereinbarung eintragen";
    SIMULATE = "What would it change?", "Was würde sie ändern?";
    SORT_REFERENCE = "Reference", "Vertragsnummer";
    SORT_NEWEST = "Newest first", "Neueste zuerst";
    SORT_COSTLIEST = "Costliest first", "Teuerste zuerst";
    IMPORT = "Import", "Importieren";
    IMPORT_TITLE = "Import the register", "Register importieren";
    IMPORT_INTRO = "A CSV file, one of the official templates, or a zipped report package. A contract that is known by its reference is changed; none is removed.", "Eine CSV-Datei, eine der amtlichen Vorlagen oder ein gezipptes Meldepaket. Ein Vertrag mit bekannter Nummer wird geändert; keiner wird entfernt.";
    FILE = "File", "Datei";
    TEMPLATE = "Template", "Vorlage";
    TEMPLATE_HINT = "Only for a single official template.", "Nur für eine einzelne amtliche Vorlage.";
    TEMPLATE_OWN = "Our own table, or a package", "Unsere eigene Tabelle oder ein Paket";
    CHECK = "Check only", "Nur prüfen";
    IMPORT_SUBMIT = "Import now", "Jetzt importieren";
    CHECKED = "The file is sound", "Die Datei ist in Ordnung";
    CHECKED_HELP = "Nothing was stored yet: {added} would be added, {changed} changed, {unchanged} stay as they are.", "Noch wurde nichts gespeichert: {added} kämen hinzu, {changed} würden geändert, {unchanged} blieben.";
    IMPORTED = "The register is imported", "Das Register ist importiert";
    IMPORTED_HELP = "{added} added, {changed} changed, {unchanged} as they were.", "{added} hinzugefügt, {changed} geändert, {unchanged} unverändert.";
    UNUSED = "Contracts that no line uses; their cost counts nowhere:", "Verträge, die keine Zeile benutzt; ihre Kosten zählen nirgends:";
    REFUSED = "Nothing was imported", "Nichts wurde importiert";
    REFUSED_HELP = "{total} problems. Correct the file and try again.", "{total} Probleme. Bitte die Datei berichtigen und noch einmal versuchen.";
    LINE = "Line", "Zeile";
    COLUMN = "Column", "Spalte";
    PROBLEM = "Problem", "Problem";
    REMEDY = "Remedy", "Abhilfe";
}
