//! API keys.

use super::texts;

texts! {
    TITLE = "API keys", "API-Schlüssel";
    INTRO = "Keys let programs use the API on behalf of your institution. Each key is shown once, when it is created.", "Mit Schlüsseln benutzen Programme die API im Namen Ihres Instituts. Jeder wird nur einmal gezeigt, beim Anlegen.";
    NEW = "New key", "Neuer Schlüssel";
    EMPTY = "No keys yet", "Es gibt noch keinen Schlüssel";
    EMPTY_HELP = "Create one for the first program that is to read or write your records.", "Legen Sie einen für das erste Programm an, das Ihre Einträge lesen oder schreiben soll.";
    ONE = "1 API key", "1 API-Schlüssel";
    MANY = "{count} API keys", "{count} API-Schlüssel";
    NAME_HINT = "What it is for, such as “SIEM export”.", "Wofür er ist, etwa „SIEM-Export“.";
    KEY = "Key", "Schlüssel";
    PERMISSIONS = "Permissions", "Rechte";
    MAY_READ = "read", "lesen";
    MAY_WRITE = "write", "schreiben";
    MAY_MANAGE_KEYS = "manage keys", "Schlüssel verwalten";
    READ_ALWAYS = "Every key can read.", "Jeder Schlüssel liest.";
    EXPIRES = "Expires", "Läuft ab";
    EXPIRES_HINT = "The key works until the end of this day (UTC). Without a day it gets the usual end, by default after one year.", "Der Schlüssel gilt bis zum Ende dieses Tages (UTC). Ohne Tag erhält er das übliche Ende, in der Regel nach einem Jahr.";
    SCOPES = "Only these resources", "Nur diese Ressourcen";
    SCOPES_HINT = "One per line: a resource and a verb, such as findings:read or webhooks:write. Empty: everything the permissions allow.", "Je Zeile eine Ressource und ein Verb, etwa findings:read oder webhooks:write. Leer: alles, was die Rechte erlauben.";
    RESOURCES = "Resources: {names}.", "Ressourcen: {names}.";
    ACCOUNTS = "A key for your directory (SCIM) names accounts:read and accounts:write here and has the permission to write: it adds, changes and closes accounts and reaches nothing else; only with the permission to manage keys it also makes administrators and auditors.", "Ein Schlüssel für Ihr Verzeichnis (SCIM) nennt hier accounts:read und accounts:write und darf schreiben: Er legt Konten an, ändert und schließt sie und erreicht sonst nichts; nur wenn er auch Schlüssel verwalten darf, vergibt er die Rollen Administration und Revision.";
    NETWORKS = "Only from these networks", "Nur aus diesen Netzen";
    NETWORKS_HINT = "One per line: an address or a network, such as 192.0.2.0/24. Empty: from everywhere.", "Je Zeile eine Adresse oder ein Netz, etwa 192.0.2.0/24. Leer: von überall.";
    MADE_BY = "Created by", "Angelegt von";
    BY_KEY = "the key {name}", "dem Schlüssel {name}";
    OPERATOR = "the operator", "dem Betrieb";
    REPLACED = "Replaced", "Ersetzt";
    ROTATE = "Rotate", "Ersetzen";
    ROTATE_ASK = "A new key with the same rights takes the place of “{name}”. The old one still works for this many hours:", "Ein neuer Schlüssel mit denselben Rechten tritt an die Stelle von „{name}“. Der alte gilt noch so viele Stunden:";
    OVERLAP = "Hours of overlap", "Stunden Übergang";
    ROTATE_SURE = "Create the new key", "Neuen Schlüssel anlegen";
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
