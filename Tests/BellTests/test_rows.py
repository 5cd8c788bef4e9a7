"""What a row shows beside its words: pictures, what a digest gathers, and the parts that the page renders."""

import json

import pytest

from host import POLICY
from pictures import HOST, Pictures
from world import wait_until

ALLOWED = f"{POLICY}; img-src {HOST}"
BOX = """(title, part) => {
  const { left, top, width, height } = (part ? row(title).querySelector(`[part~=${part}]`) : row(title)).getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
}"""
IS_LOADED = "(title, part) => row(title)?.querySelector(`[part~=${part}]`)?.naturalWidth > 0"
HAS_NO_PICTURE = "title => row(title) && !row(title).querySelector('img')"


@pytest.fixture
def pictures(open_bell, stub):
    """Opens a page whose policy allows pictures of one server, and gives the bell and that server."""

    def open(attributes="", policy=ALLOWED, **more):
        bell = open_bell(f'layout="inline" {attributes}', policy=policy, **more)
        return bell, Pictures(bell.page)

    return open


def test_an_avatar_is_where_the_icon_was(pictures, person):
    bell, server = pictures()
    person.add("Plain")
    person.add("Ann", data={"avatar": f"{HOST}/ann.png"})
    bell.wait_for(IS_LOADED, "Ann", "item-avatar")
    assert bell.get(BOX, "Ann", "item-icon")[2:] == bell.get(BOX, "Ann", "item-avatar")[2:] == [38, 38]
    assert bell.get(BOX, "Ann", None)[3] == bell.get(BOX, "Plain", None)[3]
    assert bell.get(BOX, "Ann", "item-title")[0] == bell.get(BOX, "Plain", "item-title")[0]


def test_a_picture_has_its_place_before_it_is_there(pictures, person):
    bell, server = pictures(emulate={"viewport": (400, 700)})
    gate = "title => row(title)?.querySelector('[part~=item-image]') && true"
    # Its place is asked for in the frame that draws the row: the answer takes longer than that.
    bell.get("""globalThis.before = null, new MutationObserver(() => {
      const image = root.querySelector('[part~=item-image]');
      if (image && !before) before = [image.complete && image.naturalWidth > 0, Math.round(image.closest('[part~=item]').getBoundingClientRect().height)];
    }).observe(root, { childList: true, subtree: true }), null""")
    person.add("Look", "A picture", data={"image": f"{HOST}/look.png"})
    bell.wait_for(gate, "Look")
    bell.wait_for(IS_LOADED, "Look", "item-image")
    assert bell.get("before") == [False, bell.get(BOX, "Look", None)[3]]
    width, height = bell.get(BOX, "Look", "item-image")[2:]
    assert abs(width / height - 2) < 0.05 and width <= 400


def test_pictures_are_asked_for_late_and_say_nothing_of_the_page(pictures, person):
    bell, server = pictures()
    person.add("Ann", data={"avatar": f"{HOST}/a.png", "image": f"{HOST}/b.png"})
    bell.wait_for(IS_LOADED, "Ann", "item-image")
    attributes = """[...row('Ann').querySelectorAll('img')].map(({ loading, decoding, referrerPolicy, alt }) => [loading, decoding, referrerPolicy, alt])"""
    assert bell.get(attributes) == [["lazy", "async", "no-referrer", ""]] * 2
    assert len(server.requests) == 2
    assert all("Referer" not in request["headers"] for request in server.requests)


def test_pictures_far_below_are_not_asked_for(pictures, person):
    bell, server = pictures()
    person.fill(200, data={"avatar": f"{HOST}/far.png"})
    person.add("Near", data={"avatar": f"{HOST}/near.png"})
    bell.get("bell.refresh()")
    bell.wait_for(IS_LOADED, "Near", "item-avatar")
    assert bell.get("root.querySelectorAll('img').length") < 80


