"""Lives through asyncapi.yaml with the real broker and hub: sends its examples as they stand, and holds all that comes against it.

Prints {"event": "failure", …} for what is otherwise than described, and at the end {"event": "messages", …}: how often it met
each message of each channel of the hub. Exits with 0 where nothing failed and none is missing.

The examples are about two users, whose tokens it is given as <id>=<token>.
"""

import argparse
import asyncio
import collections
import copy
import json
import sys
import urllib.request

import pika
import websockets

from arguments import report
from description import Description, load, objection

SEPARATOR = "\x1e"
OPENAPI, ASYNCAPI = load("openapi.yaml"), load("asyncapi.yaml")
DESCRIPTION = Description(ASYNCAPI, {"openapi.yaml": OPENAPI})
MESSAGES = ASYNCAPI["components"]["messages"]
ANN, BEN = "4f9c1c1e-0001-4000-8000-000000000001", "4f9c1c1e-0002-4000-8000-000000000002"


class Failure(Exception):
    pass


class Connection:
    """A user's connection to one of the hub's names."""

    met = collections.Counter()
    failures = []

    def __init__(self, channel, socket):
        self.channel = channel
        self.socket = socket
        self.received = []
        self.news = asyncio.Condition()
        self.names = {
            name: reference["$ref"].rpartition("/")[2]
            for name, reference in ASYNCAPI["channels"][channel]["messages"].items()
        }

    @classmethod
    async def open(cls, channel, hub, token):
        address = ASYNCAPI["channels"][channel]["address"]
        socket = await websockets.connect(hub + address, additional_headers={"Authorization": f"Bearer {token}"})
        await socket.send('{"protocol":"json","version":1}' + SEPARATOR)
        connection = cls(channel, socket)
        handshake = await socket.recv()
        if not handshake.startswith("{}" + SEPARATOR):
            raise Failure(f"{channel}: the handshake was answered with {handshake}")
        connection.task = asyncio.create_task(connection.read(handshake.split(SEPARATOR, 1)[1]))
        return connection

    async def read(self, rest):
        while True:
            *frames, rest = rest.split(SEPARATOR)
            for frame in map(json.loads, frames):
                # Pings are SignalR's own.
                if frame["type"] != 6:
                    self.check(frame)
                    async with self.news:
                        self.received.append(frame)
                        self.news.notify_all()
            rest += await self.socket.recv()

    def check(self, frame):
        name = self.name(frame)
        if name is None:
            self.failures.append(f"{self.channel}: this message is not described: {json.dumps(frame)}")
            return
        text = objection(DESCRIPTION.validator(MESSAGES[self.names[name]]["payload"], strict=True), frame)
        if text:
            self.failures.append(f"{self.channel}, {name}: {text}")
        self.met[f"{self.channel}/{name}"] += 1

    def name(self, frame):
        """The description's name for what the hub sent."""
        if frame["type"] == 1:
            return next((name for name in self.names if self.target(name) == frame["target"]), None)
        if frame["type"] == 2:
            return "resumedItem"
        if frame["type"] == 3:
            return "failure" if "error" in frame else "resumed" if isinstance(frame.get("result"), list) else "completion"
        return None

    def target(self, name):
        return MESSAGES[self.names[name]]["payload"]["properties"].get("target", {}).get("const")

    def examples(self, name):
        return [copy.deepcopy(example["payload"]) for example in MESSAGES[self.names[name]]["examples"]]

    async def expect(self, what, condition):
        """The first message received that fulfils the condition."""
        async with self.news:
            while True:
                for frame in self.received:
                    if condition(frame):
                        return frame
                try:
                    await asyncio.wait_for(self.news.wait(), 20)
                except asyncio.TimeoutError:
                    raise Failure(f"{self.channel}: {what} did not come; {json.dumps(self.received)}") from None

    async def invocation(self, target, condition=lambda arguments: True):
        return await self.expect(
            target, lambda frame: frame.get("target") == target and condition(frame["arguments"])
        )

    async def call(self, name, frame):
        """Sends a call as it stands, and waits for its end."""
        self.met[f"{self.channel}/{name}"] += 1
        await self.socket.send(json.dumps(frame) + SEPARATOR)
        end = await self.expect(
            f"the end of {name}", lambda end: end["type"] == 3 and end["invocationId"] == frame["invocationId"]
        )
        self.received.remove(end)
        return end

    async def close(self):
        if self.task.done():
            raise Failure(f"{self.channel}: the connection ended: {self.task.exception()!r}")
        self.task.cancel()
        await self.socket.close()


