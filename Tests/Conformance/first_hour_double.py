"""Plays `belfry dev` to the page of the first hour: a double for work on the page, where no Swift needs to be built.

    python first_hour_double.py [--port 9000]

It serves Services/Simulator/Page from disk, answers the development API from memory, and stands in for the gateway with a bell of a
few lines. What the page shows must be judged on the real stack: first_hour.py does.
"""

import argparse
import datetime
import json
import mimetypes
import queue
import signal
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PAGE = Path(__file__).parents[2] / "Services/Simulator/Page"
RUNGS = [1, 10, 60, 600, 1800]
RUNG_NAMES = ["1 s", "10 s", "1 min", "10 min", "30 min"]
CHANNELS = ["inApp", "push", "email"]

PEOPLE = [
    {
        "id": f"4f9c1c1e-000{index}-4000-8000-00000000000{index}",
        "name": name,
        "email": f"{name.lower()}@example.com",
        "deviceToken": f"demo-device-{name.lower()}",
        "platform": index,
        "phone": phone,
        "timezone": "Europe/Berlin",
        "token": f"token-{index}",
        "tokenExpiresAt": "2027-01-01T00:00:00Z",
    }
    for index, (name, phone) in enumerate([("Maria", "iPhone"), ("Tom", "Android"), ("Ella", "Browser")], 1)
]
MARIA, TOM, ELLA = (person["id"] for person in PEOPLE)
EVERYBODY = [MARIA, TOM, ELLA]
ALL = set(CHANNELS)
SENDS = {
    "allowance": ("Weekly allowance", "To the whole family: bell, phone and mail.", 10, EVERYBODY, ALL),
    "chat": ("Chat message", "Tom writes in “Weekend plans”; Maria and Ella get it.", 110, [MARIA, ELLA], {"inApp", "push"}),
    "goal": ("Savings goal", "Ella reached half of her goal; the message has a button.", 21, [ELLA], {"inApp", "push"}),
    "urgent": ("Alert", "Tom triggers an alert, which passes quiet hours.", 200, [MARIA, ELLA], {"inApp", "push"}),
    "reminder": ("Task reminder", "For Maria; it may wait until the morning.", 31, [MARIA], {"inApp", "push"}),
    "burst": ("A burst of 60", "20 messages to each of the three at once.", 99, EVERYBODY, {"inApp", "push"}),
}  # fmt: skip
TEXTS = {
    "allowance": ("Allowance Received!", "Your weekly allowance of $10.00 has been deposited. New balance: $42.00"),
    "chat": ("Tom in Weekend plans", "Shall we go to the lake on Saturday?"),
    "goal": ("Milestone Reached!", "You've hit 50% on your New bicycle goal!"),
    "urgent": ("Alert", "Tom triggered an alert"),
    "reminder": ("Task Reminder", "Don't forget: Feed the cat is due tomorrow"),
    "burst": ("Hello", "Message of a burst"),
}
TYPES = [
    {"code": 21, "name": "GoalMilestone", "category": "Goals & Savings", "actions": [{"id": "VIEW_GOALS", "title": "View goals"}]},
    {"code": 10, "name": "AllowanceDeposit", "category": "Allowance", "actions": []},
]  # fmt: skip
SWITCHES = {
    "fcm-down": ("FCM is down", "Google answers 503 to every push.", "Pushes climb the ladder of retries until FCM is back."),
    "slow-mail": ("Slow mail", "The mail server takes 5 s for each mail.", "Mails come later; phones and bells do not wait for them."),
    "kill-push": ("Kill a push dispatcher", "Its process ends, as in a crash.", "What it had in hand goes to the one that takes its place."),
    "maria-night": ("It is 23:00 for Maria", "Her time zone moves, so her quiet hours have begun.", "Pushes to her wait until 07:00, but for alerts."),
    "ella-reading": ("Ella is reading this conversation", "Her app has “Weekend plans” open.", "No push about it goes to her phone."),
    "tom-phone-gone": ("Tom’s phone is gone", "FCM says that his app was uninstalled.", "Belfry forgets the phone; his bell and mailbox go on."),
}  # fmt: skip