@pytest.mark.parametrize(
    "address",
    ["http://pictures.example/a.png", "javascript:alert(1)", "data:image/png;base64,AAAA", "blob:https://pictures.example/1", "//pictures.example/a.png",
     "/a.png", "", 7, "https://", "ftp://pictures.example/a.png"],
)  # fmt: skip
def test_only_full_addresses_of_https_are_pictures(open_bell, stub, person, address):
    person.add("Odd", data={"avatar": address, "image": address})
    bell = open_bell('layout="inline"')
    bell.shows("Odd")
    assert bell.get(HAS_NO_PICTURE, "Odd")


def looks_plain(bell, title):
    """A row whose pictures were taken away is as one that never had any."""
    bell.wait_for(HAS_NO_PICTURE, title)
    bell.wait_for(f"title => ({BOX})(title, null)[3] === ({BOX})('Plain', null)[3]", title)
    assert bell.get("title => row(title).querySelector('[part~=item-icon] svg').checkVisibility()", title)


def test_a_broken_picture_leaves_the_row_as_it_was(pictures, person):
    bell, server = pictures()
    person.add("Plain", "Text")
    person.add("Broken", "Text", data={"avatar": f"{HOST}/missing-1.png", "image": f"{HOST}/missing-2.png"})
    looks_plain(bell, "Broken")
    assert {request["url"] for request in server.requests} == {f"{HOST}/missing-1.png", f"{HOST}/missing-2.png"}
    # Drawn again it does not ask again at once.
    asked = len(server.requests)
    bell.page.click(bell.row("Broken"))
    wait_until(lambda: person.unread == 1, "it is read")
    looks_plain(bell, "Broken")
    assert len(server.requests) == asked


@pytest.mark.parametrize("policy", [POLICY, f"{POLICY}; img-src 'self'"], ids=["none", "others"])
def test_the_pages_policy_has_the_last_word(pictures, person, policy):
    bell, server = pictures(policy=policy)
    person.add("Plain", "Text")
    person.add("Refused", "Text", data={"avatar": f"{HOST}/a.png", "image": f"{HOST}/b.png"})
    looks_plain(bell, "Refused")
    assert server.requests == []
    wait_until(lambda: bell.page.violations, "the browser reports what it refused")
    bell.page.violations.clear()


def test_a_row_that_is_drawn_again_keeps_its_pictures(pictures, person):
    bell, server = pictures()
    person.add("Ann", data={"avatar": f"{HOST}/ann.png", "image": f"{HOST}/two.png"})
    bell.wait_for(IS_LOADED, "Ann", "item-image")
    bell.get("globalThis.shownBefore = [...row('Ann').querySelectorAll('img')], null")
    bell.page.click(bell.row("Ann"))
    bell.wait_for("row('Ann').matches(':not([part~=item-unread])')")
    assert bell.get("[...row('Ann').querySelectorAll('img')].every((image, at) => image === shownBefore[at] && image.complete)")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_rich_rows(pictures, person, dark):
    bell, server = pictures(emulate={"viewport": (390, 800), "dark": dark})
    person.add("Ann", "Look at this", data={"avatar": f"{HOST}/ann.png", "image": f"{HOST}/look.png"})
    person.add("12 orders", data={"count": 12, "titles": "One\nTwo\nThree\nFour", "avatar": f"{HOST}/shop.png"})
    bell.wait_for(IS_LOADED, "12 orders", "item-avatar")
    assert bell.page.axe() == []


# Digests


def test_a_digest_says_how_many_and_what_it_gathers(open_bell, stub, person):
    person.add("12 new orders", "Since this morning", data={"count": 12, "titles": "Ann: 2 shirts\nBen: a hat\nCara: socks\nDan: a coat"})
    bell = open_bell('layout="inline"')
    bell.shows("12 new orders")
    assert bell.get("text('item-count')") == "12"
    assert bell.get("[...shown('item-gathered').children].map(line => line.textContent)") == [
        "Ann: 2 shirts", "Ben: a hat", "Cara: socks", "and 9 more",
    ]  # fmt: skip
    assert bell.get("text('item-body')") == "Since this morning"
    tree = bell.page.accessibility().find("article", "Unread: 12 new orders")
    tree.find("image", "12 notifications in one")
    assert len(tree.all("listitem")) == 4


