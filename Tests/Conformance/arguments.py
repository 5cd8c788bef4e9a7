"""What the clients of this folder have in common: their arguments and their output."""

import argparse
import json
import sys

TARGETS = ["ReceiveNotification", "UnreadCountChanged", "NotificationRead"]


def parse(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--url", required=True, help="the hub, e.g. http://127.0.0.1:8082/hubs/notifications")
    parser.add_argument("--token", required=True, help="a JWT of the user")
    parser.add_argument("--count", type=int, default=1, help="exit with 0 after that many invocations")
    parser.add_argument("--deadline", type=float, default=30, help="exit with 1 after that many seconds")
    parser.add_argument("--in-query", action="store_true", help="send the token as ?access_token= instead of a header")
    return parser.parse_args()


def report(**line):
    """Prints one JSON object on a line of its own, at once."""
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()
