"""What the tests run against: a Belfry in memory, or the stack that BELFRY_BELL_STACK describes."""

import asyncio
import json
import os
import pathlib
import signal
import threading
import time
import urllib.parse
import urllib.request
import uuid

from aiohttp import web

from line import Line
from host import Site
from stub.gateway import LIMITS, Fault, Gateway
from stub.hub import PATH, TRANSPORTS, Hub
from stub.inbox import Inbox
from stub.settings import CATALOGUE, KINDS, Settings
from stub.tokens import mint, subject


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._kept = set()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(20)

    def do(self, work):
        """Runs a function there, and returns what it returns."""

        async def run():
            return work()

        return self.run(run())

    def keep(self, coroutine):
        """Runs it beside everything else."""
        self._kept.add(asyncio.run_coroutine_threadsafe(coroutine, self._loop))


class Server:
    """An HTTP server that can be killed, as a process is, and comes back at the same port."""

    def __init__(self, loop, app, port=0):
        self._loop = loop
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
        loop.run(self._runner.setup())
        self.port = port
        self.start()

    def start(self):
        self._site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        self._loop.run(self._site.start())
        self.port = self._site._server.sockets[0].getsockname()[1]

    def kill(self):
        self._loop.run(self._site.stop())
        for connection in list(self._runner.server.connections):
            self._loop.do(connection.force_close)


class World:
    """Gateway, hub and the host's site. Pages reach the first two by lines that can be broken."""

    is_stub = False

    def __init__(self, gateway_port, hub_port, hub_path, page_port=0):
        self.loop = Loop()
        self.gateway_line, self.hub_line = Line("127.0.0.1", gateway_port), Line("127.0.0.1", hub_port)
        self.gateway, self.hub = self.gateway_line.address, self.hub_line.address + hub_path
        self.direct_gateway = f"http://127.0.0.1:{gateway_port}"
        self.site = Site(self)
        self.site.origin = f"http://localhost:{Server(self.loop, self.site.app(), page_port).port}"

    def new_person(self):
        person = self.make_person(str(uuid.uuid4()))
        self.site.people[person.id] = person
        return person

    def mend(self):
        self.gateway_line.mend()
        self.hub_line.mend()


class Person:
    """Somebody with an inbox; what the database says of it is what the page has to show."""

    def __init__(self, world, id):
        self.world, self.id = world, id

    def rest(self, method, path, body=None):
        """What any other client of the user does, past the lines. Returns the answer's JSON."""
        return call(self.world.direct_gateway, method, path, self.token(), body)

    def titles(self, **filters):
        return [row["title"] for row in self.listed(**filters)]


class StubWorld(World):
    is_stub = True
    secret = "a secret of the tests, long enough for HS256"

    def __init__(self):
        loop = Loop()
        self.people, self.origins = {}, set()
        self.refused_tokens = set()
        self.api, self.connections = Gateway(self), Hub(self)
        self.gateway_server = Server(loop, self.api.app())
        self.hub_server = Server(loop, self.connections.app())
        super().__init__(self.gateway_server.port, self.hub_server.port, PATH)
        self.server_loop = loop
        self.api.hub = self.hub
        self.origins.add(self.site.origin)

    def make_person(self, id):
        person = self.people[id] = StubPerson(self, id)
        return person

    def authenticate(self, token):
        return None if token in self.refused_tokens else self.people.get(subject(self.secret, token))

    def fail(self, request, **what):
        """Requests of that pattern meet a fault, until it is ended or `times` have met it."""
        fault = Fault(request, **what)
        self.api.faults.append(fault)
        return fault

    def hold(self, request):
        """Requests of that pattern wait until faults end."""
        return self.fail(request, gate=self.server_loop.do(asyncio.Event))

    def kill_node(self):
        """The hub's process dies and is started anew."""
        self.hub_server.kill()
        self.server_loop.do(self.connections.forget)
        self.hub_server.start()

    def end_faults(self):
        for fault in self.api.faults:
            if fault.gate:
                self.server_loop.do(fault.gate.set)
        self.api.faults.clear()

    def mend(self):
        super().mend()
        self.refused_tokens.clear()
        self.api.entry = None
        self.api.limits = LIMITS
        self.api.catalogue = CATALOGUE
        self.api.push_key = None
        self.api.receipts.clear()
        self.end_faults()
        self.api.requests.clear()
        self.connections.transports = list(TRANSPORTS)
        self.connections.broken_transports.clear()
        self.connections.negotiation_status = self.connections.held = None


