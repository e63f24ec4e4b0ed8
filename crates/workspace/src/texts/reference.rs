//! The pages of the catalogue: compliance, timeline, radar, drills, risks, vendors.

use super::texts;

texts! {
    COMPLIANCE = "Compliance status", "Compliance-Stand";
    COMPLIANCE_INTRO = "How far the catalogue's measures and evidence cover each framework. Derived by rule, never entered by hand.", "Wie weit Maßnahmen und Nachweise des Katalogs jedes Rahmenwerk abdecken. Nach Regeln abgeleitet, nie eingetippt.";
    COVERAGE = "Coverage", "Abdeckung";
    COVERAGE_OF = "{covered} of {total} requirements covered", "{covered} von {total} Anforderungen abgedeckt";
    OVERALL = "All frameworks", "Alle Rahmenwerke";
    REQUIREMENT = "Requirement", "Anforderung";
    REQUIREMENTS = "Requirements", "Anforderungen";
    SECTION = "Section", "Abschnitt";
    GAPS = "Gap analysis", "Lückenanalyse";
    GAPS_HELP = "What a supervisor would ask, and what is typically missing.", "Was eine Aufsicht fragen würde und was typischerweise fehlt.";
    QUESTION = "Question", "Frage";
    TARGET = "Target", "Ziel";
    TYPICAL_GAP = "Typical gap", "Typische Lücke";
    EFFORT = "Effort", "Aufwand";
    MEASURES = "Measures", "Maßnahmen";
    MEASURE = "Measure", "Maßnahme";
    ACTION = "What to do", "Was zu tun ist";
    RATIONALE = "Why", "Warum";
    CADENCE = "How often", "Wie oft";
    AUDIT_STEPS = "How an auditor tests it", "So prüft die Revision";
    DETAILS = "Details", "Konkretisiert";
    EVIDENCE = "Evidence", "Nachweise";
    NO_EVIDENCE = "No evidence is defined yet", "Noch ist kein Nachweis festgelegt";
    TREND = "{change} points since the last edition", "{change} Punkte seit der letzten Ausgabe";
    GAPS_BY_PRIORITY = "Questions by priority", "Fragen nach Priorität";
    RETENTION = "Suggested retention: {years} years", "Empfohlene Aufbewahrung: {years} Jahre";
    NO_MEASURE = "No measure of the catalogue meets this requirement yet.", "Noch erfüllt keine Maßnahme des Katalogs diese Anforderung.";
    CITATION = "Citation", "Fundstelle";
    SOURCE = "Source", "Quelle";
    VERSION = "Version", "Fassung";

    ACT = "Act", "Rechtsakt";
    GAP_ITEM = "Gap analysis", "Lückenanalyse";
    DATE = "Date", "Datum";
    MILESTONE = "Milestone", "Meilenstein";
    SIGNAL = "Radar signal", "Radarsignal";
    TRAINING_MODULE = "Training", "Schulung";
    WIDGET = "Widget", "Widget";
    CLOCK = "Reporting clock", "Meldefrist";
    PROVIDER = "Critical provider", "Kritischer Dienstleister";
    DRILL = "Drill", "Übung";

    TRAINING = "Training", "Schulungen";
    TRAINING_INTRO = "Learning modules with questions to check understanding.", "Module zum Lernen, mit Fragen, die das Gelernte prüfen.";
    AUDIENCE = "For", "Für";
    QUIZ = "Questions", "Fragen";
    ANSWER = "Show the answer", "Antwort zeigen";

    TIMELINE = "Timeline", "Zeitleiste";
    TIMELINE_INTRO = "When what applies, and what is due next.", "Wann was gilt und was als Nächstes fällig ist.";
    TIMELINE_BAND = "Milestones by year", "Meilensteine nach Jahr";
    TODAY = "Today", "Heute";
    CATEGORY = "Category", "Kategorie";
    IN_DAYS = "in {days} days", "in {days} Tagen";
    BY_STATUS = "Milestones by status", "Meilensteine nach Status";
    MILESTONES = "Milestones", "Meilensteine";
    OTHER = "Other", "Sonstige";

    RADAR = "Regulatory radar", "Regulatorischer Radar";
    RADAR_INTRO = "What supervisors say and what it means for you.", "Was die Aufsicht sagt und was das für Sie bedeutet.";
    IMPACT = "Impact", "Auswirkung";
    SIGNALS = "Signals", "Signale";
    BY_IMPACT = "Signals by impact", "Signale nach Auswirkung";
    SO_WHAT = "What it means", "Was es bedeutet";

    DRILLS = "Incident drills", "Notfallübungen";
    DRILLS_INTRO = "Scenarios to practise, with tasks and what success looks like.", "Szenarien zum Üben, mit Aufgaben und dem, woran sich Erfolg zeigt.";
    DIFFICULTY = "Difficulty", "Schwierigkeit";
    DURATION = "{minutes} minutes", "{minutes} Minuten";
    OBJECTIVE = "Objective", "Ziel";
    PARTICIPANTS = "Participants", "Teilnehmende";
    INJECTS = "What happens", "Was passiert";
    AT_MINUTE = "Minute {minute}", "Minute {minute}";
    INJECTS_HELP = "Read each inject out at its minute. The participants should not have this page open.", "Jede Einlage zu ihrer Minute vorlesen. Die Teilnehmenden sollten diese Seite nicht geöffnet haben.";
    INJECT = "Inject", "Einlage";
    MINUTE = "Minute", "Minute";
    COURSE = "Course of the drill", "Ablauf der Übung";
    CLOCKS = "Reporting clocks it starts", "Meldefristen, die beginnen";
    HOURS = "{count} hours", "{count} Stunden";
    DAYS = "{count} days", "{count} Tage";
    MONTHS = "{count} months", "{count} Monate";
    TASKS_OF = "Task", "Aufgabe";
    ROLE = "Who", "Wer";
    TASKS = "Tasks", "Aufgaben";
    SUCCESS = "Success criteria", "Erfolgskriterien";

    RISKS = "Risk register", "Risikoregister";
    RISKS_INTRO = "ICT risks of a bank, with and without measures. The level follows from likelihood and impact.", "IKT-Risiken einer Bank, mit und ohne Maßnahmen. Die Stufe folgt aus Wahrscheinlichkeit und Auswirkung.";
    RISK = "Risk", "Risiko";
    MATRIX = "Risk matrix", "Risikomatrix";
    MATRIX_HELP = "How many risks remain in each field after measures. A number leads to its risks.", "Wie viele Risiken nach Maßnahmen in jedem Feld bleiben. Eine Zahl führt zu ihren Risiken.";
    LIKELIHOOD = "Likelihood", "Wahrscheinlichkeit";
    LEVEL = "Level", "Stufe";
    INHERENT = "Before measures", "Vor Maßnahmen";
    RESIDUAL = "After measures", "Nach Maßnahmen";
    TREATMENT = "Treatment", "Behandlung";
    OWNER = "Owner", "Verantwortlich";
    RATING = "Rating", "Einstufung";
    IN_FIELD = "Only the field: {field}.", "Nur das Feld: {field}.";
    ALL_FIELDS = "All fields", "Alle Felder";
    FIELD = "likelihood {likelihood}, impact {impact}", "Wahrscheinlichkeit {likelihood}, Auswirkung {impact}";

    VENDORS = "Vendor scorecard", "Anbieterbewertung";
    VENDORS_INTRO = "Typical providers by five dimensions, weighted into one score.", "Typische Anbieter nach fünf Dimensionen, gewichtet zu einer Punktzahl.";
    VENDOR = "Vendor", "Anbieter";
    CRITICALITY = "Criticality", "Kritikalität";
    SCORE = "Score", "Punkte";
    MIN_SCORE = "Minimum score", "Mindestens Punkte";
    STRENGTHS = "Strengths", "Stärken";
    WEAKNESSES = "Weaknesses", "Schwächen";
    WEIGHT = "Weight", "Gewicht";
    DIMENSION = "Dimension", "Dimension";
    COMPARISON = "Comparison", "Alle im Vergleich";
    SCORES_OF = "Scores of {name}", "Punkte von {name}";
}
