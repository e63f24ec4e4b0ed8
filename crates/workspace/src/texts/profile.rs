//! The user's own account.

use super::texts;

texts! {
    TITLE = "Profile", "Profil";
    INTRO = "Your account, {email}.", "Ihr Konto, {email}.";
    ABOUT_YOU = "About you", "Über Sie";
    LANGUAGE = "Language", "Sprache";
    LANGUAGE_BROWSER = "As set in the browser", "Wie im Browser eingestellt";
    LANGUAGE_EN = "English", "English";
    LANGUAGE_DE = "Deutsch", "Deutsch";
    THEME = "Appearance", "Aussehen";
    TIME_ZONE = "Time zone", "Zeitzone";
    TIME_ZONE_HINT = "IANA name, such as Europe/Vienna. Left empty, times are shown in the zone of your institution.", "IANA-Name, etwa Europe/Vienna. Ohne Angabe gilt die Zeitzone Ihres Instituts.";
    PASSWORD = "Password", "Passwort";
    CURRENT_PASSWORD = "Current password", "Jetziges Passwort";
    NEW_PASSWORD = "New password", "Neues Passwort";
    CHANGE_PASSWORD = "Change password", "Passwort ändern";
    PASSWORD_HELP = "You will be signed out everywhere else.", "Überall sonst werden Sie abgemeldet.";
    SECOND_FACTOR = "Second factor", "Zweiter Faktor";
    SECOND_FACTOR_OFF = "Off. With an authenticator app, a stolen password alone does not give access.", "Aus. Mit einer Authenticator-App öffnet ein gestohlenes Passwort allein nichts.";
    SECOND_FACTOR_ON = "On. {codes} recovery {codes|code is|codes are} left.", "An. {codes} {codes|Wiederherstellungscode ist|Wiederherstellungscodes sind} übrig.";
    START = "Set up", "Einrichten";
    SET_UP_TITLE = "Set up the second factor", "Zweiten Faktor einrichten";
    SCAN = "Scan this QR code with your authenticator app.", "Bitte dieses Bild mit der Authenticator-App aufnehmen.";
    SCAN_ALT = "QR code with the secret of the second factor", "QR-Code mit dem Geheimnis des zweiten Faktors";
    TYPE_SECRET = "Or enter this secret in the app", "Oder dieses Geheimnis dort eintippen";
    CONFIRM_CODE = "Current code from the app", "Der Code, den die App jetzt zeigt";
    CONFIRM = "Turn on", "Einschalten";
    RECOVERY_TITLE = "Your recovery codes", "Ihre Wiederherstellungscodes";
    RECOVERY_HELP = "Each code gives access to your account once if you lose your phone. Store them as safely as your passport; they are not shown again.", "Jeder öffnet Ihr Konto einmal, wenn das Telefon verloren ist. Bitte so verwahren wie einen Pass; sie werden nicht noch einmal gezeigt.";
    RECOVERY_KEPT = "I have stored them", "Ich habe sie verwahrt";
    RENEW = "Generate new recovery codes", "Neue Wiederherstellungscodes anlegen";
    RENEW_HELP = "The old ones stop working.", "Die alten gelten dann nicht mehr.";
    SWITCH_OFF = "Turn off", "Ausschalten";
    SWITCH_OFF_HELP = "Your account is then protected by the password alone.", "Dann öffnet das Passwort allein Ihr Konto.";
    REQUIRED = "{tenant} requires a second factor for your account. Set it up to continue.", "{tenant} verlangt für Ihr Konto einen zweiten Faktor. Bitte richten Sie ihn ein, um fortzufahren.";
    REQUIRED_HELP = "You need an authenticator app on your phone or in your password manager.", "Sie brauchen dazu eine Authenticator-App auf dem Telefon oder im Passwortmanager.";
    KEPT_ON = "Your institution requires a second factor, so it cannot be turned off.", "Ihr Institut verlangt einen zweiten Faktor, deshalb lässt er sich nicht ausschalten.";
    SESSIONS = "Signed-in browsers", "Angemeldete Browser";
    SESSIONS_HELP = "A session ends after {minutes} {minutes|minute|minutes} of inactivity, and after {hours} {hours|hour|hours} at the latest. If you sign in with too many browsers at once, the oldest session ends.", "Eine Sitzung endet nach {minutes} {minutes|Minute|Minuten} ohne Nutzung, spätestens nach {hours} {hours|Stunde|Stunden}. Bei zu vielen Browsern zugleich endet die älteste.";
    THIS_BROWSER = "this browser", "dieser Browser";
    BROWSER = "Browser", "Browser";
    ADDRESS = "Address", "Adresse";
    SINCE = "Signed in", "Angemeldet";
    SEEN = "Last used", "Zuletzt benutzt";
    END_SESSION = "Sign out", "Abmelden";
    END_OTHERS = "Sign out everywhere else", "Überall sonst abmelden";
    WAS_SAVED = "Profile saved.", "Ihr Profil ist gespeichert.";
    PASSWORD_CHANGED = "Password changed. You have been signed out everywhere else.", "Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.";
    SECOND_FACTOR_REMOVED = "Second factor turned off.", "Der zweite Faktor ist aus.";
    SESSION_ENDED = "That browser has been signed out.", "Dieser Browser ist abgemeldet.";
    OTHERS_ENDED = "You have been signed out everywhere else.", "Überall sonst sind Sie abgemeldet.";
}
