"""The gateway's REST API for a user, and the bell's files."""

import asyncio
import bisect
import dataclasses
import json
import pathlib
import re
import uuid

from aiohttp import web

from .inbox import NotFound, in_inbox
from .settings import CATALOGUE, Refused

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "Services/Gateway/Bell"
SERVED = SOURCES / "served"
# The client without the element.
CLIENT = SOURCES / "client/served"
# The later modules of the previous release.
PREVIOUS = SERVED / "previous"
KINDS = {".js": "text/javascript; charset=utf-8", ".ts": "text/plain; charset=utf-8", ".css": "text/css; charset=utf-8"}


def sources():
    """The bell's modules as they are written."""
    return [file for file in SOURCES.rglob("*.js") if not {SERVED, CLIENT} & set(file.parents)]


# How much one call may ask for.
LIMITS = {"pageSize": 50, "notificationIds": 1000}
# As CrossOrigin.swift has them.
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "authorization, content-type, idempotency-key, if-match, if-none-match, traceparent, "
    "tracestate, x-device-token, x-request-id",
    "Access-Control-Max-Age": "600",
}
EXPOSED = "Allow, ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"


@dataclasses.dataclass
class Fault:
    """What happens to requests instead of, before or after what they ask for."""

    request: str  # A pattern of method and path: `PATCH .*/read`.
    times: float = float("inf")
    status: int | None = None
    retry_after: int | None = None
    delay: float = 0
    # Set when the request may go on.
    gate: asyncio.Event | None = None
    # The connection breaks: before the work is done, or with its answer.
    cut: str | None = None
    # Another answer than the one that the work gave.
    body: bytes | None = None
    # Requests that met it.
    met: int = 0


