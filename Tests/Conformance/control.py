"""Lets a test steer a running client: an HTTP server on a free port of 127.0.0.1.

POST /invoke and /stream with {"target": …, "arguments": […]} answer {"result": …} or {"items": […]}, and {"error": "…"}
where the hub answered with an error. POST /cut ends the client's connections and holds new ones back, POST /release lets
them through.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from arguments import report


def start(client, proxy):
    """Serves until the process ends, and prints {"event": "control", "port": …}.

    The client has invoke(target, arguments) and stream(target, arguments), which return the answer as a dictionary.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
            try:
                status, answer = 200, self.run(body)
            except Exception as error:
                status, answer = 500, {"failure": repr(error)}
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def run(self, body):
            if self.path == "/invoke":
                return client.invoke(body["target"], body["arguments"])
            if self.path == "/stream":
                return client.stream(body["target"], body["arguments"])
            if self.path == "/cut":
                proxy.cut()
                return {}
            if self.path == "/release":
                proxy.release()
                return {}
            raise ValueError(self.path)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    report(event="control", port=server.server_address[1])
