"""What a reader does with notifications, and what becomes of them in the database."""

import pytest

from world import wait_until


@pytest.fixture
def bell(open_bell, person):
    person.fill(3)
    bell = open_bell('layout="inline"')
    bell.shows("Number 3", "Number 2", "Number 1")
    return bell


def states(person):
    return {row["title"]: row["isRead"] for row in person.listed()}


def test_a_click_marks_as_read(bell, person):
    bell.page.click(bell.row("Number 2"))
    wait_until(lambda: states(person) == {"Number 1": False, "Number 2": True, "Number 3": False}, "it is read")
    bell.agrees()
    bell.wait_for("row('Number 2').querySelector('[part~=dot]') === null")
    assert [detail["notification"]["title"] for detail in bell.heard("click")] == ["Number 2"]


def test_with_read_on_view_what_is_seen_is_read(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline" read-on="view"')
    wait_until(lambda: person.unread == 0, "both are read")
    bell.agrees()


def test_with_read_on_open_opening_the_panel_reads(open_bell, person):
    person.fill(2)
    bell = open_bell('read-on="open"')
    assert person.unread == 2
    bell.open()
    wait_until(lambda: person.unread == 0, "both are read")
    bell.agrees()


def test_what_is_seen_in_the_list_is_told_as_seen(bell, person):
    wait_until(lambda: all(row["seenAt"] for row in person.listed()), "they are seen")
    assert person.unread == 3


def test_mark_all(bell, person):
    bell.page.click(bell.part("mark-all"))
    wait_until(lambda: person.unread == 0, "all are read")
    bell.agrees()
    bell.wait_for("parts('dot').length === 0")


def test_mark_all_reads_what_is_not_loaded_too(open_bell, person):
    person.fill(45)
    bell = open_bell().open()
    bell.get("bell.markAllAsRead()")
    wait_until(lambda: person.unread == 0, "all are read")
    bell.agrees()


def test_remove(bell, person):
    bell.click_in("Number 2", "[part~=remove]")
    bell.shows("Number 3", "Number 1")
    assert bell.unread == 2
    # Not before the time to take it back is over.
    assert len(person.listed()) == 3
    wait_until(lambda: person.titles() == ["Number 3", "Number 1"], "it is deleted")
    bell.agrees()


def test_remove_and_take_it_back(open_bell, person):
    person.fill(3)
    bell = open_bell('layout="inline"', times={"undo": 3000})
    bell.click_in("Number 2", "[part~=remove]")
    bell.shows("Number 3", "Number 1")
    bell.page.click(f"{bell.part('toast')} button")
    bell.shows("Number 3", "Number 2", "Number 1")
    assert bell.unread == 3
    bell.page.close()
    assert len(person.listed()) == 3


def test_what_was_removed_is_gone_although_the_page_is_left(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline"', times={"undo": 60_000})
    bell.click_in("Number 2", "[part~=remove]")
    bell.shows("Number 1")
    bell.page.open("about:blank")
    wait_until(lambda: person.titles() == ["Number 1"], "it is deleted")


def test_archive_and_back(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline" tabs="all, archived, snoozed"')
    bell.choose("Number 2", "Archive")
    bell.shows("Number 1")
    wait_until(lambda: person.titles(archived=True) == ["Number 2"], "it is archived")
    bell.agrees()
    bell.tab("Archived")
    bell.shows("Number 2")
    bell.choose("Number 2", "Move to inbox")
    wait_until(lambda: person.titles() == ["Number 2", "Number 1"], "it is back")
    bell.agrees()


def test_snooze_and_back(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline" tabs="all, archived, snoozed"')
    bell.choose("Number 2", "Snooze for 1 hour")
    bell.shows("Number 1")
    wait_until(lambda: person.titles(snoozed=True) == ["Number 2"], "it is put off")
    bell.agrees()
    # What is new does not push the others away under the pointer.
    bell.page.move_to("h1")
    person.rest("PATCH", f"/api/v1/notifications/{person.listed(snoozed=True)[0]['id']}/snooze", {"until": None})
    bell.shows("Number 2", "Number 1")
    bell.agrees()


def test_mark_as_unread(bell, person):
    person.rest("POST", "/api/v1/notifications/read")
    bell.wait_for("bell.unreadCount === 0")
    bell.choose("Number 1", "Mark as unread")
    wait_until(lambda: states(person)["Number 1"] is False, "it is unread")
    bell.agrees()


def test_an_action_is_told_to_gateway_and_page(open_bell, stub, person):
    id = person.add("Goal", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals"), ("SHARE", "Share")])
    bell = open_bell('layout="inline"')
    bell.page.click(f"{bell.row('Goal')} [data-action=SHARE]")
    wait_until(lambda: person.inbox.acted == [(id, "SHARE")], "it is reported")
    assert [(detail["notification"]["id"], detail["action"]) for detail in bell.heard("action")] == [(id, "SHARE")]


def test_a_click_on_a_row_is_told_as_opened(open_bell, stub, person):
    id = person.add("Hello")
    bell = open_bell('layout="inline"')
    bell.page.click(bell.row("Hello"))
    wait_until(lambda: person.inbox.opened == [id], "it is reported")
