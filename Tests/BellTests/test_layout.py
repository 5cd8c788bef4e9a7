"""Where the parts are, beside where they were when somebody looked; the screenshots are in .belfry/bell/.

`pytest Tests/BellTests/test_layout.py --write-layout` records them anew: look at the screenshots before you commit layout.json.
"""

import json
import pathlib

import pytest

from host import POLICY
from pictures import HOST, Pictures

RECORDED = pathlib.Path(__file__).with_name("layout.json")
PARTS = [
    "button", "badge", "panel", "header", "mark-all", "tabs", "tab", "list", "item", "item-title", "item-body", "item-time",
    "action", "remove", "dot",
]  # fmt: skip
TOLERANCE = 4
BOXES = """names => Object.fromEntries(names.map(name => [name, parts(name).map(part => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})]))"""


def fill(person):
    person.add("Weekly allowance", "Your weekly allowance of $5.00 has been deposited.", kind="AllowanceDeposit", age=3 * 86400)
    person.rest("POST", "/api/v1/notifications/read")
    person.add(
        "Half way to a bicycle",
        "You have saved $75.00 of $150.00. At this pace it is yours by the end of April, and perhaps a little sooner.",
        kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")], age=2 * 3600,
    )  # fmt: skip
    person.add("We are here", "Welcome to Belfry.", age=5 * 60)


@pytest.fixture
def compare(request):
    """Compares boxes with the recorded ones of that name, or records them."""
    is_writing = request.config.getoption("write_layout")

    def compare(name, boxes):
        recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
        if is_writing:
            lines = {name: recorded[name] for name in sorted(recorded.keys() - {name})} | {name: boxes}
            shown = ",\n".join(
                f' "{name}": {{\n' + ",\n".join(f'  "{part}": {json.dumps(found)}' for part, found in parts.items()) + "\n }"
                for name, parts in sorted(lines.items())
            )
            RECORDED.write_text(f"{{\n{shown}\n}}\n")
        else:
            assert differences(recorded[name], boxes) == []

    return compare