class Gateway:
    def __init__(self, world):
        self.world = world
        self.faults = []
        # Method and path of each request of a user.
        self.requests = []
        self.hub = None
        self.limits = LIMITS
        # What an operator's own catalogue has.
        self.catalogue = CATALOGUE
        # The public key for Web Push, if the deployment has one; and what became of pushes: `(receipt, body)` each.
        self.push_key = None
        self.receipts = []
        # What is served at /bell/v1/.
        self.files = SERVED
        # Another release's entry, if that is served instead.
        self.entry = None

    def app(self):
        app = web.Application(client_max_size=1 << 20)
        app.router.add_route("*", "/{path:.*}", self._serve)
        return app

    def module(self, name):
        """Where a later module is below /bell/v1/: `extras-<hash>.js`, or as it is written."""
        patterns = (f"{name}-????????.js", f"*/{name}.js")
        return next(file.relative_to(self.files).as_posix() for pattern in patterns for file in self.files.glob(pattern))

    async def _serve(self, request):
        origin = request.headers.get("Origin")
        if request.method == "OPTIONS":
            allowed = PREFLIGHT if origin in self.world.origins else {}
            answer = web.Response(status=204, headers=allowed)
        elif request.path == "/catalogue":
            answer = _json(_catalogue(self.catalogue))
        elif request.path.startswith(("/bell/", "/client/")):
            return await self._with_faults(request, self._file)
        elif request.path.startswith("/api/v1/receipts/"):
            return await self._with_faults(request, self._receipt)
        else:
            self.requests.append(f"{request.method} {request.path}")
            answer = await self._with_faults(request, self._answer)
        answer.headers["Vary"] = "Origin"
        if origin in self.world.origins:
            answer.headers["Access-Control-Allow-Origin"] = origin
            answer.headers["Access-Control-Expose-Headers"] = EXPOSED
        return answer

    async def _file(self, request):
        headers = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache"}
        if request.path == "/bell/config.json":
            return web.json_response({"hub": self.hub, "limits": self.limits}, headers=headers)
        part, _, name = request.path.removeprefix("/").partition("/")
        if part == "client":
            file = self._find_client(name)
        else:
            file = self._find(name.removeprefix("v1/")) if name.startswith("v1/") else None
        if file is None:
            return web.Response(status=404, headers=headers)
        kind = {"Content-Type": KINDS.get(file.suffix, "application/octet-stream")}
        return web.Response(body=file.read_bytes(), headers=headers | kind)

    async def _receipt(self, request):
        """Open to all: nobody is signed in to a service worker."""
        assert "Authorization" not in request.headers
        self.receipts.append((request.path.rpartition("/")[2], await request.json()))
        return web.Response(status=204, headers={"Access-Control-Allow-Origin": "*"})

    def _find(self, name):
        # No module: it is not served as it is written.
        if name == "push-worker.js":
            return SERVED / name
        if self.entry and name == "belfry-bell.js":
            return self.entry
        return _below(name, self.files, PREVIOUS)

    def _find_client(self, name):
        if self.files == SOURCES:
            # The folder `client` is `v1`, and the core lies beside it.
            return _below(re.sub("^v1/", "client/", name), SOURCES)
        return _below(name.removeprefix("v1/"), CLIENT, CLIENT / "previous") if name.startswith("v1/") else None

    async def _with_faults(self, request, work):
        line = f"{request.method} {request.path}"
        fault = next((each for each in self.faults if each.times > each.met and re.fullmatch(each.request, line)), None)
        if fault is None:
            return await work(request)
        fault.met += 1
        await asyncio.sleep(fault.delay)
        if fault.gate:
            await fault.gate.wait()
        if fault.cut == "before":
            request.transport.abort()
        if fault.status:
            return _problem(fault.status, "a fault of the test", fault.retry_after)
        answer = await work(request)
        if fault.cut == "after":
            request.transport.abort()
        if fault.body is not None:
            answer = web.Response(body=fault.body, content_type="application/json")
        return answer

    async def _answer(self, request):
        user = self.world.authenticate(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if user is None:
            return _problem(401, "The token is refused")
        text = await request.text()
        try:
            body = json.loads(text) if text else None
            if (request.method, request.path) == ("DELETE", "/api/v1/devices/current"):
                return self._forget(user, request.headers["X-Device-Token"])
            return self._route(user, request.method, request.path.removeprefix("/api/v1/"), request.query, body)
        except NotFound:
            return _problem(404, "There is no such notification")
        except (Refused, ValueError, KeyError, TypeError) as error:
            return _problem(400, f"{type(error).__name__}: {error}")

    def _route(self, user, method, path, query, body):
        inbox, settings = user.inbox, user.settings
        match (method, *path.split("/")):
            case "GET", "notifications":
                return self._list(inbox, query)
            case "DELETE", "notifications":
                return _json({"deletedCount": inbox.delete()})
            case "GET", "notifications", "unread-count":
                return _json({"count": inbox.unread, "unseen": inbox.unseen})
            case "GET", "notifications", "changes":
                return self._changes(inbox, query)
            case "POST", "notifications", ("read" | "seen") as act:
                unknown = (body or {}).keys() - {"notificationIds"}
                if unknown:
                    raise Refused({name: "is not a known field" for name in unknown})
                ids = (body or {}).get("notificationIds")
                if len(ids or []) > self.limits["notificationIds"]:
                    raise Refused({"notificationIds": f"at most {self.limits['notificationIds']}"})
                return _json({"markedCount": inbox.read(ids) if act == "read" else inbox.see(ids)})
            case "GET", "notifications", "preferences":
                return _json(settings.shown())
            case "PUT", "notifications", "preferences":
                settings.update(body)
                return _json(settings.shown())
            case "PUT", "notifications", "preferences", "quiet-hours":
                settings.update_quiet_hours(body)
                return _json(settings.shown())
            case "GET", "notifications", "muted":
                return _json(settings.mutes())
            case "PUT", "notifications", "muted", kind, id:
                settings.muted[kind.lower(), id.lower()] = (body or {}).get("until")
                return web.Response(status=204)
            case "DELETE", "notifications", "muted", kind, id:
                settings.muted.pop((kind.lower(), id.lower()), None)
                return web.Response(status=204)
            case "GET", "notifications", id:
                return _json(inbox.item(id))
            case "DELETE", "notifications", id:
                inbox.item(id)
                inbox.delete([id])
                return web.Response(status=204)
            case "PATCH", "notifications", id, act:
                inbox.item(id)
                match act:
                    case "read":
                        inbox.read([id])
                    case "unread":
                        inbox.unread_again(id)
                    case "archive":
                        inbox.archive(id)
                    case "unarchive":
                        inbox.unarchive(id)
                    case "snooze":
                        inbox.snooze(id, body["until"]) if body["until"] else inbox.wake(id)
                    case _:
                        return _problem(404, "There is no such path")
                return _json(inbox.item(id))
            case "POST", "notifications", id, "opened":
                inbox.item(id)
                inbox.open(id)
                return web.Response(status=204)
            case "POST", "notifications", id, "actions", action:
                inbox.act(id, action)
                return web.Response(status=204)
            case "POST", "devices":
                return _json(self._register(user, body))
            case "GET", "push-subscriptions", "key" if self.push_key:
                return _json({"publicKey": self.push_key})
            case "POST", "push-subscriptions":
                return _json(self._subscribe(user, body))
            case "PUT", "devices", id, "permission" if any(one["id"] == id for one in user.devices):
                return web.Response(status=204)
            case "DELETE", "devices", id if any(one["id"] == id for one in user.devices):
                user.devices[:] = [one for one in user.devices if one["id"] != id]
                return web.Response(status=204)
        return _problem(404, "There is no such path")

    def _subscribe(self, user, body):
        """An older subscription of the same installation becomes inactive."""
        endpoint, keys, installation = body["endpoint"], body["keys"], str(uuid.UUID(body["installationId"]))
        key = body["applicationServerKey"]
        if not (keys["p256dh"] and keys["auth"] and re.fullmatch("[A-Za-z0-9_-]{87}", key)):
            raise Refused({"applicationServerKey": "is no key"})
        for device in user.devices:
            if device["kind"] == "webPush" and device["installationId"] == installation:
                device["isActive"] = False
        return self._register(user, {"token": endpoint, "platform": 3, "kind": "webPush", "key": key, "installationId": installation})

    def _forget(self, user, address):
        """The device with the address and all others of its installation; 204, also if there is none."""
        installations = {device.get("installationId") for device in user.devices if device["token"] == address} - {None}
        user.devices[:] = [
            device for device in user.devices if device["token"] != address and device.get("installationId") not in installations
        ]
        return web.Response(status=204)

    def _register(self, user, body):
        """A token that is known keeps its id, and moves to whoever registers it."""
        known = [(owner, device) for owner in self.world.people.values() for device in owner.devices if device["token"] == body["token"]]
        for owner, device in known:
            owner.devices.remove(device)
        id = known[0][1]["id"] if known else str(uuid.uuid4())
        user.devices.append({"id": id, "kind": "fcm", "isActive": True, **body})
        return user.devices[-1]

    def _list(self, inbox, query):
        size = int(query.get("pageSize", 20))
        if not 1 <= size <= self.limits["pageSize"]:
            raise Refused({"pageSize": f"1 to {self.limits['pageSize']}"})
        rows = inbox.list(
            archived=query.get("archived") == "true",
            snoozed=query.get("snoozed") == "true",
            unread_only=query.get("unreadOnly") == "true",
            category=query.get("category"),
            type=query.get("type"),
        )
        start = (int(query.get("page", 1)) - 1) * size
        if "before" in query:
            start = len(rows) - bisect.bisect_left(rows[::-1], query["before"], key=lambda row: row["id"])
        return _json(
            {
                "notifications": rows[start : start + size],
                "unreadCount": inbox.unread,
                "totalCount": len(rows),
                "hasMore": len(rows) > start + size,
            }
        )

    def _changes(self, inbox, query):
        since, limit = int(query["since"]), int(query.get("limit", 50))
        change = int(query["change"]) if "change" in query else None
        rows = inbox.since(since)
        changed, deleted, is_complete = inbox.revisions(since, change)
        return _json(
            {
                "notifications": [row for row in rows if in_inbox(row)][:limit],
                "seq": inbox.seq,
                "unreadCount": inbox.unread,
                "hasMore": len(rows) > limit,
                "changed": changed,
                "deleted": deleted,
                "change": inbox.change,
                "isComplete": is_complete,
            }
        )


def _below(name, *folders):
    """That file below the first of the folders that has it."""
    files = [(folder, (folder / name).resolve()) for folder in folders]
    return next((file for folder, file in files if file.is_relative_to(folder) and file.is_file()), None)


def _catalogue(types):
    return {
        "types": [
            {"code": code, "name": name, "category": category, "channels": dict(zip(("inApp", "push", "email"), on)), "actions": []}
            for code, name, category, on in types
        ],
        "categories": [{"name": name} for name in dict.fromkeys(category for _, _, category, _ in types if category)],
    }


def _json(value, status=200):
    return web.json_response(value, status=status, headers={"Cache-Control": "no-store"})


TYPES = {
    400: "validation", 401: "unauthorized", 403: "forbidden", 404: "not-found", 429: "too-many-requests",
    500: "internal-error", 503: "unavailable",
}  # fmt: skip


def _problem(status, detail, retry_after=None):
    return web.json_response(
        {"type": f"urn:belfry:problem:{TYPES[status]}", "title": TYPES[status], "status": status, "detail": detail},
        status=status,
        content_type="application/problem+json",
        headers={"Retry-After": str(retry_after)} if retry_after is not None else {},
    )
