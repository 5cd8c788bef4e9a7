"""What goes wrong seldom, and then badly."""

import time

import pytest

from world import wait_until


def test_what_is_done_offline_is_done_in_order(open_bell, person):
    person.fill(8)
    setup = """globalThis.contexts = new Map();
      document.querySelector('belfry-bell').renderItem = ({ id }, context) => { contexts.set(id, context); return null; };"""
    # Attempts that wait for very different times.
    times = {"undo": 600, "retryMinimum": 600, "retryMaximum": 1200, "seen": 100_000}
    bell = open_bell('layout="inline"', setup=setup, times=times)
    bell.agrees()
    bell.page.offline()
    bell.wait_for("!navigator.onLine")
    bell.get("contexts.forEach(context => { context.markAsRead(); context.markAsUnread(); }), null")
    time.sleep(1.5)  # So that some have been tried.
    bell.page.offline(False)
    wait_until(lambda: person.unread == 8, "all are unread at the end", 20)
    bell.agrees()


def test_a_click_is_for_what_was_pressed(open_bell, person):
    person.fill(3)
    bell = open_bell('layout="inline"')
    row = bell.row("Number 2")
    bell.page.move_to(row)
    bell.page.hold(f"{row} [part~=remove]")
    # Drawn as read, its row would have another button by the time the pointer is let go.
    person.rest("POST", "/api/v1/notifications/read")
    bell.wait_for("bell.unreadCount === 0")
    bell.get("new Promise(done => setTimeout(done, 100)).then(() => true)")
    bell.page.let_go()
    bell.shows("Number 3", "Number 1")
    assert bell.heard("click") == []
    bell.wait_for("parts('dot').length === 0")


def test_one_404_of_many_empties_nothing(open_bell, stub, person):
    person.fill(5)
    fault = stub.fail("POST .*/seen", status=404, times=1)
    bell = open_bell('layout="inline"')
    wait_until(lambda: fault.met, "what was seen is reported")
    bell.get("bell.refresh(), null")
    bell.agrees()
    bell.wait_for("rows().length === 5")


def test_a_count_of_nothing_that_comes_late(open_bell, stub, person):
    person.fill(2)
    person.rest("POST", "/api/v1/notifications/read")
    bell = open_bell()
    stub.connections.held = []
    person.add("New")
    held, stub.connections.held = stub.connections.held, None
    stub.server_loop.do(lambda: [stub.connections.publish(*each) for each in [*held, (person, "UnreadCountChanged", 0)]])
    bell.wait_for("heard.filter(([name]) => name === 'unread').length >= 2")
    bell.agrees(within=15)


def test_an_action_without_a_title(open_bell, stub, person):
    person.fill(2)
    odd = [{"id": "X", "title": {"toString": 1, "valueOf": 1}}]
    person.do(lambda inbox: inbox.list()[0].update(actions=odd))
    bell = open_bell('layout="inline"')
    bell.shows("Number 2", "Number 1")
    assert bell.get("text('action')") == "X"


def test_a_refused_reading_by_sight_is_not_tried_again(open_bell, stub, person):
    person.fill(3)
    fault = stub.fail("POST .*/read", status=403)
    bell = open_bell('layout="inline" read-on="view"', clock=True)
    bell.wait_for("rows().length === 3")
    bell.page.advance(2)
    wait_until(lambda: fault.met == 1, "they are read")
    for _ in range(4):
        bell.page.advance(2)
        bell.get("new Promise(requestAnimationFrame).then(() => true)")
    assert fault.met == 1


def test_a_menu_that_is_asked_for_before_its_module_is_there(open_bell, stub, person):
    """The rows are drawn anew when the module comes, and the bell goes on either way."""
    person.fill(2)
    held = stub.hold(f"GET /bell/v1/{stub.api.module('extras')}")
    bell = open_bell(wait=False)
    bell.page.click(bell.part("button"))
    bell.shows("Number 2", "Number 1")
    bell.click_in("Number 1", "[data-do=more]")
    wait_until(lambda: held.met == 1, "it is asked for")
    stub.end_faults()
    bell.wait_for("named('menuitem', 'Archive')")
    person.add("Number 3")
    bell.wait_for("bell.unreadCount === 3")


def test_what_is_marked_as_unread_stays_so_in_sight(open_bell, person):
    person.fill(1)
    bell = open_bell('layout="inline" read-on="view"')
    wait_until(lambda: person.unread == 0, "it is read")
    bell.choose("Number 1", "Mark as unread")
    wait_until(lambda: person.unread == 1, "it is unread")
    time.sleep(1.5)  # What must not happen takes time.
    assert person.unread == 1


def test_what_nobody_has_scrolled_to_is_not_read(open_bell, world, person):
    person.fill(2)
    body = f'<p id="space"></p><belfry-bell hub="{world.hub}" token-url="/token/{person.id}" layout="inline" read-on="view"></belfry-bell>'
    bell = open_bell(body=body, setup="document.getElementById('space').style.height = '5000px'")
    bell.wait_for("rows().length === 2")
    time.sleep(1.5)  # What must not happen takes time.
    assert person.unread == 2
    bell.get("bell.scrollIntoView(), null")
    wait_until(lambda: person.unread == 0, "they are read")


def test_read_on_open(open_bell, stub, person):
    person.fill(2)
    open_bell('layout="inline" read-on="open"')
    wait_until(lambda: person.unread == 0, "a list in the page is open from the start")
    person.fill(2)
    stub.fail("GET /api/v1/notifications", delay=0.5, times=1)
    bell = open_bell('read-on="open"', wait=False)
    bell.page.click(bell.part("button"))
    wait_until(lambda: person.unread == 0, "what comes after it was opened counts as well")


