"""The hub's three transports (docs/hub.md): each gives what the hub says after the handshake, until it is left."""

import json
from contextlib import asynccontextmanager

SEPARATOR = "\x1e"
HANDSHAKE = json.dumps({"protocol": "json", "version": 1}) + SEPARATOR


def records(text):
    return [json.loads(record) for record in text.split(SEPARATOR) if record]


@asynccontextmanager
async def web_socket(session, url):
    async with session.ws_connect(url) as socket:
        await socket.send_str(HANDSHAKE)

        async def said():
            async for message in socket:
                for record in records(message.data):
                    yield record

        yield said()


@asynccontextmanager
async def event_stream(session, url):
    async with session.get(url, headers={"Accept": "text/event-stream"}) as stream:
        assert stream.status == 200, await stream.text()
        await post(session, url, HANDSHAKE)

        async def said():
            async for line in stream.content:
                if line.startswith(b"data: "):
                    for record in records(line.removeprefix(b"data: ").decode().strip()):
                        yield record

        yield said()


@asynccontextmanager
async def long_polling(session, url):
    async def poll():
        async with session.get(url) as answer:
            assert answer.status == 200, f"{answer.status} {await answer.text()}"
            return await answer.text()

    assert await poll() == "", "the first poll is answered at once, with nothing"
    await post(session, url, HANDSHAKE)

    async def said():
        while True:
            for record in records(await poll()):
                yield record

    yield said()
    async with session.delete(url) as answer:
        assert answer.status == 202, f"{answer.status} {await answer.text()}"


async def post(session, url, body):
    async with session.post(url, data=body) as answer:
        assert answer.status == 200, f"{answer.status} {await answer.text()}"
