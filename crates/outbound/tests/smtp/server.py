"""A real SMTP server for the tests, which tells on standard output what happens to it, one JSON object a line.

It refuses some recipients by name (greylisted, gone, full, closing), refuses messages whose subject holds
SPAM, falls silent on others (silent) or closes the line (dropped), so that every answer can be had on demand.
A line "refuse" on standard input makes it refuse every recipient for the time being, until a line "accept" comes.
"""

import argparse
import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

REFUSALS = {
    "greylisted": "451 4.7.1 Greylisted, try again later",
    "gone": "550 5.1.1 No such user here",
    "full": "552 5.2.2 Mailbox full",
    "closing": "421 4.3.2 Service shutting down",
}


def tell(**event):
    print(json.dumps(event), flush=True)


class Handler:
    refuses = False

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if Handler.refuses:
            tell(event="refused")
            return "451 4.3.2 System not accepting messages for now"
        name = address.split("@")[0]
        if name in REFUSALS:
            return REFUSALS[name]
        if name == "silent":
            await asyncio.sleep(3600)
        if name == "dropped":
            server.transport.abort()
            await asyncio.sleep(3600)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        if "SPAM" in str(message["Subject"]):
            return "554 5.7.1 Message refused"
        if "SLOW" in str(message["Subject"]):
            tell(event="slow")
            await asyncio.sleep(2)
        parts = list(message.iter_parts())
        tell(
            event="mail",
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            secured=session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            signed_in=bool(session.authenticated),
            hello=session.host_name,
            headers=[[name, str(value)] for name, value in message.items()],
            type=message.get_content_type(),
            parts=[[part.get_content_type(), part.get_content()] for part in parts],
            defects=[str(defect) for part in [message, *parts] for defect in part.defects],
            longest_line=max(len(line) for line in envelope.content.splitlines()),
            ascii=envelope.content.isascii(),
        )
        return "250 2.0.0 Taken as 12345"


class Server(SMTP):
    def connection_made(self, transport):
        tell(event="secured" if transport.get_extra_info("sslcontext") else "connected")
        super().connection_made(transport)


def authenticator(expected):
    def check(server, session, envelope, mechanism, data):
        given = isinstance(data, LoginPassword) and f"{data.login.decode()}:{data.password.decode()}"
        return AuthResult(success=given == expected, handled=False)

    return check


def obey():
    """Follows the orders on standard input until it ends."""
    for line in sys.stdin:
        Handler.refuses = line.strip() == "refuse"
        tell(event="obeyed")


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--security", choices=["starttls", "tls", "plain"], default="plain")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--login", help="user:password that must be given")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()

    context = None
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate, options.key)
    settings = {"hostname": "relay.test", "timeout": 60}
    if options.security == "starttls":
        settings |= {"tls_context": context, "require_starttls": True}
    if options.login:
        settings |= {
            "authenticator": authenticator(options.login),
            "auth_required": True,
            "auth_require_tls": options.security == "starttls",
        }
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(
        lambda: Server(Handler(), loop=loop, **settings),
        "127.0.0.1",
        options.port,
        ssl=context if options.security == "tls" else None,
    )
    tell(event="listening", port=listening.sockets[0].getsockname()[1])
    # The test closes our standard input when it ends, however it ends.
    await loop.run_in_executor(None, obey)


asyncio.run(main())
