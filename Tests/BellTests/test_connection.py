"""How the bell reaches the hub, when it lets go, and what it does about its token."""

import itertools
import time

import pytest

from world import wait_until

SOCKETS, EVENTS, POLLING = "WebSockets", "ServerSentEvents", "LongPolling"


@pytest.mark.parametrize(
    "broken, expected", [(set(), SOCKETS), ({SOCKETS}, EVENTS), ({SOCKETS, EVENTS}, POLLING)], ids=[SOCKETS, EVENTS, POLLING]
)
def test_each_transport_in_order(open_bell, stub, person, broken, expected):
    stub.connections.broken_transports = broken
    person.fill(2)
    bell = open_bell('layout="inline"')
    assert stub.connections.open_connections(person) == [expected]
    bell.agrees()
    person.add("Live")
    bell.shows("Live", "Number 2", "Number 1")
    stub.kill_node()
    person.add("After a cut")
    bell.agrees()


def test_only_what_negotiation_offers_is_tried(open_bell, stub, person):
    stub.connections.transports = [POLLING]
    open_bell()
    assert stub.connections.open_connections(person) == [POLLING]


def test_modules_of_other_transports_come_when_needed(open_bell, stub, person):
    bell = open_bell()
    assert not {"event-stream", "long-polling", "de"} & set(bell.modules)
    stub.connections.broken_transports = {SOCKETS}
    bell = open_bell()
    assert "event-stream" in bell.modules


def pass_time(bell, stub, seconds):
    """Time goes by with a hub that says something every ten seconds: from one that is silent the bell would go."""
    for _ in range(0, seconds, 10):
        bell.page.advance(10)
        heard = len(bell.heard("event"))
        stub.server_loop.do(lambda: stub.connections.publish(bell.person, "StillHere"))
        bell.wait_for("count => heard.filter(([name]) => name === 'event').length > count", heard)


def test_a_silent_hub_is_left(open_bell, stub, person):
    bell = open_bell(clock=True, times={})
    negotiations = stub.connections.negotiations
    bell.page.advance(25)
    assert bell.get("bell.state") == "connected" and stub.connections.negotiations == negotiations

    def is_left():
        # By little and little: what it asks for meanwhile has time to be answered.
        bell.page.advance(2)
        return stub.connections.negotiations > negotiations

    wait_until(is_left, "it connects anew")


def test_a_hidden_tab_lets_go_after_a_minute(open_bell, stub, person):
    bell = open_bell('layout="inline"', clock=True, times={})
    with bell.page.hidden():
        pass_time(bell, stub, 50)
        assert stub.connections.open_connections(person) == [SOCKETS]
        bell.page.advance(11)
        wait_until(lambda: not stub.connections.open_connections(person), "it lets go")
        assert bell.get("bell.state") == "paused"
        person.add("Meanwhile")
        stub.api.requests.clear()
        bell.page.advance(600)
        assert stub.api.requests == []
    bell.wait_for("bell.state === 'connected'")
    bell.agrees()


def test_a_tab_that_is_hidden_for_a_moment_stays(open_bell, stub, person):
    bell = open_bell(clock=True, times={})
    negotiations = stub.connections.negotiations
    with bell.page.hidden():
        pass_time(bell, stub, 40)
    pass_time(bell, stub, 60)
    person.add("Hello")
    bell.agrees()
    assert stub.connections.negotiations == negotiations


def test_a_token_that_ends_is_fetched_again_once(open_bell, stub, person):
    first = person.token()
    stub.site.token_answers[person.id] = lambda: first
    bell = open_bell('layout="inline"')
    assert stub.site.token_requests[person.id] == 1
    stub.refused_tokens.add(first)
    del stub.site.token_answers[person.id]
    stub.hub_line.drop()
    person.add("Meanwhile")
    bell.agrees()
    assert stub.site.token_requests[person.id] == 2


def test_many_requests_that_meet_401_fetch_one_token(open_bell, stub, person):
    person.fill(5)
    first = person.token()
    stub.site.token_answers[person.id] = lambda: first
    bell = open_bell('layout="inline"')
    bell.agrees()
    stub.refused_tokens.add(first)
    del stub.site.token_answers[person.id]
    for number in range(1, 5):
        bell.page.click(bell.row(f"Number {number}"))
    wait_until(lambda: person.unread == 1, "all four are read")
    bell.agrees()
    assert stub.site.token_requests[person.id] == 2


