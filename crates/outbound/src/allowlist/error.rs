//! Why a destination or a setting of the allowlist was refused.

use domain::webhook::MAX_URL;

/// Why a URL is not an acceptable destination. Each sentence follows the name of the field, names the
/// rule and how to keep it, and never repeats the URL, which is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DestinationError {
    #[error("must be at most {MAX_URL} characters long")]
    TooLong,
    #[error(
        "must consist of visible ASCII characters without spaces or backslashes; percent-encode anything else"
    )]
    Characters,
    #[error("must start with https:// and name a host; other schemes are not delivered to")]
    NotHttps,
    #[error("must not hold a user name or password before the host; leave out everything up to the @")]
    UserInfo,
    #[error("must use port 443; write :443 or leave the port out")]
    Port,
    #[error("must not have a fragment; leave out the # and what follows it")]
    Fragment,
    #[error("must name its host by its domain name; a literal address is not accepted in any notation")]
    LiteralAddress,
    #[error("must not have a dot at the end of its host name; leave the dot out")]
    TrailingDot,
    #[error(
        "must spell its host as it is looked up: in lower-case letters, digits, hyphens and dots, nothing encoded"
    )]
    HostSpelling,
    #[error("must spell its path and query as they are sent, without . or .. segments and fully encoded")]
    PathSpelling,
    #[error(
        "must be a Slack incoming webhook like https://hooks.slack.com/services/…, or on a host the operator has added"
    )]
    NotSlack,
    #[error(
        "must be a Slack incoming webhook with a /services/ path; /workflows/ and /triggers/ addresses take another \
         format, so create an incoming webhook for the channel instead"
    )]
    SlackWorkflow,
    #[error(
        "must be a Teams workflow webhook on a host like ….environment.api.powerplatform.com; in Teams choose \
         Workflows, \"When a Teams webhook request is received\", allow anyone to trigger it and copy its URL"
    )]
    NotTeams,
    #[error(
        "must not be a retired Office 365 connector or Logic Apps address, which no longer delivers; in Teams choose \
         Workflows, \"When a Teams webhook request is received\", allow anyone to trigger it and copy its URL"
    )]
    RetiredConnector,
    #[error(
        "must be the trigger address of a Teams workflow, with /workflows/ and /triggers/ in its path; copy the URL \
         that the workflow shows after saving"
    )]
    TeamsPath,
    #[error(
        "must carry the workflow's signature (sig) in its query; set the trigger to be open to anyone in the workflow, \
         save it and copy the URL again"
    )]
    TeamsSignature,
    #[error(
        "must be mailto: and exactly one address, like mailto:security@bank.example, and nothing after it"
    )]
    NotMailto,
    #[error(
        "must hold one plain address: letters, digits and the usual signs before the @, no quotes, commas or \
         percent signs, at most 64 characters"
    )]
    MailLocalPart,
    #[error(
        "must have a domain name of at least two parts after the @, like bank.example, and no literal address"
    )]
    MailDomain,
    #[error("must be an address at a mail domain the operator allows; ask for yours to be added")]
    MailDomainNotAllowed,
}

/// A setting that would open more than it may.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AllowlistError {
    #[error(
        "outbound.dev_destinations: \"{0}\" must be an origin on a loopback address and nothing more, like \
         http://127.0.0.1:9000 or http://[::1]:9000"
    )]
    DevDestination(String),
    #[error(
        "outbound.extra_hosts: \"{0}\" must be a plain host name in lower case, like chat.bank.example, without \
         scheme, port, path or wildcard"
    )]
    ExtraHost(String),
    #[error("outbound.email_domains: \"{0}\" must be a mail domain, like bank.example")]
    EmailDomain(String),
}
