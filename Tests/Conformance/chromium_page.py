"""Opens page.html in a headless Chromium, from an origin of its own, and prints what it reports as JSON lines.

The page uses the hub with each transport ({"event": "ready"} tells when a notification should be sent), or, with --refused,
tries everything from an origin that the hub does not allow. Exits with 0 if it came to its end, with 1 if it failed or the
deadline passed. Needs the Debian package chromium and nothing beyond Python's standard library.
"""

import argparse
import contextlib
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from arguments import TRANSPORTS

PAGE = pathlib.Path(__file__).with_name("page.html")


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="the hub, e.g. http://127.0.0.1:8082/hubs/notifications")
    parser.add_argument("--token", required=True, help="a JWT of the user")
    parser.add_argument("--port", type=int, default=0, help="serve the page at http://localhost:PORT; 0 is a free one")
    parser.add_argument("--transport", choices=TRANSPORTS, action="append", help="only this one; may be repeated")
    parser.add_argument("--refused", action="store_true", help="expect that the hub refuses this origin")
    parser.add_argument("--deadline", type=float, default=60, help="exit with 1 after that many seconds")
    return parser.parse_args()


def negotiate(options):
    """Ids of three new connections, asked for without an origin."""

    def one():
        request = urllib.request.Request(
            f"{options.url}/negotiate?negotiateVersion=1",
            method="POST",
            headers={"Authorization": f"Bearer {options.token}"},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)["connectionToken"]

    return [one() for _ in range(3)]


@contextlib.contextmanager
def serve(port, settings, events):
    """Serves the page and its settings, and puts what it posts in a queue. Gives the page's address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.path == "/":
                self.answer(200, "text/html; charset=utf-8", PAGE.read_bytes())
            elif self.path == "/settings":
                self.answer(200, "application/json", json.dumps(settings).encode())
            else:
                self.answer(404, "text/plain", b"")

        def do_POST(self):
            events.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.answer(204, "text/plain", b"")

        def answer(self, status, kind, body):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            """A browser that is killed resets its connections."""

    with Server(("127.0.0.1", port), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_address[1]}"
        finally:
            server.shutdown()


@contextlib.contextmanager
def chromium(address):
    """Runs Chromium with a profile of its own; whatever happens, all of its processes end."""
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="belfry-chromium-", ignore_cleanup_errors=True) as profile:
        command = [
            # Should this process be killed, Chromium's first process goes with it, and takes the others along.
            "setpriv", "--pdeathsig", "KILL", "--",
            program, "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
            "--no-default-browser-check", "--no-first-run", "--no-proxy-server", f"--user-data-dir={profile}",
            # It cannot be had by root, nor in most containers, and the page is our own.
            "--no-sandbox",
        ]  # fmt: skip
        # Its log goes to standard error, as this script's.
        process = subprocess.Popen(
            command + [address], start_new_session=True, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            gone(process.pid)


def gone(group, seconds=5):
    """Waits until no process of the group is left that could still write to the profile."""
    deadline = time.monotonic() + seconds
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.02)


def run(options):
    settings = {"hub": options.url, "token": options.token, "transports": options.transport or TRANSPORTS}
    if options.refused:
        settings["ids"] = negotiate(options)
    events = queue.Queue()
    # The alarm stands for every reason to end, and is not late because something else waits.
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.setitimer(signal.ITIMER_REAL, options.deadline)
    with serve(options.port, settings, events) as address, chromium(address):
        while True:
            event = events.get()
            sys.stdout.write(json.dumps(event, ensure_ascii=False) + "\n")
            sys.stdout.flush()
            if event["event"] in ("done", "failed"):
                return 0 if event["event"] == "done" else 1


if __name__ == "__main__":
    sys.exit(run(parse()))
