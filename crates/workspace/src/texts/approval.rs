//! Approvals: decisions that need a second person, and the policy about them.

use super::texts;

texts! {
    TITLE = "Approvals", "Freigaben";
    INTRO = "Decisions that need a second person: who asked, who decides, and what was decided. A granted request is carried out at once.", "Entscheidungen, die eine zweite Person brauchen: wer angefragt hat, wer entscheidet und was entschieden wurde. Eine erteilte Freigabe wird sofort ausgeführt.";
    APPROVAL = "Approval", "Freigabe";
    EMPTY = "No approvals yet", "Noch keine Freigaben";
    EMPTY_HELP = "Where your policy leaves a decision to a second person, the page of the record offers to ask for it. Requests and decisions are listed here.", "Wo Ihre Richtlinie eine Entscheidung einer zweiten Person überlässt, lässt sie sich auf der Seite des Datensatzes anfragen. Anfragen und Entscheidungen stehen dann hier.";
    NONE_WAITING = "Nothing waits for you", "Nichts wartet auf Sie";
    NONE_WAITING_HELP = "Requests that you can decide about appear here and in your inbox.", "Anfragen, über die Sie entscheiden können, erscheinen hier und in Ihrem Posteingang.";
    FOR_ME = "Waiting for me", "Wartet auf mich";
    BY_ME = "Asked by me", "Von mir angefragt";
    EVERY = "All", "Alle";
    ONE = "1 approval", "1 Freigabe";
    MANY = "{count} approvals", "{count} Freigaben";
    SUBJECT = "Record", "Datensatz";
    ACTION = "Decision", "Entscheidung";
    STATE = "State", "Stand";
    ASKED_BY = "Asked by", "Angefragt von";
    ASKED_AT = "Asked", "Angefragt";
    REASON = "Reason", "Begründung";
    UNTIL = "Accepted until", "Akzeptiert bis";
    DECIDED_BY = "Decided by", "Entschieden von";
    DECIDED_AT = "Decided", "Entschieden";
    NOTE = "What you say to it", "Ihre Anmerkung";
    NOTE_HELP = "The person who asked reads it. A refusal needs a reason.", "Die anfragende Person liest sie. Eine Ablehnung braucht eine Begründung.";
    SAID = "Note", "Anmerkung";
    CHANGED = "Lapsed because these fields changed", "Verfallen, weil sich diese Felder geändert haben";
    DECIDERS = "Can decide", "Kann entscheiden";
    NO_DECIDERS = "At present no one can decide this: all people whom the policy allows asked for it, changed the record or own it. An administrator can change the policy or invite another manager.", "Derzeit kann hier niemand entscheiden: Alle, die die Richtlinie zulässt, haben angefragt, den Datensatz geändert oder verantworten ihn. Ein Konto mit Administrationsrechten kann die Richtlinie ändern oder eine weitere leitende Person einladen.";
    WAITING = "Waiting for a decision", "Wartet auf Entscheidung";
    GRANT = "Grant and carry out", "Erteilen und ausführen";
    REFUSE = "Refuse", "Ablehnen";
    WITHDRAW = "Withdraw the request", "Anfrage zurückziehen";
    ASK = "Ask for approval", "Freigabe anfragen";
    ASK_INTRO = "The policy of your institution leaves this decision to a second person. Say why it is right; once it is granted, it is carried out without further steps.", "Die Richtlinie Ihres Instituts überlässt diese Entscheidung einer zweiten Person. Begründen Sie, warum sie richtig ist; sobald sie erteilt ist, wird sie ohne weitere Schritte ausgeführt.";
    ASK_HELP = "If the record changes before the decision, the request lapses.", "Ändert sich der Datensatz vor der Entscheidung, verfällt die Anfrage.";
    SEND = "Ask", "Anfragen";
    WAS_ASKED = "The approval is asked for. You get a notice when it is decided.", "Die Freigabe ist angefragt. Sie erhalten eine Nachricht, sobald entschieden ist.";
    WAS_GRANTED = "The approval is granted and carried out.", "Die Freigabe ist erteilt und ausgeführt.";
    WAS_REFUSED = "The request is refused.", "Die Anfrage ist abgelehnt.";
    WAS_WITHDRAWN = "The request is withdrawn.", "Die Anfrage ist zurückgezogen.";
    POLICY = "Approval policy", "Freigaberichtlinie";
    POLICY_INTRO = "Which decisions need a second person. No one decides about their own request, about what they changed since the last decision, or about what they own. Acceptances of risks follow the risk appetite; assessments, own frameworks and filings always need a second person.", "Welche Entscheidungen eine zweite Person brauchen. Niemand entscheidet über die eigene Anfrage, über seit der letzten Entscheidung selbst Geändertes oder über selbst Verantwortetes. Die Akzeptanz von Risiken folgt dem Risikoappetit; Bewertungen, eigene Rahmenwerke und Einreichungen brauchen immer eine zweite Person.";
    LONGEST = "Longest acceptance in days", "Längste Akzeptanz in Tagen";
    OF_ANY_RECORD = "any record", "jeder Datensatz";
    BINDS_KEYS = "API keys have to ask too", "Auch API-Schlüssel müssen anfragen";
    BINDS_KEYS_HELP = "Otherwise keys with the permission to write move findings directly.", "Sonst ändern Schlüssel mit Schreibrecht den Status von Feststellungen direkt.";
    WAS_CHOSEN = "The policy is saved.", "Die Richtlinie ist gespeichert.";
}
