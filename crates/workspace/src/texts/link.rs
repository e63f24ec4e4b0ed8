//! One-time links: set-up, invitation, new password.

use super::texts;

texts! {
    SET_UP_TITLE = "Set up Tidewall", "Tidewall einrichten";
    SET_UP_INTRO = "There are no accounts yet. Yours will be the first, with administrator rights.", "Hier hat noch niemand ein Konto. Ihres wird das erste sein, mit allen Rechten der Administration.";
    INSTITUTION = "Institution", "Institut";
    INSTITUTION_HINT = "Its full name as it appears in reports.", "Der volle Name, wie er auf Berichten steht.";
    SLUG = "Short name", "Kurzname";
    SLUG_HINT = "Lower-case letters, digits and hyphens, such as north-bank. The command line uses it.", "Kleinbuchstaben, Ziffern und Bindestriche, etwa north-bank. Die Befehlszeile benutzt ihn.";
    YOUR_NAME = "Your name", "Ihr Name";
    SET_UP_SUBMIT = "Create the account", "Konto anlegen";
    INVITATION_TITLE = "Welcome to {tenant}", "Willkommen bei {tenant}";
    INVITATION_INTRO = "Choose a password for {email} and say how you want to be called.", "Bitte ein Passwort für {email} wählen und sagen, wie Sie genannt werden möchten.";
    RESET_TITLE = "Choose a new password", "Neues Passwort wählen";
    RESET_INTRO = "For {email} at {tenant}. You will be signed out everywhere else.", "Für {email} bei {tenant}. Überall sonst werden Sie abgemeldet.";
    PASSWORD_HINT = "At least 12 characters, no common password and no names. Three or four unrelated words are easy to remember.", "Mindestens 12 Zeichen, kein gängiges Passwort und keine Namen. Drei oder vier Wörter ohne Zusammenhang merken sich leicht.";
    SUBMIT = "Set the password", "Passwort setzen";
    GONE_TITLE = "This link no longer works", "Dieser Link gilt nicht mehr";
    GONE = "It has already been used or has expired. If the page was open for long, open the link once more: your browser has to accept its cookie. Otherwise ask an administrator for a new one.", "Er wurde schon benutzt oder ist zu alt. War die Seite lange offen, öffnen Sie den Link noch einmal: Ihr Browser muss sein Cookie annehmen. Bitten Sie sonst die Administration um einen neuen.";
}
