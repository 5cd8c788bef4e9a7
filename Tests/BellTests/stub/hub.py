"""The hub: SignalR's JSON protocol over WebSockets, Server-Sent Events and long polling."""

import asyncio
import json
import uuid

from aiohttp import WSMsgType, web

END = "\x1e"
TRANSPORTS = ["WebSockets", "ServerSentEvents", "LongPolling"]
PATH = "/hubs/notifications"
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "authorization, content-type, x-requested-with, x-signalr-user-agent",
    "Access-Control-Max-Age": "600",
}


class Connection:
    """What one client is sent, whatever carries it."""

    def __init__(self, user, hub):
        self.id = str(uuid.uuid4())
        self.user = user
        self.hub = hub
        self.queue = asyncio.Queue()
        self.is_greeted = False
        self.transport = None

    def send(self, message):
        self.queue.put_nowait(json.dumps(message, separators=(",", ":")) + END)

    def invoke(self, target, *arguments):
        if self.is_greeted:
            self.send({"type": 1, "target": target, "arguments": list(arguments)})

    def close(self, **more):
        self.send({"type": 7, **more})
        self.queue.put_nowait(None)

    def take(self, text):
        """Takes what the client sent: one or more messages, each with its end."""
        for part in text.split(END)[:-1]:
            message = json.loads(part)
            if not self.is_greeted:
                assert message == {"protocol": "json", "version": 1}, message
                self.queue.put_nowait("{}" + END)
                self.is_greeted = True
            elif message["type"] in (1, 4):
                self._call(message)
            elif message["type"] == 7:
                self.queue.put_nowait(None)

    def _call(self, message):
        inbox, target, arguments = self.user.inbox, message["target"].lower(), message["arguments"]
        self.hub.calls.append((message["target"], arguments))
        answer = {"type": 3, "invocationId": message.get("invocationId"), "result": None}
        if target == "resume":
            return self._resume(message, *arguments)
        if target == "markasread":
            inbox.read(arguments)
        elif target == "markallasread":
            inbox.read()
        elif target == "markallasseen":
            inbox.see()
        elif target not in ("startviewing", "stopviewing"):
            answer = {**answer, "error": f"Failed to invoke '{message['target']}'"}
            del answer["result"]
        if "invocationId" in message:
            self.send(answer)

    def _resume(self, message, seq):
        missed = self.user.inbox.since(seq)
        changed, deleted, _ = self.user.inbox.revisions(seq)
        if message["type"] == 4:
            for row in missed:
                self.send({"type": 2, "invocationId": message["invocationId"], "item": row})
            self.send({"type": 3, "invocationId": message["invocationId"]})
        else:
            self.send({"type": 3, "invocationId": message["invocationId"], "result": missed[:100]})
            for row in missed[100:]:
                self.invoke("ReceiveNotification", row)
        for row in changed:
            self.invoke("NotificationChanged", row)
        for id in deleted:
            self.invoke("NotificationDeleted", id)
        self.invoke("UnreadCountChanged", self.user.inbox.unread)


