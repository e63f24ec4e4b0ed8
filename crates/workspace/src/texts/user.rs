//! People, as an administrator manages them.

use super::texts;

texts! {
    TITLE = "Users", "Personen";
    INTRO = "Who may sign in, and what they may do.", "Wer sich anmelden darf und was sie dürfen.";
    INVITE = "Invite a person", "Person einladen";
    PERSON = "Person", "Person";
    EMAIL = "Email address", "E-Mail-Adresse";
    ROLE = "Role", "Rolle";
    VIEWER_HELP = "Reads everything of the institution.", "Liest alles des Hauses.";
    CONTRIBUTOR_HELP = "Also writes programmes, test cases and findings.", "Schreibt auch Programme, Testfälle und Feststellungen.";
    MANAGER_HELP = "Also writes everything else.", "Schreibt auch alles andere.";
    ADMINISTRATOR_HELP = "Also manages keys, users and settings.", "Verwaltet auch Schlüssel, Personen und Einstellungen.";
    SECOND_FACTOR = "Second factor", "Zweiter Faktor";
    ON = "On", "An";
    OFF = "Off", "Aus";
    LAST_SIGN_IN = "Last signed in", "Zuletzt angemeldet";
    INVITED = "Invited", "Eingeladen";
    CLOSED = "Closed", "Geschlossen";
    YOU = "you", "Sie";
    INVITE_SUBMIT = "Make the invitation", "Einladung anlegen";
    LINK_TITLE = "A link for {name}", "Ein Link für {name}";
    LINK_HELP = "Hand it to this person only: whoever opens it chooses the password of {email}. It works once and is not shown again.", "Bitte nur dieser Person geben: Wer ihn öffnet, wählt das Passwort von {email}. Er gilt einmal und wird nicht noch einmal gezeigt.";
    LINK_ONLY_MAILED = "The link is on its way to {email} by mail. Only this person sees it.", "Der Link ist per E-Mail unterwegs an {email}. Nur diese Person sieht ihn.";
    LINK_MAILED = "It is also on its way to {email} by mail.", "Er ist auch per E-Mail unterwegs an {email}.";
    LINK = "Link", "Link";
    BACK = "Back to the list", "Zurück zur Liste";
    CHANGE_TITLE = "Change {name}", "{name} ändern";
    RESET = "Make a link for a new password", "Link für ein neues Passwort anlegen";
    RESET_HELP = "The present password works until the link is used.", "Das jetzige Passwort gilt, bis der Link benutzt wird.";
    FORGET_SECOND_FACTOR = "Also switch off the second factor, for a lost telephone", "Auch den zweiten Faktor ausschalten, bei verlorenem Telefon";
    CLOSE = "Close the account", "Konto schließen";
    CLOSE_ASK = "{name} is signed out everywhere at once and cannot sign in any more. You can open the account again.", "{name} wird sofort überall abgemeldet und kann sich nicht mehr anmelden. Sie können das Konto wieder öffnen.";
    REOPEN = "Open the account again", "Konto wieder öffnen";
    WAS_CHANGED = "The person is changed.", "Die Person ist geändert.";
    WAS_CLOSED = "The account is closed.", "Das Konto ist geschlossen.";
    WAS_OPENED = "The account is open again.", "Das Konto ist wieder offen.";
}
