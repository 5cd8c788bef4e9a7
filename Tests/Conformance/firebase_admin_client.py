"""Sends through Google's own SDK to the provider simulator, and checks what arrived there.

Prints {"event": "case", "name": …, "error": null or what went wrong} for each case; exits with 0 if none went wrong.

Of firebase-admin 7.7.0 and google-auth 2.62.2:
- Nothing of them is changed but addresses: of the token endpoint (by the service account's file), of FCM, and of the
  authority to trust. FCM's two addresses are attributes, one of the class and one of each instance.
- The assertion's audience is always https://oauth2.googleapis.com/token.
- Calls go over HTTP/1.1 by requests, those named _async over HTTP/2 by httpx. Both send a request again after 500 and 503,
  four times in 7 s, and with a fresh access token, twice, after 401.
"""

import argparse
import asyncio
import datetime
import json
import os
import sys
import time
import traceback
import urllib.parse
import urllib.request
import warnings

from arguments import report


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--account", required=True, help="the service account's file")
    parser.add_argument("--authority", required=True, help="certificate of the authority to trust")
    parser.add_argument("--fcm", required=True, help="where FCM is, e.g. https://localhost:1234")
    parser.add_argument("--control", required=True, help="the simulator's control API")
    return parser.parse_args()


options = parse()
os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = options.authority

import firebase_admin  # noqa: E402: reads the environment
from firebase_admin import credentials, exceptions, messaging  # noqa: E402

# `token` as a target, which is what devices still have.
warnings.simplefilter("ignore", DeprecationWarning)


class Simulator:
    """The simulator's control API."""

    def pushes(self, **query):
        # A space as `%20`: the control API reads `+` as what it is in addresses.
        text = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        return self.call("GET", f"/api/pushes?{text}")["pushes"]

    def message(self, **query):
        """The one message that came to a target."""
        pushes = self.pushes(**query)
        assert len(pushes) == 1, pushes
        return pushes[0]["message"]

    def topics(self, registration):
        query = urllib.parse.urlencode({"registration": registration})
        return [each["topic"] for each in self.call("GET", f"/api/subscriptions?{query}")["subscriptions"]]

    def fault(self, token, kind, channel="push", times=None, **effect):
        fault = {"match": {"channel": channel, "token": token}, "effect": {"kind": kind, **effect}}
        if times:
            fault["times"] = times
        return self.call("POST", "/api/faults", fault)["id"]

    def hits(self, fault):
        return next(each["hits"] for each in self.call("GET", "/api/faults")["faults"] if each["id"] == fault)

    def expire_tokens(self):
        self.call("DELETE", "/api/tokens")

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            options.control + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or "null")


simulator = Simulator()
cases = []


def case(function):
    """Its name is what it shows."""
    cases.append(function)
    return function


def text(target="token", value="device", **more):
    return messaging.Message(notification=messaging.Notification("Hello", "World"), **{target: value}, **more)


def refused(kind, error):
    """A fault of this kind must come back as this exception."""
    simulator.fault(kind, kind)
    try:
        messaging.send(text(value=kind))
    except exceptions.FirebaseError as raised:
        assert type(raised) is error, repr(raised)
        assert raised.http_response is not None
    else:
        raise AssertionError("it was accepted")
    assert simulator.pushes(token=kind) == []


# What is sent


@case
def a_token_is_a_target():
    name = messaging.send(text(value="device:one"))
    assert name == simulator.pushes(token="device:one")[0]["messageName"], name
    assert simulator.message(token="device:one")["notification"] == {"title": "Hello", "body": "World"}


@case
def an_installation_id_is_a_target():
    messaging.send(text("fid", "cIrGEp5vRGKoPMlA1Cz7wE"))
    assert simulator.message(fid="cIrGEp5vRGKoPMlA1Cz7wE")["fid"] == "cIrGEp5vRGKoPMlA1Cz7wE"


@case
def a_topic_is_a_target():
    messaging.send(text("topic", "/topics/news"))
    assert simulator.message(topic="news")["topic"] == "news"


@case
def a_condition_is_a_target():
    condition = "'sport' in topics && !('football' in topics)"
    messaging.send(text("condition", condition))
    assert simulator.message(condition=condition)["condition"] == condition


@case
def a_dry_run_is_checked_and_not_kept():
    assert messaging.send(text(value="dry"), dry_run=True).startswith("projects/")
    assert simulator.pushes(token="dry") == []
    try:
        messaging.send(messaging.Message(token="dry", data={"from": "x"}), dry_run=True)
    except exceptions.InvalidArgumentError:
        return
    raise AssertionError("a reserved key was accepted")


