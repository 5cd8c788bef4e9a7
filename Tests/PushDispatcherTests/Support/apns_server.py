"""APNs as h2 and PyJWT understand it: a stubborn server for one environment. Standard output has one JSON object per event.

Usage: apns_server.py PORT CERTIFICATE KEY PROVIDER_KEY KEY_ID TEAM_ID TOPIC

A connection takes one stream at first, 100 after an answer 200, and one again after any other; a client that begins more loses its
connection. What a push gets goes by the first two digits of its token:

  aa   400 BadDeviceToken
  bb   410 Unregistered since 2023-11-14T22:13:20Z
  cc   503 ServiceUnavailable
  dd   on the first connection: GOAWAY with a reason, and the push is not looked at; later: 200
  any other   200

{"event": "push", "connection", "token", "headers", "body", "objections": […]} for each that was looked at, {"event": "violation"} for
what breaks HTTP/2, {"event": "listening"} at the start.
"""

import itertools
import json
import re
import socket
import ssl
import sys
import threading
import time
import uuid

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import jwt
from cryptography.hazmat.primitives import serialization

PORT, CERTIFICATE, KEY, PROVIDER_KEY, KEY_ID, TEAM_ID, TOPIC = sys.argv[1:]
STREAMS = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS
REFUSALS = {"aa": (400, {"reason": "BadDeviceToken"}), "cc": (503, {"reason": "ServiceUnavailable"})}
REFUSALS["bb"] = (410, {"reason": "Unregistered", "timestamp": 1_700_000_000_000})
with open(PROVIDER_KEY, "rb") as file:
    PUBLIC_KEY = serialization.load_pem_private_key(file.read(), None).public_key()
lock = threading.Lock()


def say(event, **more):
    with lock:
        print(json.dumps({"event": event, **more}), flush=True)


def objections(headers, body):
    """What Apple would say against a push."""
    found = []

    def check(holds, objection):
        if not holds:
            found.append(objection)

    names = [name for name, _ in headers]
    check(len(set(names)) == len(names), "a header comes twice")
    fields = dict(headers)
    check(fields.get(":method") == "POST" and fields.get(":scheme") == "https", "it is no POST over https")
    check(re.fullmatch("/3/device/([0-9a-fA-F]{2})+", fields.get(":path", "")), "the path is no device's")
    scheme, _, token = fields.get("authorization", "").partition(" ")
    check(scheme == "bearer", "no bearer token")
    try:
        check(jwt.get_unverified_header(token) == {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}, "the token's header")
        required = {"require": ["iss", "iat"]}
        claims = jwt.decode(token, PUBLIC_KEY, algorithms=["ES256"], issuer=TEAM_ID, options=required)
        check(set(claims) == {"iss", "iat"}, "the token has other claims")
        check(0 <= time.time() - claims["iat"] < 3_600, "the token's age")
    except jwt.PyJWTError as error:
        found.append(f"the token: {error!r}")
    check(fields.get("apns-topic") == TOPIC, "the topic")
    check(fields.get("apns-push-type") == "alert", "the push type")
    check(fields.get("apns-priority") in ("5", "10"), "the priority")
    check(int(fields.get("apns-expiration", "-1")) >= 0, "the expiration")
    check(0 < len(fields.get("apns-collapse-id", "").encode()) <= 64, "the collapse id")
    check(str(uuid.UUID(fields.get("apns-id"))) == fields.get("apns-id"), "the id is no UUID in small letters")
    check(len(body) <= 4_096, "the body is too large")
    check(fields.get("content-length") == str(len(body)), "the length")
    check(isinstance(json.loads(body)["aps"], dict), "the body has no aps")
    return found


class Connection:
    def __init__(self, number, client):
        self.number, self.client, self.limit = number, client, 1
        self.requests = {}
        configuration = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.h2 = h2.connection.H2Connection(configuration)
        self.h2.local_settings = h2.settings.Settings(client=False, initial_values={STREAMS: 1})
        self.h2.initiate_connection()

    def serve(self):
        self.client.sendall(self.h2.data_to_send())
        while data := self.client.recv(65_536):
            for event in self.h2.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    self.requests[event.stream_id] = ([(n, v) for n, v in event.headers], bytearray())
                elif isinstance(event, h2.events.DataReceived):
                    self.requests[event.stream_id][1].extend(event.data)
                    self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded) and self.answer(event.stream_id):
                    self.client.sendall(self.h2.data_to_send())
                    return
            self.client.sendall(self.h2.data_to_send())

    def answer(self, stream):
        """Whether the connection is over."""
        headers, body = self.requests.pop(stream)
        fields = dict(headers)
        token = fields[":path"].rpartition("/")[2]
        if token.startswith("dd") and self.number == 1:
            self.h2.close_connection(0, b'{"reason":"Shutdown"}', last_stream_id=0)
            return True
        shown = {name: value for name, value in headers if name != "authorization"}
        # Whether two are the same is all that is asked; a number of 64 bits may not come back as one.
        shown["authorization"] = f"{hash(fields.get('authorization')):x}"
        say(
            "push",
            connection=self.number,
            token=token,
            headers=shown,
            body=json.loads(body),
            objections=objections(headers, bytes(body)),
        )
        status, refusal = REFUSALS.get(token[:2], (200, None))
        answer = [(":status", str(status)), ("apns-id", fields["apns-id"])]
        self.h2.send_headers(stream, answer, end_stream=refusal is None)
        if refusal:
            self.h2.send_data(stream, json.dumps(refusal).encode(), end_stream=True)
        self.allow(100 if status == 200 else 1)
        return False

    def allow(self, streams):
        if streams != self.limit:
            self.limit = streams
            self.h2.update_settings({STREAMS: streams})


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", int(PORT)))
    numbers = itertools.count(1)
    say("listening")
    while True:
        plain, _ = listener.accept()
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def run(plain=plain):
            try:
                client = context.wrap_socket(plain, server_side=True)
                Connection(next(numbers), client).serve()
                client.unwrap()
            except h2.exceptions.ProtocolError as error:
                say("violation", error=repr(error))
                plain.close()
            except OSError:
                pass  # the client has gone

        threading.Thread(target=run, daemon=True).start()


main()
