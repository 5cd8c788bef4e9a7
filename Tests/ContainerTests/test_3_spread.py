"""Clients from one address spread over the hub's nodes, and each finds its own node with every request."""

import asyncio
import re
import uuid
from collections import Counter
from contextlib import AsyncExitStack

import aiohttp
import pytest

from transports import event_stream, long_polling, web_socket
from waiting import until

PATH = "/hubs/notifications"
USERS = [str(uuid.uuid4()) for _ in range(10)]
CLIENTS = 100
# How many come at the same moment. A new one goes to the node that has fewest, and what negotiates is on none yet.
AT_ONCE = 10


def open_connections(stack):
    """How many hub connections each node has, by its own account."""
    counts = []
    for node in stack.containers("inapp"):
        metrics = stack.exec("inapp", "curl", "--silent", "--fail", "http://127.0.0.1:9000/metrics", index=node.number)
        counts.append(int(re.search(r"(?m)^belfry_inapp_connections (\d+)$", metrics).group(1)))
    return counts


class Client:
    """One connection, until it has got the notification of this title."""

    def __init__(self, hub, token, title, carrier, is_negotiated):
        self.hub, self.token, self.title, self.carrier = hub, token, title, carrier
        self.is_negotiated = is_negotiated
        self.node = None

    async def run(self, entrance, connected):
        # A session of its own: no client's connections to the proxy are another's.
        headers = {"Authorization": f"Bearer {self.token}"}
        async with aiohttp.ClientSession(headers=headers) as session, AsyncExitStack() as carriers:
            async with entrance:
                said = await carriers.enter_async_context(self.carrier(session, await self.address(session)))
                assert await anext(said) == {}, "the handshake is refused"
            connected.release()
            async for message in said:
                if message.get("target") == "ReceiveNotification" and message["arguments"][0]["title"] == self.title:
                    return
            raise AssertionError("the connection ended before it answered")

    async def address(self, session):
        if not self.is_negotiated:
            return self.hub
        async with session.post(f"{self.hub}/negotiate?negotiateVersion=1") as answer:
            assert answer.status == 200, f"{answer.status} {await answer.text()}"
            token = (await answer.json())["connectionToken"]
        self.node = token.split(".")[0]
        return f"{self.hub}?id={token}"


async def connect_and_hear(clients, once_connected):
    """Connects all, calls the function meanwhile, and ends when each has heard. Any failure of one is everybody's."""
    connected = asyncio.Semaphore(0)
    entrance = asyncio.Semaphore(AT_ONCE)
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        for client in clients:
            tasks.create_task(client.run(entrance, connected))
        for _ in clients:
            await connected.acquire()
        await asyncio.to_thread(once_connected)


@pytest.mark.parametrize(
    ("carrier", "is_negotiated"),
    # Event streams are last: an older proxy notifies the hub only at the next ping that one is over.
    [(web_socket, True), (long_polling, True), (web_socket, False), (event_stream, True)],
    ids=["WebSockets", "LongPolling", "WebSockets without negotiation", "ServerSentEvents"],
)
def test_100_clients_from_one_address_spread_over_two_nodes(stack, stopwatch, carrier, is_negotiated):
    # What others have left there would count, too.
    until("nobody is connected", lambda: open_connections(stack) == [0, 0], within=30)
    title = f"Spread {uuid.uuid4()}"
    tokens = stack.tokens(USERS)
    clients = [
        Client(stack.hub + PATH, tokens[number % len(USERS)], title, carrier, is_negotiated) for number in range(CLIENTS)
    ]
    of_node = []

    def count_and_send():
        of_node[:] = open_connections(stack)
        send = {"to": {"users": USERS}, "type": "AllowanceDeposit", "title": title, "body": "To all of them"}
        stack.call("POST", "/api/v1/notifications", stack.token(), send)

    asyncio.run(connect_and_hear(clients, count_and_send))
    assert sum(of_node) == CLIENTS
    assert all(40 <= count <= 60 for count in of_node), of_node
    if is_negotiated:
        # Each name is a node's: they are told apart by their connections unless both have the same number.
        named = Counter(client.node for client in clients)
        assert sorted(named.values()) == sorted(of_node), (named, of_node)
    stopwatch(f"{of_node} of {CLIENTS} clients")


def test_a_forged_name_of_a_node_leads_to_no_connection(stack):
    user = str(uuid.uuid4())
    headers = {"Authorization": f"Bearer {stack.token(user)}"}
    hub = stack.hub + PATH
    token = stack.http.post(f"{hub}/negotiate?negotiateVersion=1", headers=headers).json()["connectionToken"]
    node, secret = token.split(".")
    assert re.fullmatch(r"inapp\d+", node)
    for forged in [f"inapp{number}.{secret}" for number in range(18)] + [secret, f"{node}.{'A' * 22}", f"gateway1.{secret}"]:
        if forged != token:
            answer = stack.http.get(hub, params={"id": forged}, headers=headers)
            assert answer.status_code == 404, f"{forged}: {answer.status_code} {answer.text}"
    assert stack.http.get(hub, params={"id": token}, headers=headers).status_code == 200
    assert stack.http.delete(hub, params={"id": token}, headers=headers).status_code == 202


def test_a_header_of_a_client_names_no_node(stack):
    headers = {"Authorization": f"Bearer {stack.token(str(uuid.uuid4()))}", "X-Belfry-Node": "elsewhere"}
    answer = stack.http.post(f"{stack.hub}{PATH}/negotiate?negotiateVersion=1", headers=headers).json()
    assert re.match(r"inapp\d+\.", answer["connectionToken"])
