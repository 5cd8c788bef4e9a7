"""Tabs that do not fit are reached by pointer, finger and keyboard; the filter offers what there is."""

import pytest

from world import wait_until

NAMES = ["all", "unread", "Balance & Transactions", "Allowance", "Goals & Savings", "System", "archived"]
TABS = f"""layout="inline" tabs="{', '.join(NAMES).replace('&', '&amp;')}" """
# Those of which `share` is in sight, from the middle, and not below an arrow.
IN_SIGHT = """share => {
  const strip = shown('tabs').getBoundingClientRect();
  const arrows = ['tabs-earlier', 'tabs-later'].flatMap(name => parts(name)).map(arrow => arrow.getBoundingClientRect());
  return parts('tab').filter(tab => {
    const { x, width } = tab.getBoundingClientRect();
    const [left, right] = [-1, 1].map(side => x + width / 2 + side * share * width / 2);
    const isWhole = left > strip.left - 1 && right < strip.right + 1;
    return isWhole && arrows.every(arrow => right < arrow.left + 1 || left > arrow.right - 1);
  }).map(tab => tab.dataset.tab);
}"""
IS_STILL = "new Promise(done => { const { scrollLeft } = shown('tabs'); setTimeout(() => done(scrollLeft === shown('tabs').scrollLeft), 80); })"


@pytest.fixture(params=["ltr", "rtl"])
def narrow(open_bell, stub, person, request):
    """A bell 320 pixels wide, with more tabs than fit, in both directions."""
    person.add("Hello")
    bell = open_bell(TABS, emulate={"viewport": (320, 640)}, direction=request.param)
    bell.shows("Hello")
    bell.wait_for("[...shown('filter')?.options ?? []].some(({ value }) => value === 'System')")
    return bell


def in_sight(bell, share=1):
    bell.wait_for(IS_STILL)
    return bell.get(IN_SIGHT, share)


def arrows(bell):
    bell.wait_for(IS_STILL)
    return bell.get("['tabs-earlier', 'tabs-later'].map(name => parts(name).length)")


def test_a_pointer_reaches_every_tab(narrow):
    assert arrows(narrow) == [0, 1]
    seen = set(in_sight(narrow, 0.5))
    assert "all" in seen and "archived" not in seen
    for _ in NAMES:
        if not arrows(narrow)[1]:
            break
        narrow.page.click(narrow.part("tabs-later"))
        seen |= set(in_sight(narrow, 0.5))
    assert seen == set(NAMES)
    assert arrows(narrow) == [1, 0]
    for _ in NAMES:
        if not arrows(narrow)[0]:
            break
        narrow.page.click(narrow.part("tabs-earlier"))
    assert arrows(narrow) == [0, 1]
    # They point to where they lead.
    left, right = narrow.get("['tabs-later', 'filter'].map(name => shown(name).getBoundingClientRect().left)")
    assert (left < right) is (narrow.get("document.dir") == "ltr")


def test_a_finger_moves_them(narrow):
    sign = 1 if narrow.get("document.dir") == "ltr" else -1
    x, y, width, height = narrow.page.box(narrow.part("tabs"))

    def touch(kind, *way):
        points = [{"x": x + width / 2 - sign * (by - 60), "y": y + height / 2} for by in way]
        narrow.page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    touch("touchStart", 0)
    for by in range(10, 130, 10):
        touch("touchMove", by)
    touch("touchEnd")
    assert arrows(narrow) == [1, 1]
    assert "all" not in in_sight(narrow)


