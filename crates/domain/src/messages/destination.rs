//! Why a URL is no permitted destination of a webhook.

use crate::webhook::MAX_URL;
use crate::wording::sentences;

sentences! {
    /// Each sentence follows the name of the field, names the rule and how to keep it, and never repeats the URL, which
    /// is a secret.
    #[derive(Copy)]
    DestinationError {
        TooLong = "must be at most {MAX_URL} characters long", "darf höchstens {MAX_URL} Zeichen lang sein";
        Characters =
            "must consist of visible ASCII characters without spaces or backslashes; percent-encode anything else",
            "darf nur aus sichtbaren ASCII-Zeichen ohne Leerzeichen und umgekehrte Schrägstriche bestehen; bitte alles andere prozentkodieren";
        NotHttps =
            "must start with https:// and name a host; other schemes are not delivered to",
            "muss mit https:// beginnen und einen Host nennen; an andere Schemata wird nicht zugestellt";
        UserInfo =
            "must not hold a user name or password before the host; leave out everything up to the @",
            "darf vor dem Host weder Benutzernamen noch Passwort enthalten; bitte alles bis zum @ weglassen";
        Port =
            "must use port 443; write :443 or leave the port out",
            "muss Port 443 verwenden; bitte :443 schreiben oder den Port weglassen";
        Fragment =
            "must not have a fragment; leave out the # and what follows it",
            "darf kein Fragment haben; bitte das # und alles danach weglassen";
        LiteralAddress =
            "must name its host by its domain name; a literal address is not accepted in any notation",
            "muss den Host mit seinem Domainnamen nennen; IP-Adressen werden in keiner Schreibweise angenommen";
        TrailingDot =
            "must not have a dot at the end of its host name; leave the dot out",
            "darf keinen Punkt am Ende des Hostnamens haben; bitte den Punkt weglassen";
        HostSpelling =
            "must spell its host as it is looked up: in lower-case letters, digits, hyphens and dots, nothing encoded",
            "muss den Host so schreiben, wie er aufgelöst wird: in Kleinbuchstaben, Ziffern, Bindestrichen und Punkten, nichts kodiert";
        PathSpelling =
            "must spell its path and query as they are sent, without . or .. segments and fully encoded",
            "muss Pfad und Abfrage so schreiben, wie sie gesendet werden: ohne die Segmente . und .. und vollständig kodiert";
        NotSlack =
            "must be a Slack incoming webhook like https://hooks.slack.com/services/…, or on a host the operator has added",
            "muss ein eingehender Slack-Webhook wie https://hooks.slack.com/services/… sein oder auf einem vom Betrieb ergänzten Host liegen";
        SlackWorkflow =
            "must be a Slack incoming webhook with a /services/ path; /workflows/ and /triggers/ addresses take another format, so create an incoming webhook for the channel instead",
            "muss ein eingehender Slack-Webhook mit einem Pfad unter /services/ sein; Adressen unter /workflows/ und /triggers/ erwarten ein anderes Format, bitte für den Kanal einen eingehenden Webhook anlegen";
        NotTeams =
            "must be a Teams workflow webhook on a host like ….environment.api.powerplatform.com; in Teams choose Workflows, \"When a Teams webhook request is received\", allow anyone to trigger it and copy its URL",
            "muss ein Webhook eines Teams-Workflows auf einem Host wie ….environment.api.powerplatform.com sein; bitte in Teams unter Workflows „Wenn eine Teams-Webhookanforderung empfangen wird“ wählen, das Auslösen für alle erlauben und die URL kopieren";
        RetiredConnector =
            "must not be a retired Office 365 connector or Logic Apps address, which no longer delivers; in Teams choose Workflows, \"When a Teams webhook request is received\", allow anyone to trigger it and copy its URL",
            "darf keine Adresse eines eingestellten Office-365-Connectors oder von Logic Apps sein, die nicht mehr zustellen; bitte in Teams unter Workflows „Wenn eine Teams-Webhookanforderung empfangen wird“ wählen, das Auslösen für alle erlauben und die URL kopieren";
        TeamsPath =
            "must be the trigger address of a Teams workflow, with /workflows/ and /triggers/ in its path; copy the URL that the workflow shows after saving",
            "muss die Auslöseadresse eines Teams-Workflows sein, mit /workflows/ und /triggers/ im Pfad; bitte die URL kopieren, die der Workflow nach dem Speichern zeigt";
        TeamsSignature =
            "must carry the workflow's signature (sig) in its query; set the trigger to be open to anyone in the workflow, save it and copy the URL again",
            "muss die Signatur des Workflows (sig) in der Abfrage tragen; bitte den Auslöser im Workflow für alle öffnen, speichern und die URL erneut kopieren";
        NotMailto =
            "must be mailto: and exactly one address, like mailto:security@bank.example, and nothing after it",
            "muss aus mailto: und genau einer Adresse bestehen, etwa mailto:security@bank.example, ohne etwas dahinter";
        MailLocalPart =
            "must hold one plain address: letters, digits and the usual signs before the @, no quotes, commas or percent signs, at most 64 characters",
            "muss eine einfache Adresse enthalten: vor dem @ Buchstaben, Ziffern und die üblichen Zeichen, keine Anführungszeichen, Kommas oder Prozentzeichen, höchstens 64 Zeichen";
        MailDomain =
            "must have a domain name of at least two parts after the @, like bank.example, and no literal address",
            "muss nach dem @ einen Domainnamen aus mindestens zwei Teilen haben, etwa bank.example, keine IP-Adresse";
        MailDomainNotAllowed =
            "must be an address at a mail domain the operator allows; ask for yours to be added",
            "muss eine Adresse in einer Maildomain sein, die der Betrieb erlaubt; bitte um Aufnahme der eigenen";
        EventHookHost =
            "must be on a host the operator allows for event hooks; ask for yours to be added",
            "muss auf einem Host liegen, den der Betrieb für Ereignis-Hooks erlaubt; bitte um Aufnahme des eigenen";
    }
}
