"""What is between a page and a server, and what may happen there."""

import asyncio

from proxy import CuttingProxy

PREFLIGHT = (
    "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: {origin}\r\nAccess-Control-Allow-Credentials: true\r\n"
    "Access-Control-Allow-Methods: GET, POST, PUT, PATCH, DELETE\r\nConnection: close\r\n"
    "Access-Control-Allow-Headers: authorization, content-type, x-requested-with, x-signalr-user-agent\r\n\r\n"
)


class Line(CuttingProxy):
    """Passes connections on, unless it is told otherwise. What it is told ends those that are open."""

    def __init__(self, host, port):
        self._instead = None
        # Requests that were answered here, and connections that were refused.
        self.met = 0
        super().__init__(host, port)
        self.address = f"http://127.0.0.1:{self.port}"

    def drop(self):
        """Every connection is cut; new ones are passed on at once."""
        self.cut()
        self.release()

    def refuse(self):
        """Nobody answers, as where a server was killed, until `mend`."""
        self._fail(lambda reader, writer: None)

    def answer(self, status, *headers):
        """Every request is answered with the status, as a balancer would, until `mend`."""

        async def answer(reader, writer):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            origin = {name.lower(): value for name, value in lines.items()}.get("origin", "*")
            if head.startswith("OPTIONS"):
                writer.write(PREFLIGHT.format(origin=origin).encode())
            else:
                self.met += 1
                more = "".join(f"{header}\r\n" for header in headers)
                writer.write(
                    f"HTTP/1.1 {status} Fault\r\nAccess-Control-Allow-Origin: {origin}\r\n"
                    "Access-Control-Allow-Credentials: true\r\nAccess-Control-Expose-Headers: Retry-After\r\n"
                    f"Content-Length: 0\r\nConnection: close\r\n{more}\r\n".encode()
                )
            await writer.drain()

        self._fail(answer)

    def mend(self):
        """Passes on again."""
        self._instead = None
        self.release()

    def _fail(self, instead):
        self._instead = instead
        self.drop()

    async def _serve(self, reader, writer):
        if self._instead is None:
            return await super()._serve(reader, writer)
        try:
            if answering := self._instead(reader, writer):
                await answering
            else:
                self.met += 1
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
