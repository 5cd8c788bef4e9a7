"""A TCP proxy whose connections can be cut, as a lost network does: no goodbye of WebSocket, HTTP or SignalR."""

import asyncio
import threading


class CuttingProxy:
    """Listens on a free port of 127.0.0.1, in a thread of its own, and passes every connection on to one server."""

    def __init__(self, host, port):
        self._server = (host, port)
        self._cuts = set()
        self._loop = asyncio.new_event_loop()
        self._open = asyncio.Event()
        self._open.set()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        listening = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop)
        self._listener = listening.result(10)
        self.port = self._listener.sockets[0].getsockname()[1]

    def cut(self):
        """Ends every connection on both sides. New ones are accepted, but wait until release()."""
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result(10)

    def release(self):
        """Passes on again."""
        self._loop.call_soon_threadsafe(self._open.set)

    async def _cut(self):
        self._open.clear()
        for cut in list(self._cuts):
            cut.set()

    async def _serve(self, reader, writer):
        cut = asyncio.Event()
        upstream = None
        try:
            await self._open.wait()
            upstream_reader, upstream = await asyncio.open_connection(*self._server)
            self._cuts.add(cut)
            ends = [
                asyncio.create_task(cut.wait()),
                asyncio.create_task(self._pass(reader, upstream)),
                asyncio.create_task(self._pass(upstream_reader, writer)),
            ]
            # Either side's end is the other's: nobody here speaks over half a connection.
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            # What arrives now goes nowhere. To close with it unread would be a reset instead of an end, which is
            # another error to the client.
            upstream.close()
            writer.write_eof()
            await asyncio.wait_for(self._discard(reader), 5)
        except (OSError, TimeoutError, asyncio.TimeoutError):
            pass
        finally:
            self._cuts.discard(cut)
            writer.close()
            if upstream:
                upstream.close()

    @staticmethod
    async def _pass(reader, writer):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()

    @staticmethod
    async def _discard(reader):
        while await reader.read(65_536):
            pass
