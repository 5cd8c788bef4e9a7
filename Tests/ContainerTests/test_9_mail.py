"""Mails through Debian's Postfix to another one, and what comes back, through the pipe that docs/bounces.md sets up."""

import json
import re
import secrets

import dkim
import pytest

from postfix import DOMAIN, Behind, Front, services
from stack import REPOSITORY
from waiting import until

TYPE = "AllowanceDeposit"
NOBODY = "unknown"
# What a mail server may not lose: characters of other languages, lines that are a dot, lines longer than it takes.
DATA = {"amount": "5,00 €", "balance": "\n.\n..dots\nFrom here on:\n" + "Zürich für immer " * 100 + "and the end"}
# What the program in the pipe is told by the gateway, and tells Postfix, which writes it into its log.
SAYS = r"to=<bounces\+.*relay=belfry-bounce.*status=sent.*"
NOTHING_DONE = "It says nothing about an address: nothing was done."
RETURN_PATH = re.compile(r"bounces\+[A-Za-z0-9_-]{56}@bounces\.example\.com")


class Pipe:
    """What docs/bounces.md tells operators to type and to write."""

    def __init__(self):
        text = (REPOSITORY / "docs/bounces.md").read_text()
        section = re.search(r"(?ms)^### The pipe\n(.*?)^##+ ", text)[1]
        blocks = re.findall(r"(?ms)^```(?:sh)?\n(.*?)^```$", section)
        self.make_key, self.install_key, self.master, self.main, self.transport, self.reload, self.attempt, self.curl = blocks


@pytest.fixture(scope="module")
def pipe():
    return Pipe()


@pytest.fixture(scope="module")
def front(stack):
    return Front(stack)


@pytest.fixture(scope="module")
def behind(stack):
    return Behind(stack)


def test_two_mail_servers_are_set_up_as_the_documentation_says(stack, front, behind, pipe, stopwatch):
    certificates = stack.scratch / "mail"
    make_certificate(stack, certificates)
    make_dkim_key(stack)
    override = services(certificates)
    override["services"]["email"] = {
        "environment": {
            "BELFRY_EMAIL_CA_FILE": "/etc/belfry/files/mail-ca.pem",
            "BELFRY_EMAIL_DKIM_SELECTOR": "belfry",
            "BELFRY_EMAIL_DKIM_KEY_FILE": "/etc/belfry/files/dkim.pem",
        }
    }
    (stack.folder / "compose.override.yaml").write_text(json.dumps(override))
    stack.configure(
        BELFRY_EMAIL_HOST="mail.example.com",
        BELFRY_EMAIL_PORT=25,
        BELFRY_EMAIL_FROM="news@example.com",
        BELFRY_EMAIL_DOMAIN="example.com",
        BELFRY_EMAIL_RETURN_PATH="bounces@bounces.example.com",
        BELFRY_EMAIL_RETURN_PATH_KEYS=secrets.token_hex(32),
    )
    stack.compose("rm", "--force", "secrets", "simulated")
    stack.compose("up", "--detach", "--wait", "--force-recreate", "front", "behind", "gateway", "email", "proxy", timeout=120)
    stopwatch("two mail servers, and Belfry before them")
    behind.start()
    set_up_pipe(stack, front, pipe)
    assert front.run(f"cd /root && {pipe.attempt}").strip() == NOTHING_DONE
    # The way without the program.
    front.run("sed 's/^/X-Api-Key: /' /etc/belfry/bounces.key >/etc/belfry/bounces.header")
    answer = front.run(f"printf 'Subject: a try\n\nHello\n' | {{ {pipe.curl} }}")
    assert json.loads(answer) == {"recorded": 0, "ignored": 1, "unmatched": 0, "forged": 0}
    for name in ["reader", "later", NOBODY, "gone", "strict", "closing"]:
        make_reader(stack, name)
    stopwatch("the pipe is set up")


def test_a_mail_arrives_whole(stack, behind):
    send(stack, "reader")
    ((raw, mail),) = behind.until_mail("reader")
    shown = stack.call("POST", "/api/v1/admin/preview", stack.token(role="admin"), {"type": TYPE, "data": DATA})["mail"]
    parts = {part.get_content_type(): part.get_content() for part in mail.walk() if not part.is_multipart()}
    assert mail["Subject"] == shown["subject"]
    assert parts["text/plain"].rstrip("\n") == shown["text"].rstrip("\n")
    assert parts["text/html"].rstrip("\n") == shown["html"].rstrip("\n")
    assert RETURN_PATH.fullmatch(mail["Return-Path"].strip("<>"))
    assert is_signed(stack, raw)


def test_a_mail_that_is_deferred_arrives_once(stack, front, behind):
    send(stack, "later")
    assert "Greylisted" in front.waits_for(f"later@{DOMAIN}")
    assert behind.mails("later") == []
    behind.take("later")
    behind.until_mail("later")
    front.until_empty()
    assert len(behind.mails("later")) == 1
    assert suppressions(stack, "later") == []