def test_the_keyboard_brings_each_into_sight(narrow):
    narrow.get("shown('tab').focus()")
    on, back = ("ArrowRight", "ArrowLeft") if narrow.get("document.dir") == "ltr" else ("ArrowLeft", "ArrowRight")
    for name in NAMES[1:]:
        narrow.page.press(on)
        wait_until(lambda: name in in_sight(narrow), f"{name} is in sight")
        assert narrow.get("root.activeElement.dataset.tab") == narrow.get("shown('tab-selected').dataset.tab") == name
    narrow.page.press(on)
    wait_until(lambda: "all" in in_sight(narrow), "the first one is in sight")
    narrow.page.press(back)
    wait_until(lambda: "archived" in in_sight(narrow), "the last one is in sight")
    # The arrows are no stops of the Tab key, and nothing to a screen reader.
    tree = narrow.page.accessibility()
    assert [tab.name for tab in tree.find("tablist").all("tab")] == ["All", "Unread1", *NAMES[2:-1], "Archived"]
    assert narrow.get("['tabs-earlier', 'tabs-later'].every(name => root.querySelector(`[part~=${name}]`).tabIndex === -1)")
    assert narrow.page.axe() == []


def test_the_chosen_one_is_in_sight_wherever_the_panel_opens(open_bell, stub, person):
    person.add("Hello")
    bell = open_bell(TABS.replace('layout="inline"', ""), emulate={"viewport": (320, 640)}).open()
    bell.get("[...parts('tab')].at(-1).click()")
    wait_until(lambda: "archived" in in_sight(bell), "it is in sight")
    bell.page.press("Escape")
    bell.wait_for("!isOpen()")
    bell.open()
    wait_until(lambda: "archived" in in_sight(bell), "it is in sight again")
    bell.page.emulate(viewport=(360, 640))
    wait_until(lambda: "archived" in in_sight(bell), "so it is in a wider window")


def test_choosing_one_does_not_move_the_page(open_bell, stub, person):
    person.add("Hello")
    bell = open_bell(TABS, emulate={"viewport": (320, 400)})
    bell.get("document.body.style.paddingBottom = '2000px', scrollTo(0, 1500)")
    before = bell.get("scrollY")
    bell.get("[...root.querySelectorAll('[role=tab]')].at(-1).click()")
    bell.wait_for("shown('tab-selected')?.dataset.tab === 'archived'")
    assert bell.get("scrollY") == before > 0


def test_tabs_that_fit_have_no_arrows(open_bell, stub, person):
    bell = open_bell('layout="inline" tabs="all, unread"', emulate={"viewport": (320, 640)})
    bell.wait_for("shown('filter')")
    assert arrows(bell) == [0, 0]


def test_a_name_longer_than_the_window_is_cut(open_bell, stub, person):
    name = "A category with a name that is far longer than any window of a phone is wide"
    bell = open_bell(f'layout="inline" tabs="all, {name}"', emulate={"viewport": (320, 640)})
    bell.wait_for("parts('tab').length === 2")
    assert bell.get("parts('tab')[1].getBoundingClientRect().width <= shown('tabs').clientWidth + 1")


# The filter


def test_beside_many_tabs_it_is_an_icon_that_works_all_the_same(narrow, person):
    person.add("Paid", kind="AllowanceDeposit")
    narrow.shows("Paid", "Hello")
    assert narrow.page.box(narrow.part("filter"))[2:] == [32, 32]
    for _ in range(20):
        narrow.page.press("Tab")
        if narrow.get("root.activeElement === shown('filter')"):
            break
    assert narrow.page.focused().name == "Filter"
    frame = "(({ outlineStyle, color }) => [outlineStyle, color])(getComputedStyle(shown('filter').parentElement))"
    outline, colour = narrow.get(frame)
    assert outline == "solid"
    # As somebody who writes the first letters of it.
    narrow.page.press("A", "l")
    narrow.shows("Paid")
    assert narrow.get(frame)[1] != colour
    assert narrow.page.axe() == []


def offered(bell):
    return bell.get("[...root.querySelector('[part~=filter]')?.options ?? []].map(({ value }) => value)")


def own_catalogue(*types):
    """Code, name and category of each."""
    return [(code, name, category, (True, True, False)) for code, name, category in types]


