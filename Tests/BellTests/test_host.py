"""What the page around it can change: language, texts, looks, and what happens on a click."""

import pytest

from stub.gateway import SOURCES, sources
from world import wait_until


def test_german(open_bell, stub, person):
    person.add("Hallo", age=3 * 3600)
    bell = open_bell('layout="inline"', language="de")
    bell.wait_for("text('mark-all') === 'Alle gelesen' && text('item-time') === 'vor 3 Stunden'")
    assert bell.get("[...root.querySelectorAll('[role=tab]')].map(tab => tab.textContent)")[0] == "Alle"


def test_a_locale_of_its_own(open_bell, person):
    bell = open_bell('locale="de-AT"', language="en").open()
    bell.wait_for("text('empty') === 'Noch keine Mitteilungen'")


def test_other_texts_and_plurals(open_bell, person):
    person.fill(2)
    setup = """document.querySelector('belfry-bell').messages = {
      title: 'Post', unreadName: { one: '{count} letter', other: '{count} letters' } };"""
    bell = open_bell(setup=setup)
    bell.page.accessibility().find("button", "2 letters")
    person.rest("PATCH", f"/api/v1/notifications/{person.listed()[0]['id']}/read")
    wait_until(lambda: bell.page.accessibility().all("button", "1 letter"), "there is one")
    bell.open()
    bell.page.accessibility().find("dialog", "Post")
    bell.get("bell.messages = { title: 'Mail' }")
    wait_until(lambda: bell.page.accessibility().all("dialog", "Mail"), "it has another name")


def test_every_text_is_there_in_both_languages(open_bell, stub):
    for file in sources():
        stub.site.files[f"/sources/{file.relative_to(SOURCES)}"] = (file.read_text(), "text/javascript")
    names = """Promise.all(['languages/texts', 'view/extras', 'languages/de'].map(name => import(`/sources/${name}.js`))).then(([texts, extras, { german }]) =>
      [Object.keys({ ...texts.english, ...extras.english }).sort(), Object.keys(german).sort()])"""
    english, german = open_bell().get(names)
    assert german == english
    document = (SOURCES.parents[2] / "docs/bell.md").read_text()
    assert [key for key in english if f"`{key}`" not in document] == []


def test_right_to_left(open_bell, person):
    person.add("Hello")
    bell = open_bell('layout="inline"', direction="rtl")
    bell.shows("Hello")
    icon, title = bell.get("['item-icon', 'item-title'].map(name => shown(name).getBoundingClientRect().left)")
    assert icon > title
    remove = bell.get("row('Hello').querySelector('[part~=remove]').getBoundingClientRect().left")
    assert remove < title


def test_dark(open_bell, person):
    person.add("Hello")
    light = open_bell('layout="inline"', emulate={"dark": False})
    dark = open_bell('layout="inline"', emulate={"dark": True})
    background = """(() => {
      const [red, green, blue] = getComputedStyle(shown('panel')).backgroundColor.match(/[\\d.]+/g).map(Number);
      return red + green + blue;
    })()"""
    assert light.get(background) > 600 > 200 > dark.get(background)
    # The page may decide for itself.
    light.get("bell.theme = 'dark'")
    light.wait_for(f"{background} < 200")


def test_properties_and_parts(open_bell, person):
    person.fill(1)
    bell = open_bell('layout="inline"', setup="""
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`belfry-bell { --belfry-bg: rgb(1, 2, 3); --belfry-fg: rgb(4, 5, 6); --belfry-radius: 7px; }
        belfry-bell::part(item-title) { letter-spacing: 3px; }`);
      document.adoptedStyleSheets = [sheet];""")
    bell.wait_for("shown('item-title')")
    assert bell.get("getComputedStyle(shown('panel')).backgroundColor") == "rgb(1, 2, 3)"
    assert bell.get("getComputedStyle(shown('item-title')).letterSpacing") == "3px"


PARTS = {
    "": ["button", "icon", "badge"],
    'layout="inline" tabs="all, unread" preferences': [
        "panel", "header", "mark-all", "tabs", "tab", "list", "item", "item-unread", "item-title", "item-body", "item-time",
        "action", "remove",
    ],
}  # fmt: skip


