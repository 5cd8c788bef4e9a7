"""A mail server for tests: aiosmtpd, with refusals on demand.

Usage: smtp_server.py PORT JOURNAL [--starttls|--tls CERT KEY] [--auth USER PASSWORD] [--greeting-refusal]
       [--pipelining] [--idle-timeout SECONDS]

Every event is one line of JSON in JOURNAL: {"event": "ready"}, and {"event": "message", ...} before the message is accepted,
with what Python's email package reads in it. The recipient's local part says what happens:
unknown (550 at RCPT), busy (451 at RCPT), big (552 at the end of the message), drop (connection cut instead of the final
reply), hang (no final reply), slow (the final reply after two seconds), silent (550 at RCPT, and RSET is never answered).
"""

import argparse
import asyncio
import email
import email.policy
import json
import ssl

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

RCPT_REFUSALS = {
    "unknown": "550 5.1.1 No such mailbox here",
    "silent": "550 5.1.1 No such mailbox here",
    "busy": "451-4.3.0 The mailbox is busy\r\n451 4.3.0 Try again later",
}
connections = 0


class Server(SMTP):
    def connection_made(self, transport):
        # Again after STARTTLS, on the same object.
        global connections
        if not hasattr(self, "number"):
            connections += 1
            self.number = connections
        super().connection_made(transport)


class Handler:
    def __init__(self, journal, pipelining):
        self.journal = journal
        self.pipelining = pipelining

    def record(self, **event):
        self.journal.write(json.dumps(event) + "\n")
        self.journal.flush()

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        return responses[:-1] + (["250-PIPELINING"] if self.pipelining else []) + responses[-1:]

    async def handle_RCPT(self, server, session, envelope, address, options):
        local = address.split("@")[0]
        refusal = RCPT_REFUSALS.get(local)
        session.is_silent = local == "silent"
        if refusal:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_RSET(self, server, session, envelope):
        if getattr(session, "is_silent", False):
            await asyncio.Event().wait()
        return "250 2.0.0 OK"

    async def handle_DATA(self, server, session, envelope):
        local = envelope.rcpt_tos[0].split("@")[0]
        if local == "big":
            return "552 5.3.4 Message too big"
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.record(
            event="message",
            connection=server.number,
            tls=session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None,
            user=session.auth_data.login.decode() if session.authenticated else None,
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            headers=[[name, str(value)] for name, value in message.items()],
            defects=[str(d) for part in message.walk() for d in part.defects]
            + [str(d) for value in message.values() for d in value.defects],
            type=message.get_content_type(),
            parts=[
                [part.get_content_type(), part.get_content()] for part in message.walk() if not part.is_multipart()
            ],
            longest=max(len(line) for line in envelope.content.split(b"\r\n")),
        )
        if local == "slow":
            await asyncio.sleep(2)
        if local == "drop":
            server.transport.abort()
        if local in ("drop", "hang"):
            await asyncio.Event().wait()
        return "250 2.0.0 Taken"


class Refusing(asyncio.Protocol):
    def connection_made(self, transport):
        transport.write(b"421 4.3.2 Too many connections\r\n")
        transport.close()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("journal")
    parser.add_argument("--starttls", nargs=2)
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--auth", nargs=2)
    parser.add_argument("--greeting-refusal", action="store_true")
    parser.add_argument("--pipelining", action="store_true")
    parser.add_argument("--idle-timeout", type=float, default=300)
    arguments = parser.parse_args()
    handler = Handler(open(arguments.journal, "a"), arguments.pipelining)

    def context(files):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(*files)
        return made

    def authenticate(server, session, envelope, mechanism, data):
        user, password = arguments.auth
        good = isinstance(data, LoginPassword) and data == LoginPassword(user.encode(), password.encode())
        return AuthResult(success=good, handled=False, auth_data=data)

    options = {"hostname": "localhost", "timeout": arguments.idle_timeout}
    if arguments.starttls:
        options.update(tls_context=context(arguments.starttls), require_starttls=True)
    if arguments.auth:
        options.update(authenticator=authenticate, auth_required=True)
        if arguments.tls:
            options.update(auth_require_tls=False)

    def make():
        return Refusing() if arguments.greeting_refusal else Server(handler, **options)

    server = await asyncio.get_running_loop().create_server(
        make, "127.0.0.1", arguments.port, ssl=context(arguments.tls) if arguments.tls else None
    )
    handler.record(event="ready")
    await server.serve_forever()


asyncio.run(main())
