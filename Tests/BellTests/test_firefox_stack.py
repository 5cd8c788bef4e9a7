"""Web Push from end to end: Firefox, Belfry's services, and the simulator as Firefox's push service. Nothing is replaced."""

import pytest

from bell import Bell
from firefox import Firefox, FirefoxPage
from stub.tokens import mint
from test_push_worker import DOCUMENT, PATH
from worker import one_line
from world import call, wait_until

REGISTRATION = "navigator.serviceWorker.getRegistration('/belfry-push/')"
SHOWN = f"""{REGISTRATION}.then(found => found.getNotifications()).then(all =>
  all.map(({{ title, body, data }}) => ({{ title, body, navigate: data.belfry.navigate, receipt: data.receipt, order: data.order }})))"""
# Of BELFRY_PUSH_WEB_LINK.
LINK = "https://shop.example/orders?notificationId="


@pytest.fixture
def bell(stack, world, person):
    """The page of a host that serves the worker, in a Firefox whose push service is the simulator."""
    world.site.files[PATH] = (one_line(world, DOCUMENT), "text/javascript")
    with Firefox(world.loop, {"dom.push.serverURL": stack["pushSocket"]}) as firefox:
        page = FirefoxPage(firefox)
        bell = Bell(page, person)
        page.open(world.site.page(f'<belfry-bell hub="{world.hub}" token-url="/token/{person.id}"></belfry-bell>'))
        bell.wait_for("bell.state === 'connected'", within=30)
        yield bell
        assert page.evaluate("violations") == []
    del world.site.files[PATH]


def test_what_belfry_encrypts_firefox_shows(bell, stack, world, person):
    assert bell.get("bell.enablePush()")
    mine = bell.get(f"{REGISTRATION}.then(found => found.pushManager.getSubscription()).then(found => found.toJSON())")
    [device] = person.rest("GET", "/api/v1/devices")
    assert device["kind"] == "webPush" and device["isActive"] and mine["endpoint"].startswith("https://localhost:")

    request = {"to": {"users": [person.id]}, "type": 99, "title": "Grüße, Order 7", "body": "It is there", "data": {"order": "7"}}
    call(world.direct_gateway, "POST", "/api/v1/notifications", stack["serviceToken"], request)
    wait_until(lambda: bell.get(SHOWN), "Firefox shows it", within=60)
    [shown] = bell.get(SHOWN)
    [row] = person.listed()
    assert (shown["title"], shown["body"], shown["order"]) == ("Grüße, Order 7", "It is there", "7")
    assert shown["navigate"] == LINK + row["id"]

    def displayed():
        admin = mint(stack["secret"], person.id, role="admin")
        rows = call(world.direct_gateway, "GET", "/api/v1/admin/stats?by=channel", admin)["rows"]
        return [row["displayed"] for row in rows if row["channelName"] == "push"]

    wait_until(lambda: displayed() == [1], "the worker has reported it, and the statistics count it", within=30)
