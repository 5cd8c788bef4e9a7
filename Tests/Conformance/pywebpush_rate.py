"""Encrypts messages through pywebpush, and with --control pushes them to the provider simulator, one after another; prints how fast that
was; see rate.py.

Nothing of it is changed. It signs each push anew, as it does where nobody gives it a signature.
"""

import argparse
import json
import urllib.request

import pywebpush
import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, b64urlencode
from rate import Rate

ID = "0193b1f0-0000-7000-8000-000000000000"
TEXT = json.dumps(
    {
        "web_push": 8030,
        "notification": {
            "title": "Allowance received",
            "body": "You received $10.00. Your balance is $42.00.",
            "tag": ID,
            "lang": "en",
            "data": {"amount": "$10.00", "balance": "$42.00", "notificationId": ID, "type": "10", "receipt": "r" * 107},
        },
        "app_badge": 1,
    },
    separators=(",", ":"),
).encode()


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", required=True, type=int, help="messages")
    parser.add_argument("--control", help="the simulator's control API")
    parser.add_argument("--authority", help="certificate of the authority to trust")
    return parser.parse_args()


def text(key):
    return b64urlencode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def encrypt(options):
    point = text(ec.generate_private_key(ec.SECP256R1()).public_key())
    subscription = {"endpoint": "https://push.example.com/1", "keys": {"p256dh": point, "auth": b64urlencode(bytes(16))}}
    with Rate(options.count):
        for _ in range(options.count):
            # Each is for another browser.
            pywebpush.WebPusher(subscription).encode(TEXT)


def push(options):
    key = Vapid02()
    key.generate_keys()
    request = urllib.request.Request(
        f"{options.control}/api/webpush/subscriptions",
        data=json.dumps({"applicationServerKey": text(key.public_key)}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        subscription = json.load(answer)
    session = requests.Session()
    session.verify = options.authority
    # Else a bundle that the environment names would win over it.
    session.trust_env = False
    with Rate(options.count):
        for _ in range(options.count):
            pywebpush.webpush(
                subscription,
                TEXT,
                vapid_private_key=key,
                vapid_claims={"sub": "mailto:push@example.com"},
                ttl=86_400,
                requests_session=session,
            )


if __name__ == "__main__":
    options = parse()
    (push if options.control else encrypt)(options)
