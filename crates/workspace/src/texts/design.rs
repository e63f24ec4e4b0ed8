//! The design system's own page.

use super::texts;

texts! {
    TITLE = "Design system", "Gestaltung";
    INTRO = "The parts every page is made of. A new page uses these and adds none of its own.", "Die Teile, aus denen jede Seite besteht. Eine neue Seite benutzt diese und bringt keine eigenen mit.";
    COLOURS = "Colours", "Farben";
    COLOURS_HELP = "Named by what they mean. Each pair of text and ground has at least the contrast WCAG 2.2 AA asks for, in light and in dark.", "Benannt nach ihrer Bedeutung. Jedes Paar aus Text und Grund hat mindestens den Kontrast, den WCAG 2.2 AA verlangt, hell wie dunkel.";
    TYPE = "Type scale", "Schriftgrade";
    TYPE_SAMPLE = "The tide comes in twice a day", "Die Flut kommt zweimal am Tag";
    SPACING = "Spacing", "Abstände";
    SPACING_HELP = "Multiples of four pixels, and nothing between.", "Vielfache von vier Pixeln und nichts dazwischen.";
    STATES = "States", "Zustände";
    STATES_HELP = "A state differs in shape as well as in colour, so that it can be told apart in print and by everybody.", "Ein Zustand unterscheidet sich in Form und Farbe, damit ihn alle und auch der Druck unterscheiden.";
    GOOD = "Good", "Gut";
    NOTICE = "Notice", "Hinweis";
    WARNING = "Warning", "Warnung";
    CRITICAL = "Critical", "Kritisch";
    NEUTRAL = "Neutral", "Neutral";
    MUTED = "Muted", "Zurückgenommen";
    RUNNING = "In progress", "In Bearbeitung";
    BUTTONS = "Buttons", "Schaltflächen";
    PRIMARY = "Primary", "Wichtigste";
    PLAIN = "Plain", "Einfach";
    DANGER = "Destructive", "Zerstörend";
    BUTTONS_HELP = "One primary button per page. Destructive ones open a question first.", "Eine wichtigste Schaltfläche je Seite. Zerstörende fragen zuerst nach.";
    FIELDS = "Fields", "Felder";
    FIELD_TEXT = "A text", "Ein Text";
    FIELD_HINT = "A hint says what to write and why.", "Ein Hinweis sagt, was hierhin gehört und warum.";
    FIELD_WRONG = "A field with a complaint", "Ein Feld mit Beanstandung";
    TABLES = "Tables", "Tabellen";
    TABLES_HELP = "On a narrow screen each row becomes a card with its labels.", "Auf schmalem Bildschirm wird jede Zeile zur Karte mit ihren Beschriftungen.";
    CHARTS = "Charts", "Diagramme";
    VALUE = "Value", "Wert";
    CHARTS_HELP = "Drawn on the server, with a table behind each.", "Auf dem Server gezeichnet, mit einer Tabelle hinter jedem.";
    NOTICES = "Notices", "Meldungen";
    EMPTY = "Empty states", "Leere Zustände";
    EMPTY_TITLE = "There is nothing here yet", "Hier ist noch nichts";
    EMPTY_HELP = "An empty page says what to do first.", "Eine leere Seite sagt, was zuerst zu tun ist.";
}
