"""A hub connection on each of the three transports: negotiated, opened, and greeted."""

import json

import aiohttp

from hub import PATH, SEPARATOR

HANDSHAKE = json.dumps({"protocol": "json", "version": 1}) + SEPARATOR
GREETING = "{}" + SEPARATOR


async def negotiate(session, url):
    """The address of the new connection, and the name of the node that gave it."""
    async with session.post(f"{url}{PATH}/negotiate?negotiateVersion=1") as answer:
        answer.raise_for_status()
        connection = (await answer.json())["connectionToken"]
    return f"{url}{PATH}?id={connection}", connection.split(".")[0]


async def greet(session, address):
    async with session.post(address, data=HANDSHAKE) as answer:
        assert answer.status == 200, f"the handshake was answered {answer.status}"


async def over_web_sockets(session, address, until):
    socket = await until.enter_async_context(session.ws_connect(address))
    await socket.send_str(HANDSHAKE)
    return await socket.receive_str()


async def over_an_event_stream(session, address, until):
    stream = await until.enter_async_context(session.get(address, headers={"Accept": "text/event-stream"}))
    stream.raise_for_status()
    await greet(session, address)
    while line := (await stream.content.readline()).decode():
        if line.startswith("data: "):
            return line.removeprefix("data: ").strip("\r\n")


async def over_long_polling(session, address, until):
    # The first poll says that the connection is open.
    for say in [lambda: greet(session, address), None]:
        async with session.get(address) as answer:
            answer.raise_for_status()
            text = await answer.text()
        if say:
            await say()
    return text


TRANSPORTS = {
    "WebSockets": over_web_sockets,
    "ServerSentEvents": over_an_event_stream,
    "LongPolling": over_long_polling,
}


def session(token):
    timeout = aiohttp.ClientTimeout(total=None, connect=10, sock_read=20)
    return aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {token}"}, connector=aiohttp.TCPConnector(limit=0), timeout=timeout
    )