@case
def an_android_block_is_understood():
    messaging.send(
        text(
            value="android",
            data={"notificationId": "n1"},
            android=messaging.AndroidConfig(
                collapse_key="balance",
                priority="high",
                ttl=datetime.timedelta(hours=1, milliseconds=500),
                restricted_package_name="org.example",
                data={"a": "b"},
                direct_boot_ok=True,
                fcm_options=messaging.AndroidFCMOptions("label"),
                notification=messaging.AndroidNotification(
                    title="T",
                    body="B",
                    icon="i",
                    color="#112233",
                    sound="default",
                    tag="t",
                    click_action="OPEN",
                    title_loc_key="k",
                    title_loc_args=["1"],
                    channel_id="c",
                    image="https://example.org/i.png",
                    ticker="x",
                    sticky=True,
                    event_timestamp=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
                    local_only=False,
                    priority="high",
                    vibrate_timings_millis=[100, 200],
                    default_sound=True,
                    light_settings=messaging.LightSettings("#112233", 100, 200),
                    visibility="public",
                    notification_count=3,
                    proxy="if_priority_lowered",
                ),
            ),
        )
    )
    push = simulator.pushes(token="android")[0]
    assert (push["collapseKey"], push["tag"], push["notificationId"]) == ("balance", "t", "n1"), push
    assert push["message"]["android"]["ttl"] == "3600.500000000s", push


@case
def an_apns_block_is_understood():
    messaging.send(
        text(
            value="apns",
            apns=messaging.APNSConfig(
                headers={"apns-collapse-id": "c", "apns-priority": "10"},
                live_activity_token="live",
                fcm_options=messaging.APNSFCMOptions("label", "https://example.org/i.png"),
                payload=messaging.APNSPayload(
                    messaging.Aps(
                        alert=messaging.ApsAlert(title="T", subtitle="S", body="B", loc_key="k", loc_args=["1"]),
                        badge=3,
                        sound=messaging.CriticalSound("default", critical=True, volume=0.5),
                        content_available=True,
                        mutable_content=True,
                        category="c",
                        thread_id="t",
                    ),
                    own="value",
                ),
            ),
        )
    )
    push = simulator.pushes(token="apns")[0]
    assert push["apnsCollapseId"] == "c", push
    assert push["message"]["apns"]["payload"]["aps"]["badge"] == 3, push


@case
def a_push_of_data_alone_is_understood():
    data = {"notificationId": "n2", "title": "T", "body": "B", "tag": "n2"}
    config = messaging.AndroidConfig(collapse_key="balance", priority="high", ttl=60)
    label = messaging.FCMOptions("allowance")
    messaging.send(messaging.Message(fid="cData", data=data, android=config, fcm_options=label))
    assert simulator.message(fid="cData") == {
        "fid": "cData",
        "data": data,
        "android": {"collapse_key": "balance", "priority": "high", "ttl": "60s"},
        "fcm_options": {"analytics_label": "allowance"},
    }


@case
def a_webpush_block_is_understood():
    messaging.send(
        text(
            value="webpush",
            webpush=messaging.WebpushConfig(
                headers={"TTL": "60", "Urgency": "high"},
                data={"a": "b"},
                fcm_options=messaging.WebpushFCMOptions("https://example.org/inbox"),
                notification=messaging.WebpushNotification(
                    title="T",
                    body="B",
                    icon="/i.png",
                    actions=[messaging.WebpushNotificationAction("open", "Open")],
                    tag="w",
                    timestamp_millis=1,
                    vibrate=[100],
                ),
            ),
        )
    )
    assert simulator.pushes(token="webpush")[0]["webTag"] == "w"


@case
def each_of_many_gets_its_own_answer():
    simulator.fault("each-2", "unregistered")
    answer = messaging.send_each([text(value=f"each-{number}") for number in (1, 2, 3)])
    assert [each.success for each in answer.responses] == [True, False, True]
    assert (answer.success_count, answer.failure_count) == (2, 1)
    assert type(answer.responses[1].exception) is messaging.UnregisteredError
    assert answer.responses[2].message_id == simulator.pushes(token="each-3")[0]["messageName"]


@case
def one_message_goes_to_many_tokens_and_installation_ids():
    message = messaging.MulticastMessage(
        tokens=[f"many-{number}" for number in range(50)],
        fids=[f"fid-{number}" for number in range(50)],
        data={"kind": "many"},
    )
    assert messaging.send_each_for_multicast(message).success_count == 100
    assert simulator.message(token="many-49")["data"] == {"kind": "many"}
    assert simulator.message(fid="fid-49")["data"] == {"kind": "many"}


