"""Holds one hub connection per user, cuts each at random again and again, and resumes.

Speaks over plain WebSockets, half of the connections JSON, the others MessagePack. Every client keeps the last place of its inbox that it has seen and calls
`Resume` with it when it is back. The file --stop says where each inbox ends: a client is done once it has come to that place.
Then one JSON line per user is printed: every place received, in order of arrival, and what was wrong with that order.
"""

import argparse
import asyncio
import json
import os
import random
import sys

import msgpack
import websockets

SEPARATOR = "\x1e"
# Seconds that a client has to come to its inbox's end.
PATIENCE = 30

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--urls", required=True, help="hubs as ws://…, separated by commas; each connection takes any")
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
        if frame == b"{}" + SEPARATOR.encode():
            return [{}]
        messages, position = [], 0
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


class Client:
    def __init__(self, user, token):
        self.user, self.token = user, token
        self.seqs, self.wrong = [], []
        self.last = 0
        self.connections = self.resumed = self.live = self.refused = 0

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
        except (OSError, websockets.exceptions.WebSocketException, asyncio.TimeoutError):
            self.refused += 1
            await asyncio.sleep(random.uniform(0.05, 0.3))

    async def connect(self, seconds, goal):
        """Holds a connection for that long, or until it has brought the goal."""
        url = f"{random.choice(urls)}?access_token={self.token}"
        socket = await websockets.connect(url, open_timeout=10, close_timeout=1, max_size=2**20, compression=None)
        try:
            protocol = random.choice([Json, MessagePack])
            await socket.send(json.dumps({"protocol": protocol.name, "version": 1}) + SEPARATOR)
            await socket.send(protocol.call("r", "Resume", [self.last]))
            self.connections += 1
            life = asyncio.get_running_loop().time() + seconds
            is_resumed, early = False, []
            while goal is None or self.last < goal:
                rest = life - asyncio.get_running_loop().time()
                if rest <= 0:
                    return
                try:
                    frame = await asyncio.wait_for(socket.recv(), rest)
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
                        self.resumed += len(missed)
                        is_resumed = True
                    elif message.get("target") == "ReceiveNotification":
                        seq = message["arguments"][0]["seq"]
                        if is_resumed:
                            self.take(seq)
                            self.live += 1
                        else:
                            early.append(seq)
                    elif message.get("type") == 7:
                        return
        finally:
            # No goodbye: as a phone that loses its network.
            if socket.transport is not None:
                socket.transport.abort()

    def report(self):
        counts = {name: getattr(self, name) for name in ["connections", "resumed", "live", "refused"]}
        print(json.dumps({"user": self.user, "seqs": self.seqs, "wrong": self.wrong, **counts}), flush=True)


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
