"""Web Push without Firebase: the page's subscription, and the worker that the gateway serves, in the host's one line."""

import base64
import pathlib
import uuid

import pytest

from host import POLICY
from stub.tokens import LONG_NAME, mint
from world import wait_until
from worker import SPY, Worker, one_line

FOLDER = pathlib.Path(__file__).parent
DOCUMENT = FOLDER.parents[1] / "docs/bell.md"
SERVICE = (FOLDER / "push.js").read_text()
PATH = "/belfry-push-worker.js"
RECEIPT = [None]
FIRST, SECOND = (base64.urlsafe_b64encode(b"\x04" + bytes([number]) * 64).decode().rstrip("=") for number in (1, 250))
# A browser without a screen has nobody to ask.
YES = "Notification.requestPermission = async () => 'granted';"
DEVICE = "localStorage['belfry-push-device']"


@pytest.fixture(autouse=True)
def site(stub):
    """A deployment that has a key for Web Push, and a host that serves the worker's file."""
    stub.api.push_key = FIRST
    # What an earlier test's worker still reports is not this test's; nor is what its browser takes away late, by its tag.
    RECEIPT[0] = str(uuid.uuid4())
    stub.site.files[PATH] = (SPY + one_line(stub, DOCUMENT), "text/javascript")
    yield stub.site
    for path in (PATH, "/sw.js"):
        stub.site.files.pop(path, None)


@pytest.fixture
def allow(browser, context, stub):
    """Answers the browser's question."""

    def allow(setting="granted"):
        browser.call(
            "Browser.setPermission", permission={"name": "notifications"}, setting=setting, origin=stub.site.origin, browserContextId=context.id
        )

    allow()
    return allow


@pytest.fixture
def open_page(open_bell, allow):
    """`open_bell` in a browser that has a push service."""
    return lambda attributes="", *, setup="", **more: open_bell(attributes, setup=SERVICE + setup, **more)


@pytest.fixture
def registered(open_page):
    bell = open_page()
    assert bell.get("bell.enablePush()")
    return bell


@pytest.fixture
def worker(registered, stub):
    return Worker(registered, stub.site.origin, PATH)


def message(title="Allowance", **more):
    notification = {"title": title, "body": "$5.00", "tag": f"{title} {RECEIPT[0]}", "lang": "en", "silent": False, "data": {"receipt": RECEIPT[0], "order": "7"}}
    return {"web_push": 8030, "notification": notification | more}


def reported(stub):
    """What the worker said became of the test's messages, in its order."""
    return [body for receipt, body in stub.api.receipts if receipt == RECEIPT[0]]


def receive(worker, stub, message):
    """A push arrives, and is shown. Chromium forgets a notification that it is asked for before it is on the screen."""
    before = len(reported(stub))
    worker.deliver(message)
    wait_until(lambda: len(reported(stub)) > before, "it is shown")


def active(person):
    return [device["token"] for device in person.devices if device["isActive"]]


def endpoint(bell):
    return bell.get("(async () => (await (await navigator.serviceWorker.getRegistrations())[0].pushManager.getSubscription())?.endpoint)()")


def leave(bell):
    return bell.get("bell.signOut().then(({ ok, error }) => [ok, error && error.code])")


# The page


def test_a_browser_is_registered_with_the_deployments_key(registered, person):
    [device] = person.devices
    assert device["kind"] == "webPush" and device["token"] == endpoint(registered) and device["key"] == FIRST
    assert uuid.UUID(device["installationId"]).version == 4
    assert registered.get(DEVICE) == device["id"]
    assert registered.get("JSON.parse(localStorage['a subscription of the tests']).key") == FIRST
    scopes = registered.get("navigator.serviceWorker.getRegistrations().then(all => all.map(({ scope }) => new URL(scope).pathname))")
    assert scopes == ["/belfry-push/"]


def test_who_asks_again_keeps_the_subscription(registered, person):
    before = endpoint(registered)
    assert registered.get("bell.enablePush()")
    assert endpoint(registered) == before and active(person) == [before]


