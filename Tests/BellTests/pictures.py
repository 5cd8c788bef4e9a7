"""Pictures of another server, which pages get although this machine reaches none."""

import base64
import struct
import threading
import zlib

HOST = "https://pictures.example"


def png(red, green, blue, size=16):
    """A square of one colour."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = (b"\0" + bytes((red, green, blue)) * size) * size
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


class Pictures:
    """Answers a page's requests below HOST: with a picture, or with 404 where the name says `missing`. `requests` are theirs."""

    def __init__(self, page):
        self.page, self.requests = page, []
        page.browser.listen(page.session, self._hear)
        page.call("Fetch.enable", patterns=[{"urlPattern": f"{HOST}/*"}])

    def named(self, name):
        return [request for request in self.requests if request["url"] == f"{HOST}/{name}"]

    def _hear(self, method, event):
        if method == "Fetch.requestPaused":
            self.requests.append(event["request"])
            # The thread that hears must not wait for an answer.
            threading.Thread(target=self._answer, args=(event["requestId"], event["request"]["url"]), daemon=True).start()

    def _answer(self, id, url):
        if "missing" in url:
            self.page.call("Fetch.fulfillRequest", requestId=id, responseCode=404)
            return
        red, green, blue = zlib.crc32(url.encode()).to_bytes(4, "big")[:3]
        self.page.call(
            "Fetch.fulfillRequest", requestId=id, responseCode=200, body=base64.b64encode(png(red, green, blue)).decode(),
            responseHeaders=[{"name": "Content-Type", "value": "image/png"}, {"name": "Cache-Control", "value": "max-age=600"}],
        )  # fmt: skip
