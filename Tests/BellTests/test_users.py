"""Who signs out leaves nothing behind; who comes next gets nothing of it."""

import time

import pytest

from world import wait_until

# The token of whoever `who` names; of nobody while that is null.
PROVIDER = """globalThis.who = '{id}';
globalThis.token = async () => who && (await (await fetch('/token/' + who)).json()).token;
document.querySelector('belfry-bell').tokenProvider = token;"""
COMES = "id => { who = id; bell.tokenProvider = () => token(); }"


@pytest.fixture
def open_page(open_bell, person):
    return lambda attributes: open_bell(attributes, setup=PROVIDER.format(id=person.id))


def leave(bell):
    bell.get("who = null, bell.signOut()")
    bell.wait_for("bell.state === 'disconnected'")


def test_no_row_stays_in_a_closed_panel(open_page, person):
    person.fill(3)
    bell = open_page("").open()
    bell.wait_for("rows().length === 3")
    leave(bell)
    bell.wait_for("root.querySelectorAll('[role=article]').length === 0")
    bell.wait_for("heard.findLast(([name]) => name === 'unread')[1].count === 0")


def test_a_click_signs_nobody_in_again(open_page, stub, person):
    person.fill(2)
    bell = open_page("")
    leave(bell)
    asked = stub.site.token_requests[person.id]
    bell.page.click(bell.part("button"))
    bell.wait_for("isOpen() && shown('filter')")
    time.sleep(0.3)  # What must not happen takes time.
    assert stub.site.token_requests[person.id] == asked
    assert bell.rows == []


def test_settings_are_of_who_is_there(open_page, stub, world, person):
    other = world.new_person()
    person.settings.muted["chat", "secret"] = None
    bell = open_page('preferences layout="inline"')
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.textContent.includes('secret')")
    leave(bell)
    assert not bell.get("root.textContent.includes('secret')")
    stub.hold("GET .*/(preferences|muted)")
    bell.get(COMES, other.id)
    bell.wait_for("bell.state === 'connected'")
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.textContent.includes('Loading')")
    assert not bell.get("root.textContent.includes('secret')")


def test_what_one_has_set_is_not_written_for_the_next(open_page, stub, world, person):
    other = world.new_person()
    bell = open_page('preferences layout="inline"')
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[data-key=sound]')")
    stub.hold("PUT .*/preferences")
    for key in ("sound", "badgeEnabled"):
        bell.page.click(f"{bell.part('settings')} [data-key={key}]")
    leave(bell)
    bell.get(COMES, other.id)
    bell.wait_for("bell.state === 'connected'")
    stub.end_faults()
    wait_until(lambda: not person.settings.sound, "what was under way is written for whom it was")
    time.sleep(0.3)  # What must not happen takes time.
    assert other.settings.sound and other.settings.badge


def test_nothing_is_said_of_what_came_before(open_page, person):
    bell = open_page("").open()
    bell.wait_for("shown('filter')")
    said = "root.querySelector('[role=status]').textContent"
    bell.get(f"globalThis.saidAll = [], new MutationObserver(() => saidAll.push({said})).observe(root.querySelector('[role=status]'), {{ childList: true, characterData: true, subtree: true }})")
    person.add("First")
    bell.wait_for("saidAll.some(words => words.includes('First'))")
    person.add("Second")
    bell.wait_for("bell.unreadCount === 2")
    leave(bell)
    bell.wait_for("saidAll.at(-1) === ''", within=12)
    assert not bell.get("saidAll.some(words => words.includes('Second'))")
