"""What http_ece, py_vapid and PyJWT make of our pushes to browsers.

    webpush_judge.py FILE     objections to those in FILE, one JSON document a line; nothing if there are none

Each has what a browser and its push service would see: `body` and `authorization`, with `private` (PEM) and `auth` of the subscription,
`origin` of the endpoint, `key` with which it subscribed, and the `text` that is to come out. Bytes are in base64url.
"""

import base64
import json
import sys
import time

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from py_vapid import Vapid02


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def judge(push):
    body = decoded(push["body"])
    assert len(body) <= 4096, f"{len(body)} bytes"
    private = load_pem_private_key(push["private"].encode(), None)
    text = http_ece.decrypt(body, private_key=private, auth_secret=decoded(push["auth"]), version="aes128gcm")
    assert text.decode() == push["text"], text
    # It takes no blank after the comma, which RFC 8292 has in its examples.
    authorization = push["authorization"].replace(", ", ",")
    assert Vapid02.verify(authorization), "the signature is not the key's"
    fields = dict(field.split("=", 1) for field in authorization.removeprefix("vapid ").split(","))
    assert set(fields) == {"t", "k"} and fields["k"] == push["key"], fields
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(fields["k"]))
    claims = jwt.decode(
        fields["t"], point, algorithms=["ES256"], audience=push["origin"], options={"require": ["aud", "exp", "sub"]}
    )
    assert claims["exp"] - time.time() <= 86400, claims
    assert claims["sub"].startswith(("mailto:", "https://")), claims


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file):
            try:
                judge(json.loads(line))
            except Exception as error:
                print(f"{number}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
