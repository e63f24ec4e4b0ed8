//! Violations about users, tenants and sign-in.

use crate::wording::sentences;

sentences! {
    /// Why an action on an account or a tenant is refused.
    AccountComplaint {
        Yourself =
            "is yourself: change your password in your profile",
            "sind Sie selbst: bitte das Passwort im Profil ändern";
        SecondPerson =
            "needs another administrator: neither the one who asked nor the owner of the account can confirm it",
            "braucht eine weitere Person der Administration: Weder wer es beantragt hat noch wem das Konto gehört, kann es bestätigen";
        NextCode =
            "does not fit: wait for the next one and try again",
            "passt nicht: bitte den nächsten abwarten und noch einmal versuchen";
        WrongTooOften { minutes: i64 } =
            "was wrong too often: wait {minutes} minutes",
            "war zu oft falsch: bitte {minutes} Minuten warten";
        NotAnotherPerson =
            "must be another person with an open account",
            "muss eine andere Person mit offenem Konto sein";
        NoHeirChosen =
            "is missing: choose who takes over the open work, or choose to leave it as it is",
            "fehlt: Wählen Sie, wer die offene Arbeit übernimmt, oder dass sie bleibt, wie sie ist";
        Closed = "is closed: open the account first", "ist geschlossen: bitte das Konto zuerst öffnen";
        NoTenant { slug: String } = "{slug} does not exist", "{slug} gibt es nicht";
        NoTenantListed { slug: String } =
            "{slug} does not exist: `tidewall tenant list` shows those that do",
            "{slug} gibt es nicht: „tidewall tenant list“ zeigt die vorhandenen";
        SlugTaken { slug: String } =
            "{slug} is taken: choose another",
            "{slug} ist vergeben: bitte anders wählen";
        TriedTooOften { seconds: u64 } =
            "was tried too often: wait {seconds} seconds",
            "wurde zu oft versucht: bitte {seconds} Sekunden warten";
        WrongPassword = "is not right", "stimmt nicht";
        CodeTooLate = "came too late: begin again", "kam zu spät: bitte neu beginnen";
        CodeDoesNotFit =
            "does not fit: check the clock of your device",
            "passt nicht: bitte die Uhr des Geräts prüfen";
        FactorRequired =
            "is required by your institution and cannot be turned off",
            "schreibt Ihr Institut vor und lässt sich nicht ausschalten";
        TooManyPasskeys { most: usize } =
            "is one more than the {most} an account may have: remove one first",
            "wäre einer mehr als die {most}, die ein Konto haben darf: bitte zuerst einen entfernen";
        PasskeyKnown =
            "is set up already: choose another device",
            "ist schon eingerichtet: bitte ein anderes Gerät wählen";
        PasskeyRefused =
            "did not work, or took longer than five minutes: try again",
            "hat nicht funktioniert oder länger als fünf Minuten gedauert: bitte noch einmal versuchen";
        AddressTaken =
            "is in use: choose another address",
            "ist vergeben: bitte eine andere Adresse wählen";
        AddressStays =
            "cannot be changed: an account keeps its address, add a new account for the new one",
            "lässt sich nicht ändern: Ein Konto behält seine Adresse, bitte für die neue ein Konto anlegen";
        NoAccount { id: String } =
            "{id} is no account of this institution",
            "{id} ist kein Konto dieses Instituts";
        LastAdministrator =
            "cannot be given up: this is the last administrator, make another one first",
            "lässt sich nicht abgeben: Dies ist das letzte Administrationskonto, bitte zuerst ein weiteres bestimmen";
        NoMailServer =
            "has no server: the operator sets smtp.url and smtp.from",
            "hat keinen Server: Der Betrieb setzt smtp.url und smtp.from";
    }
}
