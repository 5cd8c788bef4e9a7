"""A mail server for tests that misbehaves: aiosmtpd, with one mood after another.

Usage: moody_server.py PORT JOURNAL [--moods VERB:WHAT,...] [--greylist SECONDS] [--silent DOMAIN] [--tls CERTIFICATE KEY] [--login]
       [--transcript]

Each mood is used up when its VERB comes (greeting, ehlo, helo, starttls, auth, mail, rcpt, data, dot, rset, quit); then the server behaves until the
next one's verb comes. WHAT is a code (220, 250, 334, 354, 421, 451, 550), drop (the connection is cut), close, garbage, long (a line of 10,000 characters),
silence, inject (the reply that was wanted, and another behind it), or usual (nothing is wrong). With --greylist a sender and recipient are refused until they have waited. Mails
to the --silent domain get no answer to the final dot. With --tls mails are taken after STARTTLS alone, with --login after AUTH. Each event is a line of
JSON in JOURNAL: {"event": "ready"}, {"event": "connection"}, {"event": "mood", ...} and {"event": "message", ...}. With --transcript there are
{"event": "command", ...} (of AUTH the verb alone) and {"event": "login", ...}, too, and messages have their sender and content.
"""

import argparse
import asyncio
import json
import ssl
import time

from aiosmtpd.smtp import SMTP, AuthResult

parser = argparse.ArgumentParser()
parser.add_argument("port", type=int)
parser.add_argument("journal")
parser.add_argument("--moods", default="")
parser.add_argument("--greylist", type=float)
parser.add_argument("--silent")
parser.add_argument("--tls", nargs=2)
parser.add_argument("--login", action="store_true")
parser.add_argument("--transcript", action="store_true")
arguments = parser.parse_args()
moods = [mood.split(":") for mood in arguments.moods.split(",") if mood]
journal = open(arguments.journal, "a")
seen = {}


def record(**event):
    journal.write(json.dumps(event) + "\n")
    journal.flush()


def mood(verb):
    """What to do wrong at this verb now; None: nothing."""
    if moods and moods[0][0] == verb:
        record(event="mood", verb=verb, what=moods[0][1])
        return moods.pop(0)[1]
    return None


class Server(SMTP):
    async def misbehaves(self, verb):
        what = mood(verb)
        if what is None or what == "usual":
            return False
        if what == "drop":
            self.transport.abort()
        elif what == "close":
            self.transport.close()
        elif what == "garbage":
            await self.push("this is no reply")
        elif what == "long":
            await self.push("250 " + "x" * 10_000)
        elif what == "inject":
            await self.push("220 2.0.0 Go on\r\n250 2.0.0 said before TLS")
        elif what != "silence":
            enhanced = {"4": "4.4.2", "5": "5.5.0"}.get(what[0])
            await self.push(f"{what} {enhanced} in a mood" if enhanced else f"{what} in a mood")
        return True


def moody(verb):
    usual = getattr(SMTP, f"smtp_{verb.upper()}")

    async def command(self, argument):
        if arguments.transcript:
            line = verb.upper() if verb == "auth" or not argument else f"{verb.upper()} {argument}"
            record(event="command", line=line)
        if not await self.misbehaves(verb):
            await usual(self, argument)

    return command


for verb in ["ehlo", "helo", "starttls", "auth", "mail", "rcpt", "data", "rset", "quit"]:
    setattr(Server, f"smtp_{verb.upper()}", moody(verb))


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if arguments.greylist is not None:
            first = seen.setdefault((envelope.mail_from, address), time.monotonic())
            if time.monotonic() - first < arguments.greylist:
                return "450 4.7.1 Greylisted, please come back"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        content = envelope.content.decode()
        identity = next(line for line in content.split("\r\n") if line.lower().startswith("message-id:"))
        more = {"sender": envelope.mail_from, "content": content} if arguments.transcript else {}
        record(event="message", recipient=envelope.rcpt_tos[0], messageID=identity.split(":", 1)[1].strip(), **more)
        if arguments.silent and envelope.rcpt_tos[0].endswith("@" + arguments.silent):
            await asyncio.Event().wait()
        if await server.misbehaves("dot"):
            # What is said has been said; aiosmtpd says no more.
            return await asyncio.Event().wait()
        return "250 2.0.0 Taken"


class Refusing(asyncio.Protocol):
    def __init__(self, what):
        self.what = what

    def connection_made(self, transport):
        if self.what == "drop":
            transport.abort()
        elif self.what == "silence":
            return
        else:
            transport.write(f"{self.what} in a mood\r\n".encode())
            transport.close()


def authenticate(server, session, envelope, mechanism, data):
    if arguments.transcript:
        record(event="login", user=data.login.decode(), password=data.password.decode())
    return AuthResult(success=True)


def options():
    options = {"hostname": "localhost"}
    if arguments.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*arguments.tls)
        options |= {"tls_context": context, "require_starttls": True}
    if arguments.login:
        options |= {
            "auth_required": True,
            "auth_require_tls": False,
            "authenticator": authenticate,
        }
    return options


async def main():
    usual = options()

    def make():
        record(event="connection")
        what = mood("greeting")
        return Refusing(what) if what else Server(Handler(), **usual)

    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", arguments.port, backlog=512)
    record(event="ready")
    await server.serve_forever()


asyncio.run(main())
