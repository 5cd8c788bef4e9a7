"""One send, seen by everybody on every channel through the ports that are published."""

import uuid

from family import MEMBERS, Arrivals, inbox
from hub import HubClients
from load import family_send
from waiting import until


def assert_a_send_arrives_on_all_channels(stack, within=20):
    title = f"Hello {uuid.uuid4()}"
    arrivals = Arrivals(stack)
    with HubClients(stack, [member.id for member in MEMBERS]) as hub:
        until("the family is connected to the hub", lambda: hub.are_connected, within)
        answer = stack.call("POST", "/api/v1/notifications", stack.token(), family_send(title))
        assert answer["status"] == "accepted"

        def is_on_all_hubs():
            return all(title in client.titles.values() for client in hub.clients)

        until("the send is on the hub of each member", is_on_all_hubs, within, every=0.05)
    arrivals.until_complete({title}, within)
    assert arrivals.repeated == 0
    for member in MEMBERS:
        assert inbox(stack, member.id).count(title) == 1
