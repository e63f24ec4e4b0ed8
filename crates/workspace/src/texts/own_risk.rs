//! Risks of the institution.

use super::texts;

texts! {
    TITLE = "Risks", "Risiken";
    INTRO = "Your institution's own risks: rated, treated, accepted or closed.", "Die eigenen Risiken Ihres Instituts: bewertet, behandelt, akzeptiert oder geschlossen.";
    OWN_RISK = "Own risk", "Eigenes Risiko";
    RISK = "Risk", "Risiko";
    NEW = "New risk", "Neues Risiko";
    CREATE = "Create risk", "Risiko anlegen";
    EDIT = "Edit risk", "Risiko ändern";
    EMPTY = "No risks yet", "Es gibt noch kein Risiko";
    EMPTY_HELP = "Enter a risk of your own, or adopt risks from the library.", "Erfassen Sie ein eigenes Risiko, oder übernehmen Sie Risiken aus der Bibliothek.";
    ONE = "1 risk", "1 Risiko";
    MANY = "{count} risks", "{count} Risiken";
    RATING_RULE = "The level follows from the sum of likelihood and impact: up to 4 low, 5 and 6 medium, 7 high, from 8 on critical.", "Die Stufe folgt aus der Summe von Eintrittswahrscheinlichkeit und Schadenshöhe: bis 4 niedrig, 5 und 6 mittel, 7 hoch, ab 8 kritisch.";
    REVIEW_BEFORE = "Review before", "Überprüfung vor";
    ACTIONS = "Actions", "Maßnahmen zur Behandlung";
    ACTION = "Action", "Maßnahme";
    NO_ACTIONS = "No action is planned yet.", "Noch ist keine Maßnahme geplant.";
    ADD_ACTION = "Add action", "Maßnahme hinzufügen";
    NOT_RATED = "Not rated", "Nicht bewertet";
    UNRATED_COUNT = "{count} not rated yet", "{count} noch nicht bewertet";
    ACCEPTANCE_HELP = "Give the reason and the last day. From the level {level} on, a second person accepts the risk; until then this is a proposal.", "Geben Sie Begründung und letzten Tag an. Ab der Stufe „{level}“ akzeptiert eine zweite Person das Risiko; bis dahin ist dies ein Vorschlag.";
    PROPOSE = "Save as proposal", "Als Vorschlag speichern";
    ACCEPT = "Accept the risk", "Risiko akzeptieren";
    NOT_APPROVED = "Not accepted yet", "Noch nicht akzeptiert";
    ABOVE = "Above appetite", "Über dem Risikoappetit";
    ABOVE_HELP = "The appetite of this category ends at {level}.", "Der Risikoappetit dieser Kategorie endet bei der Stufe „{level}“.";
    ALERT_APPETITE = "{reference} is at level {level}, above the appetite ({appetite}): {title}", "{reference} liegt mit der Stufe „{level}“ über dem Risikoappetit ({appetite}): {title}";
    MATRIX = "Matrix", "Matrix";
    MATRIX_TITLE = "Risk matrix", "Risikomatrix";
    MATRIX_INTRO = "How many of your open, treated and accepted risks lie in each field.", "Wie viele Ihrer offenen, behandelten und akzeptierten Risiken in jedem Feld liegen.";
    FIELD = "likelihood {likelihood}, impact {impact}", "Eintrittswahrscheinlichkeit {likelihood}, Schadenshöhe {impact}";
    IN_FIELD = "Only the field: {field}.", "Nur das Feld: {field}.";
    ALL_FIELDS = "Show all", "Alle zeigen";
    ADOPT = "Adopt from the library", "Aus der Bibliothek übernehmen";
    ADOPT_INTRO = "Choose risks of the library. Each becomes a risk of your institution, which you rate and treat yourself.", "Wählen Sie Risiken der Bibliothek. Jedes wird ein Risiko Ihres Instituts, das Sie selbst bewerten und behandeln.";
    ADOPT_SUBMIT = "Adopt the chosen risks", "Gewählte Risiken übernehmen";
    ADOPT_NONE = "All risks of the library are adopted already", "Alle Risiken der Bibliothek sind schon übernommen";
    ADOPT_NONE_HELP = "You find them in the list of your risks.", "Sie finden sie in der Liste Ihrer Risiken.";
    LIBRARY = "Risks of the library", "Risiken der Bibliothek";
    WAS_ADOPTED = "The risks were adopted.", "Die Risiken wurden übernommen.";
    WAS_PROPOSED = "The proposal was saved.", "Der Vorschlag wurde gespeichert.";
    APPETITE = "Risk appetite", "Risikoappetit";
    APPETITE_INTRO = "The highest residual level you take, by category. A risk above it raises an alert unless it is accepted.", "Die höchste Restrisikostufe, die Sie je Kategorie tragen. Ein Risiko darüber löst einen Hinweis aus, solange es nicht akzeptiert ist.";
    NO_LIMIT = "No limit", "Keine Grenze";
    SECOND_PERSON = "Second person from level", "Zweite Person ab Stufe";
    WAS_CHOSEN = "The risk appetite was saved.", "Der Risikoappetit wurde gespeichert.";
}
