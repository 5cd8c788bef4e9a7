"""Connects signalrcore to the hub and prints each received invocation as a JSON line.

Prints {"event": "connected"} once the handshake is done, and again after each reconnect; takes commands as control.py says.
Exits with 0 after --count invocations, with 1 at the deadline.

Of version 1.0.2:
- It speaks WebSockets with JSON or MessagePack, and Server-Sent Events and long polling with JSON. MessagePack over long
  polling exists in name only: its client is never made (nobody sets is_binary), and would raise a TypeError if it were.
- It negotiates without a version, and offers that answer's version, 0, in the handshake.
- Its polls carry no headers: with long polling the token goes in the query.
- Of the messages in a poll's answer it delivers the first, the next with the following answer, and so on: the rest waits
  for other traffic. Repaired here unless --stock is given.
- stream() sends before its caller can subscribe, and so may lose items: here the subscription comes first.
- Over WebSockets and Server-Sent Events it connects again once, at once, when the server ended the TCP connection in order;
  not after a reset, and if that one attempt fails, never again. Long polling goes on with the same id whatever happens to
  TCP; once the hub has forgotten the id it asks without a pause for ever.
- Server-Sent Events send no pings.
"""

import os
import sys
import threading
import uuid

from signalrcore.hub.handlers import StreamHandler
from signalrcore.hub_connection_builder import HubConnectionBuilder
from signalrcore.messages.stream_invocation_message import StreamInvocationMessage
from signalrcore.transport.long_polling.long_polling_client import LongPollingBaseClient
from signalrcore.types import HttpTransportType, HubProtocolEncoding

import control
from arguments import TARGETS, parse, report


def repair_long_polling():
    """Makes a poll's answer give all of its messages: what the protocol parses may be several."""

    def append(self, frame):
        messages, separator, rest = (self._buffer + frame).rpartition(self._byte_separator)
        self._buffer = rest
        return messages + separator if separator else None

    LongPollingBaseClient._append = append


class Client:
    """What the tests ask of a client."""

    def __init__(self, options):
        self.options = options
        self.done = threading.Event()
        self.received = 0
        self.failures = {}
        settings = {"transport": HttpTransportType(options.transport)}
        if options.in_query or options.transport == "LongPolling":
            url = f"{options.url}?access_token={options.token}"
        else:
            url = options.url
            settings["access_token_factory"] = lambda: options.token
        binary = options.protocol == "messagepack"
        self.connection = (
            HubConnectionBuilder()
            .with_url(url, options=settings)
            .with_hub_protocol(HubProtocolEncoding.binary if binary else HubProtocolEncoding.text)
            .with_automatic_reconnect({"type": "interval", "keep_alive_interval": 10, "intervals": [0.2] * 50})
            .build()
        )
        for target in TARGETS:
            self.connection.on(target, self.handler(target))
        self.connection.on_open(lambda: report(event="connected"))
        self.connection.on_reconnect(lambda: report(event="connected"))
        self.connection.on_close(lambda: report(event="lost"))
        self.connection.on_error(self.failed)

    def handler(self, target):
        def handle(arguments):
            self.received += 1
            report(event="invocation", target=target, arguments=arguments)
            if self.received == self.options.count:
                self.done.set()

        return handle

    def failed(self, message):
        """All errors end here, those of streams too; the invocation's own callbacks get results only."""
        report(event="error", error=str(message.error))
        if fail := self.failures.pop(message.invocation_id, None):
            fail(message.error)

    def invoke(self, target, arguments):
        return self.ask(lambda id, succeed: self.connection.invoke(target, arguments, succeed, id))

    def stream(self, target, arguments):
        items = []

        def send(id, succeed):
            handler = StreamHandler(target, id)
            handler.subscribe({"next": items.append, "complete": succeed, "error": lambda _: None})
            self.connection.stream_handlers[id].append(handler)
            headers = self.connection.headers
            self.connection.transport.send(StreamInvocationMessage(id, target, arguments, headers=headers))

        answer = self.ask(send)
        answer.pop("result", None)
        return {"items": items, **answer}

    def ask(self, send):
        """Calls send(id, callback of the result), and waits for the completion."""
        completed, answer, id = threading.Event(), {}, str(uuid.uuid4())

        def succeed(message):
            answer["result"] = message.result
            completed.set()

        def fail(error):
            answer["error"] = error
            completed.set()

        self.failures[id] = fail
        send(id, succeed)
        if not completed.wait(30):
            raise TimeoutError
        self.failures.pop(id, None)
        return answer


def receive(options):
    if options.transport == "ServerSentEvents" and options.protocol == "messagepack":
        raise SystemExit("Server-Sent Events carry text only")
    if not options.stock:
        repair_long_polling()
    client = Client(options)
    control.start(client, options.proxy)
    client.connection.start()
    done = client.done.wait(options.deadline)
    client.connection.stop()
    return 0 if done else 1


if __name__ == "__main__":
    status = receive(parse(__doc__))
    # The library's threads may outlive stop().
    sys.stdout.flush()
    os._exit(status)
