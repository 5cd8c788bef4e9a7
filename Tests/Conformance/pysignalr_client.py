"""Connects pysignalr to the hub and prints each received invocation as a JSON line.

Prints {"event": "connected"} once the handshake is done. Exits with 0 after --count invocations, with 1 at the deadline.
"""

import asyncio
import sys

from pysignalr.client import SignalRClient

from arguments import TARGETS, parse, report


async def receive(options):
    done = asyncio.Event()
    received = 0
    # Not by access_token_factory: version 1.3.3 asks it only after negotiation, which needs the token already.
    if options.in_query:
        client = SignalRClient(f"{options.url}?access_token={options.token}", retry_sleep=0.2)
    else:
        client = SignalRClient(options.url, headers={"Authorization": f"Bearer {options.token}"}, retry_sleep=0.2)

    def handler(target):
        async def handle(arguments):
            nonlocal received
            received += 1
            report(event="invocation", target=target, arguments=arguments)
            if received >= options.count:
                done.set()

        return handle

    async def connected():
        report(event="connected")

    async def failed(message):
        report(event="error", error=str(message.error))

    for target in TARGETS:
        client.on(target, handler(target))
    client.on_open(connected)
    client.on_error(failed)

    running = asyncio.create_task(client.run())
    finished = asyncio.create_task(done.wait())
    await asyncio.wait([running, finished], timeout=options.deadline, return_when=asyncio.FIRST_COMPLETED)
    if running.done() and running.exception():
        report(event="error", error=repr(running.exception()))
    running.cancel()
    finished.cancel()
    await asyncio.gather(running, finished, return_exceptions=True)
    return 0 if received >= options.count else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(receive(parse(__doc__))))
