"""Pushes through pywebpush to the provider simulator, and checks what arrived there.

Prints {"event": "case", "name": …, "error": null or what went wrong} for each case; exits with 0 if none went wrong. Nothing of pywebpush
2.5.0 is changed: subscriptions are the simulator's, made as a browser makes them.
"""

import argparse
import json
import sys
import time
import traceback
import urllib.parse
import urllib.request

import pywebpush
import requests
from arguments import report
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, b64urlencode

SUBJECT = "mailto:push@example.com"


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--authority", required=True, help="certificate of the authority to trust")
    parser.add_argument("--control", required=True, help="the simulator's control API")
    return parser.parse_args()


options = parse()
session = requests.Session()
session.verify = options.authority
# Else a bundle that the environment names would win over it.
session.trust_env = False


def call(method, path, body=None):
    request = urllib.request.Request(
        options.control + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or "null")


def query(endpoint):
    return urllib.parse.urlencode({"endpoint": endpoint})


def pushes(subscription):
    return call("GET", f"/api/webpush?{query(subscription['endpoint'])}")["pushes"]


def fault(subscription, **effect):
    match = {"channel": "webpush", "token": subscription["endpoint"]}
    call("POST", "/api/faults", {"match": match, "effect": effect, "times": 1})


def new_key():
    key = Vapid02()
    key.generate_keys()
    return key


def text(key):
    return b64urlencode(key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def subscribe(key=None):
    return call("POST", "/api/webpush/subscriptions", {"applicationServerKey": text(key)} if key else {})


def push(subscription, data="Hello", key=None, claims=None, **more):
    """What came of it: the answer, or that of the exception."""
    try:
        return pywebpush.webpush(
            subscription,
            data,
            vapid_private_key=key or new_key(),
            vapid_claims={"sub": SUBJECT, **(claims or {})},
            requests_session=session,
            **more,
        )
    except pywebpush.WebPushException as error:
        if error.response is None:
            raise
        return error.response


cases = []


def case(function):
    """Its name is what it shows."""
    cases.append(function)
    return function


@case
def a_push_arrives_as_it_was_sent():
    key = new_key()
    subscription = subscribe(key)
    headers = {"Topic": "t-1", "Urgency": "high"}
    answer = push(subscription, "Wörld", key, ttl=60, headers=headers)
    assert answer.status_code == 201 and answer.headers["location"].startswith("https://"), answer.headers
    (arrived,) = pushes(subscription)
    assert arrived["text"] == "Wörld" and arrived["isReadable"], arrived
    assert (arrived["ttl"], arrived["topic"], arrived["urgency"]) == (60, "t-1", "high"), arrived
    assert arrived["subject"] == SUBJECT, arrived


@case
def the_largest_push_arrives_and_a_larger_one_does_not():
    subscription = subscribe()
    assert push(subscription, "x" * 3993).status_code == 201
    assert push(subscription, "x" * 3994).status_code == 413
    assert len(pushes(subscription)) == 1


@case
def another_key_than_that_of_the_subscription_is_refused():
    assert push(subscribe(new_key())).status_code == 403


@case
def a_token_for_another_origin_is_refused():
    assert push(subscribe(), claims={"aud": "https://push.example.com"}).status_code == 403


@case
def a_token_that_holds_for_too_long_is_refused():
    assert push(subscribe(), claims={"exp": int(time.time()) + 3 * 86400}).status_code == 403


@case
def a_push_without_a_token_is_refused():
    answer = pywebpush.WebPusher(subscribe(), requests_session=session).send("Hello")
    assert answer.status_code == 401, answer.status_code


@case
def a_subscription_that_has_ended_is_gone_and_one_that_never_was_is_unknown():
    subscription = subscribe()
    call("DELETE", f"/api/webpush/subscriptions?{query(subscription['endpoint'])}")
    assert push(subscription).status_code == 410
    assert push({**subscription, "endpoint": subscription["endpoint"] + "x"}).status_code == 404


@case
def a_fault_is_answered_once_with_the_time_to_wait():
    subscription = subscribe()
    fault(subscription, kind="quota", retryAfter=7)
    answer = push(subscription)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7"), answer.headers
    assert push(subscription).status_code == 201


@case
def windows_throttling_says_why():
    subscription = subscribe()
    fault(subscription, kind="status", status=406, text="channel throttled")
    answer = push(subscription)
    assert answer.status_code == 406, answer.status_code
    assert answer.headers["x-wns-error-description"] == "channel throttled", answer.headers


def main():
    failures = 0
    for function in cases:
        error = None
        try:
            function()
        except Exception:
            error = traceback.format_exc(limit=-3)
            failures += 1
        report(event="case", name=function.__name__.replace("_", " "), error=error)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
