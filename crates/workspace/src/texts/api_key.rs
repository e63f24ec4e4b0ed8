//! API keys.

use super::texts;

texts! {
    TITLE = "API keys", "API-Schlüssel";
    INTRO = "Keys let programs use the API on behalf of your institution. Each key is shown once, when it is created.", "Mit Schlüsseln benutzen Programme die API im Namen Ihres Hauses. Jeder wird nur einmal gezeigt, beim Anlegen.";
    NEW = "New key", "Neuer Schlüssel";
    EMPTY = "No keys yet", "Es gibt noch keinen Schlüssel";
    EMPTY_HELP = "Create one for the first program that is to read or write your records.", "Legen Sie einen für das erste Programm an, das Ihre Einträge lesen oder schreiben soll.";
    NAME_HINT = "What it is for, such as “SIEM export”.", "Wofür er ist, etwa „SIEM-Export“.";
    KEY = "Key", "Schlüssel";
    PERMISSIONS = "Permissions", "Rechte";
    READ = "Read all data of your institution", "Alles Ihres Hauses lesen";
    READ_ALWAYS = "Every key can read.", "Jeder Schlüssel liest.";
    WRITE = "Write: change records, thresholds and webhooks", "Schreiben: Einträge, Schwellen und Webhooks ändern";
    MANAGE_KEYS = "Manage keys: create, list and revoke keys", "Schlüssel verwalten: anlegen, auflisten und widerrufen";
    EXPIRES = "Expires", "Läuft ab";
    EXPIRES_HINT = "The key works until the end of this day (UTC). Without a day it works until it is revoked.", "Der Schlüssel gilt bis zum Ende dieses Tages (UTC). Ohne Tag gilt er, bis er widerrufen wird.";
    LAST_USED = "Last used", "Zuletzt benutzt";
    EXPIRED = "Expired", "Abgelaufen";
    REVOKED = "Revoked", "Widerrufen";
    CREATE = "Create key", "Schlüssel anlegen";
    CREATED_TITLE = "Your new key", "Ihr neuer Schlüssel";
    CREATED_HELP = "Copy it now: it is not shown again. Only a hash of it is stored.", "Bitte jetzt kopieren: Er wird nicht noch einmal gezeigt. Wir behalten nur einen Prüfwert davon.";
    BACK = "Back to the list", "Zurück zur Liste";
    REVOKE = "Revoke", "Widerrufen";
    REVOKE_ASK = "Programs that use “{name}” stop working within a second.", "Programme, die „{name}“ benutzen, verlieren binnen einer Sekunde den Zugang.";
    REVOKE_SURE = "Revoke this key", "Diesen Schlüssel widerrufen";
    WAS_REVOKED = "Key revoked.", "Der Schlüssel ist widerrufen.";
}
