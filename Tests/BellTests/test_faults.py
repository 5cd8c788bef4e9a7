"""What goes wrong between page and Belfry; afterwards list and count are the database's."""

import time

import pytest

from world import wait_until


@pytest.fixture
def bell(open_bell, person):
    person.fill(5)
    bell = open_bell('layout="inline"')
    bell.agrees()
    return bell


def test_a_cut_connection(bell, world, person):
    for number in range(3):
        world.hub_line.drop()
        person.add(f"After cut {number}")
        person.rest("PATCH", f"/api/v1/notifications/{person.listed()[-1]['id']}/read")
        bell.agrees()
    bell.wait_for("bell.state === 'connected'")


def test_what_became_of_old_ones_while_it_was_cut(bell, world, person):
    first, second, third, fourth, _ = person.listed()
    world.hub_line.refuse()
    bell.wait_for("bell.state === 'reconnecting'")
    person.rest("DELETE", f"/api/v1/notifications/{first['id']}")
    person.rest("PATCH", f"/api/v1/notifications/{second['id']}/read")
    person.rest("PATCH", f"/api/v1/notifications/{third['id']}/archive")
    person.rest("PATCH", f"/api/v1/notifications/{fourth['id']}/read")
    person.rest("PATCH", f"/api/v1/notifications/{fourth['id']}/unread")
    world.mend()
    bell.agrees()


def test_a_killed_node(bell, world, person):
    world.kill_node()
    person.add("Meanwhile")
    bell.agrees(within=30)
    bell.wait_for("bell.state === 'connected'", within=30)
    person.add("Afterwards")
    bell.agrees()


def test_nobody_answers_for_a_while(bell, world, person):
    world.hub_line.refuse()
    world.gateway_line.refuse()
    bell.wait_for("bell.state === 'reconnecting'")
    person.add("Meanwhile")
    bell.page.click(bell.row("Number 3"))
    # Delivered at once, in the database later.
    bell.wait_for("bell.notifications.find(({ title }) => title === 'Number 3').isRead")
    assert person.unread == 6
    world.mend()
    wait_until(lambda: person.unread == 5, "what was done is written")
    bell.agrees()


def test_offline(bell, world, person):
    bell.page.offline()
    world.hub_line.drop()
    bell.page.click(bell.row("Number 2"))
    person.add("Meanwhile")
    # What is there stays.
    assert bell.get("bell.notifications.length") == 5
    bell.page.offline(False)
    wait_until(lambda: person.unread == 5, "what was done is written")
    bell.agrees()


def test_offline_is_said_after_a_while(open_bell, person, world):
    bell = open_bell('layout="inline"', clock=True)
    world.hub_line.refuse()
    bell.page.offline()
    bell.wait_for("bell.state === 'reconnecting'")
    assert bell.get("text('banner')") == ""
    bell.page.advance(6)
    bell.wait_for("text('banner').includes('offline')")
    bell.page.offline(False)
    world.mend()
    bell.wait_for("bell.state === 'connected' && text('banner') === ''", within=20)


def test_a_slow_network(bell, person):
    bell.page.offline(False, latency=400)
    bell.page.click(bell.row("Number 4"))
    bell.page.click(bell.row("Number 5"))
    person.add("Meanwhile")
    wait_until(lambda: person.unread == 4, "both are read")
    bell.agrees()


@pytest.mark.parametrize("status", [429, 503])
def test_the_hub_sends_it_away_for_a_while(bell, world, person, status):
    world.hub_line.answer(status, "Retry-After: 1")
    bell.wait_for("bell.state === 'reconnecting'")
    wait_until(lambda: world.hub_line.met >= 1, "it has asked")
    met = world.hub_line.met
    time.sleep(0.7)  # What must not happen takes time.
    assert world.hub_line.met <= met + 1
    person.add("Meanwhile")
    world.hub_line.mend()
    bell.agrees()


@pytest.mark.parametrize("status", [429, 503])
def test_the_gateway_sends_a_write_away_for_a_while(bell, world, person, status):
    world.gateway_line.answer(status, "Retry-After: 1")
    bell.page.click(bell.row("Number 3"))
    wait_until(lambda: world.gateway_line.met >= 1, "it has asked")
    world.gateway_line.mend()
    wait_until(lambda: person.unread == 4, "it is read")
    bell.agrees()


