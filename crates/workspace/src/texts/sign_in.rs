//! Signing in.

use super::texts;

texts! {
    TITLE = "Sign in", "Anmelden";
    INTRO = "Compliance and operational resilience for your institution.", "Compliance und operationale Resilienz für Ihr Institut.";
    EMAIL = "Email address", "E-Mail-Adresse";
    PASSWORD = "Password", "Passwort";
    SUBMIT = "Sign in", "Anmelden";
    SEVERAL = "Do you work for several institutions?", "Arbeiten Sie für mehrere Institute?";
    INSTITUTION = "Institution", "Institut";
    INSTITUTION_HINT = "Only needed if you use this address at more than one institution: its name or short name, as in the mails it sends you.", "Nur nötig, wenn Sie diese Adresse in mehreren Instituten verwenden: Name oder Kurzname, wie in dessen E-Mails an Sie.";
    REFUSED = "The email address or password is incorrect.", "E-Mail-Adresse oder Passwort ist nicht richtig.";
    TOO_MANY = "Too many attempts: please wait {seconds} {seconds|second|seconds}.", "Zu viele Versuche auf einmal: bitte {seconds} {seconds|Sekunde|Sekunden} warten.";
    FORGOTTEN = "Forgotten your password?", "Passwort vergessen?";
    FORGOTTEN_TITLE = "Reset your password", "Ein neues Passwort";
    FORGOTTEN_INTRO = "Enter your email address and we will send you a link to choose a new password. The link works once and expires after a day.", "Geben Sie Ihre Adresse ein, und ein Link für ein neues Passwort kommt per E-Mail. Er gilt einmal und einen Tag lang.";
    FORGOTTEN_SUBMIT = "Send the link", "Link senden";
    FORGOTTEN_SENT = "If there is an account with this address, the link is on its way.", "Falls es ein Konto mit dieser Adresse gibt, ist der Link unterwegs.";
    FORGOTTEN_NO_MAIL = "This service does not send mail. An administrator can give you a link to choose a new password.", "Dieser Dienst sendet keine E-Mails. Die Administration kann Ihnen einen Link für ein neues Passwort geben.";
    BACK = "Back to sign-in", "Zurück zur Anmeldung";
    CODE_TITLE = "Second factor", "Zweiter Faktor";
    CODE_INTRO = "Enter the current code from your authenticator app.", "Bitte den Code eingeben, den Ihre Authenticator-App jetzt zeigt.";
    CODE = "Code", "Code";
    CODE_HINT = "Six digits, or one of your recovery codes.", "Sechs Ziffern oder einer Ihrer Wiederherstellungscodes.";
    CODE_SUBMIT = "Continue", "Weiter";
    CODE_REFUSED = "The code is incorrect. Wait for the next one and try again.", "Dieser Code passt nicht. Bitte den nächsten abwarten und noch einmal versuchen.";
    CODE_ENDED = "Too many wrong codes. Please begin again with your password.", "Zu viele falsche Codes. Bitte noch einmal mit dem Passwort beginnen.";
    CODE_PAUSED = "Too many wrong codes were entered for this account. Wait {minutes} {minutes|minute|minutes}, or use “Forgotten your password?” to choose a new one now.", "Für dieses Konto wurden zu viele falsche Codes eingegeben. Bitte {minutes} {minutes|Minute|Minuten} warten oder über „Passwort vergessen?“ gleich ein neues wählen.";
    START_OVER = "Start over", "Von vorn beginnen";
    SIGNED_OUT = "You have signed out.", "Sie sind abgemeldet.";
}