def test_a_digest_from_right_to_left(open_bell, stub, person):
    person.add("Many", data={"count": 120, "titles": "One\nTwo"})
    bell = open_bell('layout="inline"', direction="rtl")
    bell.shows("Many")
    ends = """(() => {
      const range = document.createRange();
      range.selectNodeContents(shown('item-gathered').firstChild);
      return [range.getBoundingClientRect().right, shown('item-gathered').getBoundingClientRect().right];
    })()"""
    text, list = bell.get(ends)
    assert list - 20 < text < list
    assert bell.get("getComputedStyle(shown('item-count')).direction") == "ltr"


@pytest.mark.parametrize(
    "body, data, body_shown, lines",
    [
        # As a composition words it: one line of titles, which the text has.
        ("One, Two and 7 more", {"count": 9, "titles": "One, Two", "others": 7}, True, []),
        ("", {"count": 9, "titles": "One, Two", "others": 7}, False, ["One, Two", "and 7 more"]),
        ("", {"count": 9, "titles": "One, Two", "others": "1e300"}, False, ["One, Two"]),
        # The same text need not be there twice.
        ("One\nTwo", {"count": 2, "titles": "One\nTwo"}, False, ["One", "Two"]),
        ("", {"count": 120, "titles": "One\n\n Two \n"}, False, ["One", "Two", "and 118 more"]),
        # Fewer than it names.
        ("", {"count": 2, "titles": "One\nTwo\nThree\nFour"}, False, ["One", "Two", "Three"]),
    ],
)
def test_a_digest_says_nothing_twice(open_bell, stub, person, body, data, body_shown, lines):
    person.add("Several", body, data=data)
    bell = open_bell('layout="inline"')
    bell.shows("Several")
    assert bell.get("text('item-count')") == ("99+" if data["count"] > 99 else str(data["count"]))
    assert bell.get("[...shown('item-gathered')?.children ?? []].map(line => line.textContent)") == lines
    assert bell.get("shown('item-body') !== undefined") is body_shown


@pytest.mark.parametrize("data", [{"count": 5}, {"titles": "One\nTwo"}, {"count": 1, "titles": "One"}, {"count": "many", "titles": "One"}, {"count": 2.5, "titles": "One"}, {"count": "1e308", "titles": "One"}, {"count": 1_000_001, "titles": "One"}])
def test_what_stands_for_itself_is_no_digest(open_bell, stub, person, data):
    person.add("One", data=data)
    bell = open_bell('layout="inline"')
    bell.shows("One")
    assert bell.get("root.querySelectorAll('[part~=item-count], [part~=item-gathered]').length") == 0


# Data


def test_data_comes_as_an_object_with_numbers(open_bell, stub, person):
    data = {"percent": 80, "price": 1.5, "isNew": True, "zip": "01234", "__proto__": "own", "nothing": None}
    person.add("Hello", data=data)
    bell = open_bell()
    expected = "JSON.stringify(Object.entries(bell.notifications[0]?.data ?? {}).sort())"
    bell.wait_for("bell.notifications.length === 1")
    assert bell.get(f"JSON.parse({expected})") == sorted([name, value] for name, value in data.items())
    person.add("Live", data={"percent": 81})
    bell.wait_for("bell.notifications[0].data.percent === 81")


def test_digits_that_a_number_cannot_hold_stay_a_text(open_bell, stub, person):
    data = {"order": 12345678901234567890, "least": -(2**53) - 1, "largest": 2**53 - 1, "account": "12345678901234567890"}
    person.add("Hello", data=data)
    bell = open_bell()
    bell.wait_for("bell.notifications.length === 1")
    assert bell.get("bell.notifications[0].data") == {**data, "order": str(data["order"]), "least": str(data["least"])}


def test_a_number_that_was_sent_otherwise_than_javascript_writes_it_stays_a_text(open_bell, stub, person):
    id = person.add("Price", data={"price": 1})
    sent = {"price": "19.90", "share": "0.12345678901234567891", "half": "0.5", "big": "1e3"}
    number = {name: float(text) for name, text in sent.items()}
    person.do(lambda inbox: inbox.rows[id].update(data=json.dumps(sent), dataObject=number))
    bell = open_bell()
    bell.wait_for("bell.notifications.length === 1")
    assert bell.get("bell.notifications[0].data") == {**sent, "half": 0.5}