def publish(broker, channel, body, headers):
    """As the description has it: persistent, mandatory, with the confirm."""
    bindings = ASYNCAPI["channels"][channel]["bindings"]["amqp"]
    connection = pika.BlockingConnection(pika.URLParameters(broker))
    try:
        queue = connection.channel()
        queue.confirm_delivery()
        properties = pika.BasicProperties(delivery_mode=2, content_type="application/json", headers=headers)
        queue.basic_publish(
            bindings["exchange"]["name"],
            ASYNCAPI["channels"][channel]["address"],
            json.dumps(body).encode(),
            properties,
            mandatory=True,
        )
    finally:
        connection.close()


async def published(options, channel, message, body=None):
    """Publishes the message's example, or another body in its place."""
    example = MESSAGES[message]["examples"][0]
    await asyncio.to_thread(publish, options.broker, channel, body or example["payload"], example["headers"])


def rest(options, method, path):
    request = urllib.request.Request(
        f"{options.gateway}/api/v1/notifications/{path}",
        method=method,
        headers={"Authorization": f"Bearer {options.tokens[ANN]}"},
    )
    urllib.request.urlopen(request, timeout=20).close()


async def sends(options, connections):
    """The example of a send arrives; with what it arrived the inbox's messages are gone through."""
    one, other = connections
    await published(options, "request", "sendRequest")
    title = MESSAGES["receiveNotification"]["examples"][0]["payload"]["arguments"][0]["title"]
    for connection in connections:
        invocation = await connection.invocation("ReceiveNotification", lambda arguments: arguments[0]["title"] == title)
        await connection.invocation("UnreadCountChanged")
    identifier = invocation["arguments"][0]["id"]
    for connection in connections:
        # As they stand: of a notification that is not there, so that it fails.
        for name in ("markAsRead", "startViewing", "stopViewing"):
            end = await connection.call(name, connection.examples(name)[0])
            if ("error" in end) != (name == "markAsRead"):
                raise Failure(f"{connection.channel}: {name} ended with {end}")
        for frame in connection.examples("resume"):
            # Of its own, which has been sent nothing yet.
            late = await Connection.open(connection.channel, options.hub, options.tokens[ANN])
            end = await late.call("resume", frame)
            if "error" in end or len(end.get("result") or late.received) == 0:
                raise Failure(f"{connection.channel}: resume ended with {end}")
            await late.close()
        for name in ("markAllAsSeen", "markAllAsRead"):
            await connection.call(name, connection.examples(name)[0])
    await other.invocation("NotificationRead", lambda arguments: arguments == [identifier])
    for connection in connections:
        mark = connection.examples("markAsRead")[0]
        end = await connection.call("markAsRead", {**mark, "arguments": [identifier]})
        if "error" in end:
            raise Failure(f"{connection.channel}: markAsRead ended with {end}")
    await asyncio.to_thread(rest, options, "PATCH", f"{identifier}/archive")
    for connection in connections:
        await connection.invocation("NotificationChanged", lambda arguments: arguments[0]["archivedAt"] is not None)
    await asyncio.to_thread(rest, options, "DELETE", identifier)
    for connection in connections:
        await connection.invocation("NotificationDeleted", lambda arguments: arguments == [identifier])


async def events(options, connections):
    """The example of an event arrives, and the others by the examples of what the hub makes of them."""
    await published(options, "event", "eventReport")
    for connection in connections:
        example = connection.examples("balanceUpdated")[0]
        await connection.expect("the balance as in the example", lambda frame: frame == example)
    for name in ("transactionCreated", "allowancePaid", "choreApproved", "goalReached"):
        example = connections[0].examples(name)[0]
        body = {"name": example["target"], "audience": {"users": [BEN]}, "payload": example["arguments"][0]}
        await published(options, "event", "eventReport", body)
        for connection in connections:
            await connection.expect(f"{name} as in the example", lambda frame: frame == example)


async def run(options):
    async def both(user):
        return [await Connection.open(channel, options.hub, options.tokens[user]) for channel in ("notifications", "family")]

    ann, ben = await both(ANN), await both(BEN)
    await sends(options, ann)
    await events(options, ben)
    for connection in ann + ben:
        await connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--broker", required=True, help="amqp://…")
    parser.add_argument("--hub", required=True, help="ws://host:port")
    parser.add_argument("--gateway", required=True, help="http://host:port")
    parser.add_argument("--token", action="append", required=True, help="<user>=<JWT>; one for each of the two users")
    options = parser.parse_args()
    options.tokens = dict(token.split("=", 1) for token in options.token)
    failures = Connection.failures
    try:
        asyncio.run(run(options))
    except Exception as error:
        failures.append(repr(error))
    expected = {
        f"{channel}/{name}" for channel in ("notifications", "family") for name in ASYNCAPI["channels"][channel]["messages"]
    }
    report(event="messages", met=dict(sorted(Connection.met.items())))
    failures += [f"{name} was never met" for name in sorted(expected - set(Connection.met))]
    for failure in failures:
        report(event="failure", error=failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
