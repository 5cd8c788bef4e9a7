"""A client of the hub as docs/hub.md describes it: negotiation, WebSockets, reconnect, `Resume`."""

import asyncio
import json
import random
import threading

import aiohttp

SEPARATOR = "\x1e"
PATH = "/hubs/notifications"


class Refused(Exception):
    pass


class HubClient:
    """Stays connected until it is told to stop, and keeps each notification once, by its place in the inbox."""

    def __init__(self, url, token, last=0):
        self.url, self.token = url, token
        self.titles = {}
        # All up to here are known.
        self.last = last
        self.connections, self.refused = 0, []
        self.is_resumed = False

    def take(self, notification):
        self.titles[notification["seq"]] = notification["title"]
        while self.last + 1 in self.titles:
            self.last += 1

    async def run(self, stop):
        headers = {"Authorization": f"Bearer {self.token}"}
        async with aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(total=None, connect=5)) as session:
            while not stop.is_set():
                try:
                    await self._connect(session, stop)
                except (aiohttp.ClientError, asyncio.TimeoutError, OSError, Refused) as error:
                    self.refused.append(repr(error))
                self.is_resumed = False
                await asyncio.sleep(random.uniform(0, 0.5))

    async def _connect(self, session, stop):
        async with session.post(f"{self.url}{PATH}/negotiate?negotiateVersion=1") as answer:
            answer.raise_for_status()
            connection = negotiated(await answer.json())
        async with session.ws_connect(f"{self.url}{PATH}?id={connection}", max_msg_size=0) as socket:
            await socket.send_str(json.dumps({"protocol": "json", "version": 1}) + SEPARATOR)
            resume = {"type": 1, "invocationId": "resume", "target": "Resume", "arguments": [self.last]}
            await socket.send_str(json.dumps(resume) + SEPARATOR)
            self.connections += 1
            while not stop.is_set():
                try:
                    message = await asyncio.wait_for(socket.receive(), 0.5)
                except asyncio.TimeoutError:
                    continue
                if message.type is not aiohttp.WSMsgType.TEXT:
                    return
                for record in filter(None, message.data.split(SEPARATOR)):
                    if not self._understand(json.loads(record)):
                        return

    def _understand(self, message):
        """Whether the connection goes on."""
        if message.get("target") == "ReceiveNotification":
            self.take(message["arguments"][0])
        elif message.get("type") == 3:
            if "error" in message:
                return False
            for notification in message["result"]:
                self.take(notification)
            self.is_resumed = True
        return message.get("type") != 7


def negotiated(answer):
    """The token of the connection. A hub that refuses says so in the answer, as the original does."""
    if "connectionToken" not in answer:
        raise Refused(answer)
    return answer["connectionToken"]


class HubClients:
    """Many of them, in the background."""

    def __init__(self, stack, users):
        self.clients = [HubClient(stack.hub, token) for token in stack.tokens(users)]
        self.of_user = dict(zip(users, self.clients, strict=True))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self):
        await asyncio.gather(*(client.run(self._stop) for client in self.clients))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join(timeout=20)

    @property
    def are_connected(self):
        return all(client.is_resumed for client in self.clients)
