"""Pushes through aioapns to the provider simulator, and checks what arrived there.

Prints {"event": "case", "name": …, "error": null or what went wrong} for each case; exits with 0 if none went wrong.

Of aioapns 4.0: nothing of it is changed but the addresses of both environments, which are attributes of two classes, and the authority to
trust. It names no protocol during the handshake, sends `host` in place of `:authority`, begins before it knows the server's settings, and
sends again what a connection that ended did not answer.
"""

import argparse
import asyncio
import json
import logging
import ssl
import sys
import traceback
import urllib.parse
import urllib.request

import aioapns
import jwt
from aioapns import connection as protocols
from arguments import report
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

TEAM, TOPIC = "BELFRYTEAM", "com.example.belfry"
KEYS = {"production": "PRODUCTION", "sandbox": "SANDBOXKEY"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", required=True, help="the simulator's folder, with the .p8 files")
    parser.add_argument("--authority", required=True, help="certificate of the authority to trust")
    parser.add_argument("--production", required=True, type=int, help="port of that environment")
    parser.add_argument("--sandbox", required=True, type=int, help="port of that environment")
    parser.add_argument("--control", required=True, help="the simulator's control API")
    return parser.parse_args()


options = parse()
logging.disable(logging.CRITICAL)
for protocol, port in (
    (protocols.APNsProductionClientProtocol, options.production),
    (protocols.APNsDevelopmentClientProtocol, options.sandbox),
):
    protocol.APNS_SERVER, protocol.APNS_PORT = "localhost", port


def key(environment):
    with open(f"{options.keys}/apns-{environment}.p8", encoding="ascii") as file:
        return file.read()


def client(environment="production", **changes):
    settings = {
        "key": key(environment),
        "key_id": KEYS[environment],
        "team_id": TEAM,
        "topic": TOPIC,
        "use_sandbox": environment == "sandbox",
        "max_connections": 2,
        "ssl_context": ssl.create_default_context(cafile=options.authority),
    }
    return aioapns.APNs(**{**settings, **changes})


def call(method, path, body=None):
    request = urllib.request.Request(
        options.control + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or "null")


def pushes(token):
    return call("GET", f"/api/apns?{urllib.parse.urlencode({'token': token})}")["pushes"]


def fault(token, **effect):
    call("POST", "/api/faults", {"match": {"channel": "apns", "token": token}, "effect": effect, "times": 1})


async def push(apns, token, message=None, **more):
    message = message or {"aps": {"alert": "Hello"}}
    return await apns.send_notification(aioapns.NotificationRequest(device_token=token, message=message, **more))


async def refused(apns, token, status, reason, **more):
    answer = await push(apns, token, **more)
    assert (answer.status, answer.description) == (str(status), reason), (answer.status, answer.description)
    return answer


cases = []


def case(function):
    """Its name is what it shows."""
    cases.append(function)
    return function


def token(number):
    return f"{number:02x}" * 32


@case
async def a_push_arrives_as_it_was_sent():
    message = {"aps": {"alert": {"title": "Hello", "body": "Wörld"}, "badge": 3}, "transactionId": "t-1"}
    answer = await push(
        client(),
        token(1),
        message,
        notification_id="123e4567-e89b-12d3-a456-42661417400a",
        time_to_live=60,
        priority=5,
        collapse_key="chat-1",
        push_type=aioapns.PushType.ALERT,
    )
    assert answer.is_successful, answer.description
    (arrived,) = pushes(token(1))
    assert arrived["payload"] == message, arrived
    assert arrived["apnsId"] == "123e4567-e89b-12d3-a456-42661417400a", arrived
    found = [arrived[name] for name in ("environment", "topic", "pushType", "priority", "apnsCollapseId")]
    assert found == ["production", TOPIC, "alert", 5, "chat-1"], found


@case
async def a_token_belongs_to_one_environment():
    call("POST", "/api/apns/devices", {"token": token(2), "environment": "sandbox"})
    await refused(client(), token(2), 400, "BadDeviceToken")
    assert (await push(client("sandbox"), token(2))).is_successful
    assert [each["environment"] for each in pushes(token(2))] == ["sandbox"]


@case
async def a_key_belongs_to_one_environment():
    apns = client(key=key("sandbox"), key_id=KEYS["sandbox"])
    await refused(apns, token(3), 403, "BadEnvironmentKeyInToken")


@case
async def a_key_that_is_not_ours_is_refused():
    foreign = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for changes in ({"key": foreign.decode()}, {"key_id": "UNKNOWN123"}, {"team_id": "OTHERTEAM1"}):
        await refused(client(**changes), token(4), 403, "InvalidProviderToken")


@case
async def a_device_that_is_gone_is_told_with_its_time():
    call("POST", "/api/apns/devices", {"token": token(5), "unregisteredAt": "2023-11-14T22:13:20Z"})
    answer = await refused(client(), token(5), 410, "Unregistered")
    assert answer.timestamp == 1_700_000_000_000, answer.timestamp


@case
async def what_is_wrong_with_a_push_is_named():
    apns = client()
    await refused(apns, token(6), 413, "PayloadTooLarge", message={"aps": {"alert": "x" * 4_096}})
    await refused(apns, token(6), 400, "BadCollapseId", collapse_key="k" * 65)
    await refused(apns, token(6), 400, "BadPriority", priority=7)
    await refused(apns, token(6), 400, "TopicDisallowed", apns_topic="com.example.other")
    await refused(apns, "xyz", 400, "BadDeviceToken")
    await refused(apns, token(6), 400, "PayloadEmpty", message={"a": 1})
    assert pushes(token(6)) == []


@case
async def faults_are_answered_once():
    apns = client()
    for reason, status in (("ServiceUnavailable", 503), ("TooManyRequests", 429), ("ExpiredProviderToken", 403)):
        fault(token(7), kind="reason", text=reason)
        await refused(apns, token(7), status, reason)
    assert (await push(apns, token(7))).is_successful


@case
async def what_a_goodbye_left_undone_is_sent_again():
    fault(token(8), kind="goaway", text="Shutdown")
    assert (await push(client(), token(8))).is_successful
    assert len(pushes(token(8))) == 1


@case
async def many_go_over_one_connection_once_one_was_accepted():
    apns = client(max_connections=1)
    before = call("GET", "/api/apns/summary")["connections"]
    assert (await push(apns, token(9))).is_successful
    # So that the settings that follow the first answer have come.
    assert (await push(apns, token(9))).is_successful
    answers = await asyncio.gather(*(push(apns, token(9)) for _ in range(200)))
    assert all(each.is_successful for each in answers)
    assert call("GET", "/api/apns/summary")["connections"] - before == 1


@case
async def a_token_is_good_for_an_hour():
    """aioapns renews its own; PyJWT, on which it rests, makes an older one."""
    apns = client()
    make = jwt.encode

    def older(payload, *arguments, **named):
        return make({**payload, "iat": payload["iat"] - 3_700}, *arguments, **named)

    jwt.encode = older
    try:
        await refused(apns, token(10), 403, "ExpiredProviderToken")
    finally:
        jwt.encode = make


async def main():
    failures = 0
    for each in cases:
        try:
            await asyncio.wait_for(each(), 20)
            error = None
        except Exception:
            error = traceback.format_exc()
            failures += 1
        report(event="case", name=each.__name__.replace("_", " "), error=error)
    return failures


sys.exit(min(asyncio.run(main()), 1))