def test_of_a_server_of_an_earlier_release_data_is_what_its_text_says(open_bell, stub, person):
    id = person.add("3 orders", data={"count": 3, "titles": "One\nTwo\nThree"})
    person.do(lambda inbox: inbox.rows[id].pop("dataObject"))
    bell = open_bell('layout="inline"')
    bell.shows("3 orders")
    assert bell.get("bell.notifications[0].data") == {"count": "3", "titles": "One\nTwo\nThree"}
    assert bell.get("text('item-count')") == "3"


@pytest.mark.parametrize("text", ["no JSON", "7", "null", "[]", '"text"'])
def test_data_that_is_no_object_is_empty(open_bell, stub, person, text):
    id = person.add("Odd")
    person.do(lambda inbox: inbox.rows[id].update(data=text))
    bell = open_bell('layout="inline"')
    bell.shows("Odd")
    assert bell.get("typeof bell.notifications[0].data") == "object"


# Parts that the page renders

PARTS = """document.querySelector('belfry-bell').renderItem = ({ title }) => {
  if (title !== 'Own') return null;
  const content = document.createElement('p');
  content.part = 'item-title';
  content.textContent = title;
  return PARTS;
};"""


def test_content_of_the_pages_own_keeps_dot_alignment_and_buttons(open_bell, stub, person):
    person.add("Usual", "Text", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")])
    person.add("Own", "Text", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")], data={"url": "/orders/7"})
    bell = open_bell('layout="inline"', setup=PARTS.replace("PARTS", "{ content }"))
    bell.shows("Own", "Usual")
    for part in ("dot", "item-icon", "item-title", "remove"):
        own, usual = (bell.get(BOX, title, part) for title in ("Own", "Usual"))
        assert own[0] == usual[0], part
    assert bell.get("row('Own').querySelector('[part~=item-body], [part~=item-title] a')") is None
    bell.click_in("Own", "[part~=action]")
    wait_until(lambda: len(person.inbox.acted) == 1, "its button works")
    bell.wait_for("!row('Own').querySelector('[part~=dot]')")
    # What it leads to is what it would lead to.
    bell.get("addEventListener('belfry-click', event => { event.preventDefault(); globalThis.route = event.detail.url; }), null")
    bell.page.click(f"{bell.row('Own')} p")
    bell.wait_for("globalThis.route === '/orders/7'")


@pytest.mark.parametrize(
    "parts, there",
    [
        ("{ content, icon: null }", ["item-time", "action"]),
        ("{ content, meta: null }", ["item-icon", "action"]),
        ("{ content, actions: null, icon: new Text('★') }", ["item-icon", "item-time"]),
        ("{ content, meta: undefined }", ["item-icon", "item-time", "action"]),
        # The whole row, as ever: nothing beside it.
        ("content", []),
    ],
)
def test_each_part_is_the_pages_or_ours_or_left_out(open_bell, stub, person, parts, there):
    person.add("Own", "Text", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")])
    bell = open_bell('layout="inline"', setup=PARTS.replace("PARTS", parts))
    bell.shows("Own")
    assert bell.get("['item-icon', 'item-time', 'action'].filter(part => row('Own').querySelector(`[part~=${part}]`))") == there
    assert bell.get("!!row('Own').querySelector('[part~=dot]')") is (parts != "content")
    if "★" in parts:
        assert bell.get("text('item-icon')") == "★"


@pytest.mark.parametrize("answer", ["true", "'text'", "7", "Promise.resolve()", "{}", "undefined"])
def test_an_answer_that_names_no_part_leaves_the_row_as_it_is(open_bell, stub, person, answer):
    person.add("Own", "Text")
    bell = open_bell('layout="inline"', setup=f"document.querySelector('belfry-bell').renderItem = () => ({answer});")
    bell.shows("Own")
    assert bell.get("[text('item-body'), parts('item-icon').length]") == ["Text", 1]