def test_another_key_gets_another_subscription_of_the_same_installation(registered, stub, person):
    before = person.devices[0]
    stub.api.push_key = SECOND
    assert registered.get("bell.enablePush()")
    [device] = person.devices
    assert device["token"] == endpoint(registered) != before["token"]
    assert device["installationId"] == before["installationId"]
    assert registered.get("happened") == ["subscribed", "unsubscribed", "subscribed"]


def test_who_comes_back_after_a_change_of_the_key_is_subscribed_anew(registered, open_page, stub, person):
    before = endpoint(registered)
    registered.page.close()
    stub.api.push_key = SECOND
    bell = open_page(times={"subscription": 0})
    wait_until(lambda: active(person) not in ([before], []), "it is registered anew")
    bell.wait_for("happened.length === 2")
    assert active(person) == [endpoint(bell)]


def test_it_is_looked_at_once_a_day(registered, open_page, stub, person):
    stub.api.push_key = SECOND
    stub.api.requests.clear()
    bell = open_page("push").open()
    bell.wait_for("shown('filter')")
    bell.page.wait_for("bell.refresh().then(() => true)")
    assert [line for line in stub.api.requests if line.startswith("POST")] == []
    assert bell.get("happened") == [] and len(active(person)) == 1


def test_what_the_browser_has_replaced_is_registered_when_the_user_comes_back(registered, open_page, person):
    registered.get("renewed('https://push.example/replaced')")
    open_page()
    wait_until(lambda: active(person) == ["https://push.example/replaced"], "it is registered")


def test_another_users_registration_stays_theirs(registered, open_page, stub, world, person):
    registered.get("renewed('https://push.example/replaced')")
    other = world.new_person()
    bell = open_page("push", of=other, times={"subscription": 0}).open()
    bell.wait_for("shown('filter')")
    bell.page.wait_for("bell.refresh().then(() => true)")
    assert other.devices == [] and len(active(person)) == 1


def test_the_policy_belfry_is_enough_where_policies_are_listed(open_page, person):
    bell = open_page(policy=f"{POLICY}; trusted-types belfry")
    assert bell.get("bell.enablePush()") and len(person.devices) == 1


def test_no_worker_is_told(open_page, stub, person):
    del stub.site.files[PATH]
    bell = open_page()
    code, detail = bell.get("bell.enablePush().catch(({ code, detail }) => [code, detail])")
    assert code == "push-worker" and "404" in detail
    assert person.devices == [] and bell.get(DEVICE) is None


def test_no_push_service_is_told(open_page, person):
    bell = open_page(setup="PushManager.prototype.subscribe = async () => { throw new Error('no service'); };")
    assert bell.get("bell.enablePush().catch(({ code, detail }) => [code, detail])") == ["push-service", "no service"]
    assert person.devices == []


def test_a_no_is_a_no(open_page, allow, stub, person):
    allow("denied")
    bell = open_page("push").open()
    assert bell.get("bell.enablePush()") is False
    assert person.devices == [] and "GET /api/v1/push-subscriptions/key" not in stub.api.requests


def test_the_panel_asks_first(open_page, allow, person):
    allow("prompt")
    bell = open_page("push", setup=YES).open()
    bell.wait_for("shown('push-prompt')")
    bell.shot("push-prompt")
    bell.page.click(f"{bell.part('push-prompt')} button")
    wait_until(lambda: person.devices, "it is registered")
    assert not bell.get("shown('push-prompt')")


def test_what_fails_in_the_panel_is_said(open_page, allow, stub):
    allow("prompt")
    del stub.site.files[PATH]
    bell = open_page("push", setup=YES).open()
    bell.wait_for("shown('push-prompt')")
    bell.page.click(f"{bell.part('push-prompt')} button")
    bell.wait_for("text('toast').startsWith('That did not work')")
    assert [detail["error"]["code"] for detail in bell.heard("error")] == ["push-worker"]


def test_nobody_is_asked_where_the_gateway_has_no_key(open_page, allow, stub):
    allow("prompt")
    stub.api.push_key = None
    bell = open_page("push").open()
    wait_until(lambda: any("no key for Web Push" in line for line in bell.page.console), "the console says so")
    assert not bell.get("shown('push-prompt')")
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[role=switch]')")
    assert not bell.get("shown('settings').querySelector('[data-key=pushOn]')")


