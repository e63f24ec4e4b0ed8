//! Passkeys.

use super::texts;

texts! {
    TITLE = "Passkeys", "Passkeys";
    HELP = "A passkey opens your account with the lock of your device, such as a fingerprint or a PIN, instead of a password and a code. It cannot be passed on or typed into a forged page.", "Ein Passkey öffnet Ihr Konto mit der Sperre Ihres Geräts, etwa Fingerabdruck oder PIN, statt mit Passwort und Code. Er lässt sich weder weitergeben noch auf einer gefälschten Seite eintippen.";
    NONE = "You have no passkey yet.", "Sie haben noch keinen Passkey.";
    NO_ADDRESS = "Passkeys are not available: browsers allow them only at an address with a host name and https. The operator sets it as public_url.", "Passkeys stehen nicht zur Verfügung: Browser erlauben sie nur an einer Adresse mit Hostnamen und https. Der Betrieb setzt sie als public_url.";
    NAME = "Name of the passkey", "Name des Passkeys";
    NAME_HINT = "So that you recognise it later, such as “Work laptop”.", "Damit Sie ihn später wiedererkennen, etwa „Dienst-Laptop“.";
    ADD = "Add a passkey", "Passkey hinzufügen";
    NEW_TITLE = "Add a passkey", "Passkey hinzufügen";
    NEW_INTRO = "Your device asks you to confirm. The passkey then stays on it, or in your password manager; we get its public key only.", "Ihr Gerät bittet Sie um eine Bestätigung. Der Passkey bleibt dann dort oder in Ihrem Passwortmanager; wir erhalten nur den öffentlichen Schlüssel.";
    CREATE = "Create the passkey “{name}”", "Passkey „{name}“ anlegen";
    CREATED = "Created", "Angelegt";
    USED = "Last used", "Zuletzt benutzt";
    REMOVE = "Remove", "Entfernen";
    REMOVE_ASK = "“{name}” then no longer opens your account, and you are signed out everywhere else. Delete it on your device as well.", "„{name}“ öffnet Ihr Konto dann nicht mehr, und überall sonst werden Sie abgemeldet. Bitte löschen Sie ihn auch auf Ihrem Gerät.";
    WAS_ADDED = "Passkey added. You have been signed out everywhere else.", "Der Passkey ist hinzugefügt. Überall sonst sind Sie abgemeldet.";
    WAS_REMOVED = "Passkey removed. You have been signed out everywhere else.", "Der Passkey ist entfernt. Überall sonst sind Sie abgemeldet.";
    SIGN_IN = "Sign in with a passkey", "Mit Passkey anmelden";
    PROVE = "Confirm with a passkey", "Mit Passkey bestätigen";
    PROVE_INTRO = "This needs one of your passkeys again. What you entered is kept.", "Dafür wird einer Ihrer Passkeys noch einmal gebraucht. Ihre Eingaben bleiben erhalten.";
    PASSKEY = "Passkey", "Passkey";
    REFUSED = "This passkey was not accepted. Try again, or sign in another way.", "Dieser Passkey wurde nicht angenommen. Bitte noch einmal versuchen oder anders anmelden.";
    NEEDS_SCRIPT = "Passkeys need JavaScript, which is off in this browser.", "Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.";
    UNSUPPORTED = "This browser does not support passkeys.", "Dieser Browser unterstützt keine Passkeys.";
    WAITING = "Please follow the instructions of your device.", "Bitte folgen Sie den Hinweisen Ihres Geräts.";
    FAILED = "That did not work, or was cancelled. Try again.", "Das hat nicht geklappt oder wurde abgebrochen. Bitte noch einmal versuchen.";
    KNOWN = "This device has a passkey of your account already.", "Dieses Gerät hat schon einen Passkey Ihres Kontos.";
}