def differences(recorded, boxes):
    """In words: what is where it was not, or not there."""
    found = []
    for part in recorded.keys() | boxes.keys():
        before, now = recorded.get(part, []), boxes.get(part, [])
        if len(before) != len(now):
            found.append(f"{part}: {len(now)} instead of {len(before)}")
        for was, now_is in zip(before, now):
            if any(abs(a - b) > TOLERANCE for a, b in zip(was, now_is)):
                found.append(f"{part}: {now_is} instead of {was}")
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_the_parts_are_where_they_were(open_bell, stub, person, compare, width, direction, dark):
    fill(person)
    attributes = 'tabs="all, unread" preferences quiet-hours'
    bell = open_bell(attributes, emulate={"viewport": (width, 700), "dark": dark, "reduced_motion": True}, direction=direction)
    bell.open()
    bell.shows("We are here", "Half way to a bicycle", "Weekly allowance")
    # The tabs give way to the filter when the catalogue's categories make it wide.
    bell.wait_for("[...shown('filter')?.options ?? []].some(({ value }) => value === 'System')")
    bell.shot(f"panel-{width}-{direction}-{'dark' if dark else 'light'}")
    # Dark ones are where light ones are.
    compare(f"panel {width} {direction}", bell.get(BOXES, PARTS))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_settings_are_where_they_were(open_bell, stub, person, compare, dark):
    bell = open_bell(
        'layout="inline" preferences quiet-hours', emulate={"viewport": (480, 900), "dark": dark, "timezone": "Europe/Berlin"}
    )
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[role=switch]')")
    bell.page.click(f'{bell.part("settings")} [data-key="quietHours"]')
    bell.wait_for("shown('day')")
    bell.shot(f"settings-{'dark' if dark else 'light'}")
    compare("settings", bell.get(BOXES, ["settings", "day"]))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_else_there_is_to_look_at(open_bell, stub, person, dark):
    look = {"viewport": (480, 700), "dark": dark}
    name = "dark" if dark else "light"
    empty = open_bell(emulate=look).open()
    empty.wait_for("shown('empty')")
    empty.shot(f"empty-{name}")
    fill(person)
    bell = open_bell('tabs="all, unread"', emulate=look, clock=True, times={"undo": 5000}).open()
    bell.click_in("Half way to a bicycle", "[data-do=more]")
    bell.wait_for("named('menuitem', '')")
    bell.shot(f"menu-{name}")
    bell.page.press("Escape")
    bell.click_in("Half way to a bicycle", "[part~=remove]")
    bell.wait_for("shown('toast')")
    stub.hub_line.refuse()
    bell.wait_for("bell.state === 'reconnecting'")
    bell.page.advance(6)
    bell.wait_for("shown('banner')")
    bell.shot(f"away-{name}")
    stub.fail("GET /api/v1/notifications", status=500)
    broken = open_bell(emulate=look, wait=False)
    broken.page.click(broken.part("button"))
    broken.wait_for("shown('error')")
    broken.shot(f"error-{name}")
    for each in (empty, bell, broken):
        x, y, width, height = each.page.box(each.part("panel"))
        assert x >= 0 and y >= 0 and x + width <= 480 and y + height <= 700


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 390, 800])
def test_rich_rows_and_many_tabs_to_look_at(open_bell, stub, person, width, dark):
    """Pictures, digests, rows of the page's own, and tabs that do not fit."""
    setup = """document.querySelector('belfry-bell').renderItem = ({ title }) => {
      const content = document.createElement('p');
      content.textContent = `★ ${title}`;
      return title.startsWith('Own') ? { content } : null;
    };"""
    attributes = 'tabs="all, unread, Balance &amp; Transactions, Goals &amp; Savings, archived" preferences'
    look = {"viewport": (width, 844), "dark": dark, "reduced_motion": True}
    bell = open_bell(attributes, emulate=look, setup=setup, policy=f"{POLICY}; img-src {HOST}")
    Pictures(bell.page)
    person.add("Weekly allowance", "Your weekly allowance of $5.00 has been deposited.", kind="AllowanceDeposit", age=3 * 86400)
    person.rest("POST", "/api/v1/notifications/read")
    person.add("Own row", kind="GoalProgress", age=7200, actions=[("VIEW_GOALS", "View goals")])
    orders = {"count": 12, "titles": "Ann Baker: 2 shirts and a scarf with a rather long name\nBen: a hat\nCara: socks\nDan: a coat"}
    person.add("12 new orders", "Since this morning", age=3600, data=orders)
    person.add("Ann Baker and 3 others like your photo", data={"count": 4, "titles": "Ann Baker, Ben, Cara", "others": 1, "avatar": f"{HOST}/ann.png"})
    person.add("Ann Baker sent you a photo", "From the garden", kind="GoalProgress", data={"avatar": f"{HOST}/ann.png", "image": f"{HOST}/garden.png"})
    bell.open()
    bell.wait_for("[...root.querySelectorAll('img')].length === 3 && [...root.querySelectorAll('img')].every(image => image.naturalWidth)")
    bell.wait_for("[...shown('filter')?.options ?? []].some(({ value }) => value === 'System')")
    name = f"{width}-{'dark' if dark else 'light'}"
    bell.shot(f"rich-{name}")
    bell.get("parts('tab')[2].click()")
    bell.wait_for("shown('tab-selected').dataset.tab !== 'all'")
    bell.shot(f"tabs-{name}")
    assert bell.get("parts('item').every(row => row.scrollWidth <= row.clientWidth + 1)")


def test_another_place_would_be_seen():
    assert differences({"item": [[0, 0, 100, 20]]}, {"item": [[0, 5, 100, 20]]}) == ["item: [0, 5, 100, 20] instead of [0, 0, 100, 20]"]
    assert differences({"item": [[0, 0, 100, 20]]}, {"item": [[2, 4, 97, 20]]}) == []
    assert differences({"item": [[0, 0, 100, 20]]}, {}) == ["item: 0 instead of 1"]
