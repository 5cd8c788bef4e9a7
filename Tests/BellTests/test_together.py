"""Several tabs of one person, and a client that uses REST alone, in step."""

import random

import pytest

from world import wait_until


# What a renderer of the page may do with a row.
CONTEXTS = """globalThis.contexts = new Map();
document.querySelector("belfry-bell").renderItem = ({ id }, context) => { contexts.set(id, context); return null; };"""


@pytest.fixture
def tabs(open_bell, person):
    person.fill(6)
    return [open_bell('layout="inline"', setup=CONTEXTS), open_bell('layout="inline"', setup=CONTEXTS)]


def agree(tabs):
    for bell in tabs:
        bell.agrees()


def test_what_one_tab_does_the_other_shows(tabs, person):
    one, other = tabs
    agree(tabs)
    one.page.click(one.row("Number 6"))
    other.wait_for("bell.unreadCount === 5 && !row('Number 6').querySelector('[part~=dot]')")
    other.click_in("Number 5", "[part~=remove]")
    wait_until(lambda: len(person.listed()) == 5, "it is deleted")
    one.wait_for("!row('Number 5')")
    agree(tabs)


def test_a_rest_client_and_two_tabs(tabs, person):
    ids = [row["id"] for row in person.listed()]
    person.rest("PATCH", f"/api/v1/notifications/{ids[0]}/read")
    agree(tabs)
    person.rest("DELETE", f"/api/v1/notifications/{ids[1]}")
    agree(tabs)
    person.rest("PATCH", f"/api/v1/notifications/{ids[0]}/unread")
    agree(tabs)
    person.rest("PATCH", f"/api/v1/notifications/{ids[2]}/archive")
    agree(tabs)
    person.rest("PATCH", f"/api/v1/notifications/{ids[2]}/unarchive")
    agree(tabs)
    person.rest("POST", "/api/v1/notifications/read", {"notificationIds": ids[3:5]})
    agree(tabs)
    person.rest("POST", "/api/v1/notifications/read")
    agree(tabs)
    person.rest("DELETE", "/api/v1/notifications")
    agree(tabs)
    for bell in tabs:
        bell.wait_for("text('empty') !== '' && text('badge') === ''")


def test_both_do_the_same_at_once(tabs, person):
    for bell in tabs:
        bell.get("bell.markAllAsRead(), null")
    wait_until(lambda: person.unread == 0, "all are read")
    agree(tabs)


def test_a_new_one_is_told_once_in_each_tab(tabs, person):
    person.add("Hello")
    for bell in tabs:
        bell.wait_for("row('Hello')")
        bell.wait_for("bell.unreadCount === 7")
        assert len(bell.heard("notification")) == 1


def test_whatever_is_done_they_agree(tabs, person, world):
    """Sixty acts by three hands, in an order that the seed of the run names, with a cut now and then."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for step in range(60):
        rows = person.listed()
        id = chance.choice(rows)["id"] if rows else None
        match chance.randrange(8):
            case 0 | 1:
                person.add(f"Step {step}")
            case 2 if id:
                person.rest("PATCH", f"/api/v1/notifications/{id}/{chance.choice(['read', 'unread', 'archive'])}")
            case 3 | 4 | 5 | 6 if id:
                act = chance.choice(["markAsRead", "markAsUnread", "archive", "remove"])
                chance.choice(tabs).get("(act, id) => { contexts.get(id)?.[act](); }", act, id)
            case 7:
                world.hub_line.drop()
    # Removals become final, and what failed on a cut connection is sent again.
    for bell in tabs:
        bell.agrees(within=20)
