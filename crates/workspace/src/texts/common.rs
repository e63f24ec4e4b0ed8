//! Shared by many pages: navigation, buttons, states.

use super::texts;

texts! {
    PRODUCT = "Tidewall", "Tidewall";
    SKIP = "Skip to the content", "Zum Inhalt springen";
    MENU = "Menu", "Menü";
    MAIN_MENU = "Main menu", "Hauptmenü";
    SEARCH_OR_GO = "Go to…", "Gehe zu…";
    PALETTE_TITLE = "Start something or go to a page", "Etwas beginnen oder zu einer Seite gehen";
    TRAIL = "Breadcrumbs", "Navigationspfad";
    PALETTE_HINT = "Type to filter, Enter to open, Escape to close", "Tippen filtert, Eingabe öffnet, Escape schließt";
    PALETTE_NONE = "No matches.", "Nichts passt.";
    WAITING = "({count} waiting)", "({count} {count|wartet|warten})";
    OPEN_MENU = "Open your menu", "Eigenes Menü öffnen";

    GROUP_RESILIENCE = "Resilience", "Resilienz";
    GROUP_COMPLIANCE = "Compliance", "Compliance";
    ASSESSMENTS = "Own assessments", "Eigene Bewertungen";
    CONTROLS = "Controls", "Kontrollen";
    STATEMENT = "Statement of applicability", "Erklärung zur Anwendbarkeit";
    GROUP_THIRD_PARTIES = "Third parties", "Drittparteien";
    GROUP_LIBRARY = "Library", "Bibliothek";
    GROUP_ADMINISTRATION = "Administration", "Verwaltung";
    DASHBOARD = "Dashboard", "Übersicht";
    PROGRAMMES = "Programmes", "Programme";
    TEST_CASES = "Test cases", "Testfälle";
    FINDINGS = "Findings", "Feststellungen";
    INCIDENTS = "Incidents", "Vorfälle";
    CRA_REPORTS = "CRA reports", "CRA-Meldungen";
    ARRANGEMENTS = "ICT arrangements", "IKT-Vereinbarungen";
    REGISTER = "Register of information", "Informationsregister";
    CONCENTRATION = "Concentration risk", "Konzentrationsrisiko";
    COMPLIANCE = "Catalogue coverage", "Katalogabdeckung";
    REQUIREMENTS = "Requirements", "Anforderungen";
    GAPS = "Gap checklist", "Lücken-Checkliste";
    TIMELINE = "Timeline", "Zeitleiste";
    RADAR = "Regulatory radar", "Regulatorischer Radar";
    DRILLS = "Drill scenarios", "Übungsszenarien";
    PROVIDER_QUESTIONS = "Provider questions", "Fragen an Dienstleister";
    RISK_REGISTER = "Risk library", "Risikobibliothek";
    TRAINING = "Training material", "Schulungsmaterial";
    SEARCH = "Search", "Suche";
    VENDOR_SCORECARD = "Vendor archetypes", "Dienstleister-Archetypen";
    API_KEYS = "API keys", "API-Schlüssel";
    WEBHOOKS = "Webhooks", "Webhooks";
    EVENT_HOOKS = "Event hooks", "Ereignis-Hooks";
    AUDIT = "Audit log", "Prüfprotokoll";
    USERS = "Users", "Personen";
    SETTINGS = "Settings", "Einstellungen";
    PROFILE = "Profile", "Profil";
    DESIGN = "Design system", "Gestaltung";
    SIGN_OUT = "Sign out", "Abmelden";

    NEVER = "never", "nie";
    YES = "Yes", "Ja";
    NO = "No", "Nein";
    SAVE = "Save", "Speichern";
    CANCEL = "Cancel", "Abbrechen";
    DELETE = "Delete", "Löschen";
    COPY = "Copy", "Kopieren";
    COPIED = "Copied", "Kopiert";
    NAME = "Name", "Name";
    STATUS = "Status", "Status";
    CHANGED = "Changed", "Geändert";
    ACTIONS = "Actions", "Aktionen";
    ACTIVE = "Active", "Aktiv";
    INACTIVE = "Inactive", "Inaktiv";
    REQUIRED_KEY = "Fields marked with * are required.", "Felder mit * sind Pflichtfelder.";
    EXPORT = "Export", "Exportieren";
    CANNOT_UNDO = "This cannot be undone.", "Das lässt sich nicht rückgängig machen.";

    PAGES = "Pages", "Seiten";
    PREVIOUS = "Previous", "Zurück";
    NEXT = "Next", "Weiter";
    FIRST = "First", "Anfang";
    LAST = "Last", "Letzte";
    RANGE = "{first}–{last} of {total}", "{first}–{last} von {total}";

    PLEASE_CHECK = "Please check your entries", "Bitte die Eingaben prüfen";
    IMPORT_CHECKED = "Import this file", "Diese Datei importieren";
    CHOOSE_AGAIN = "Choose the file again and import it.", "Wählen Sie die Datei noch einmal, und importieren Sie sie.";
    WORKING = "The file is being read…", "Die Datei wird gelesen …";
    MORE_LINES = "and {count} more", "und {count} weitere";
}