@pytest.mark.parametrize("is_new", [False, True], ids=["same", "other"])
def test_who_is_refused_twice_is_signed_out(open_bell, stub, person, is_new):
    # The same each time, or each time another one that is as worthless.
    numbers = itertools.count()
    stub.site.token_answers[person.id] = lambda: f"worthless {next(numbers) if is_new else ''}"
    bell = open_bell('layout="inline"', wait=False)
    bell.wait_for("bell.state === 'unauthorized'")
    bell.wait_for("text('banner').includes('Sign in to see')")
    fetched = stub.site.token_requests[person.id]
    assert fetched == 2
    time.sleep(0.6)  # Longer than the attempts to connect are apart: it leaves it at that.
    assert stub.site.token_requests[person.id] == fetched
    del stub.site.token_answers[person.id]
    person.add("Hello")
    bell.page.click(f"{bell.part('banner')} button")
    bell.wait_for("bell.state === 'connected'")
    bell.agrees()


def test_a_site_that_has_no_token_now_is_asked_again(open_bell, stub, person):
    stub.site.token_answers[person.id] = 503
    bell = open_bell(wait=False)
    wait_until(lambda: stub.site.token_requests[person.id] >= 2, "it asks again")
    del stub.site.token_answers[person.id]
    bell.wait_for("bell.state === 'connected'")


@pytest.mark.parametrize("language, words", [("en", "Wait a moment."), ("de", "Warten Sie einen Moment.")])
def test_what_the_site_answers_instead_of_a_token_is_told_in_words(open_bell, stub, person, language, words):
    stub.site.token_answers[person.id] = 500
    bell = open_bell('layout="inline"', language=language, wait=False)
    bell.wait_for("words => text('error').includes(words)", words)
    assert "unavailable" not in bell.get("shown('panel').textContent")


def said(bell):
    """What is said instead of a list, without buttons."""
    return bell.get("['banner', 'notice'].flatMap(name => parts(name).map(part => part.firstChild?.textContent ?? '')).filter(Boolean)")


def test_a_site_where_nobody_is_signed_in(open_bell, stub, person):
    stub.site.token_answers[person.id] = 401
    bell = open_bell('layout="inline"', wait=False)
    bell.wait_for("bell.state === 'unauthorized' && shown('filter') && text('banner') !== ''")
    assert said(bell) == ["Sign in to see your notifications."]


def test_a_session_that_ended_is_told_once(open_bell, stub, person):
    first = person.token()
    stub.site.token_answers[person.id] = lambda: first
    bell = open_bell('layout="inline"')
    stub.refused_tokens.add(first)
    stub.site.token_answers[person.id] = 401
    bell.get("bell.refresh(), null")
    bell.wait_for("bell.state === 'unauthorized' && text('banner') !== ''")
    assert said(bell)[0] == "Your session has ended. Sign in again to see new notifications."
    assert not bell.get("shown('panel').textContent.includes('could not be loaded')")


def test_a_token_provider_of_the_page(open_bell, world, person):
    person.fill(2)
    setup = f"document.querySelector('belfry-bell').tokenProvider = async () => (await (await fetch('/token/{person.id}')).json()).token;"
    bell = open_bell('layout="inline"', setup=setup)
    bell.agrees()


def test_signing_out_forgets(open_bell, stub, person):
    person.fill(3)
    bell = open_bell('layout="inline"')
    bell.agrees()
    bell.get("bell.signOut()")
    bell.wait_for("bell.state === 'disconnected' && bell.unreadCount === 0 && bell.notifications.length === 0 && rows().length === 0")
    assert bell.badge == ""
    wait_until(lambda: not stub.connections.open_connections(person), "the connection is closed")
    assert bell.get("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])").count("Number") == 0
    person.add("Later")
    # What else changes of the element signs nobody in again.
    asked = stub.site.token_requests[person.id]
    bell.get("bell.theme = 'dark', bell.locale = 'de', document.body.append(bell), null")
    bell.wait_for("text('title') === 'Mitteilungen'")
    time.sleep(0.3)  # What must not happen takes time.
    assert stub.site.token_requests[person.id] == asked
    assert bell.get("[bell.state, rows().length]") == ["disconnected", 0]
    bell.get("url => { bell.tokenUrl = url; }", f"/token/{person.id}?again")
    bell.wait_for("rows().length === 4")


def test_another_user_gets_nothing_of_the_first(open_bell, world, person):
    person.fill(3)
    other = world.new_person()
    other.add("Only mine")
    bell = open_bell('layout="inline"')
    bell.agrees()
    bell.get("id => { bell.tokenUrl = `/token/${id}`; }", other.id)
    bell.person = other
    bell.shows("Only mine")
    bell.agrees()