@case
def many_go_over_one_http2_connection():
    simulator.fault("async-7", "senderMismatch")
    answer = asyncio.run(messaging.send_each_async([text(value=f"async-{number}") for number in range(100)]))
    assert answer.success_count == 99, answer.success_count
    assert type(answer.responses[7].exception) is messaging.SenderIdMismatchError
    assert simulator.message(token="async-99")


# What goes wrong


@case
def an_unregistered_device_is_told():
    refused("unregistered", messaging.UnregisteredError)


@case
def a_device_of_another_sender_is_told():
    refused("senderMismatch", messaging.SenderIdMismatchError)


@case
def an_invalid_argument_is_told():
    refused("invalidArgument", exceptions.InvalidArgumentError)


@case
def a_full_quota_is_told():
    refused("quota", messaging.QuotaExceededError)


@case
def a_full_quota_says_whose_it_is_and_when_to_come_back():
    news = text("topic", "full")
    # The SDK itself comes back when it is told to, four times.
    fault = simulator.fault("full", "quota", times=5, scope="topic", retryAfter=1)
    started = time.monotonic()
    try:
        messaging.send(news)
    except messaging.QuotaExceededError as raised:
        assert raised.http_response.headers["Retry-After"] == "1"
        details = raised.http_response.json()["error"]["details"]
        violations = [each["violations"] for each in details if each["@type"].endswith("google.rpc.QuotaFailure")]
        assert [each["subject"] for each in violations[0]] == ["topic:full"], details
    else:
        raise AssertionError("it was accepted")
    assert simulator.hits(fault) == 5 and time.monotonic() - started >= 4
    messaging.send(news)


@case
def a_refusal_by_apple_is_told():
    refused("thirdPartyAuth", messaging.ThirdPartyAuthError)


@case
def a_service_that_stays_away_is_told():
    refused("unavailable", exceptions.UnavailableError)


@case
def a_service_that_is_away_for_a_moment_is_asked_again():
    fault = simulator.fault("moment", "unavailable", times=1)
    messaging.send(text(value="moment"))
    assert simulator.hits(fault) == 1
    assert simulator.message(token="moment")


@case
def an_access_token_that_is_no_longer_good_is_replaced():
    simulator.expire_tokens()
    messaging.send(text(value="expired"))
    assert simulator.message(token="expired")


# Topics


@case
def subscribing_twice_is_no_error():
    registrations = ["topic:a/1", "topic:b"]
    for _ in range(2):
        answer = messaging.subscribe_to_topic(registrations, "/topics/news%1")
        assert (answer.success_count, answer.failure_count) == (2, 0), answer.errors[0].reason
    assert simulator.topics("topic:a/1") == ["news%1"]
    assert simulator.topics("topic:b") == ["news%1"]


@case
def a_subscription_ends_and_may_be_missing():
    messaging.subscribe_to_topic("topic:c", "news")
    messaging.subscribe_to_topic("topic:c", "sport")
    answer = messaging.unsubscribe_from_topic(["topic:c", "topic:never"], "news")
    assert (answer.success_count, answer.failure_count) == (2, 0), answer.errors[0].reason
    assert simulator.topics("topic:c") == ["sport"]


@case
def a_registration_that_cannot_be_subscribed_is_told():
    simulator.fault("topic:gone", "unregistered", channel="topic")
    answer = messaging.subscribe_to_topic(["topic:d", "topic:gone"], "news")
    assert (answer.success_count, answer.failure_count) == (1, 1)
    assert [(each.index, each.reason) for each in answer.errors] == [(1, "UNREGISTERED")]
    assert simulator.topics("topic:gone") == []


@case
def many_are_subscribed_over_one_http2_connection():
    registrations = [f"topic:many-{number}" for number in range(200)]

    # The default app's connection belongs to an event loop that has ended.
    app = make_app("topics")

    async def both():
        subscribed = await messaging.subscribe_to_topic_async(registrations, "many", app)
        ended = await messaging.unsubscribe_from_topic_async(registrations[1:], "many", app)
        return subscribed.success_count, ended.success_count

    assert asyncio.run(both()) == (200, 199)
    assert simulator.topics("topic:many-0") == ["many"]
    assert simulator.topics("topic:many-1") == []


def make_app(name="[DEFAULT]"):
    """A client with the simulator's addresses."""
    app = firebase_admin.initialize_app(credentials.Certificate(options.account), name=name)
    messaging._MessagingService.FCM_URL = options.fcm + "/v1/projects/{0}/messages:send"
    service = messaging._get_messaging_service(app)
    service._fcm_topic_url = f"{options.fcm}/v1/projects/{app.project_id}/registrations"
    return app


def main():
    make_app()
    failures = 0
    for function in cases:
        error = None
        try:
            function()
        except Exception:
            error = traceback.format_exc()
            failures += 1
        report(event="case", name=function.__name__.replace("_", " "), error=error)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