@pytest.fixture
def filter_of(open_bell, stub, person):
    def open(*types, attributes='layout="inline"'):
        stub.api.catalogue = own_catalogue(*types)
        bell = open_bell(attributes)
        # The catalogue was asked for and answered.
        bell.wait_for("performance.getEntriesByType('resource').some(({ name }) => name.includes('/catalogue'))")
        return bell

    return open


def test_it_has_what_the_catalogue_has_and_nothing_else(filter_of):
    bell = filter_of((1, "OrderShipped", "Orders"), (2, "OrderPaid", "Orders"), (3, "News", "Shop"))
    wait_until(lambda: offered(bell) == ["", "Orders", "Shop", "archived", "snoozed"], "these are offered")


def test_of_one_category_it_offers_the_types(filter_of, person):
    bell = filter_of((1, "OrderShipped", "Orders"), (2, "OrderPaid", "Orders"))
    wait_until(lambda: offered(bell) == ["", "type:OrderShipped", "type:OrderPaid", "archived", "snoozed"], "these are offered")
    assert bell.get("[...shown('filter').querySelectorAll('optgroup')].map(({ label }) => label)") == ["Types in Orders", "Put aside"]


def test_one_category_beside_types_without_one_is_a_choice(filter_of):
    bell = filter_of((1, "OrderShipped", "Orders"), (2, "News", None))
    wait_until(lambda: offered(bell) == ["", "Orders", "archived", "snoozed"], "these are offered")


@pytest.mark.parametrize("types", [[], [(1, "News", None)], [(1, "News", "Shop")]], ids=["nothing", "no category", "one type"])
def test_without_a_choice_of_categories_it_is_for_what_was_put_aside(filter_of, types):
    bell = filter_of(*types)
    wait_until(lambda: offered(bell) == ["", "archived", "snoozed"], "these are offered")
    assert bell.get("[...shown('filter').querySelectorAll('optgroup')].map(({ label }) => label)") == ["Put aside"]


def test_without_any_choice_it_is_gone(filter_of):
    bell = filter_of((1, "News", "Shop"), attributes='layout="inline" tabs="all, archived, snoozed"')
    wait_until(lambda: offered(bell) == [""], "nothing is offered")
    assert bell.get("shown('filter')") is None


def test_another_catalogue_is_seen_when_the_panel_opens_again(open_bell, stub, person):
    person.add("Paid", kind="AllowanceDeposit")
    bell = open_bell(clock=True).open()
    wait_until(lambda: "Allowance" in offered(bell), "it is the old one")
    bell.get("(node => { node.value = 'Allowance'; node.dispatchEvent(new Event('change')); })(shown('filter'))")
    bell.page.press("Escape")
    bell.wait_for("!isOpen()")
    stub.api.catalogue = own_catalogue((1, "OrderShipped", "Orders"), (3, "News", "Shop"))
    bell.page.advance(61)
    bell.open()
    wait_until(lambda: offered(bell) == ["", "Orders", "Shop", "archived", "snoozed"], "it is the new one")
    # What was chosen is no more.
    bell.shows("Paid")
    assert bell.get("shown('filter').value") == ""


def test_many_long_categories_leave_room_for_the_tabs(open_bell, stub, person):
    stub.api.catalogue = own_catalogue(*((number, f"Type{number}", f"A category with a rather long name, number {number}") for number in range(1, 41)))
    bell = open_bell('layout="inline" tabs="all, unread"', emulate={"viewport": (320, 640)})
    wait_until(lambda: len(offered(bell)) == 43, "all are offered")
    bell.get("(node => { node.value = node.options[40].value; node.dispatchEvent(new Event('change')); })(shown('filter'))")
    bell.wait_for("text('empty')")
    assert bell.get("shown('filter').getBoundingClientRect().width") <= 152
    assert bell.get("document.documentElement.scrollWidth") <= 320
    assert in_sight(bell)[0] == "all"
