"""What axe-core finds, what a keyboard reaches, and what a screen reader is told."""

import pytest

from world import wait_until

ATTRIBUTES = 'tabs="all, unread" preferences quiet-hours'


def fill(person):
    person.add("Read", "We are here.", age=7200)
    person.rest("POST", "/api/v1/notifications/read")
    person.add("Goal", "You are half way.", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")], age=60)
    person.add("New", "Welcome", data={"url": "/here"})


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_axe_finds_nothing(open_bell, stub, person, dark, language):
    fill(person)
    bell = open_bell(ATTRIBUTES, emulate={"dark": dark, "viewport": (500, 1000)}, language=language)
    assert bell.page.axe() == []
    bell.open()
    bell.shows("New", "Goal", "Read")
    assert bell.page.axe() == []
    bell.click_in("Goal", "[data-do=more]")
    bell.wait_for("named('menuitem', '')")
    assert bell.page.axe() == []
    bell.page.press("Escape")
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[role=switch]')")
    bell.page.click(f'{bell.part("settings")} [data-key="quietHours"]')
    bell.wait_for("shown('day')")
    assert bell.page.axe() == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_when_empty_broken_or_away(open_bell, stub, person, dark):
    bell = open_bell('layout="inline"', emulate={"dark": dark}, clock=True)
    bell.wait_for("shown('empty')")
    assert bell.page.axe() == []
    stub.hub_line.refuse()
    bell.wait_for("bell.state === 'reconnecting'")
    bell.page.advance(6)
    bell.wait_for("shown('banner')")
    assert bell.page.axe() == []
    stub.fail("GET /api/v1/notifications", status=500)
    broken = open_bell('layout="inline"', emulate={"dark": dark}, wait=False)
    broken.wait_for("shown('error')")
    assert broken.page.axe() == []


def test_axe_would_find_something(open_bell, person):
    bell = open_bell()
    bell.get("document.querySelector('main').append(document.createElement('button'))")
    assert [finding.split(":")[0] for finding in bell.page.axe()] == ["button-name"]


def test_everything_by_keyboard_alone(open_bell, stub, person):
    fill(person)
    bell = open_bell(ATTRIBUTES, times={"undo": 5000})
    press, wait_for = bell.page.press, bell.wait_for

    def tab_to(role, name, key="Tab"):
        for _ in range(30):
            press(key)
            focused = bell.page.focused()
            if focused and focused.role == role and focused.name.startswith(name):
                return
        raise AssertionError(f"no {role} {name!r} on the way of {key}")

    def focus_is(name):
        wait_until(lambda: (now := bell.page.focused()) and now.name.startswith(name), f"the focus is on {name}")

    # In, through the tabs, to the list.
    tab_to("button", "Notifications, 2 unread")
    press("Enter")
    bell.shows("New", "Goal", "Read")
    wait_for("shown('filter')")  # The keys come with it.
    tab_to("tab", "All")
    press("ArrowRight")
    bell.shows("New", "Goal")
    press("ArrowLeft")
    bell.shows("New", "Goal", "Read")
    tab_to("article", "Unread: New")
    # Along the list.
    press("ArrowDown")
    focus_is("Unread: Goal")
    press("End")
    focus_is("Read")
    press("Home")
    focus_is("Unread: New")
    press("PageDown")
    focus_is("Unread: Goal")
    # Read, act, open the menu, remove, take back.
    press("Enter")
    wait_until(lambda: person.unread == 1, "it is read")
    tab_to("button", "View goals")
    press("Enter")
    wait_until(lambda: len(person.inbox.acted) == 1, "the action is reported")
    tab_to("button", "More about")
    press("Enter")
    wait_for("named('menuitem', 'Mark as unread')")
    press("Enter")
    wait_until(lambda: person.unread == 2, "it is unread again")
    focus_is("Unread: Goal")
    press("Delete")
    bell.shows("New", "Read")
    wait_until(lambda: (now := bell.page.focused()) and now.role == "article", "the focus is in the list")
    press("Control+z")
    bell.shows("New", "Goal", "Read")
    # To the settings and back, then out, to where one came from.
    tab_to("button", "Settings", "Shift+Tab")
    press("Enter")
    wait_for("shown('settings')?.querySelector('[role=switch]')")
    tab_to("switch", "Quiet hours")
    press(" ")
    wait_until(lambda: person.settings.quiet["enabled"], "quiet hours are on")
    tab_to("button", "Back", "Shift+Tab")
    press("Enter")
    wait_for("!shown('settings')")
    focus_is("Settings")
    press("Escape")
    wait_for("!isOpen()")
    focus_is("Notifications")


def test_the_focus_can_be_seen(open_bell, person):
    person.fill(2)
    bell = open_bell('layout="inline" tabs="all, unread"')
    bell.shows("Number 2", "Number 1")
    outline = """(() => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(root.activeElement);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
    })()"""
    stops = 0
    for _ in range(12):
        bell.page.press("Tab")
        if bell.get("root.activeElement !== null"):
            stops += 1
            assert bell.get(outline), bell.page.focused()
    assert stops >= 4


def test_names_and_roles(open_bell, stub, person):
    fill(person)
    bell = open_bell(ATTRIBUTES)
    button = bell.page.accessibility().find("button", "Notifications, 2 unread")
    assert button.properties["hasPopup"] == "dialog" and button.properties["expanded"] is False
    bell.open()
    bell.shows("New", "Goal", "Read")
    tree = bell.page.accessibility()
    assert tree.find("button", "Notifications, 2 unread").properties["expanded"] is True
    dialog = tree.find("dialog", "Notifications")
    feed = dialog.find("feed")
    articles = feed.all("article")
    assert [article.name for article in articles] == ["Unread: New", "Unread: Goal", "Read"]
    assert [article.description for article in articles] == ["Welcome", "You are half way.", "We are here."]
    # One stop of the Tab key for the whole list.
    assert bell.get("parts('item').map(row => row.tabIndex)") == [0, -1, -1]
    assert bell.get("parts('item').map(row => [row.ariaPosInSet, row.ariaSetSize])") == [["1", "3"], ["2", "3"], ["3", "3"]]
    assert [tab.properties["selected"] for tab in dialog.all("tab")] == [True, False]
    articles[1].find("button", "View goals")
    articles[1].find("button", "Remove “Goal”")
    articles[1].find("button", "More about “Goal”")


def test_new_ones_are_announced_politely_and_together(open_bell, stub, person):
    bell = open_bell(clock=True)
    said = "root.querySelector('[role=status]').textContent"
    bell.get("""globalThis.saidAll = [],
      new MutationObserver(() => saidAll.push(root.querySelector('[role=status]').textContent))
        .observe(root.querySelector('[role=status]'), { childList: true, characterData: true, subtree: true })""")
    person.add("First")
    bell.wait_for(f"{said} === 'New notification: First'")
    for title in ("Second", "Third"):
        person.add(title)
    bell.agrees()
    bell.page.advance(2)
    assert bell.get("saidAll") == ["New notification: First"]
    bell.page.advance(4)
    bell.wait_for(f"{said} === '2 new notifications'")
    status = bell.page.accessibility().find("status")
    assert status.properties["live"] == "polite"


def test_in_a_narrow_window_the_panel_can_be_closed(open_bell, stub, person):
    person.fill(3)
    bell = open_bell(ATTRIBUTES, emulate={"viewport": (320, 640)}).open()
    bell.wait_for("shown('filter')")
    assert bell.get("shown('close').getBoundingClientRect().right <= shown('panel').getBoundingClientRect().right")
    bell.page.click(bell.part("close"))
    bell.wait_for("!isOpen()")


def test_in_a_narrow_window_nothing_is_cut_off(open_bell, person):
    person.fill(3)
    bell = open_bell('layout="inline" tabs="all, unread"', emulate={"viewport": (320, 640)}, head="")
    bell.wait_for("rows().length === 3")
    assert bell.get("document.documentElement.scrollWidth") <= 320
    assert bell.get("parts('item').every(row => row.scrollWidth <= row.clientWidth + 1)")