def test_the_settings_have_it(open_page, person):
    bell = open_page("push").open()
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[data-key=pushOn]')")
    bell.page.click(f"{bell.part('settings')} [data-key=pushOn]")
    wait_until(lambda: person.devices, "it is registered")


def test_the_hosts_own_worker_is_used_as_it_is(open_page, stub, person):
    stub.site.files["/sw.js"] = (f"{SPY}{one_line(stub, DOCUMENT)}globalThis.mine = true;", "text/javascript")
    # The host has a policy of its own for that.
    bell = open_page('push-worker="/sw.js"', policy="default-src 'self' {gateway} {hub} {sockets}; script-src 'self' {gateway}")
    bell.get("navigator.serviceWorker.register('/sw.js').then(() => true)")
    assert bell.get("bell.enablePush()") and len(person.devices) == 1
    scopes = bell.get("navigator.serviceWorker.getRegistrations().then(all => all.map(({ scope }) => new URL(scope).pathname))")
    assert scopes == ["/"]
    worker = Worker(bell, stub.site.origin, "/sw.js")
    assert worker.get("mine")


# Signing out


def test_who_signs_out_is_unsubscribed_and_then_deleted(registered, worker, stub, person):
    receive(worker, stub, message())
    fault = stub.hold("DELETE .*/devices/.*")
    registered.get("globalThis.left = bell.signOut(), null")
    wait_until(lambda: fault.met, "it is deleted")
    assert registered.get("happened") == ["subscribed", "unsubscribed"] and person.devices
    assert worker.shown() == []
    stub.end_faults()
    assert registered.get("left.then(({ ok }) => ok)")
    assert person.devices == [] and registered.get(DEVICE) is None


def test_no_push_comes_even_if_the_deletion_fails(registered, stub, person):
    stub.fail("DELETE .*/devices/.*", status=403)
    assert leave(registered) == [False, "forbidden"]
    assert endpoint(registered) is None


def test_another_users_sign_out_does_not_end_it(registered, open_page, world, person):
    assert leave(open_page(of=world.new_person())) == [True, None]
    assert active(person) == [endpoint(registered)]


def test_what_the_browser_does_not_end_is_ended_by_who_signs_out_next(registered, open_page, world, person):
    registered.get("PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { throw new Error('later'); } }), null")
    assert leave(registered) == [True, None] and person.devices == []
    registered.page.close()
    # Nobody's meanwhile, also for who left.
    for of in (person, world.new_person()):
        bell = open_page("push", of=of, times={"subscription": 0}).open()
        bell.wait_for("shown('filter')")
        bell.page.wait_for("bell.refresh().then(() => true)")
        assert endpoint(bell) and of.devices == []
        if of is person:
            bell.page.close()
    assert leave(bell) == [True, None] and endpoint(bell) is None


@pytest.mark.parametrize("claims", [lambda id: {"sub": None, LONG_NAME: id}, lambda id: {"sub": [id]}])
def test_whose_it_is_is_read_as_the_gateway_reads_it(open_page, stub, person, claims):
    stub.site.token_answers[person.id] = lambda: mint(stub.secret, **{"subject": None, **claims(person.id)})
    bell = open_page()
    assert bell.get("bell.enablePush()")
    worker = Worker(bell, stub.site.origin, PATH)
    bell.page.close()
    worker.get("happen('pushsubscriptionchange', {})")
    assert active(person)[0].startswith("https://push.example/renewed/")
    bell = open_page()
    assert leave(bell) == [True, None] and endpoint(bell) is None


def test_a_registration_under_way_is_ended(open_page, stub, person):
    bell = open_page()
    hold = stub.hold("POST .*/push-subscriptions")
    bell.get("globalThis.enabled = bell.enablePush().catch(() => false), null")
    wait_until(lambda: hold.met, "it is under way")
    bell.get("globalThis.left = bell.signOut(), null")
    stub.end_faults()
    assert bell.get("left.then(({ ok }) => ok)")
    assert person.devices == [] and endpoint(bell) is None