@pytest.mark.parametrize("status", [429, 503])
def test_it_waits_as_long_as_it_is_told_to(bell, stub, person, status):
    fault = stub.fail("PATCH .*/read", status=status, retry_after=2, times=1)
    bell.page.click(bell.row("Number 3"))
    wait_until(lambda: fault.met, "it has asked")
    start = time.monotonic()
    wait_until(lambda: person.unread == 4, "it is read")
    assert time.monotonic() - start > 1.8
    bell.agrees()


def test_a_refused_write_takes_back_only_itself(bell, stub, person):
    ids = {row["title"]: row["id"] for row in person.listed()}
    stub.fail(f"PATCH .*/{ids['Number 2']}/read", status=400)
    stub.hold("PATCH .*/read")
    bell.page.click(bell.row("Number 2"))
    bell.page.click(bell.row("Number 3"))
    bell.wait_for("bell.unreadCount === 4 && heard.some(([name]) => name === 'error')")
    stub.end_faults()
    wait_until(lambda: person.unread == 4, "the other one is read")
    bell.agrees()
    bell.wait_for("row('Number 2').querySelector('[part~=dot]') !== null")


def test_an_answer_that_is_lost(bell, stub, person):
    """The gateway did it, and the page never heard."""
    stub.fail("(PATCH|DELETE) .*", cut="after", times=2)
    bell.page.click(bell.row("Number 3"))
    bell.click_in("Number 4", "[part~=remove]")
    wait_until(lambda: len(person.listed()) == 4 and person.unread == 3, "both are done")
    bell.agrees()


def test_a_write_about_what_is_gone(bell, stub, person):
    # Neither a message nor a question of its own tells the page, which may still look at what it missed until it was connected.
    stub.connections.held = []
    stub.hold("GET .*")
    gone = next(row for row in person.listed() if row["title"] == "Number 3")
    person.do(lambda inbox: inbox.delete([gone["id"]]))
    bell.page.click(bell.row("Number 3"))
    stub.end_faults()
    bell.agrees()


def test_messages_out_of_order(bell, stub, person):
    stub.connections.held = []
    ids = [person.add(f"New {number}") for number in range(4)]
    person.do(lambda inbox: inbox.read(ids[:1]))
    person.do(lambda inbox: inbox.delete(ids[1:2]))
    held, stub.connections.held = stub.connections.held, None
    stub.server_loop.do(lambda: [stub.connections.publish(*each) for each in reversed(held)])
    bell.agrees(within=15)
    # What was deleted before it came is not announced.
    assert "New 1" not in [detail["notification"]["title"] for detail in bell.heard("notification")]


def test_messages_that_come_twice(bell, stub, person):
    stub.connections.held = []
    person.add("Once")
    held, stub.connections.held = stub.connections.held, None
    stub.server_loop.do(lambda: [stub.connections.publish(*each) for each in held + held])
    bell.agrees()
    assert [detail["notification"]["title"] for detail in bell.heard("notification")] == ["Once"]


def test_messages_that_nobody_understands(bell, stub, person):
    unknown = [("NoSuchTarget",), ("ReceiveNotification", None), ("ReceiveNotification", {"id": 7}), ("UnreadCountChanged", "many")]
    for message in unknown:
        stub.server_loop.do(lambda: stub.connections.publish(person, *message))
    person.add("Afterwards")
    bell.agrees()


def test_an_answer_that_is_no_json(open_bell, stub, person):
    person.fill(3)
    stub.fail("GET /api/v1/notifications", body=b"<html>a proxy's own page</html>", times=1)
    bell = open_bell('layout="inline"', wait=False)
    bell.agrees()


def test_the_list_comes_later_than_what_is_told(open_bell, stub, person):
    """The first page is from before what the hub has sent meanwhile."""
    person.fill(3)
    bell = open_bell('layout="inline"')
    stub.hold("GET /api/v1/notifications")
    bell.get("bell.refresh(), null")
    wait_until(lambda: stub.api.faults[0].met, "the list is asked for")
    person.add("Meanwhile")
    bell.wait_for("bell.unreadCount === 4")
    stub.end_faults()
    bell.agrees()


def test_many_things_go_wrong_at_once(bell, stub, person):
    """Whatever is done while requests fail now and then and connections break, list and count are the database's at the end."""
    stub.fail("PATCH .*/read", status=503, retry_after=0, times=2)
    stub.fail("POST .*", cut="before", times=1)
    stub.fail("GET /api/v1/notifications", delay=0.2, times=3)
    for number in range(1, 6):
        person.add(f"New {number}")
        bell.page.click(bell.row(f"Number {number}"))
        stub.hub_line.drop()
    person.do(lambda inbox: inbox.delete([person.inbox.list()[2]["id"]]))
    bell.agrees(within=20)