def now():
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Stack:
    def __init__(self):
        self.lock = threading.RLock()
        self.streams, self.pushes, self.mails, self.traces, self.held, self.inbox = [], [], [], [], [], {}
        self.retrying = {}
        self.switches = {
            name: {"name": name, "label": label, "words": words, "effect": effect, "on": False, "momentary": name == "kill-push", "since": None}
            for name, (label, words, effect) in SWITCHES.items()
        }  # fmt: skip
        self.ledger = {c: {"due": 0, "arrived": 0, "waiting": 0, "refused": 0, "twice": 0, "held": 0, "skipped": 0} for c in CHANNELS}
        self.removed, self.restarts = set(), 0
        self.kill_until = 0
        self.dirty = threading.Event()
        threading.Thread(target=self.report, daemon=True).start()

    # What the page is told

    def emit(self, event, data):
        with self.lock:
            for stream in list(self.streams):
                stream.put((event, data))

    def report(self):
        while True:
            self.dirty.wait()
            self.dirty.clear()
            self.emit("state", self.state())
            time.sleep(0.25)

    def state(self):
        with self.lock:
            night = self.switches["maria-night"]["on"]
            ladder = []
            for channel in ("push", "email"):
                for seconds, name in zip(RUNGS, RUNG_NAMES):
                    due = [at for (c, s, at) in self.retrying.values() if c == channel and s == seconds]
                    at = min(due, default=None)
                    ladder.append({
                        "channel": channel, "step": name, "seconds": seconds, "waiting": len(due),
                        "next": at and datetime.datetime.fromtimestamp(at, datetime.UTC).isoformat().replace("+00:00", "Z"),
                    })  # fmt: skip
            up = time.time() > self.kill_until
            return {
                "at": now(), "ladder": ladder, "held": list(self.held), "ledger": json.loads(json.dumps(self.ledger)),
                "queues": [{"name": n, "waiting": 0} for n in ("push", "email", "ingest")],
                "dead": [{"name": n, "waiting": 0} for n in ("push", "email")],
                "services": [{"name": "push-1", "service": "push", "up": up, "restarts": self.restarts, "words": None},
                             {"name": "push-2", "service": "push", "up": True, "restarts": 0, "words": None}],
                "clocks": [{"user": p["id"], "timezone": "Asia/Tokyo" if night and p["id"] == MARIA else "Europe/Berlin",
                            "time": "23:00" if night and p["id"] == MARIA else time.strftime("%H:%M"),
                            "quiet": night and p["id"] == MARIA,
                            "quietFrom": "22:00" if p["id"] == MARIA else None, "quietUntil": "07:00" if p["id"] == MARIA else None}
                           for p in PEOPLE],
            }  # fmt: skip

    def snapshot(self):
        with self.lock:
            return {
                "pushes": self.pushes[-100:], "mails": self.mails[-100:], "switches": list(self.switches.values()),
                "traces": self.traces[-50:], "state": self.state(), "connected": True,
            }  # fmt: skip

    # What happens

    def later(self, seconds, work, *arguments):
        threading.Timer(seconds, work, arguments).start()

    def step(self, trace, user, channel, what, words, **more):
        with self.lock:
            ms = round((time.time() - trace["started"]) * 1000)
            last = trace["steps"][-1] if trace["steps"] else None
            if trace["count"] > 1 and last and (last["user"], last["channel"], last["what"]) == (user, channel, what):
                last["count"] = last.get("count", 1) + 1
                last["ms"] = ms
            else:
                trace["steps"].append({"ms": ms, "user": user, "channel": channel, "what": what, "words": words, **more})
            if what in ("delivered", "skipped", "removed"):
                trace["open"] -= 1
            trace["finished"] = trace["open"] == 0
            trace["status"] = "done" if trace["finished"] else "waiting" if what in ("held", "retried") else trace["status"]
            self.emit("trace", {k: v for k, v in trace.items() if k not in ("open", "started")})
        self.dirty.set()

    def send(self, name):
        label, _, code, to, channels = SENDS[name]
        requests = [str(uuid.uuid4()) for _ in range(20 if name == "burst" else 1)]
        trace = {"requestId": requests[0], "name": name, "label": label, "at": now(), "count": len(requests), "finished": False,
                 "status": "going", "steps": [], "open": len(to) * 3 * len(requests), "started": time.time()}  # fmt: skip
        with self.lock:
            self.traces.append(trace)
        self.step(trace, None, None, "accepted", "The gateway took it.")
        self.later(0.015, self.route, trace, name, code, to, channels, requests)
        return requests

    def route(self, trace, name, code, to, channels, requests):
        self.step(trace, None, None, "routed", "The router decided for each person and channel.")
        for user in to:
            for _ in requests:
                notification = str(uuid.uuid4())
                title, body = TEXTS[name]
                with self.lock:
                    self.inbox.setdefault(user, []).insert(0, {"id": notification, "title": title, "body": body, "isRead": False})
                    self.ledger["inApp"]["due"] += 1
                    self.ledger["inApp"]["arrived"] += 1
                self.step(trace, user, "inApp", "delivered", "in the inbox")
                if "email" in channels:
                    self.ledger["email"]["due"] += 1
                    self.ledger["email"]["waiting"] += 1
                    self.later(5 if self.switches["slow-mail"]["on"] else 0.06, self.mail, trace, name, user, notification)
                else:
                    self.ledger["email"]["skipped"] += 1
                    self.step(trace, user, "email", "skipped", "mail is off for this type", reason="preferenceOff")
                self.push(trace, name, code, user, notification)

    def push(self, trace, name, code, user, notification):
        book = self.ledger["push"]
        if self.switches["ella-reading"]["on"] and user == ELLA and name == "chat":
            book["skipped"] += 1
            self.step(trace, user, "push", "skipped", "she has it on the screen", reason="viewing")
        elif user in self.removed:
            book["skipped"] += 1
            self.step(trace, user, "push", "skipped", "no phone to send to", reason="noActiveDevice")
        elif self.switches["maria-night"]["on"] and user == MARIA and name != "urgent":
            until = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=8)).isoformat().replace("+00:00", "Z")
            words = "waits until 07:00 Asia/Tokyo: quiet hours"
            with self.lock:
                book["held"] += 1
                self.held.append({"user": user, "notificationId": notification, "requestId": trace["requestId"], "channel": "push", "type": code,
                                  "label": trace["label"], "title": TEXTS[name][0], "reason": "quietHours", "until": until, "words": words,
                                  "resume": (trace, name, code, user, notification)})  # fmt: skip
                self.held[-1].pop("resume")
                self.resume = getattr(self, "resume", []) + [(trace, name, code, user, notification)]
            self.step(trace, user, "push", "held", words, until=until)
        else:
            book["due"] += 1
            book["waiting"] += 1
            self.later(0.04, self.attempt, trace, name, code, user, notification, 0)

    def attempt(self, trace, name, code, user, notification, attempt):
        if time.time() < self.kill_until:
            return self.later(0.3, self.attempt, trace, name, code, user, notification, attempt)
        person = next(p for p in PEOPLE if p["id"] == user)
        book = self.ledger["push"]
        with self.lock:
            self.retrying.pop(notification, None)
            if self.switches["tom-phone-gone"]["on"] and user == TOM:
                self.emit("refused", {"at": now(), "token": person["deviceToken"], "notificationId": notification, "status": 404, "words": "404 UNREGISTERED"})
                self.removed.add(user)
                book["waiting"] -= 1
                book["refused"] += 1
                return self.step(trace, user, "push", "removed", "FCM says the app was uninstalled: Belfry forgets this phone")
            if self.switches["fcm-down"]["on"]:
                self.emit("refused", {"at": now(), "token": person["deviceToken"], "notificationId": notification, "status": 503, "words": "503 UNAVAILABLE"})
                seconds = RUNGS[min(attempt, 4)]
                self.retrying[notification] = ("push", seconds, time.time() + seconds)
                self.step(trace, user, "push", "retried", f"FCM answered 503: tried again in {RUNG_NAMES[min(attempt, 4)]}")
                return self.later(seconds, self.attempt, trace, name, code, user, notification, attempt + 1)
            book["waiting"] -= 1
            book["arrived"] += 1
            title, body = TEXTS[name]
            push = {"sequence": len(self.pushes) + 1, "at": now(), "token": person["deviceToken"], "notificationId": notification, "type": code,
                    "title": title, "body": body, "collapseId": notification, "urgent": name == "urgent", "again": False, "message": {}}  # fmt: skip
            self.pushes.append(push)
            self.emit("push", push)
            self.step(trace, user, "push", "delivered", "accepted by FCM")

    def mail(self, trace, name, user, notification):
        person = next(p for p in PEOPLE if p["id"] == user)
        with self.lock:
            self.ledger["email"]["waiting"] -= 1
            self.ledger["email"]["arrived"] += 1
            title, body = TEXTS[name]
            mail = {"sequence": len(self.mails) + 1, "at": now(), "from": "belfry@localhost", "to": [person["email"]], "subject": title,
                    "messageId": f"{notification}@localhost", "notificationId": notification, "text": body + "\n", "html": True, "again": False}  # fmt: skip
            self.mails.append(mail)
            self.emit("mail", mail)
            self.step(trace, user, "email", "delivered", "taken by the mail server")

    def switch(self, name, on):
        with self.lock:
            switch = self.switches[name]
            if switch["on"] != on:
                switch["on"], switch["since"] = on, now()
            if name == "kill-push" and on:
                self.kill_until = time.time() + 3
                self.restarts += 1
                self.later(3, self.switch, name, False)
            if name == "maria-night" and not on:
                resume, self.resume, self.held = getattr(self, "resume", []), [], []
                for trace, send, code, user, notification in resume:
                    self.ledger["push"]["held"] -= 1
                    self.step(trace, user, "push", "released", "her quiet hours are over")
                    self.push(trace, send, code, user, notification)
            if name == "tom-phone-gone" and not on:
                self.removed.discard(TOM)
        self.emit("switch", switch)
        self.dirty.set()
        return switch