@pytest.fixture
def unheard(open_page, stub, person):
    """A page whose registration reached the gateway, but whose answer was lost."""
    bell = open_page()
    stub.fail("POST .*/push-subscriptions", cut="after")
    assert bell.get("bell.enablePush().catch(({ code }) => code)") == "unavailable"
    assert active(person) == [endpoint(bell)]
    stub.end_faults()
    return bell


def test_who_signs_out_ends_a_registration_whose_answer_was_lost(unheard, stub, person):
    fault = stub.hold("DELETE .*/devices/current")
    unheard.get("globalThis.left = bell.signOut(), null")
    wait_until(lambda: fault.met, "it is deleted by its address")
    assert endpoint(unheard) is None
    stub.end_faults()
    assert unheard.get("left.then(({ ok }) => ok)")
    assert person.devices == [] and unheard.get(DEVICE) is None


@pytest.mark.parametrize("pause", ["", "paused"])
def test_so_does_a_page_that_knows_nothing_of_it(unheard, open_page, person, pause):
    unheard.page.close()
    # A page that is paused registers nothing anew.
    bell = open_page(pause, wait=not pause)
    bell.wait_for("bell.signOut")
    assert leave(bell) == [True, None]
    assert person.devices == [] and endpoint(bell) is None and bell.get(DEVICE) is None


def test_another_users_sign_out_leaves_a_registration_whose_answer_was_lost(unheard, open_page, world, person):
    bell = open_page(of=world.new_person())
    assert leave(bell) == [True, None]
    assert active(person) == [endpoint(bell)]
    bell.page.close()
    unheard.page.close()
    bell = open_page("paused", wait=False)
    bell.wait_for("bell.signOut")
    assert leave(bell) == [True, None]
    assert person.devices == [] and endpoint(bell) is None


def test_a_registration_whose_answer_was_lost_is_made_again_by_the_next_page(unheard, open_page, stub, person):
    unheard.page.close()
    bell = open_page()
    [device] = person.devices
    bell.wait_for(f"id => {DEVICE} === id", device["id"])
    assert active(person) == [endpoint(bell)]


def test_a_registration_that_the_gateway_refused_is_not_tried_again(open_page, stub, person):
    bell = open_page()
    stub.fail("POST .*/push-subscriptions", status=400)
    assert bell.get("bell.enablePush().catch(({ code }) => code)") == "invalid"
    assert bell.get(DEVICE) is None
    bell.page.close()
    stub.end_faults()
    stub.api.requests.clear()
    bell = open_page("push", times={"subscription": 0}).open()
    bell.wait_for("shown('filter')")
    bell.page.wait_for("bell.refresh().then(() => true)")
    assert [line for line in stub.api.requests if line.startswith("POST")] == []


def test_the_next_user_gets_it_with_their_own_consent(registered, open_page, world, person):
    before = endpoint(registered)
    other = world.new_person()
    bell = open_page(of=other)
    assert bell.get("bell.enablePush()")
    assert person.devices == [] and active(other) == [before]
    assert leave(bell) == [True, None] and other.devices == []


# The worker


def test_it_shows_a_push_and_reports_that(worker, stub):
    receive(worker, stub, message(navigate=f"{stub.site.origin}/orders/7?notificationId=n"))
    assert reported(stub) == [{"event": "displayed"}]
    [shown] = worker.shown()
    assert [shown[name] for name in ("title", "body", "tag", "lang")] == ["Allowance", "$5.00", f"Allowance {RECEIPT[0]}", "en"]
    assert shown["data"]["order"] == "7"


def test_a_later_push_with_the_same_tag_replaces_it(worker, stub):
    receive(worker, stub, message())
    receive(worker, stub, message(body="$7.00"))
    assert [each["body"] for each in worker.shown()] == ["$7.00"]


def test_the_apps_icon_has_the_number(worker):
    worker.deliver(message() | {"app_badge": 3})
    wait_until(lambda: worker.get("globalThis.badge") == 3, "it is set")
    worker.deliver(message() | {"app_badge": 0})
    wait_until(lambda: worker.get("globalThis.badge") == 0, "it is taken away")


