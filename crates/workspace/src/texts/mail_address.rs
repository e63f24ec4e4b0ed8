//! The page on which the owner of a mail address agrees to mail of an institution.

use super::texts;

texts! {
    TITLE = "Mail of {institution}", "E-Mails von {institution}";
    INTRO = "{institution} wants to send messages to {address}: a questionnaire, or notifications. Nothing is sent unless you agree.", "{institution} möchte Nachrichten an {address} senden: einen Fragebogen oder Benachrichtigungen. Ohne Ihre Zustimmung wird nichts gesandt.";
    AGREE = "I agree", "Ich stimme zu";
    OTHERWISE = "If you do not agree, close this page.", "Wenn Sie nicht zustimmen, schließen Sie diese Seite.";
    CONFIRMED = "{address} is confirmed. {institution} can send messages there.", "{address} ist bestätigt. {institution} kann Nachrichten dorthin senden.";
    GONE_TITLE = "This link does not work any more", "Dieser Link gilt nicht mehr";
    GONE = "It is too old or was replaced by a newer one. If you opened it here before, open it once more from the mail: your browser has to accept its cookie.", "Er ist abgelaufen oder durch einen neueren ersetzt. Falls Sie ihn hier schon geöffnet hatten, öffnen Sie ihn noch einmal aus der E-Mail: Ihr Browser muss sein Cookie annehmen.";
}
