"""Who signs out gets no more pushes in this browser, whatever stands in the way at that moment."""

import pytest

from world import wait_until

PROVIDER = "document.querySelector('belfry-bell').pushProvider = async () => 'token-of-this-browser';"
KEPT = "localStorage['belfry-push-device'] !== undefined"


@pytest.fixture
def registered(open_bell, stub, person):
    """A page whose user has registered this browser."""
    bell = open_bell("push", setup=PROVIDER)
    assert bell.get("bell.enablePush()")
    assert [device["token"] for device in person.devices] == ["token-of-this-browser"]
    return bell


def leave(bell):
    """Signs out as a page does that waits for it. Returns how it went."""
    return bell.get("bell.signOut().then(({ ok, error }) => [ok, error && error.code])")


def tries_again_after(bell, milliseconds):
    bell.get("pause => { bell.times = { ...bell.times, retryMinimum: pause, retryMaximum: pause }; }", milliseconds)


def test_who_signs_out_is_told_when_it_is_done(registered, person):
    assert leave(registered) == [True, None]
    assert person.devices == []
    assert not registered.get(KEPT)


def test_what_fails_is_told_and_tried_again(registered, stub, person):
    stub.fail("DELETE .*/devices/.*", status=503, times=2)
    assert leave(registered) == [False, "unavailable"]
    assert [detail["error"]["code"] for detail in registered.heard("error")] == ["unavailable"]
    wait_until(lambda: person.devices == [], "it is tried again")
    registered.wait_for(f"!({KEPT})")


def test_what_failed_until_the_page_was_left_is_done_when_they_leave_again(registered, open_bell, stub, world, person):
    tries_again_after(registered, 60_000)
    stub.fail("DELETE .*/devices/.*", status=503)
    assert leave(registered)[0] is False
    registered.page.close()
    stub.end_faults()
    # Another user's sign-out neither ends it nor forgets it.
    assert leave(open_bell(of=world.new_person())) == [True, None]
    assert len(person.devices) == 1
    assert leave(open_bell()) == [True, None]
    assert person.devices == []


@pytest.mark.parametrize("attributes", ["push paused", "paused"])
def test_without_a_token_so_far_one_is_fetched_for_it(registered, open_bell, stub, person, attributes):
    asked = stub.site.token_requests[person.id]
    bell = open_bell(attributes, setup=PROVIDER, wait=False)
    bell.wait_for("bell.state === 'paused'")
    assert stub.site.token_requests[person.id] == asked
    assert leave(bell) == [True, None]
    assert person.devices == []
    assert stub.site.token_requests[person.id] == asked + 1


def test_the_token_is_asked_for_before_the_sites_session_ends(registered, open_bell, stub, person):
    setup = f"""globalThis.who = '{person.id}';
      document.querySelector('belfry-bell').tokenProvider = async () => who && (await (await fetch('/token/' + who)).json()).token;"""
    bell = open_bell("paused", setup=setup, wait=False)
    bell.wait_for("bell.state === 'paused'")
    bell.get("globalThis.left = bell.signOut(), who = null")
    assert bell.get("left.then(({ ok }) => ok)")
    assert person.devices == []


def test_a_token_that_has_ended_is_fetched_again_for_it(open_bell, stub, person):
    first = person.token()
    stub.site.token_answers[person.id] = lambda: first
    bell = open_bell("push", setup=PROVIDER)
    assert bell.get("bell.enablePush()")
    stub.refused_tokens.add(first)
    del stub.site.token_answers[person.id]
    assert leave(bell) == [True, None]
    assert person.devices == []


def test_a_registration_under_way_is_ended(open_bell, stub, person):
    bell = open_bell("push", setup=PROVIDER)
    hold = stub.hold("POST .*/devices")
    bell.get("globalThis.enabled = bell.enablePush(), null")
    wait_until(lambda: hold.met, "it is under way")
    bell.get("globalThis.left = bell.signOut(), null")
    stub.end_faults()
    assert bell.get("left.then(({ ok }) => ok)")
    assert person.devices == []


def test_a_registration_whose_answer_was_lost_is_ended(open_bell, stub, world, person):
    bell = open_bell("push", setup=PROVIDER)
    stub.fail("POST .*/devices", cut="after")
    assert bell.get("bell.enablePush().catch(({ code }) => code)") == "unavailable"
    assert len(person.devices) == 1
    bell.page.close()
    stub.end_faults()
    # The gateway would tell another user that it is deleted.
    assert leave(open_bell(of=world.new_person())) == [True, None]
    assert len(person.devices) == 1
    bell = open_bell()
    assert leave(bell) == [True, None]
    assert person.devices == [] and not bell.get(KEPT)


def test_what_was_registered_before_is_ended_with_it(registered, stub, person):
    stub.fail("POST .*/devices", cut="after")
    registered.get("bell.pushProvider = async () => 'a-later-token', null")
    assert registered.get("bell.enablePush().catch(({ code }) => code)") == "unavailable"
    assert len(person.devices) == 2
    stub.end_faults()
    assert leave(registered) == [True, None]
    assert person.devices == [] and not registered.get(KEPT)


def test_what_the_gateway_refuses_leaves_the_earlier_registration(registered, stub, person):
    before = registered.get("localStorage['belfry-push-device']")
    stub.fail("POST .*/devices", status=400)
    assert registered.get("bell.enablePush().catch(({ code }) => code)") == "invalid"
    assert registered.get("localStorage['belfry-push-device']") == before == person.devices[0]["id"]


def test_who_left_while_the_browser_asked_is_not_registered(open_bell, stub, person):
    setup = "document.querySelector('belfry-bell').pushProvider = () => new Promise(answer => { globalThis.answer = answer; });"
    bell = open_bell("push", setup=setup)
    bell.get("globalThis.enabled = bell.enablePush(), null")
    bell.wait_for("globalThis.answer")
    assert leave(bell) == [True, None]
    bell.get("answer('token-of-this-browser')")
    assert bell.get("enabled") is False
    assert person.devices == []


def test_a_later_registration_is_not_ended_by_what_is_tried_again(registered, stub, person):
    fault = stub.fail("DELETE .*/devices/.*", status=503, times=1)
    tries_again_after(registered, 300)
    assert leave(registered)[0] is False
    registered.get("url => { bell.tokenUrl = url; }", f"/token/{person.id}?again")
    registered.wait_for("bell.state === 'connected'")
    assert registered.get("bell.enablePush()")
    registered.get("new Promise(done => setTimeout(done, 400)).then(() => true)")  # What must not happen takes time.
    assert fault.met == 1 and len(person.devices) == 1