def test_what_is_read_in_the_page_leaves_the_icon_too(registered, worker, person):
    registered.get("navigator.setAppBadge = async count => { globalThis.badge = count; }, navigator.clearAppBadge = async () => { badge = null; }, null")
    person.add("One")
    registered.wait_for("bell.unreadCount === 1")
    assert registered.get("globalThis.badge === undefined")
    worker.deliver(message() | {"app_badge": 1})
    wait_until(lambda: worker.get("globalThis.badge") == 1, "it is set")
    person.add("Two")
    registered.wait_for("globalThis.badge === 2")
    registered.get("bell.markAllAsRead()")
    registered.wait_for("badge === 0")
    leave(registered)
    assert registered.get("badge") is None


def test_a_click_opens_the_link_and_reports_that(worker, stub):
    link = f"{stub.site.origin}/orders/7?notificationId=n"
    receive(worker, stub, message(navigate=link))
    assert worker.click("Allowance") == 1
    assert worker.get("opened") == [link] and worker.shown() == []
    assert reported(stub)[1:] == [{"event": "opened"}]


def test_a_button_opens_its_own_link(worker, stub):
    actions = [{"action": "view", "title": "View", "navigate": f"{stub.site.origin}/view"}, {"action": "later", "title": "Later"}]
    for title in ("One", "Two"):
        receive(worker, stub, message(title, navigate=f"{stub.site.origin}/orders/7", actions=actions))
    worker.click("One", "view")
    worker.click("Two", "later")
    assert worker.get("opened") == [f"{stub.site.origin}/view", f"{stub.site.origin}/orders/7"]
    assert reported(stub)[2:] == [{"event": "opened", "action": "view"}, {"event": "opened", "action": "later"}]


def come_to(bell, place):
    """A worker knows a window by the address that it was opened with."""
    bell.page.evaluate("place => { history.replaceState(null, '', location.pathname + place); globalThis.old = true; location.reload(); }", place)
    bell.wait_for("!globalThis.old && document.readyState === 'complete' && globalThis.bell?.state === 'connected'")


@pytest.mark.parametrize(
    "place, link",
    [("", "?notificationId=n"), ("#/inbox", "#/inbox?notificationId=n"), ("#/inbox?a=1", "#/inbox?a=1&notificationId=n"), ("#new", "?notificationId=n#new")],
)
def test_a_window_that_is_there_is_used(registered, worker, stub, place, link):
    page = registered.get("location.href")
    come_to(registered, place)
    worker.get("WindowClient.prototype.focus = async function () { globalThis.focused = this.url; }, null")
    receive(worker, stub, message(navigate=page + link))
    worker.click("Allowance")
    assert worker.get("[opened, focused]") == [[], page + place]


def test_another_place_of_the_page_is_another_window(registered, worker, stub):
    page = registered.get("location.href")
    come_to(registered, "#/orders")
    receive(worker, stub, message(navigate=f"{page}#/inbox?notificationId=n"))
    worker.click("Allowance")
    assert worker.get("opened") == [f"{page}#/inbox?notificationId=n"]


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x"])
def test_no_other_links_are_followed(worker, stub, link):
    receive(worker, stub, message(navigate=link))
    worker.click("Allowance")
    assert worker.get("opened") == []


def test_a_link_that_is_none_keeps_no_report_back(worker, stub):
    receive(worker, stub, message(navigate="http://["))
    assert worker.click("Allowance") == 1
    assert worker.get("opened") == [] and reported(stub)[1:] == [{"event": "opened"}]


def test_without_a_link_the_site_opens(worker, registered, stub):
    registered.page.close()
    wait_until(lambda: worker.get("clients.matchAll({ includeUncontrolled: true }).then(all => all.length)") == 0, "no window is left")
    worker.get("registration.showNotification('Bare', { data: { belfry: { actions: {} } } })")
    worker.click("Bare")
    assert worker.get("opened") == [f"{stub.site.origin}/"]


