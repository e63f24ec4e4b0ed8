//! Users, as an administrator manages them.

use super::texts;

texts! {
    TITLE = "Users", "Personen";
    INTRO = "Who may sign in, and what they may do.", "Wer sich anmelden darf und was sie dürfen.";
    INVITE = "Invite a person", "Person einladen";
    PERSON = "Person", "Person";
    EMAIL = "Email address", "E-Mail-Adresse";
    ROLE = "Role", "Rolle";
    VIEWER_HELP = "Can read all data of the institution.", "Liest alles des Instituts.";
    AUDITOR_HELP = "Reads everything, including the audit log and the list of accounts, and changes nothing.", "Liest alles, auch das Prüfprotokoll und die Liste der Konten, und ändert nichts.";
    ENDS_ON = "Last day", "Letzter Tag";
    ENDS_ON_HINT = "After this day the account is closed. Left empty, it stays open.", "Nach diesem Tag ist das Konto geschlossen. Ohne Angabe bleibt es offen.";
    UNTIL = "until {day}", "bis {day}";
    NO_SESSIONS = "Not signed in anywhere.", "Nirgends angemeldet.";
    CONTRIBUTOR_HELP = "Can also edit programmes, test cases and findings.", "Schreibt auch Programme, Testfälle und Feststellungen.";
    MANAGER_HELP = "Can also edit everything else.", "Schreibt auch alles andere.";
    ADMINISTRATOR_HELP = "Can also manage keys, users and settings.", "Verwaltet auch Schlüssel, Personen und Einstellungen.";
    SECOND_FACTOR = "Second factor", "Zweiter Faktor";
    ON = "On", "An";
    OFF = "Off", "Aus";
    LAST_SIGN_IN = "Last signed in", "Zuletzt angemeldet";
    INVITED = "Invited", "Eingeladen";
    CLOSED = "Closed", "Geschlossen";
    YOU = "you", "Sie";
    INVITE_SUBMIT = "Create invitation", "Einladung anlegen";
    LINK_TITLE = "A link for {name}", "Ein Link für {name}";
    LINK_HELP = "Give it to this person only: anyone who opens it can set the password for {email}. It works once and is not shown again.", "Bitte nur dieser Person geben: Wer ihn öffnet, wählt das Passwort von {email}. Er gilt einmal und wird nicht noch einmal gezeigt.";
    LINK_ONLY_MAILED = "The link is on its way to {email} by mail. Only this person sees it.", "Der Link ist per E-Mail unterwegs an {email}. Nur diese Person sieht ihn.";
    LINK_MAILED = "It is also on its way to {email} by mail.", "Er ist auch per E-Mail unterwegs an {email}.";
    LINK = "Link", "Link";
    BACK = "Back to the list", "Zurück zur Liste";
    CHANGE_TITLE = "Edit {name}", "{name} ändern";
    RESET = "Create a link for a new password", "Link für ein neues Passwort anlegen";
    RESET_HELP = "The current password works until the link is used.", "Das jetzige Passwort gilt, bis der Link benutzt wird.";
    FORGET_SECOND_FACTOR = "Also turn off the second factor and remove passkeys, for a lost device", "Auch den zweiten Faktor ausschalten und Passkeys entfernen, bei verlorenem Gerät";
    CLOSE = "Close the account", "Konto schließen";
    CLOSE_ASK = "{name} is signed out everywhere immediately and can no longer sign in. You can reopen the account later.", "{name} wird sofort überall abgemeldet und kann sich nicht mehr anmelden. Sie können das Konto wieder öffnen.";
    REOPEN = "Reopen the account", "Konto wieder öffnen";
    WAS_CHANGED = "User updated.", "Die Person ist geändert.";
    WAS_CLOSED = "Account closed.", "Das Konto ist geschlossen.";
    WAS_OPENED = "Account reopened.", "Das Konto ist wieder offen.";
    OPEN_WORK = "Open work under this name: {findings} findings, {test_cases} test cases, {programmes} programmes, {controls} controls, {risks} risks, {assessments} assessments, {evidence} pieces of evidence, {functions} functions, {filings} filings, {providers} providers, {tasks} tasks, {incidents} incidents, {cra_reports} CRA reports.", "Offene Arbeit unter diesem Namen: {findings} Feststellungen, {test_cases} Testfälle, {programmes} Programme, {controls} Kontrollen, {risks} Risiken, {assessments} Bewertungen, {evidence} Nachweise, {functions} Funktionen, {filings} Einreichungen, {providers} Dienstleister, {tasks} Aufgaben, {incidents} Vorfälle, {cra_reports} CRA-Meldungen.";
    HAND_OVER = "Hand it over to", "Übergeben an";
    KEYS_MADE = "These API keys were made by this person, or with a key of theirs, and still work:", "Diese API-Schlüssel hat diese Person angelegt oder sind mit einem ihrer Schlüssel angelegt worden; sie gelten noch:";
    REVOKE_KEYS = "Revoke these keys", "Diese Schlüssel widerrufen";
    REVOKE_KEYS_HELP = "Programs that use them stop working within a second.", "Programme, die sie benutzen, verlieren binnen einer Sekunde den Zugang.";
    LEAVE_WORK = "Leave it under this name", "Unter diesem Namen belassen";
    ONE = "1 person", "1 Person";
    MANY = "{count} people", "{count} Personen";
}