class StubPerson(Person):
    def __init__(self, world, id):
        super().__init__(world, id)
        self.inbox = Inbox(lambda target, *arguments: world.connections.publish(self, target, *arguments))
        self.settings = Settings()
        self.devices = []

    def token(self, lifetime=3600):
        # Each is another one, as of a site that makes them on demand.
        return mint(self.world.secret, self.id, lifetime=lifetime, jti=str(uuid.uuid4()))

    def do(self, work):
        """Runs `work(inbox)` in the servers' thread."""
        return self.world.server_loop.do(lambda: work(self.inbox))

    def add(self, title, body="", kind="SystemAnnouncement", **more):
        return self.do(lambda inbox: inbox.add(title, body, KINDS[kind], **more))

    def fill(self, count, **more):
        """Many at once, which nobody is notified of; the newest is `Number <count>`."""

        def fill(inbox):
            for number in range(1, count + 1):
                inbox.add(f"Number {number}", f"Text of number {number}", age=(count - number) * 60, quiet=True, **more)

        self.do(fill)

    def listed(self, **filters):
        return self.do(lambda inbox: [dict(row) for row in inbox.list(**filters)])

    @property
    def unread(self):
        return self.do(lambda inbox: inbox.unread)


class StackWorld(World):
    """Real processes. The file has `gateway`, `hub`, `origin` and `pushSocket` (addresses), `serviceToken`, `secret`, and `node`, the hub's
    process; whoever started it starts it anew when it dies, and writes the file again."""

    def __init__(self, path):
        self.path = path
        stack = self.stack
        gateway, hub, origin = (urllib.parse.urlsplit(stack[name]) for name in ("gateway", "hub", "origin"))
        super().__init__(gateway.port, hub.port, hub.path, origin.port)

    @property
    def stack(self):
        return json.loads(pathlib.Path(self.path).read_text())

    def make_person(self, id):
        return StackPerson(self, id)

    def kill_node(self):
        node = self.stack["node"]
        os.kill(node, signal.SIGKILL)
        wait_until(lambda: self.stack["node"] != node, "the node is started anew", 60)


class StackPerson(Person):
    def token(self, lifetime=3600):
        return mint(self.world.stack["secret"], self.id, lifetime=lifetime, jti=str(uuid.uuid4()))

    def add(self, title, body="Text", kind="SystemAnnouncement"):
        request = {"to": {"users": [self.id]}, "type": kind, "title": title, "body": body}
        call(self.world.direct_gateway, "POST", "/api/v1/notifications", self.world.stack["serviceToken"], request)

        def newest():
            return self.rest("GET", "/api/v1/notifications?pageSize=1")["notifications"]

        wait_until(lambda: [row["title"] for row in newest()] == [title], f"{title} is in the inbox", 30)
        return newest()[0]["id"]

    def fill(self, count):
        for number in range(1, count + 1):
            self.add(f"Number {number}", f"Text of number {number}")

    def listed(self, **filters):
        names = {"archived": "archived", "snoozed": "snoozed", "unread_only": "unreadOnly"}
        query = "".join(f"&{names[name]}={str(value).lower()}" for name, value in filters.items())
        rows = []
        while True:
            before = f"&before={rows[-1]['id']}" if rows else ""
            page = self.rest("GET", f"/api/v1/notifications?pageSize=50{query}{before}")
            rows += page["notifications"]
            if not page["hasMore"]:
                return rows

    @property
    def unread(self):
        return self.rest("GET", "/api/v1/notifications/unread-count")["count"]


def call(server, method, path, token, body=None):
    request = urllib.request.Request(
        server + path,
        method=method,
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        data=json.dumps(body).encode() if body is not None else None,
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.loads(response.read() or "null")


def wait_until(condition, what, within=10):
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"Not within {within} s: {what}")
        time.sleep(0.02)


def make():
    path = os.environ.get("BELFRY_BELL_STACK")
    return StackWorld(path) if path else StubWorld()