def page_handler(stack, gateway):
    csp = (
        f"default-src 'none'; script-src 'self' {gateway}; style-src 'self'; img-src 'self' data:; connect-src 'self' {gateway}; "
        "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    )

    class Handler(Answering):
        def do_GET(self):
            path = urlsplit(self.path).path
            query = parse_qs(urlsplit(self.path).query)
            if path == "/" or path.startswith("/page/"):
                file = (PAGE / (path.removeprefix("/page/") if path != "/" else "index.html")).resolve()
                if not file.is_file() or PAGE not in file.parents:
                    return self.answer(404)
                kind = {".js": "text/javascript"}.get(file.suffix) or mimetypes.guess_type(file)[0]
                return self.answer(200, file.read_bytes(), kind, {"Content-Security-Policy": csp})
            if path == "/api/development":
                return self.json({
                    "gateway": gateway, "hub": gateway, "bell": f"{gateway}/bell/v1/belfry-bell.js", "group": "family:demo",
                    "conversation": {"type": "Conversation", "id": "c", "name": "Weekend plans"}, "people": PEOPLE, "types": TYPES, "docs": True,
                    "sends": [{"name": n, "label": s[0], "words": s[1], "type": s[2], "count": 20 if n == "burst" else 1, "to": s[3],
                               "command": f"belfry demo send {n}",
                               "curl": f"curl -sS {gateway}/api/v1/notifications \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{{\"to\":{{\"group\":\"family:demo\"}},\"type\":{s[2]}}}'"}
                              for n, s in SENDS.items()],
                    "switches": list(stack.switches.values()),
                })  # fmt: skip
            if path == "/api/development/token":
                person = next((p for p in PEOPLE if p["id"] == query["user"][0]), None)
                return self.json({"token": person["token"], "expiresAt": "2027-01-01T00:00:00Z"})
            if path == "/api/pushes":
                return self.json({"pushes": stack.pushes})
            if path == "/api/mails":
                return self.json({"mails": [{**m, "recipients": m["to"]} for m in stack.mails]})
            if path.startswith("/api/mails/") and path.endswith("/html"):
                mail = stack.mails[int(path.split("/")[3]) - 1]
                html = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{mail["subject"]}</title></head><body style="font-family: sans-serif; line-height: 1.5"><h1 style="font-size: 1.25em">{mail["subject"]}</h1><p>{mail["text"]}</p></body></html>'
                return self.answer(200, html.encode(), "text/html; charset=utf-8", {"Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"})
            if path == "/api/stream":
                return self.stream()
            return self.answer(404)

        def do_POST(self):
            path = urlsplit(self.path).path
            body = self.body()
            if path.startswith("/api/development/sends/"):
                name = path.rsplit("/", 1)[1]
                requests = stack.send(name)
                return self.json({"requestId": requests[0], "requestIds": requests, "name": name, "status": 202, "answer": {"requestId": requests[0], "status": "accepted"},
                                  "curl": f"curl -sS {gateway}/api/v1/notifications \\\n  -H 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZSJ9.c2lnbmF0dXJl' \\\n  -H 'Content-Type: application/json' \\\n  -d '{{\"to\":{{\"group\":\"family:demo\"}},\"type\":\"AllowanceDeposit\",\"data\":{{\"amount\":\"$10.00\",\"balance\":\"$42.00\"}}}}'"})  # fmt: skip
            if path == "/api/development/taps":
                for one in stack.inbox.get(body["user"], []):
                    if one["id"] == body["notificationId"] and not body.get("action"):
                        one["isRead"] = True
                return self.json({"status": 204, "curl": f"curl -sS -X POST {gateway}/api/v1/notifications/{body['notificationId']}/opened", "answer": None})
            return self.answer(404)

        def do_PUT(self):
            body = self.body()
            return self.json(stack.switch(self.path.rsplit("/", 1)[1], body["on"]))

        def stream(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            inbox = queue.Queue()
            with stack.lock:
                inbox.put(("snapshot", stack.snapshot()))
                stack.streams.append(inbox)
            try:
                while True:
                    try:
                        event, data = inbox.get(timeout=5)
                        text = json.dumps({k: v for k, v in data.items() if k not in ("open", "started")} if event != "snapshot" else
                                          {**data, "traces": [{k: v for k, v in t.items() if k not in ("open", "started")} for t in data["traces"]]})
                        self.wfile.write(f"event: {event}\ndata: {text}\n\n".encode())
                    except queue.Empty:
                        self.wfile.write(b": still here\n\n")
                    self.wfile.flush()
            except OSError:
                stack.streams.remove(inbox)

    return Handler


BELL = b"""
class Bell extends HTMLElement {
  async connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const list = document.createElement("ul");
    root.append(list);
    for (;;) {
      const token = await this.tokenProvider({ isRefresh: false }).catch(() => null);
      const answer = await fetch(new URL("/api/v1/notifications", import.meta.url), { headers: { Authorization: `Bearer ${token}` } }).catch(() => null);
      if (answer?.ok) {
        const { notifications } = await answer.json();
        this.notifications = notifications;
        this.unreadCount = notifications.filter((one) => !one.isRead).length;
        this.state = "connected";
        list.replaceChildren(...notifications.slice(0, 20).map((one) => {
          const item = document.createElement("li");
          item.textContent = `${one.title}: ${one.body}`;
          return item;
        }));
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
customElements.define("belfry-bell", Bell);
"""


def gateway_handler(stack):
    class Handler(Answering):
        cors = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization"}

        def do_OPTIONS(self):
            self.answer(204, headers=self.cors)

        def do_GET(self):
            if self.path == "/bell/v1/belfry-bell.js":
                return self.answer(200, BELL, "text/javascript", self.cors)
            person = next((p for p in PEOPLE if f"Bearer {p['token']}" == self.headers.get("Authorization")), None)
            items = stack.inbox.get(person["id"], [])
            query = parse_qs(urlsplit(self.path).query)
            start = next((i + 1 for i, one in enumerate(items) if one["id"] == query.get("before", [None])[0]), 0)
            page = items[start : start + 50]
            return self.json({"notifications": page, "totalCount": len(items), "hasMore": start + 50 < len(items)}, self.cors)

    return Handler


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return json.loads(text) if text else {}

    def json(self, value, headers={}):
        self.answer(200, json.dumps(value).encode(), "application/json", headers)

    def answer(self, status, body=b"", kind="text/plain", headers={}):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Browsers reset connections as they please."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="of the page; any free one unless given")
    options = parser.parse_args()
    stack = Stack()
    gateway = Server(("127.0.0.1", 0), gateway_handler(stack))
    page = Server(("127.0.0.1", options.port), page_handler(stack, f"http://127.0.0.1:{gateway.server_address[1]}"))
    for server in (gateway, page):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{page.server_address[1]}/", flush=True)
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
