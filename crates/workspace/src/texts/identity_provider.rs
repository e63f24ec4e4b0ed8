//! Signing in with the identity provider of the institution, and its settings.

use super::texts;

texts! {
    OFFER = "Sign in with your institution's account", "Mit dem Konto Ihres Instituts anmelden";
    ASK_TITLE = "Sign in with your institution's account", "Mit dem Konto Ihres Instituts anmelden";
    ASK_INTRO = "Enter your work email address or the short name of your institution. You sign in there, not here.", "Geben Sie Ihre dienstliche E-Mail-Adresse oder das Kürzel Ihres Instituts ein. Sie melden sich dort an, nicht hier.";
    INSTITUTION = "Email address or institution", "E-Mail-Adresse oder Institut";
    CONTINUE = "Continue", "Weiter";
    UNKNOWN = "No institution signs in this way under that name. Check the spelling, or sign in with your password.", "Unter dieser Angabe meldet sich kein Institut auf diesem Weg an. Bitte die Schreibweise prüfen oder mit dem Passwort anmelden.";
    GO_TITLE = "Sign in to {tenant}", "Anmelden bei {tenant}";
    GO_INTRO = "You continue to {host}. Only go on if this is where your institution signs in.", "Es geht weiter zu {host}. Bitte nur fortfahren, wenn sich Ihr Institut dort anmeldet.";
    BACK = "Sign in with a password", "Mit Passwort anmelden";

    REFUSED_TITLE = "Sign-in was not possible", "Die Anmeldung war nicht möglich";
    TRY_AGAIN = "Start again", "Neu beginnen";
    NO_PROVIDER = "This institution does not sign in with an identity provider. Sign in with your password, or ask your administrator.", "Dieses Institut meldet sich nicht über einen Identitätsanbieter an. Bitte mit dem Passwort anmelden oder die Administration fragen.";
    LAPSED = "This sign-in has expired, was used already, or was started in another browser. Please start again.", "Diese Anmeldung ist abgelaufen, wurde schon benutzt oder in einem anderen Browser begonnen. Bitte neu beginnen.";
    DECLINED = "The identity provider did not let you in, or you cancelled there. Start again, or ask your administrator whether you may use Tidewall.", "Der Identitätsanbieter hat Sie nicht zugelassen, oder Sie haben dort abgebrochen. Bitte neu beginnen oder die Administration fragen, ob Sie Tidewall benutzen dürfen.";
    UNREACHABLE = "The identity provider cannot be reached or answers with an error. Try again in a few minutes; your administrator can check the connection in the settings.", "Der Identitätsanbieter ist nicht erreichbar oder antwortet mit einem Fehler. Bitte in einigen Minuten noch einmal versuchen; die Administration kann die Verbindung in den Einstellungen prüfen.";
    UNTRUSTED = "The answer of the identity provider did not pass our checks. Start again; if it happens once more, tell your administrator.", "Die Antwort des Identitätsanbieters hat unsere Prüfung nicht bestanden. Bitte neu beginnen; geschieht es noch einmal, sagen Sie bitte der Administration Bescheid.";
    NOT_FRESH = "The identity provider did not confirm that you have just signed in. Your administrator sets it up to send the claim auth_time.", "Der Identitätsanbieter hat nicht bestätigt, dass Sie sich eben angemeldet haben. Die Administration richtet ihn so ein, dass er den Claim auth_time sendet.";
    NO_EMAIL = "The identity provider did not send your email address. Your administrator adds the scope or claim email there.", "Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht übermittelt. Die Administration ergänzt dort den Scope oder Claim email.";
    NOT_VERIFIED = "The identity provider did not confirm that your email address is verified. Your administrator sets it up to send the claim email_verified.", "Der Identitätsanbieter hat nicht bestätigt, dass Ihre E-Mail-Adresse geprüft ist. Die Administration richtet ihn so ein, dass er den Claim email_verified sendet.";
    OTHER_DOMAIN = "Your email address does not belong to a domain of this institution. Your administrator can add the domain in the settings.", "Ihre E-Mail-Adresse gehört zu keiner Domain dieses Instituts. Die Administration kann die Domain in den Einstellungen ergänzen.";
    NO_ACCOUNT = "You do not have an account yet. Ask your administrator to invite you.", "Sie haben noch kein Konto. Bitte lassen Sie sich von der Administration einladen.";
    OTHER_IDENTITY = "The account with your email address is linked to another identity. Your administrator can release the link.", "Das Konto mit Ihrer E-Mail-Adresse ist mit einer anderen Identität verknüpft. Die Administration kann die Verknüpfung lösen.";
    ADDRESS_TAKEN = "Your email address cannot be used for a new account. Ask your administrator.", "Ihre E-Mail-Adresse lässt sich nicht für ein neues Konto verwenden. Bitte die Administration fragen.";
    NO_ROLE = "None of your groups may use Tidewall. Ask your administrator to add you to one.", "Keine Ihrer Gruppen darf Tidewall benutzen. Bitte lassen Sie sich von der Administration in eine aufnehmen.";
    GROUPS_LEFT_OUT = "You are in so many groups that the identity provider does not list them. Your administrator limits the claim to the groups assigned to Tidewall.", "Sie sind in so vielen Gruppen, dass der Identitätsanbieter sie nicht aufführt. Die Administration beschränkt den Claim auf die Gruppen, die Tidewall zugewiesen sind.";
    CLOSED = "Your account is closed. Ask your administrator.", "Ihr Konto ist geschlossen. Bitte die Administration fragen.";
    TOO_MANY = "Too many attempts: please wait {seconds} seconds.", "Zu viele Versuche auf einmal: bitte {seconds} Sekunden warten.";

    PROVE = "Confirm with your institution's account", "Mit dem Konto Ihres Instituts bestätigen";
    PROVE_HELP = "Your account has no password here. Sign in once more with your institution's account; you come back to the page you were on and enter the change again.", "Ihr Konto hat hier kein Passwort. Melden Sie sich noch einmal mit dem Konto Ihres Instituts an; danach sind Sie wieder auf der Seite und geben die Änderung erneut ein.";

    TITLE = "Sign-in with an identity provider", "Anmeldung über einen Identitätsanbieter";
    INTRO = "Your staff sign in by OpenID Connect with the accounts they have in your institution. Passwords and second factors of Tidewall keep working beside it.", "Ihre Beschäftigten melden sich über OpenID Connect mit den Konten an, die sie im Institut haben. Passwörter und zweite Faktoren von Tidewall gelten daneben weiter.";
    OPEN = "Set up the identity provider", "Identitätsanbieter einrichten";
    REGISTER = "Register at the provider", "Beim Anbieter eintragen";
    REGISTER_HELP = "Enter this redirect address at your provider, for a confidential web application with the code flow and PKCE:", "Tragen Sie diese Weiterleitungsadresse bei Ihrem Anbieter ein, für eine vertrauliche Webanwendung mit Code-Flow und PKCE:";
    LINK_HELP = "This link leads people straight to your provider:", "Dieser Link führt direkt zu Ihrem Anbieter:";
    SETTINGS = "Provider", "Anbieter";
    ISSUER = "Issuer", "Aussteller (Issuer)";
    ISSUER_HINT = "The address your provider calls itself by, such as https://login.bank.example/realms/staff.", "Die Adresse, mit der sich Ihr Anbieter selbst bezeichnet, etwa https://login.bank.example/realms/staff.";
    CLIENT_ID = "Client ID", "Client-ID";
    CLIENT_SECRET = "Client secret", "Client-Secret";
    SECRET_KEPT = "A secret is stored and is not shown. Leave this empty to keep it.", "Ein Secret ist hinterlegt und wird nicht angezeigt. Ohne Eingabe bleibt es.";
    SECRET_HINT = "Stored sealed and never shown again.", "Wird versiegelt gespeichert und nie wieder angezeigt.";
    SCOPES = "Scopes", "Scopes";
    SCOPES_HINT = "Usually openid email profile.", "Üblich ist openid email profile.";
    LABEL = "Text of the button", "Beschriftung der Schaltfläche";
    LABEL_HINT = "Shown on the sign-in page, such as “Sign in with Bank North”.", "Steht auf der Anmeldeseite, etwa „Anmelden mit Bank Nord“.";
    DOMAINS = "Email domains", "E-Mail-Domains";
    DOMAINS_HINT = "One per line. Only verified addresses of these domains are linked to an account or get a new one.", "Eine je Zeile. Nur geprüfte Adressen dieser Domains werden mit einem Konto verknüpft oder bekommen ein neues.";
    GROUPS_CLAIM = "Claim with the groups", "Claim mit den Gruppen";
    GROUPS_CLAIM_HINT = "Such as groups, roles or realm_access.roles.", "Etwa groups, roles oder realm_access.roles.";
    GROUP_ROLES = "Groups and roles", "Gruppen und Rollen";
    GROUP_ROLES_HINT = "One per line, such as tidewall-admins = administrator. At each sign-in the role follows the groups; the one that may do most counts.", "Eine Zuordnung je Zeile, etwa tidewall-admins = administrator. Bei jeder Anmeldung folgt die Rolle den Gruppen; es zählt die mit den meisten Rechten.";
    DEFAULT_ROLE = "Role of people in none of these groups", "Rolle für Personen in keiner dieser Gruppen";
    STAYS_OUT = "None: they cannot sign in", "Keine: sie können sich nicht anmelden";
    CREATES = "Create accounts at the first sign-in", "Konten bei der ersten Anmeldung anlegen";
    CREATES_HELP = "Otherwise only people who were invited can sign in.", "Sonst können sich nur Personen anmelden, die eingeladen wurden.";
    FACTORS = "Values of acr that stand for a second factor", "Werte von acr, die für einen zweiten Faktor stehen";
    FACTORS_HINT = "One per line. A second factor also counts when the provider names methods of two kinds in amr, such as pwd and otp.", "Einer je Zeile. Ein zweiter Faktor zählt auch, wenn der Anbieter in amr Verfahren zweier Arten nennt, etwa pwd und otp.";
    SAVED = "The settings of the identity provider are saved.", "Die Einstellungen des Identitätsanbieters sind gespeichert.";
    REMOVED = "The sign-in with the identity provider is removed.", "Die Anmeldung über den Identitätsanbieter ist entfernt.";
    CHECK = "Check the connection", "Verbindung prüfen";
    CHECK_HELP = "Asks the provider for its settings and keys, and whether it knows the client and the secret. No one is signed in.", "Fragt den Anbieter nach seinen Einstellungen und Schlüsseln und danach, ob er Client und Secret kennt. Niemand wird angemeldet.";
    CHECK_GOOD = "The connection works. Sign in once in a private window before you announce it.", "Die Verbindung steht. Bitte einmal in einem privaten Fenster anmelden, bevor Sie sie bekannt geben.";
    CHECK_BAD = "The connection does not work yet", "Die Verbindung steht noch nicht";
    REMOVE = "Remove", "Entfernen";
    REMOVE_ASK = "People can then only sign in with a password of Tidewall. Accounts without one need a link from an administrator.", "Danach ist die Anmeldung nur noch mit einem Passwort von Tidewall möglich. Konten ohne Passwort brauchen einen Link von der Administration.";
    REMOVE_SURE = "Remove the sign-in", "Anmeldung entfernen";

    STEP_SETTINGS = "its settings (/.well-known/openid-configuration)", "seinen Einstellungen (/.well-known/openid-configuration)";
    STEP_KEYS = "its keys (jwks_uri)", "seinen Schlüsseln (jwks_uri)";
    STEP_TOKEN = "its token endpoint", "seinem Token-Endpunkt";
    STEP_PERSON = "its userinfo endpoint", "seinem Userinfo-Endpunkt";
    CALL_NOT_ALLOWED = "The provider was asked for {step}: the address must be https and name a host. Correct the issuer, or the addresses the provider publishes.", "Der Anbieter wurde nach {step} gefragt: Die Adresse muss mit https beginnen und einen Hostnamen nennen. Bitte den Aussteller oder die veröffentlichten Adressen berichtigen.";
    CALL_NOT_PUBLIC = "The provider was asked for {step}: its host has an address in a private network. The operator lists it in outbound.identity_providers.", "Der Anbieter wurde nach {step} gefragt: Sein Host hat eine Adresse in einem privaten Netz. Der Betrieb trägt ihn in outbound.identity_providers ein.";
    CALL_REDIRECTED = "The provider was asked for {step} and answered {status}: redirects are not followed. Enter the issuer it leads to.", "Der Anbieter wurde nach {step} gefragt und antwortete mit {status}: Weiterleitungen werden nicht verfolgt. Bitte den Aussteller eintragen, zu dem sie führt.";
    CALL_REFUSED = "The provider was asked for {step} and answered {status}. Check the issuer: a missing part of the path, such as the realm, is the usual reason.", "Der Anbieter wurde nach {step} gefragt und antwortete mit {status}. Bitte den Aussteller prüfen: Meist fehlt ein Teil des Pfads, etwa der Realm.";
    CALL_TOO_LARGE = "The provider was asked for {step} and answered with more than {bytes} bytes. This is not an identity provider.", "Der Anbieter wurde nach {step} gefragt und antwortete mit mehr als {bytes} Bytes. Das ist kein Identitätsanbieter.";
    CALL_FAILED = "The provider was asked for {step} and did not answer in time, or not over a trusted connection. Check name, certificate and firewall.", "Der Anbieter wurde nach {step} gefragt und antwortete nicht rechtzeitig oder nicht über eine vertrauenswürdige Verbindung. Bitte Namen, Zertifikat und Firewall prüfen.";
    MALFORMED = "The provider was asked for {step} and answered something else than OpenID Connect prescribes. Check the issuer.", "Der Anbieter wurde nach {step} gefragt und antwortete anders, als OpenID Connect es vorschreibt. Bitte den Aussteller prüfen.";
    OTHER_ISSUER = "The provider calls itself {found}. Enter exactly this as the issuer, if it is yours.", "Der Anbieter bezeichnet sich als {found}. Bitte genau dies als Aussteller eintragen, falls es Ihrer ist.";
    NO_KEYS = "The provider publishes no key for RS256, PS256, ES256 or EdDSA. Choose one of these for ID tokens there.", "Der Anbieter veröffentlicht keinen Schlüssel für RS256, PS256, ES256 oder EdDSA. Bitte dort eines dieser Verfahren für ID-Token wählen.";
    NO_PKCE = "The provider does not offer PKCE with S256. Allow it there for this client.", "Der Anbieter bietet PKCE mit S256 nicht an. Bitte dort für diesen Client zulassen.";
    CLIENT_REFUSED = "The provider does not accept the client ID or the secret ({error}). Enter both again.", "Der Anbieter nimmt Client-ID oder Secret nicht an ({error}). Bitte beide neu eintragen.";
    LINKED = "This account is linked to an identity at the institution's provider.", "Dieses Konto ist mit einer Identität beim Anbieter des Instituts verknüpft.";
    UNLINK = "Release the link", "Verknüpfung lösen";
    UNLINK_HELP = "The next sign-in with this email address links the account anew.", "Die nächste Anmeldung mit dieser E-Mail-Adresse verknüpft das Konto neu.";
    UNLINKED = "The link is released.", "Die Verknüpfung ist gelöst.";
}
