"""Holds one hub connection per user, cuts each at random again and again, and resumes.

Each connection takes one of the three transports, and JSON or MessagePack where the transport has both. Every client keeps the
last place of its inbox that it has seen and calls `Resume` with it when it is back. The file --stop says where each inbox ends:
a client is done once it has come to that place. Then one JSON line per user is printed: every place received, in order of
arrival, what was wrong with that order, and how many notifications came over each transport.
"""

import argparse
import asyncio
import json
import os
import random
import sys

import aiohttp
import msgpack
import websockets

SEPARATOR = "\x1e"
# Seconds that a client has to come to its inbox's end.
PATIENCE = 30

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--urls", required=True, help="hubs as http://…, separated by commas; each connection takes any")
parser.add_argument("--clients", required=True, help='file of JSON: [{"user": "…", "token": "…"}]')
parser.add_argument("--stop", required=True, help='ends the run once it exists; JSON: {"<user>": <last place>}')
parser.add_argument("--longest", type=float, default=2, help="longest life of a connection in seconds")
parser.add_argument("--deadline", type=float, default=300)
options = parser.parse_args()
urls = options.urls.split(",")


class Json:
    """Hub messages as JSON texts, each before a separator."""

    name = "json"

    @staticmethod
    def call(call_id, target, arguments):
        call = {"type": 1, "invocationId": call_id, "target": target, "arguments": arguments}
        return json.dumps(call) + SEPARATOR

    @staticmethod
    def messages(frame):
        if isinstance(frame, bytes):
            frame = frame.decode()
        return [json.loads(record) for record in frame.split(SEPARATOR) if record]


class MessagePack:
    """Hub messages as MessagePack arrays, each after its length; given as the same dictionaries as those of JSON."""

    name = "messagepack"

    @staticmethod
    def call(call_id, target, arguments):
        record = msgpack.packb([1, {}, call_id, target, arguments, []])
        assert len(record) < 128, "longer lengths take more bytes"
        return bytes([len(record)]) + record

    @classmethod
    def messages(cls, frame):
        if isinstance(frame, str):
            frame = frame.encode()
        # The answer to the handshake is JSON; a poll may bring more behind it.
        handshake = b"{}" + SEPARATOR.encode()
        messages, position = [], len(handshake) if frame.startswith(handshake) else 0
        while position < len(frame):
            length = shift = 0
            while True:
                byte = frame[position]
                position += 1
                length |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            messages.append(cls.message(msgpack.unpackb(frame[position : position + length])))
            position += length
        return messages

    @staticmethod
    def message(fields):
        if fields[0] == 1:
            return {"type": 1, "target": fields[3], "arguments": fields[4]}
        if fields[0] == 3:
            return {"type": 3, "error": fields[4]} if fields[3] == 1 else {"type": 3, "result": fields[4]}
        return {"type": fields[0]}


class WebSocket:
    """Hub messages in frames, however the hub cuts them: one message in each."""

    name, protocols = "WebSockets", [Json, MessagePack]

    @classmethod
    async def open(cls, url, token):
        self = cls()
        address = f"{url.replace('http', 'ws', 1)}?access_token={token}"
        self.socket = await websockets.connect(address, open_timeout=10, close_timeout=1, max_size=2**20, compression=None)
        return self

    async def send(self, data):
        await self.socket.send(data)

    async def receive(self):
        return await self.socket.recv()

    async def abort(self):
        # No goodbye: as a phone that loses its network.
        if self.socket.transport is not None:
            self.socket.transport.abort()


class Lost(Exception):
    """The hub has ended the connection, or refuses it."""


class Http:
    """What both transports over plain HTTP share: the negotiation, and POST for what the client says."""

    @classmethod
    async def open(cls, url, token):
        self = cls()
        self.session = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {token}"}, timeout=aiohttp.ClientTimeout(sock_connect=10)
        )
        try:
            async with self.session.post(f"{url}/negotiate?negotiateVersion=1") as answer:
                if answer.status != 200:
                    raise Lost(answer.status)
                self.url = f"{url}?id={(await answer.json())['connectionToken']}"
            await self.begin()
        except BaseException:
            await self.session.close()
            raise
        return self

    async def send(self, data):
        async with self.session.post(self.url, data=data) as answer:
            if answer.status != 200:
                raise Lost(answer.status)

    async def abort(self):
        if self.answer is not None:
            self.answer.close()
        await self.session.close()