@pytest.mark.parametrize(
    ("name", "returns", "words"),
    [(NOBODY, "front", "5.1.1"), ("gone", "behind", "user unknown")],
    ids=["refused behind, and returned by the server in front", "taken behind, and returned by that server"],
)
def test_an_address_that_bounces_is_suppressed(stack, front, behind, name, returns, words):
    front.mark()
    behind.mark()
    send(stack, name)
    (suppression,) = until("the bounce is heard of", lambda: suppressions(stack, name), within=20)
    assert suppression["reason"] == "hardBounce"
    assert suppression["userId"] == name
    assert words in suppression["diagnostic"]
    {"front": front, "behind": behind}[returns].until_logged("sender non-delivery notification")
    assert address(name) in stack.exec("gateway", "belfry", "suppressions", "list", "--address", address(name))
    front.until_empty()
    front.until_logged(SAYS + r"Recorded\.")

    assert of_mail(explain(stack, name)) == {"decision": "skip", "reason": "emailSuppressed", "since": suppression["since"]}
    send(stack, name)
    latest = until("it is decided", lambda: history(stack, name, count=2), within=10)
    assert of_mail(latest[0])["reason"] == "emailSuppressed"


def test_a_refusal_by_policy_suppresses_nobody(stack, front):
    front.mark()
    send(stack, "strict")
    front.until_logged(SAYS + re.escape(NOTHING_DONE))
    front.until_empty()
    assert suppressions(stack, "strict") == []
    said = re.findall("(?m)^.*a mail came back, and not for its address.*$", stack.compose("logs", "--no-color", "gateway"))
    assert said and all("5.7.1" in each for each in said)
    assert of_mail(explain(stack, "strict"))["decision"] == "deliver"


def test_a_bounce_waits_while_the_gateway_is_down(stack, front, behind, pipe, stopwatch):
    send(stack, "closing")
    front.waits_for(f"closing@{DOMAIN}")
    stack.compose("stop", "gateway")
    stopwatch("the gateway stopped")
    behind.close("closing")
    # What Postfix calls a temporary failure of a command is its exit status 75.
    assert "temporary failure" in front.waits_for(RETURN_PATH.pattern)
    assert front.run(f"cd /root && {{ {pipe.attempt.rstrip()} 2>/dev/null || echo $?; }}") == "75\n"
    front.mark()
    stack.compose("start", "gateway")
    (suppression,) = until("the bounce is heard of", lambda: suppressions(stack, "closing"), within=30)
    assert suppression["reason"] == "hardBounce"
    front.until_logged(SAYS + r"Recorded\.")
    front.until_empty()


def make_certificate(stack, folder):
    """One for both names, which is its own authority."""
    (folder / "tls").mkdir(parents=True)
    names = "subjectAltName=DNS:belfry.example.com,DNS:mail.example.com"
    new = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=belfry.example.com", "-addext", names, "-days", "2"]
    stack.run("openssl", "req", *new, "-keyout", folder / "key", "-out", folder / "ca.crt")
    bundle = folder / "tls" / "belfry.pem"
    bundle.write_text((folder / "key").read_text() + (folder / "ca.crt").read_text())
    # The proxy is another user.
    bundle.chmod(0o644)
    (stack.folder / "files" / "mail-ca.pem").write_text((folder / "ca.crt").read_text())


def make_dkim_key(stack):
    key = stack.folder / "files" / "dkim.pem"
    stack.run("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key)
    key.chmod(0o644)


def is_signed(stack, raw):
    """Whether the signature that Belfry made is good still: nothing that it covers was changed on the way."""
    key = ["openssl", "pkey", "-in", stack.folder / "files" / "dkim.pem", "-pubout", "-outform", "DER"]
    public = stack.run("bash", "-c", f"{' '.join(map(str, key))} | openssl base64 -A")
    records = {b"belfry._domainkey.example.com.": f"v=DKIM1; k=rsa; p={public}".encode()}
    return dkim.verify(raw.replace(b"\n", b"\r\n"), dnsfunc=lambda name, timeout=5: records.get(name))


def set_up_pipe(stack, front, pipe):
    made = stack.exec("gateway", "sh", "-c", pipe.make_key)
    key = stack.scratch / "mail" / "bounces.key"
    key.write_text(re.search(r"belfry_\w{43}", made)[0])
    stack.docker("cp", key, f"{stack.container('front').id}:/root/bounces.key")
    front.run(f"cd /root && {pipe.install_key}")
    front.append("/etc/postfix/master.cf", pipe.master)
    front.append("/etc/postfix/main.cf", pipe.main)
    front.append("/etc/postfix/transport", pipe.transport)
    front.run(pipe.reload)


def address(name):
    return f"{name}@{DOMAIN}"


def make_reader(stack, name):
    stack.call("PUT", f"/api/v1/users/{name}", stack.token(), {"email": address(name), "locale": "en"})
    choices = {"preferences": [{"notificationType": TYPE, "emailEnabled": True, "pushEnabled": False}]}
    stack.call("PUT", "/api/v1/notifications/preferences", stack.token(name), choices)


def send(stack, name):
    answer = stack.call("POST", "/api/v1/notifications", stack.token(), {"to": {"users": [name]}, "type": TYPE, "data": DATA})
    assert answer["status"] == "accepted"


def suppressions(stack, name):
    answer = stack.ask("GET", f"/api/v1/admin/suppressions?address={address(name)}", stack.token(role="admin"))
    return answer.json()["suppressions"] if answer.is_success else []


def explain(stack, name):
    """What would be decided now."""
    question = {"userId": name, "type": TYPE, "data": DATA}
    return stack.call("POST", "/api/v1/admin/explain", stack.token(role="admin"), question)


def history(stack, name, count):
    """What was decided of the user's notifications, the latest first, once there are as many."""
    found = stack.call("GET", f"/api/v1/admin/notifications?user={name}", stack.token(role="admin"))["notifications"]
    return found if len(found) == count else None


def of_mail(decisions):
    channel = next(each for each in decisions["channels"] if each["channelName"] == "email")
    return {name: channel[name] for name in ["decision", "reason", "since"] if channel.get(name) is not None}
