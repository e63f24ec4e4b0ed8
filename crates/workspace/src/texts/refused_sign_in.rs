//! Refused sign-ins.

use super::texts;

texts! {
    TITLE = "Refused sign-ins", "Abgewiesene Anmeldungen";
    NONE = "None in the last 90 days.", "Keine in den letzten 90 Tagen.";
    OWN_HELP = "Tries with a wrong password, code or passkey in the last 90 days. If these were not you, change your password.", "Versuche mit falschem Passwort, Code oder Passkey in den letzten 90 Tagen. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.";
    HELP = "Tries with a wrong password, code or passkey in the last 90 days, by day and address, the latest first.", "Versuche mit falschem Passwort, Code oder Passkey in den letzten 90 Tagen, je Tag und Adresse, der letzte zuerst.";
    LAST = "Last try", "Letzter Versuch";
    MEANS = "Wrong was", "Falsch war";
    PASSWORD = "the password", "das Passwort";
    CODE = "the code", "der Code";
    PASSKEY = "the passkey", "der Passkey";
    TRIES = "Tries", "Versuche";
    FURTHER = "further addresses", "weitere Adressen";
}
