"""The button with its badge, the panel, and what it says of itself."""

import pytest

from world import wait_until


def test_the_badge_counts_what_is_unread(open_bell, person):
    bell = open_bell()
    assert bell.badge == ""
    first = person.add("One")
    bell.wait_for("text('badge') === '1'")
    person.add("Two")
    bell.wait_for("text('badge') === '2'")
    person.rest("PATCH", f"/api/v1/notifications/{first}/read")
    bell.wait_for("text('badge') === '1'")
    bell.agrees()


@pytest.mark.parametrize("attributes, expected", [("", "9+"), ('max-badge="99"', "12")])
def test_the_badge_stops_counting_where_it_is_told_to(open_bell, person, attributes, expected):
    person.fill(12)
    bell = open_bell(attributes)
    bell.wait_for("expected => text('badge') === expected", expected)
    # Who cannot see it hears how many there are.
    assert "12" in bell.page.accessibility().all("button")[0].name


def test_the_panel_opens_and_closes(open_bell, person):
    person.add("Hello", "We are here.")
    bell = open_bell()
    assert not bell.get("isOpen()")
    bell.open()
    bell.shows("Hello")
    assert "We are here." in bell.get("text('item-body')")
    bell.page.press("Escape")
    bell.wait_for("!isOpen()")
    bell.open()
    bell.page.click("h1")
    bell.wait_for("!isOpen()")
    bell.get("bell.open()")
    bell.wait_for("isOpen()")
    bell.get("bell.close()")
    bell.wait_for("!isOpen()")


def test_the_panel_stays_within_the_window(open_bell, person):
    person.fill(20)
    bell = open_bell(emulate={"viewport": (320, 480)})
    bell.open()
    x, y, width, height = bell.page.box(bell.part("panel"))
    assert x >= 0 and y >= 0 and x + width <= 320 and y + height <= 480


def test_inline_the_list_stands_in_the_page(open_bell, person):
    person.add("Hello")
    bell = open_bell('layout="inline"')
    bell.shows("Hello")
    assert bell.get("shown('button')") is None


def test_unread_ones_have_a_dot(open_bell, person):
    person.add("Old")
    person.rest("POST", "/api/v1/notifications/read")
    person.add("New")
    bell = open_bell('layout="inline"')
    bell.shows("New", "Old")
    assert bell.get("['New', 'Old'].map(title => row(title).querySelector('[part~=dot]') !== null)") == [True, False]
    assert bell.get("['New', 'Old'].map(title => row(title).part.contains('item-unread'))") == [True, False]


def test_without_notifications_it_says_so(open_bell, person):
    bell = open_bell().open()
    bell.wait_for("text('empty').includes('No notifications yet')")
    person.add("Hello")
    bell.shows("Hello")
    assert bell.get("shown('empty')") is None


def test_paused_it_asks_for_nothing(open_bell, stub, person):
    person.add("Hello")
    bell = open_bell("paused", wait=False)
    bell.wait_for("bell.state === 'paused'")
    assert stub.api.requests == [] and stub.connections.open_connections(person) == []
    bell.get("bell.toggleAttribute('paused', false)")
    bell.wait_for("bell.state === 'connected'")
    bell.agrees()
    bell.get("bell.toggleAttribute('paused', true)")
    wait_until(lambda: not stub.connections.open_connections(person), "it lets go")


def test_removed_from_the_page_it_lets_go_and_comes_back(open_bell, stub, person):
    bell = open_bell()
    bell.get("globalThis.kept = bell; bell.remove(); null")
    wait_until(lambda: not stub.connections.open_connections(person), "it lets go")
    person.add("Meanwhile")
    bell.get("document.querySelector('main').append(kept)")
    bell.wait_for("bell.state === 'connected'")
    bell.agrees()


def test_state_and_count_are_told_to_the_page(open_bell, person):
    bell = open_bell()
    person.add("Hello")
    bell.wait_for("heard.some(([name]) => name === 'notification')")
    assert [detail["notification"]["title"] for detail in bell.heard("notification")] == ["Hello"]
    bell.wait_for("heard.some(([name, detail]) => name === 'unread' && detail.count === 1)")
    states = [detail["state"] for detail in bell.heard("state")]
    assert states[-2:] == ["connecting", "connected"]
