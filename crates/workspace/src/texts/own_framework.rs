//! Frameworks of the institution's own.

use super::texts;

texts! {
    TITLE = "Own frameworks", "Eigene Rahmenwerke";
    INTRO = "House policies, rules of your group and standards that the library lacks. Once a second person approves one, its requirements are assessed like all others.", "Interne Richtlinien, Vorgaben Ihrer Gruppe und Standards, die in der Bibliothek fehlen. Sobald eine zweite Person ein Rahmenwerk freigibt, werden seine Anforderungen bewertet wie alle anderen.";
    OWN_FRAMEWORK = "Own framework", "Eigenes Rahmenwerk";
    OWN_REQUIREMENT = "Own requirement", "Eigene Anforderung";
    NEW = "New own framework", "Neues eigenes Rahmenwerk";
    CREATE = "Create framework", "Rahmenwerk anlegen";
    EDIT = "Edit own framework", "Eigenes Rahmenwerk ändern";
    EMPTY = "No own frameworks yet", "Noch keine eigenen Rahmenwerke";
    EMPTY_HELP = "Create one, then write its requirements or import them from a workbook or an OSCAL catalogue.", "Legen Sie eines an; die Anforderungen erfassen Sie dann selbst oder lesen sie aus einer Arbeitsmappe oder einem OSCAL-Katalog ein.";
    ONE = "1 own framework", "1 eigenes Rahmenwerk";
    MANY = "{count} own frameworks", "{count} eigene Rahmenwerke";
    HEADING = "Title", "Titel";
    KEY_HINT = "The ids of all requirements begin with it, such as house-it. It cannot be changed later.", "Damit beginnen die Kennungen aller Anforderungen, etwa haus-it. Er lässt sich später nicht ändern.";
    NOT_IN_FORCE = "Nothing yet", "Noch nichts";
    IN_FORCE_SET = "{title}, set {number}", "{title}, Stand {number}";
    REVISION = "A change is being prepared. Until it is approved, set {number} stays in force.", "Eine Änderung ist in Arbeit. Bis zu ihrer Freigabe bleibt Stand {number} in Kraft.";
    ANOTHER_PERSON = "You changed something since the last approval. Another person has to approve it.", "Sie haben seit der letzten Freigabe etwas geändert. Eine andere Person muss freigeben.";
    NO_REQUIREMENTS = "No requirements yet", "Noch keine Anforderungen";
    NO_REQUIREMENTS_HELP = "Write the first one, or import them.", "Erfassen Sie die erste, oder lesen Sie sie ein.";
    NO_CHAPTER = "Without a chapter", "Ohne Kapitel";
    ASSESS = "Assess", "Bewerten";
    EARLIER = "Set {number} of {last}, as it was. Nothing can be changed here.", "Stand {number} von {last}, wie er war. Hier lässt sich nichts ändern.";
    SHOW_SET = "Show set {number}", "Stand {number} zeigen";
    SHOW_CURRENT = "Back to the current set", "Zurück zum aktuellen Stand";
    NEW_REQUIREMENT = "New requirement", "Neue Anforderung";
    EDIT_REQUIREMENT = "Edit requirement", "Anforderung ändern";
    ID = "Id", "Kennung";
    ID_HINT = "Begins with {key}-. Without one it is made from the number.", "Beginnt mit {key}-. Ohne Angabe wird sie aus der Nummer gebildet.";
    CHAPTER = "Chapter", "Kapitel";
    NUMBER = "Number", "Nummer";
    NUMBER_HINT = "As it is printed, such as 4.2.", "Wie sie gedruckt ist, etwa 4.2.";
    TEXT = "Text", "Text";
    APPLICABILITY = "Applies to", "Gilt für";
    APPLICABILITY_HINT = "For whom or for what it holds, in your own words.", "Für wen oder wofür sie gilt, in eigenen Worten.";
    MEASURES = "Measures of the library", "Maßnahmen der Bibliothek";
    MEASURES_HINT = "Ids, one per line. Controls for these measures then answer the requirement.", "Kennungen, eine je Zeile. Kontrollen zu diesen Maßnahmen beantworten dann die Anforderung.";
    BASED_ON = "Details requirements of the library", "Konkretisiert Anforderungen der Bibliothek";
    BASED_ON_HINT = "Ids such as dora-art-12-01, one per line.", "Kennungen wie dora-art-12-01, eine je Zeile.";
    IMPORT = "Import requirements", "Anforderungen importieren";
    IMPORT_INTRO = "From a workbook (XLSX) or an OSCAL catalogue in JSON. The file takes the place of all requirements; nothing takes effect before it is approved.", "Aus einer Arbeitsmappe (XLSX) oder einem OSCAL-Katalog in JSON. Die Datei ersetzt alle Anforderungen; wirksam wird nichts vor der Freigabe.";
    IMPORT_COLUMNS = "The first row names the columns, in English or German. Title and text are needed, and an id or a number.", "Die erste Zeile nennt die Spalten, englisch oder deutsch. Nötig sind Titel und Text sowie Kennung oder Nummer.";
    CHECKED = "The file can be imported", "Die Datei lässt sich importieren";
    IMPORTED = "The requirements are imported", "Die Anforderungen sind importiert";
    CREATED_COUNT = "New", "Neu";
    CHANGED_COUNT = "Changed", "Geändert";
    REMOVED_COUNT = "Gone", "Entfallen";
    UNCHANGED_COUNT = "Unchanged", "Unverändert";
    IGNORED = "Not taken from the file", "Nicht aus der Datei übernommen";
    ALL_OF_THEM = "{count} in all", "Insgesamt {count}";
    WORKBOOK = "Workbook", "Arbeitsmappe";
    WAS_REMOVED = "The requirement is removed.", "Die Anforderung ist entfernt.";
    REMOVE = "Remove requirement", "Anforderung entfernen";
    REMOVE_ASK = "“{title}” leaves the draft. What is in force stays until the next approval.", "„{title}“ verlässt den Entwurf. Was in Kraft ist, bleibt es bis zur nächsten Freigabe.";
}