@pytest.mark.parametrize("attributes", PARTS)
def test_the_parts_are_there(open_bell, stub, person, attributes):
    person.add("Hello", "We are here.", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")])
    bell = open_bell(attributes)
    bell.wait_for("bell.notifications.length === 1 || !bell.hasAttribute('layout')")
    assert bell.get("names => names.filter(name => !root.querySelector(`[part~=${name}]`))", PARTS[attributes]) == []


def test_a_page_that_routes_by_itself_prevents_the_link(open_bell, stub, person):
    person.add("Go", data={"url": "/orders/7"})
    bell = open_bell('layout="inline"')
    bell.get("addEventListener('belfry-click', event => { event.preventDefault(); globalThis.route = event.detail.url; }), null")
    bell.page.click(f"{bell.row('Go')} a")
    bell.wait_for("globalThis.route === '/orders/7'")
    assert "/orders" not in bell.get("location.pathname")
    wait_until(lambda: person.unread == 0, "it is read all the same")


def test_without_that_the_link_is_followed(open_bell, stub, person):
    person.add("Go", data={"url": "/orders/7"})
    stub.site.put("/orders/7", "<!doctype html><title>Order</title>")
    bell = open_bell('layout="inline"')
    bell.page.click(f"{bell.row('Go')} a")
    bell.wait_for("location.pathname === '/orders/7'")
    wait_until(lambda: person.unread == 0, "it is read although the page was left")


def test_a_prevented_action_is_the_pages_own(open_bell, stub, person):
    person.add("Goal", kind="GoalProgress", actions=[("VIEW_GOALS", "View goals")])
    bell = open_bell('layout="inline"')
    bell.get("addEventListener('belfry-action', event => event.preventDefault()), null")
    bell.page.click(f"{bell.row('Goal')} [data-action=VIEW_GOALS]")
    bell.wait_for("heard.some(([name]) => name === 'action')")
    person.rest("POST", "/api/v1/notifications/read")
    bell.agrees()
    assert person.inbox.acted == []


def test_a_prevented_notification_is_not_announced(open_bell, person):
    bell = open_bell()
    bell.get("addEventListener('belfry-notification', event => event.detail.notification.title === 'Hello' && event.preventDefault()), null")
    person.add("Hello")
    bell.agrees()
    person.add("Other")
    # Not of two.
    bell.wait_for("root.querySelector('[role=status]').textContent === 'New notification: Other'")


def test_events_of_the_catalogue_reach_the_page(open_bell, stub, person):
    bell = open_bell()
    stub.server_loop.do(lambda: stub.connections.publish(person, "BalanceUpdated", "child", 47))
    bell.wait_for("heard.some(([name]) => name === 'event')")
    assert bell.heard("event") == [{"name": "BalanceUpdated", "arguments": ["child", 47]}]


def test_a_renderer_of_the_page_can_act(open_bell, person):
    person.fill(2)
    setup = """document.querySelector('belfry-bell').renderItem = (notification, { markAsRead }) => {
      const own = document.createElement('button');
      own.part = 'item-title';
      own.textContent = notification.title;
      own.onclick = event => { event.stopPropagation(); markAsRead(); };
      return own;
    };"""
    bell = open_bell('layout="inline"', setup=setup)
    bell.page.click(f"{bell.row('Number 2')} button")
    wait_until(lambda: person.unread == 1, "it is read")
    bell.agrees()


def test_many_bells_in_a_page_and_one_made_by_a_script(open_bell, world, person):
    person.fill(2)
    bell = open_bell()
    bell.get("document.querySelector('main').append(bell.cloneNode())")
    bell.wait_for("[...document.querySelectorAll('belfry-bell')].every(each => each.unreadCount === 2)")


def advice(bell):
    return [line for line in bell.page.console if "belfry-bell:" in line]


def test_a_bell_that_nobody_gave_a_token_says_so_in_the_console(open_bell, stub, world, person):
    bell = open_bell(body=f'<belfry-bell hub="{world.hub}"></belfry-bell>', wait=False)
    bell.wait_for("bell.state === 'unauthorized'")
    wait_until(lambda: advice(bell), "it is said")
    bell.open()
    assert advice(bell) == ["warning: belfry-bell: nobody is signed in, for it has no token-url, no tokenProvider and no token"]


def test_unknown_keys_of_messages_are_named_in_the_console(open_bell, person):
    setup = "document.querySelector('belfry-bell').messages = { titel: 'Post', title: 'Post', removed: 'Gone', Allowance: 'Pocket money' };"
    bell = open_bell('tabs="all, Allowance"', setup=setup).open()
    wait_until(lambda: advice(bell), "it is said")
    assert advice(bell) == ["warning: belfry-bell: messages has an unknown key: titel"]
    bell.get("bell.messages = { emtpy: 'Nothing' }, null")
    wait_until(lambda: len(advice(bell)) == 2, "later ones, too")
    assert advice(bell)[1].endswith("unknown key: emtpy")