class Hub:
    def __init__(self, world):
        self.world = world
        self.connections = {}
        self.calls = []
        # What negotiation offers, and what is refused although it was offered.
        self.transports = list(TRANSPORTS)
        self.broken_transports = set()
        # Instead of an answer to negotiation: a status, or None.
        self.negotiation_status = None
        self.negotiations = 0
        # What is held back, where a test wants to hand it out in another order.
        self.held = None

    def app(self):
        app = web.Application(client_max_size=1 << 18)
        app.router.add_route("*", "/{path:.*}", self._serve)
        return app

    def publish(self, user, target, *arguments):
        if self.held is not None:
            self.held.append((user, target, *arguments))
            return
        for connection in list(self.connections.values()):
            if connection.user is user:
                connection.invoke(target, *arguments)

    def open_connections(self, user=None):
        """The transports of connections that said hello."""
        return [each.transport for each in self.connections.values() if each.is_greeted and user in (None, each.user)]

    def forget(self):
        """What a killed node knew is gone with it."""
        for connection in self.connections.values():
            connection.queue.put_nowait(None)
        self.connections.clear()

    async def _serve(self, request):
        origin = request.headers.get("Origin")
        is_allowed = origin is None or origin in self.world.origins
        if request.method == "OPTIONS":
            return web.Response(status=204, headers=self._cross_origin(origin) | (PREFLIGHT if is_allowed else {}))
        answer = await self._answer(request, is_allowed)
        if not answer.prepared:
            answer.headers.update(self._cross_origin(origin))
        return answer

    def _cross_origin(self, origin):
        allow = {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}
        return {"Vary": "Origin"} | (allow if origin in self.world.origins else {})

    async def _answer(self, request, is_allowed):
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or request.query.get("access_token", "")
        user = self.world.authenticate(token)
        if user is None:
            return web.Response(status=401)
        if request.path == f"{PATH}/negotiate":
            return self._negotiate(request, user)
        if request.path != PATH:
            return web.Response(status=404)
        connection = self.connections.get(request.query.get("id"))
        if connection is None or connection.user is not user:
            return web.Response(status=404)
        if request.method == "POST":
            connection.take(await request.text())
            return web.Response()
        if request.method == "DELETE":
            self._end(connection)
            return web.Response(status=202)
        is_socket = request.headers.get("Upgrade", "").lower() == "websocket"
        is_stream = "text/event-stream" in request.headers.get("Accept", "")
        name = TRANSPORTS[0] if is_socket else TRANSPORTS[1] if is_stream else TRANSPORTS[2]
        if name in self.broken_transports:
            return web.Response(status=404)
        if is_socket and not is_allowed:
            return web.Response(status=403)
        if connection.transport and name != TRANSPORTS[2]:
            return web.Response(status=409)
        is_first, connection.transport = connection.transport is None, name
        if is_socket:
            return await self._socket(request, connection)
        if is_stream:
            return await self._stream(request, connection)
        return web.Response() if is_first else await self._poll(connection)

    def _negotiate(self, request, user):
        if request.method != "POST":
            return web.Response(status=405)
        self.negotiations += 1
        if self.negotiation_status:
            return web.Response(status=self.negotiation_status, headers={"Retry-After": "1"})
        connection = Connection(user, self)
        self.connections[connection.id] = connection
        return web.json_response(
            {
                "negotiateVersion": 1,
                "connectionId": str(uuid.uuid4()),
                "connectionToken": connection.id,
                "availableTransports": [{"transport": name, "transferFormats": ["Text"]} for name in self.transports],
            }
        )

    def _end(self, connection):
        self.connections.pop(connection.id, None)
        connection.queue.put_nowait(None)

    async def _socket(self, request, connection):
        socket = web.WebSocketResponse()
        await socket.prepare(request)

        async def write():
            while (message := await self._next(connection)) is not None:
                await socket.send_str(message)
            await socket.close()

        writer = asyncio.create_task(write())
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    connection.take(message.data)
        finally:
            writer.cancel()
            self._end(connection)
        return socket

    async def _stream(self, request, connection):
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-store"}
        answer = web.StreamResponse(headers=headers | self._cross_origin(request.headers.get("Origin")))
        await answer.prepare(request)
        try:
            await answer.write(b":\r\n")
            while (message := await self._next(connection)) is not None:
                await answer.write(f"data: {message}\r\n\r\n".encode())
        except ConnectionResetError:
            pass  # The client went.
        finally:
            self._end(connection)
        return answer

    async def _poll(self, connection):
        message = await self._next(connection)
        if message is None:
            self.connections.pop(connection.id, None)
            return web.Response(status=204)
        while not connection.queue.empty() and connection.queue._queue[0] is not None:
            message += connection.queue.get_nowait()
        return web.Response(text=message)

    @staticmethod
    async def _next(connection):
        """The next message; a ping after 15 s of silence."""
        try:
            return await asyncio.wait_for(connection.queue.get(), 15)
        except asyncio.TimeoutError:
            return json.dumps({"type": 6}) + END
