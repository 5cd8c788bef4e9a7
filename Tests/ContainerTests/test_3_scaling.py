"""More copies of each service."""

import asyncio
import uuid
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from delivery import assert_a_send_arrives_on_all_channels
from transports import GREETING, TRANSPORTS, negotiate, session


def test_each_service_runs_in_more_copies(stack, chapter, stopwatch):
    stack.configure(**{f"BELFRY_{service.upper()}_COPIES": 2 for service in ["gateway", "inapp", "router", "email"]})
    chapter.run("Scaling", stack)
    stopwatch("scaled")
    copies = Counter(each.service for each in stack.containers() if each.is_healthy)
    assert {"push": 3, "router": 2, "email": 2, "inapp": 2, "gateway": 2}.items() <= copies.items()
    assert_a_send_arrives_on_all_channels(stack)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_hundred_clients_of_one_address_spread_over_two_nodes(stack, transport):
    nodes = asyncio.run(open_connections(stack, TRANSPORTS[transport]))
    assert len(nodes) == 2 and nodes.total() == 100
    assert all(40 <= count <= 60 for count in nodes.values()), nodes


async def open_connections(stack, greeting):
    """Ten connections of each of ten users, open at once: how many are on each node."""
    nodes = Counter()
    async with AsyncExitStack() as until:
        for token in stack.tokens([str(uuid.uuid4()) for _ in range(10)]):
            client = await until.enter_async_context(session(token))

            async def connect(client=client):
                address, node = await negotiate(client, stack.hub)
                assert await greeting(client, address, until) == GREETING
                nodes[node] += 1

            await asyncio.gather(*(connect() for _ in range(10)))
    return nodes
