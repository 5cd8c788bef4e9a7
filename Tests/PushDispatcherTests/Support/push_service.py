"""A push service of HTTP/1.x, of Python's standard library: takes every push, and writes each connection and push as a line of JSON.

Arguments: port, protocol (HTTP/1.0 or HTTP/1.1), certificate, its key.
"""

import base64
import json
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def write(**event):
    print(json.dumps(event), flush=True)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        write(event="push", path=self.path, headers=headers, body=base64.b64encode(body).decode())
        self.send_response(201)
        self.send_header("Location", "https://localhost/m/1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    def get_request(self):
        accepted = super().get_request()
        write(event="connection")
        return accepted


def main(port, protocol, certificate, key):
    Handler.protocol_version = protocol
    server = Server(("127.0.0.1", int(port)), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    # A connection counts before it is one of TLS.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    write(event="listening")
    server.serve_forever()


main(*sys.argv[1:])