def test_paused_asks_for_nothing(open_bell, stub, person):
    person.fill(2)
    stub.api.requests.clear()
    bell = open_bell('paused layout="inline"', wait=False)
    bell.wait_for("bell.state === 'paused'")
    time.sleep(0.5)  # What must not happen takes time.
    assert stub.api.requests == []
    assert stub.site.token_requests[person.id] == 0


def test_the_last_language_is_the_one_that_shows(open_bell, stub, person):
    setup = """customElements.whenDefined('belfry-bell').then(async () => {
      const bell = document.querySelector('belfry-bell');
      bell.locale = 'de';
      await null, await null, await null;
      bell.locale = 'en';
      await import(new URL('/bell/v1/GERMAN', document.querySelector('script[type=module]').src));
      globalThis.isOver = true;
    });""".replace("GERMAN", stub.api.module("de"))
    bell = open_bell('layout="inline"', setup=setup)
    bell.wait_for("globalThis.isOver")
    assert bell.get("text('title')") == "Notifications"


def test_a_mute_that_fails_says_so(open_bell, stub, person):
    person.add("Chat", related=("chat", "7"))
    stub.fail("PUT .*/muted/.*", status=503)
    bell = open_bell('layout="inline"')
    bell.choose("Chat", "Mute this conversation")
    bell.wait_for("text('toast').includes('did not work')")


def test_the_filter_is_there_for_who_signs_in_later(open_bell, stub, person):
    person.fill(1)
    stub.site.token_answers[person.id] = 401
    bell = open_bell('layout="inline"', wait=False)
    bell.wait_for("bell.state === 'unauthorized' && shown('filter')")
    del stub.site.token_answers[person.id]
    bell.get("id => { bell.tokenProvider = async () => (await (await fetch('/token/' + id)).json()).token; }", person.id)
    bell.wait_for("[...shown('filter').options].some(({ value }) => value === 'System')")


def test_a_removed_bell_sets_no_timer(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline"')
    bell.wait_for("rows().length === 2")
    bell.get("""(() => {
      globalThis.timers = 0;
      const own = setTimeout;
      globalThis.setTimeout = (run, wait, ...more) => { timers++; return own(run, Math.min(wait, 100), ...more); };
    })()""")
    person.add("One more")
    bell.wait_for("rows().length === 3 && timers > 0")
    bell.get("bell.remove()")
    time.sleep(0.5)
    timers = bell.get("timers")
    time.sleep(0.5)  # What must not happen takes time.
    assert bell.get("timers") == timers


def focused(bell):
    return bell.get("root.activeElement && [root.activeElement.role, root.activeElement.textContent]")


def test_the_question_about_pushes_keeps_the_focus(open_bell, person):
    setup = """document.querySelector('belfry-bell').pushProvider = async () => null;
      Object.defineProperty(Notification, 'permission', { get: () => 'default' });"""
    bell = open_bell('push layout="inline"', setup=setup)
    bell.wait_for("shown('push-prompt')")
    bell.get("shown('push-prompt').querySelector('button').focus()")
    person.add("New")
    bell.wait_for("row('New')")
    assert focused(bell)[1] == "Turn on"
    # After a no it rests, and not because something new comes.
    bell.page.click(f"{bell.part('push-prompt')} button:last-of-type")
    bell.page.move_to("h1")
    person.add("Newer")
    bell.wait_for("row('Newer') && !shown('push-prompt')")


def test_push_in_this_browser(open_bell, stub, person):
    setup = """document.querySelector('belfry-bell').pushProvider = async () => 'token-of-this-browser';
      Object.defineProperty(Notification, 'permission', { get: () => 'default' });"""
    bell = open_bell("push", setup=setup).open()
    bell.page.click(f"{bell.part('push-prompt')} button")
    wait_until(lambda: [device["token"] for device in person.devices] == ["token-of-this-browser"], "it is registered")
    bell.wait_for("localStorage['belfry-push-device']")
    bell.page.open(bell.page.evaluate("location.href"))
    bell.wait_for("bell.state === 'connected'")
    bell.get("bell.signOut()")
    wait_until(lambda: person.devices == [], "it is forgotten with who signs out")


def test_a_toast_that_goes_keeps_the_focus_in_the_panel(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline"', times={"undo": 8000}, clock=True)
    bell.click_in("Number 2", "[part~=remove]")
    bell.wait_for("shown('toast')")
    bell.get("shown('toast').querySelector('button').focus()")
    bell.page.advance(6)
    bell.wait_for("!shown('toast')")
    assert bell.get("root.activeElement === root.getElementById('panel')")


def test_tabs_keep_the_focus_whatever_else_changes(open_bell, person):
    bell = open_bell('layout="inline"')
    bell.get("named('tab', 'Unread').focus()")
    bell.get("bell.theme = 'dark', null")
    bell.get("new Promise(setTimeout).then(() => true)")
    assert focused(bell)[0] == "tab"


def test_try_again_keeps_the_focus_while_it_is_tried(open_bell, world, person):
    bell = open_bell('layout="inline"', clock=True)
    world.hub_line.refuse()
    bell.wait_for("bell.state === 'reconnecting'")
    bell.page.advance(6)
    bell.wait_for("shown('banner')?.querySelector('button')")
    bell.get("shown('banner').querySelector('button').focus()")
    met = world.hub_line.met
    for _ in range(5):
        bell.page.advance(1)
    wait_until(lambda: world.hub_line.met > met, "it is tried")
    assert focused(bell)[1] == "Try again"
