//! The private calendar address of a person.

use super::texts;

texts! {
    TITLE = "Calendar", "Kalender";
    NAME = "Due at {institution}", "Fällig bei {institution}";
    HELP = "With a private address, your calendar program shows what is due for you: reference, title and day, nothing else. Anyone who has the address can read this, so keep it to yourself.", "Mit einer privaten Adresse zeigt Ihr Kalenderprogramm, was bei Ihnen fällig ist: Kennung, Titel und Termin, sonst nichts. Wer die Adresse hat, kann das lesen; geben Sie sie daher nicht weiter.";
    MAKE = "Create a calendar address", "Kalenderadresse anlegen";
    MADE_AT = "Your address was created on {time}. It is not shown again.", "Ihre Adresse wurde am {time} angelegt. Sie wird nicht noch einmal gezeigt.";
    RENEW = "Create a new address, the old one stops working", "Neue Adresse anlegen, die alte gilt dann nicht mehr";
    REVOKE = "Revoke the address", "Adresse widerrufen";
    WAS_REVOKED = "The calendar address is revoked.", "Die Kalenderadresse ist widerrufen.";
    SHOWN_ONCE = "Add this address to your calendar program as a subscription. It is shown only now.", "Fügen Sie diese Adresse in Ihrem Kalenderprogramm als Abonnement hinzu. Sie wird nur jetzt gezeigt.";
    ADDRESS = "Address", "Adresse";
    BACK = "Back to the profile", "Zurück zum Profil";
}
