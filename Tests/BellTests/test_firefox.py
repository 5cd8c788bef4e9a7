"""Web Push in Firefox, whose push service a test answers for, with another key or with everything lost: nothing of the browser is replaced.

With Belfry's own services, which encrypt what Firefox reads: test_firefox_stack.py.
"""
import json
import uuid

import pytest

from bell import Bell
from firefox import Firefox, FirefoxPage
from push_service import PushService, application_server_key
from test_push_worker import DOCUMENT, PATH, active
from worker import one_line
from world import Server, wait_until

FIRST, SECOND = application_server_key(), application_server_key()
REGISTRATION = "navigator.serviceWorker.getRegistration('/belfry-push/')"


@pytest.fixture(scope="session")
def service(shared_world):
    service = PushService()
    service.address = f"ws://127.0.0.1:{Server(shared_world.loop, service.app()).port}/"
    return service


@pytest.fixture(scope="session")
def firefox(shared_world, service):
    with Firefox(shared_world.loop, {"dom.push.serverURL": service.address}) as firefox:
        yield firefox


@pytest.fixture
def open_page(stub, person, firefox):
    """Opens the page of a host that serves the worker, again and again; under the same policy as all others."""
    stub.api.push_key = FIRST
    stub.site.files[PATH] = (one_line(stub, DOCUMENT), "text/javascript")
    page = FirefoxPage(firefox)
    bell = Bell(page, person)
    body = f'<belfry-bell hub="{stub.hub}" token-url="/token/{person.id}"></belfry-bell>'

    def open(**times):
        page.open(stub.site.page(body, f"document.querySelector('belfry-bell').times = {json.dumps(times)};"))
        bell.wait_for("bell.state === 'connected'")
        return bell

    yield open
    assert page.evaluate("violations") == []
    page.close()
    del stub.site.files[PATH]


@pytest.fixture
def registered(open_page):
    bell = open_page()
    assert bell.get("bell.enablePush()")
    return bell


def subscription(bell):
    return bell.get(f"{REGISTRATION}.then(found => found.pushManager.getSubscription()).then(found => found?.toJSON() ?? null)")


def test_a_push_is_shown_clicked_and_reported(registered, firefox, service, stub, person):
    [device] = person.devices
    mine = subscription(registered)
    assert device["token"] == mine["endpoint"] and device["kind"] == "webPush"
    assert service.channels[service.channel(mine["endpoint"])].rstrip("=") == FIRST

    receipt, link = str(uuid.uuid4()), f"{stub.site.origin}/orders/7?notificationId={uuid.uuid4()}"
    stub.site.put("/orders/7", "<!doctype html><title>Order 7</title>")
    notification = {"title": "Order 7", "body": "It is there", "navigate": link, "tag": "o", "lang": "en", "data": {"receipt": receipt}}
    version = stub.loop.run(service.send(mine["endpoint"], mine["keys"], {"web_push": 8030, "notification": notification}))
    wait_until(lambda: stub.api.receipts == [(receipt, {"event": "displayed"})], "it is shown, and that is reported")
    shown = registered.get(f"{REGISTRATION}.then(found => found.getNotifications()).then(all => all.map(({{ title, body }}) => [title, body]))")
    assert shown == [["Order 7", "It is there"]]
    wait_until(lambda: any(each["version"] == version and each["code"] == 100 for each in service.acknowledged), "it is acknowledged")

    firefox.click_notification("Order 7")
    wait_until(lambda: stub.api.receipts[1:] == [(receipt, {"event": "opened"})], "that is reported, too")
    wait_until(lambda: link in firefox.windows().values(), "the link is open")


def test_who_signs_out_is_unsubscribed_at_the_push_service(registered, service, person):
    channel = service.channel(person.devices[0]["token"])
    assert registered.get("bell.signOut().then(({ ok }) => ok)")
    assert subscription(registered) is None and person.devices == []
    wait_until(lambda: channel in service.ended, "the push service knows")


def test_another_key_gets_another_subscription(registered, open_page, service, stub, person):
    [before] = active(person)
    channel = service.channel(before)
    # What the browser says of a subscription's key agrees with the gateway's.
    open_page(subscription=0)
    wait_until(lambda: stub.api.requests.count("POST /api/v1/push-subscriptions") == 2, "it is looked at")
    assert active(person) == [before]
    stub.api.push_key = SECOND
    open_page(subscription=0)
    wait_until(lambda: active(person) not in ([before], []), "it is registered anew")
    assert service.channels[service.channel(active(person)[0])].rstrip("=") == SECOND
    wait_until(lambda: channel in service.ended, "the other one has ended")


def test_a_subscription_that_the_service_lost_is_replaced_without_a_page(registered, service, stub, person):
    [before] = active(person)
    registered.page.open(stub.site.put("/elsewhere.html", "<!doctype html><title>Elsewhere</title>"))
    registered.page.evaluate("globalThis.violations ??= [], null")
    stub.loop.run(service.forget())
    wait_until(lambda: active(person) not in ([before], []), "the worker has registered another one", within=30)
    assert active(person) == [subscription(registered)["endpoint"]]
