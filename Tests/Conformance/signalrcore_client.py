"""Connects signalrcore to the hub and prints each received invocation as a JSON line.

Prints {"event": "connected"} once the handshake is done. Exits with 0 after --count invocations, with 1 at the deadline.
"""

import os
import sys
import threading

from signalrcore.hub_connection_builder import HubConnectionBuilder

from arguments import TARGETS, parse, report


def receive(options):
    done = threading.Event()
    received = 0
    if options.in_query:
        url, settings = f"{options.url}?access_token={options.token}", {}
    else:
        url, settings = options.url, {"access_token_factory": lambda: options.token}
    connection = (
        HubConnectionBuilder()
        .with_url(url, options=settings)
        .with_automatic_reconnect({"type": "interval", "keep_alive_interval": 10, "intervals": [0.2] * 50})
        .build()
    )

    def handler(target):
        def handle(arguments):
            nonlocal received
            received += 1
            report(event="invocation", target=target, arguments=arguments)
            if received >= options.count:
                done.set()

        return handle

    for target in TARGETS:
        connection.on(target, handler(target))
    connection.on_open(lambda: report(event="connected"))
    connection.on_reconnect(lambda: report(event="connected"))
    connection.on_error(lambda message: report(event="error", error=str(message.error)))

    connection.start()
    done.wait(options.deadline)
    connection.stop()
    return 0 if received >= options.count else 1


if __name__ == "__main__":
    status = receive(parse(__doc__))
    # The library's threads may outlive stop().
    sys.stdout.flush()
    os._exit(status)