class EventStream(Http):
    """Hub messages as events of one endless answer; the original hub ends their lines with CR and LF."""

    name, protocols = "ServerSentEvents", [Json]

    async def begin(self):
        self.answer = None
        self.answer = await self.session.get(self.url, headers={"Accept": "text/event-stream"})
        if self.answer.status != 200:
            raise Lost(self.answer.status)

    async def receive(self):
        data = ""
        while line := (await self.answer.content.readline()).decode():
            if line.startswith("data: "):
                data += line[6:].rstrip("\r\n")
            elif not line.strip() and data:
                return data
        raise Lost("the stream has ended")


class LongPolling(Http):
    """Hub messages as the bodies of answers, one GET after the other."""

    name, protocols = "LongPolling", [Json, MessagePack]

    async def begin(self):
        self.answer = None
        await self.poll()

    async def poll(self):
        async with self.session.get(self.url) as self.answer:
            if self.answer.status != 200:
                raise Lost(self.answer.status)
            return await self.answer.read()

    async def receive(self):
        while not (body := await self.poll()):
            pass
        return body


TRANSPORTS = [WebSocket, EventStream, LongPolling]


class Client:
    def __init__(self, user, token):
        self.user, self.token = user, token
        self.seqs, self.wrong = [], []
        self.last = 0
        self.connections = self.resumed = self.live = self.refused = 0
        self.over = {transport.name: 0 for transport in TRANSPORTS}

    def take(self, seq):
        if seq != self.last + 1:
            self.wrong.append(f"{seq} after {self.last}")
        self.seqs.append(seq)
        self.last = max(self.last, seq)

    def goal(self):
        """The last place of the inbox; None before it is known."""
        if not os.path.exists(options.stop):
            return None
        with open(options.stop, encoding="utf-8") as file:
            return json.load(file)[self.user]

    async def run(self):
        while (goal := self.goal()) is None:
            await self.attempt(random.uniform(0.02, options.longest))
        end = asyncio.get_running_loop().time() + PATIENCE
        while self.last < goal:
            rest = end - asyncio.get_running_loop().time()
            if rest <= 0:
                self.wrong.append(f"came to {self.last} of {goal} within {PATIENCE} s")
                return
            await self.attempt(rest, goal)

    async def attempt(self, seconds, goal=None):
        try:
            await self.connect(seconds, goal)
        except (OSError, websockets.exceptions.WebSocketException, aiohttp.ClientError, asyncio.TimeoutError, Lost):
            self.refused += 1
            await asyncio.sleep(random.uniform(0.05, 0.3))

    async def connect(self, seconds, goal):
        """Holds a connection for that long, or until it has brought the goal."""
        kind = random.choice(TRANSPORTS)
        transport = await kind.open(random.choice(urls), self.token)
        try:
            protocol = random.choice(kind.protocols)
            await transport.send(json.dumps({"protocol": protocol.name, "version": 1}) + SEPARATOR)
            await transport.send(protocol.call("r", "Resume", [self.last]))
            self.connections += 1
            life = asyncio.get_running_loop().time() + seconds
            is_resumed, early = False, []
            while goal is None or self.last < goal:
                rest = life - asyncio.get_running_loop().time()
                if rest <= 0:
                    return
                try:
                    frame = await asyncio.wait_for(transport.receive(), rest)
                except asyncio.TimeoutError:
                    return
                for message in protocol.messages(frame):
                    if message.get("type") == 3:
                        if "error" in message:
                            self.refused += 1
                            return
                        # What came live before the answer is not given again.
                        missed = [item["seq"] for item in message["result"]]
                        if missed != sorted(missed):
                            self.wrong.append(f"result not in order: {missed}")
                        for seq in sorted(missed + early):
                            self.take(seq)
                        self.over[kind.name] += len(missed + early)
                        self.resumed += len(missed)
                        is_resumed = True
                    elif message.get("target") == "ReceiveNotification":
                        seq = message["arguments"][0]["seq"]
                        if is_resumed:
                            self.take(seq)
                            self.live += 1
                            self.over[kind.name] += 1
                        else:
                            early.append(seq)
                    elif message.get("type") == 7:
                        return
        finally:
            await transport.abort()

    def report(self):
        counts = {name: getattr(self, name) for name in ["connections", "resumed", "live", "refused"]}
        print(json.dumps({"user": self.user, "seqs": self.seqs, "wrong": self.wrong, **counts, "over": self.over}), flush=True)


async def main():
    with open(options.clients, encoding="utf-8") as file:
        clients = [Client(**client) for client in json.load(file)]
    print(json.dumps({"event": "started"}), flush=True)
    try:
        await asyncio.wait_for(asyncio.gather(*(client.run() for client in clients)), options.deadline)
    finally:
        for client in clients:
            client.report()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
