"""Connects pysignalr to the hub and prints each received invocation as a JSON line.

Prints {"event": "connected"} once the handshake is done, and again after each reconnect; takes commands as control.py says.
Exits with 0 after --count invocations, with 1 at the deadline.

Of version 1.3.3:
- It speaks WebSockets only, with JSON or MessagePack.
- A lost connection it opens again with the same id, with growing pauses while nobody answers, and negotiates anew once the
  hub says 404, as the connection is gone. If that negotiation finds no server, run() raises: to start over, with a new
  client, is left to the program.
- access_token_factory is asked only after negotiation, which needs the token already: so it goes in the headers, or in
  the query.
"""

import asyncio
import sys

from pysignalr.client import SignalRClient
from pysignalr.protocol.json import JSONProtocol
from pysignalr.protocol.messagepack import MessagepackProtocol

import control
from arguments import TARGETS, parse, report


class Client:
    """What the tests ask of a client; invoke and stream are called from another thread."""

    def __init__(self, options):
        self.options = options
        self.loop = asyncio.get_running_loop()
        self.done = asyncio.Event()
        self.received = 0
        self.connection = None

    async def run(self):
        """Connects, again and again, until cancelled."""
        while True:
            self.connection = self.make()
            try:
                await self.connection.run()
            except Exception as error:
                report(event="lost", error=repr(error))
            await asyncio.sleep(0.1)

    def make(self):
        if self.options.in_query:
            url, headers = f"{self.options.url}?access_token={self.options.token}", {}
        else:
            url, headers = self.options.url, {"Authorization": f"Bearer {self.options.token}"}
        protocol = MessagepackProtocol() if self.options.protocol == "messagepack" else JSONProtocol()
        connection = SignalRClient(url, protocol=protocol, headers=headers, retry_sleep=0.2)
        for target in TARGETS:
            connection.on(target, self.handler(target))
        connection.on_open(self.opened)
        connection.on_error(self.failed)
        return connection

    def handler(self, target):
        async def handle(arguments):
            self.received += 1
            report(event="invocation", target=target, arguments=arguments)
            if self.received == self.options.count:
                self.done.set()

        return handle

    async def opened(self):
        report(event="connected")

    async def failed(self, message):
        report(event="error", error=str(message.error))

    def invoke(self, target, arguments):
        async def run():
            completion = self.loop.create_future()

            async def complete(message):
                completion.set_result(message)

            await self.connection.send(target, arguments, complete)
            message = await asyncio.wait_for(completion, 30)
            return {"error": message.error} if message.error else {"result": message.result}

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(40)

    def stream(self, target, arguments):
        async def run():
            items, completion = [], self.loop.create_future()

            async def take(item):
                items.append(item)

            async def complete(message):
                completion.set_result(message.error)

            await self.connection.stream(target, arguments, take, complete, complete)
            error = await asyncio.wait_for(completion, 30)
            return {"items": items, "error": error} if error else {"items": items}

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(40)


async def receive(options):
    client = Client(options)
    control.start(client, options.proxy)
    running = asyncio.create_task(client.run())
    finished = asyncio.create_task(client.done.wait())
    await asyncio.wait([running, finished], timeout=options.deadline, return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    finished.cancel()
    await asyncio.gather(running, finished, return_exceptions=True)
    return 0 if client.done.is_set() else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(receive(parse(__doc__, transports=["WebSockets"]))))
