"""What the clients of this folder have in common: their arguments and their output."""

import argparse
import json
import sys
import urllib.parse

from proxy import CuttingProxy

TARGETS = [
    "ReceiveNotification",
    "UnreadCountChanged",
    "NotificationRead",
    "NotificationChanged",
    "NotificationDeleted",
    # The built-in catalogue's events.
    "BalanceUpdated",
    "TransactionCreated",
    "AllowancePaid",
    "ChoreApproved",
    "GoalReached",
    # A shop's catalogue, which a test brings.
    "StockChanged",
]
TRANSPORTS = ["WebSockets", "ServerSentEvents", "LongPolling"]
PROTOCOLS = ["json", "messagepack"]


def parse(description, transports=TRANSPORTS):
    """The options given, with `proxy` added: the proxy that stands between client and hub, or None."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--url", required=True, help="the hub, e.g. http://127.0.0.1:8082/hubs/notifications")
    parser.add_argument("--token", required=True, help="a JWT of the user")
    parser.add_argument("--count", type=int, default=1, help="exit with 0 after that many invocations; 0 for never")
    parser.add_argument("--deadline", type=float, default=30, help="exit with 1 after that many seconds")
    parser.add_argument("--in-query", action="store_true", help="send the token as ?access_token= instead of a header")
    parser.add_argument("--transport", choices=transports, default="WebSockets")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="json")
    parser.add_argument("--proxied", action="store_true", help="put a proxy between client and hub; see /cut")
    parser.add_argument("--stock", action="store_true", help="leave the library's bugs as they are")
    options = parser.parse_args()
    options.proxy = None
    if options.proxied:
        hub = urllib.parse.urlsplit(options.url)
        options.proxy = CuttingProxy(hub.hostname, hub.port)
        options.url = hub._replace(netloc=f"127.0.0.1:{options.proxy.port}").geturl()
    return options


def report(**line):
    """Prints one JSON object on a line of its own, at once."""
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()
