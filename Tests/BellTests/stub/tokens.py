"""JSON Web Tokens, HS256, as the gateway and the hub take them."""

import base64
import hashlib
import hmac
import json
import time


# As ASP.NET calls the subject.
LONG_NAME = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"


def mint(secret, subject, role="user", lifetime=3600, **claims):
    payload = {"sub": subject, "role": role, "exp": int(time.time() + lifetime), **claims}
    text = f"{_encode({'alg': 'HS256', 'typ': 'JWT'})}.{_encode(payload)}"
    return f"{text}.{_base64(_sign(secret, text))}"


def subject(secret, token):
    """Whom the token names; None if it is worth nothing (any more)."""
    try:
        text, _, signature = token.rpartition(".")
        payload = text.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        if not hmac.compare_digest(_base64(_sign(secret, text)), signature) or claims["exp"] <= time.time():
            return None
        named = claims["sub"] or claims[LONG_NAME]
        return named[0] if isinstance(named, list) else named
    except (ValueError, KeyError, IndexError):
        return None


def _sign(secret, text):
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()


def _encode(value):
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
