"""Two machines with Debian's Postfix: the operator's mail server in front, and behind it that of the people who are written to."""

import base64
import email
import email.policy
import json
import os
import re
import shlex

from stack import ALL_PROFILES
from waiting import until

IMAGE = os.environ.get("BELFRY_MAIL_IMAGE", "mail-server")
# Who is behind: mailboxes of one domain. The mailbox of `gone` is found to be none only when the mail has been taken.
DOMAIN = "example.net"
ANSWERS = {
    "later": "450 4.2.0 Greylisted, come again",
    "closing": "450 4.2.0 Greylisted, come again",
    "strict": "550 5.7.1 Refused by policy",
}
MAILBOXES = ["reader", "later", "strict", "gone", "closing"]
# What is not Belfry's network: whoever comes from there may hand in mail for domains of the server's own alone.
OUTSIDE = "198.51.100.0/24"
INSIDE = "127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16"

IN_FRONT = {
    "myhostname": "mail.example.com",
    "mydestination": "mail.example.com, localhost",
    "mynetworks": INSIDE,
    "relayhost": "[mx.example.net]",
    "smtpd_tls_cert_file": "/tls/belfry.pem",
    "smtpd_tls_key_file": "/tls/belfry.pem",
}
BEHIND = {
    "myhostname": "mx.example.net",
    "mydestination": "",
    "mynetworks": "127.0.0.0/8",
    "relayhost": "[mail.example.com]",
    "virtual_mailbox_domains": DOMAIN,
    "virtual_mailbox_base": "/var/mail",
    "virtual_mailbox_maps": "hash:/etc/postfix/mailboxes",
    "virtual_uid_maps": "static:65534",
    "virtual_gid_maps": "static:8",
    "transport_maps": f"inline:{{gone@{DOMAIN}=gone:}}",
    "smtpd_recipient_restrictions": "check_recipient_access hash:/etc/postfix/answers",
}
# What is deferred comes again at once, and not in five minutes.
IMPATIENT = {"inet_protocols": "ipv4", "queue_run_delay": "1s", "minimal_backoff_time": "1s", "maximal_backoff_time": "2s"}
# Not by a connection, of which there would be three lines in the log each second: port 25 (0x19) listens.
LISTENS = [":0019 00000000:0000 0A", "/proc/net/tcp"]


def services(certificates):
    """Of compose.override.yaml: both machines, and Belfry's API by https, where the program in front finds it."""

    def machine(settings, networks):
        return {
            "image": IMAGE,
            "init": False,
            "command": [f"{name}={value}" for name, value in (settings | IMPATIENT).items()],
            "networks": networks,
            "healthcheck": {"test": ["CMD", "grep", "-q", *LISTENS], "interval": "1s", "timeout": "3s", "retries": 30},
        }

    trusted = f"{certificates}/ca.crt:/usr/local/share/ca-certificates/belfry.crt:ro"
    tls = f"{certificates}/tls:/tls:ro"
    name = {"aliases": ["mail.example.com"]}
    front = machine(IN_FRONT, {"providers": name, "outside": name, "edge": {}}) | {"volumes": [trusted, tls]}
    behind = machine(BEHIND, {"outside": {"aliases": ["mx.example.net"]}})
    configuration = "/usr/local/etc/haproxy"
    proxy = {
        "command": ["haproxy", "-W", "-db", "-f", f"{configuration}/haproxy.cfg", "-f", f"{configuration}/tls.cfg"],
        "volumes": [f"./proxy/tls.cfg:{configuration}/tls.cfg:ro", f"{certificates}/tls:/etc/haproxy/tls:ro"],
        "networks": {"edge": {"aliases": ["belfry.example.com"]}},
    }
    networks = {"outside": {"internal": True, "ipam": {"config": [{"subnet": OUTSIDE}]}}}
    return {"services": {"front": front, "behind": behind, "proxy": proxy}, "networks": networks}


class MailServer:
    """A machine with Postfix."""

    def __init__(self, stack, service):
        self.stack, self.service = stack, service
        self._marked = 0

    def run(self, script, **options):
        """As its administrator."""
        return self.stack.exec(self.service, "bash", "-euo", "pipefail", "-c", script, **options)

    def append(self, path, text):
        self.run(f"printf %s {shlex.quote(text)} >>{path}")

    @property
    def log(self):
        return self.stack.compose("logs", "--no-color", "--no-log-prefix", self.service, environment=ALL_PROFILES)

    def mark(self):
        """What is logged from now on counts."""
        self._marked = len(self.log)

    def until_logged(self, pattern, within=20):
        until(f"{self.service} logs {pattern}", lambda: re.search(pattern, self.log[self._marked :]), within)

    def waiting(self):
        """Why each recipient's mail is still in the queue, by address."""
        queue = [json.loads(line) for line in self.run("postqueue -j").splitlines()]
        return {each["address"]: each.get("delay_reason", "") for mail in queue for each in mail["recipients"]}


class Front(MailServer):
    def __init__(self, stack):
        super().__init__(stack, "front")

    def waits_for(self, address, within=20):
        """The reason why the first mail to such an address has to wait, which a pattern names."""

        def reason():
            return next((reason for each, reason in self.waiting().items() if re.fullmatch(address, each) and reason), None)

        return until(f"a mail to {address} waits", reason, within)

    def until_empty(self, within=20):
        until("front has nothing left to do", lambda: not self.waiting(), within)


class Behind(MailServer):
    def __init__(self, stack):
        super().__init__(stack, "behind")

    def start(self):
        """Says who is there, and who is answered what."""
        # A mailbox that the program which delivers to it does not know (EX_NOUSER).
        self.run("postconf -M 'gone/unix=gone unix - n n - - pipe user=nobody argv=/bin/sh -c {exit 67}'")
        self.answers = dict(ANSWERS)
        self.mailboxes = list(MAILBOXES)
        self._write()
        self.run("postfix reload")

    def _write(self):
        tables = {
            "answers": [f"{name}@{DOMAIN} {answer}" for name, answer in self.answers.items()],
            "mailboxes": [f"{name}@{DOMAIN} {name}/" for name in self.mailboxes],
        }
        for name, lines in tables.items():
            text = "".join(f"{line}\n" for line in lines)
            self.run(f"printf %s {shlex.quote(text)} >/etc/postfix/{name} && postmap /etc/postfix/{name}")

    def take(self, name):
        """From now on it takes the mails of this one."""
        del self.answers[name]
        self._write()

    def close(self, name):
        """From now on nobody is there of this name."""
        self.mailboxes.remove(name)
        self.take(name)

    def mails(self, name):
        """What came into the mailbox: as bytes, and read."""
        found = self.run(f"shopt -s nullglob; for mail in /var/mail/{name}/new/*; do base64 -w0 $mail; echo; done")
        raw = [base64.b64decode(line) for line in found.splitlines()]
        return [(each, email.message_from_bytes(each, policy=email.policy.default)) for each in raw]

    def until_mail(self, name, within=20):
        return until(f"a mail for {name}", lambda: self.mails(name), within)
