"""An HTTP/2 server that misbehaves on purpose, by the request's path. Standard output has one line per event.

Usage: h2_server.py PORT CERTIFICATE KEY [--no-alpn] [--strict]

With --strict a connection takes one stream at first, 100 after an answer 200, and one again after any other, as Apple's servers do; a
client that begins more loses its connection.

  /ok        200
  /length    announces more bytes than it sends
  /goaway    on the first connection: says goodbye and that it did not process the request; later: 200
  /reason    on the first connection: says goodbye with a reason in JSON, and that it did not process the request; later: 200
  /reject    400
  /refuse    refuses the stream
  /refuse-1  refuses the first stream of each connection; later: 200
  /reset     on the first connection: 200; later: resets the stream
  /required  on the first connection: 200; later: resets the stream, and asks for HTTP/1.1
  /abrupt    answers 503 before the body has come, and closes
  /early     answers 413 before the body has come, and reads no more of it
  /header    a header field of 100,000 bytes in pieces
"""

import itertools
import socket
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.events
import h2.errors
import h2.exceptions
import h2.settings
import hpack


STRICT = "--strict" in sys.argv
# What each connection's client has been told last, whether it has heard of it or not.
wanted = {}


def say(text):
    print(text, flush=True)


def answer(connection, stream, status, headers=(), body=b"ok"):
    connection.send_headers(stream, [(":status", status), *headers])
    connection.send_data(stream, body, end_stream=True)


def limit(connection, streams):
    code = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS
    if STRICT and connection.local_settings.get(code) != streams and streams != wanted.get(connection):
        wanted[connection] = streams
        connection.update_settings({code: streams})
        say(f"limit {streams}")


def handle(number, connection, stream, path, answered):
    if path == "/length":
        answer(connection, stream, "200", [("content-length", "100")], b"four")
    elif path == "/goaway" and number == 1:
        connection.close_connection(last_stream_id=0)
    elif path == "/reason" and number == 1:
        reason = b'{"reason":"BadCertificate"}' + b" " * 2_000
        connection.close_connection(h2.errors.ErrorCodes.INTERNAL_ERROR, reason, last_stream_id=0)
    elif path == "/reject":
        answer(connection, stream, "400")
        limit(connection, 1)
    elif path == "/refuse" or path == "/refuse-1" and path not in answered:
        connection.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        answered.add(path)
    elif path == "/reset" and number > 1:
        connection.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
    elif path == "/required" and number > 1:
        connection.reset_stream(stream, h2.errors.ErrorCodes.HTTP_1_1_REQUIRED)
    elif path == "/early":
        if stream not in answered:
            answer(connection, stream, "413")
            connection.reset_stream(stream, h2.errors.ErrorCodes.NO_ERROR)
    elif path == "/abrupt":
        answer(connection, stream, "503")
    elif path == "/header":
        answer(connection, stream, "200", [(f"x-{i}", "x" * 1_000) for i in range(100)])
    else:
        answer(connection, stream, "200")
        limit(connection, 100)
    answered.add(stream)


def serve(number, client):
    say(f"connection {number}")
    configuration = h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
    connection = h2.connection.H2Connection(configuration)
    if STRICT:
        first = {h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 1}
        connection.local_settings = h2.settings.Settings(client=False, initial_values=first)
    connection.initiate_connection()
    client.sendall(connection.data_to_send())
    paths, answered = {}, set()
    while data := client.recv(65_536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                paths[event.stream_id] = dict(event.headers)[b":path"].decode()
                say(f"request {number} {paths[event.stream_id]}")
                for header in event.headers:
                    if isinstance(header, hpack.NeverIndexedHeaderTuple):
                        say(f"never indexed {header[0].decode()}")
                if paths[event.stream_id] in ("/early", "/abrupt"):
                    handle(number, connection, event.stream_id, paths[event.stream_id], answered)
            elif isinstance(event, h2.events.StreamEnded) and event.stream_id not in answered:
                handle(number, connection, event.stream_id, paths[event.stream_id], answered)
            elif isinstance(event, h2.events.StreamReset):
                say(f"reset {number}")
        client.sendall(connection.data_to_send())
        if "/abrupt" in paths.values():
            client.close()
            return
    say(f"closed {number}")


def main():
    port, certificate, key = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if "--no-alpn" not in sys.argv:
        context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", port))
    numbers = itertools.count(1)
    while True:
        plain, _ = listener.accept()
        # Otherwise a last answer may still wait to be sent, and be lost, when its connection is closed.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def run(plain=plain):
            number = 0  # a connection counts once it is secure
            try:
                client = context.wrap_socket(plain, server_side=True)
                number = next(numbers)
                serve(number, client)
            except OSError as error:
                say(f"lost {number} {error}")
            except h2.exceptions.ProtocolError as error:
                say(f"violated {number} {error!r}")
                client.close()

        threading.Thread(target=run, daemon=True).start()


main()