@pytest.mark.parametrize("other", ["", "text", "null", '{"web_push":8030}', '{"notification":{"title":"Another"}}', '{"web_push":1,"notification":{"title":"x"}}'])
def test_what_others_send_is_left_to_others(worker, stub, other):
    assert worker.get("text => happen('push', { data: text && { json: () => JSON.parse(text) } })", other) == 0
    worker.get("registration.showNotification('Another', { data: { navigate: 'https://elsewhere.example/' } })")
    assert worker.click("Another") == 0
    assert worker.get("opened") == [] and reported(stub) == []


def test_a_gateway_that_is_away_keeps_nothing_from_being_shown(worker, stub):
    fault = stub.fail("POST /api/v1/receipts/.*", cut="before")
    worker.deliver(message(navigate=f"{stub.site.origin}/orders/7"))
    wait_until(lambda: fault.met, "it is shown")
    assert worker.click("Allowance") == 1 and worker.get("opened.length") == 1


def test_what_the_browser_did_not_end_shows_nothing_and_is_ended_by_the_worker(registered, worker, stub, person):
    registered.get("PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { throw new Error('later'); } }), null")
    assert leave(registered) == [True, None]
    worker.get("PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { globalThis.ended = true; } }), null")
    assert worker.get("message => happen('push', { data: { json: () => message } })", message()) == 1
    assert worker.get("ended") and worker.shown() == [] and reported(stub) == []
    # Nor is it renewed.
    worker.get("happen('pushsubscriptionchange', {})")
    assert worker.get("globalThis.subscribedWith") is None


def test_whoever_registers_it_anew_is_shown_pushes_again(registered, worker, stub, person):
    registered.get("(get => { globalThis.mend = () => { PushManager.prototype.getSubscription = get; }; })(PushManager.prototype.getSubscription)")
    registered.get("PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { throw new Error('later'); } }), null")
    assert leave(registered) == [True, None]
    registered.get("url => { mend(); bell.tokenUrl = url; }", f"/token/{person.id}?again")
    registered.wait_for("bell.state === 'connected'")
    assert registered.get("bell.enablePush()")
    receive(worker, stub, message())
    assert [each["title"] for each in worker.shown()] == ["Allowance"]


# Subscriptions that the browser replaces


def test_a_replaced_subscription_is_registered_without_a_page(registered, worker, stub, person):
    before = person.devices[0]
    registered.page.close()
    assert worker.get("happen('pushsubscriptionchange', {})") == 1
    assert worker.get("subscribedWith") == FIRST
    [old, device] = person.devices
    assert old["id"] == before["id"] and not old["isActive"]
    assert device["token"].startswith("https://push.example/renewed/") and device["installationId"] == before["installationId"]


def test_a_replaced_subscription_is_deleted_by_signing_out(registered, worker, person):
    replaced = "https://push.example/replaced"
    registered.get("renewed", replaced)
    worker.get("(...its) => happen('pushsubscriptionchange', { newSubscription: subscription(...its) })", replaced, SECOND)
    assert person.devices[-1]["key"] == SECOND
    assert active(person) == [replaced]
    assert leave(registered) == [True, None]
    assert active(person) == []


def test_where_only_the_page_has_a_token_the_page_registers_it(open_page, stub, person):
    setup = f"""document.querySelector('belfry-bell').tokenProvider =
      async () => (await (await fetch('/token/{person.id}')).json()).token;"""
    bell = open_page(setup=setup)
    assert bell.get("bell.enablePush()")
    worker = Worker(bell, stub.site.origin, PATH)
    bell.get("renewed('https://push.example/replaced')")
    asked = stub.site.token_requests[person.id]
    worker.get("happen('pushsubscriptionchange', {})")
    wait_until(lambda: active(person) == ["https://push.example/replaced"], "the page has registered it")
    assert stub.site.token_requests[person.id] == asked


def test_it_is_not_registered_for_who_is_signed_in_by_then(registered, worker, stub, world, person):
    other = world.new_person()
    registered.page.close()
    stub.site.token_answers[person.id] = other.token
    worker.get("happen('pushsubscriptionchange', {})")
    assert other.devices == [] and len(person.devices) == 1


def test_after_a_sign_out_nothing_is_registered(registered, worker, person):
    leave(registered)
    worker.get("happen('pushsubscriptionchange', {})")
    assert person.devices == [] and worker.get("globalThis.subscribedWith") is None
