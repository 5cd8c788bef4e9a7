"""The list: times, tabs, filters, pages, and what comes while somebody reads."""

import pytest

from world import wait_until


def test_times_stay_true(open_bell, stub, person):
    person.add("Old", age=3 * 3600 + 50 * 60)
    person.add("New")
    bell = open_bell('layout="inline"', clock=True)
    bell.shows("New", "Old")
    time = "title => row(title).querySelector('[part~=item-time]').textContent"
    assert [bell.get(time, title) for title in ("New", "Old")] == ["Just now", "3 hours ago"]
    bell.page.advance(61)
    bell.wait_for(f"({time})('New') === '1 minute ago'")
    bell.page.advance(660)
    bell.wait_for(f"({time})('New') === '12 minutes ago' && ({time})('Old') === '4 hours ago'")


def test_tabs(open_bell, person):
    person.add("Read")
    person.rest("POST", "/api/v1/notifications/read")
    person.add("Unread")
    bell = open_bell('layout="inline" tabs="all, unread"')
    bell.shows("Unread", "Read")
    bell.tab("Unread")
    bell.shows("Unread")
    person.add("Newer")
    bell.shows("Newer", "Unread")
    bell.tab("All")
    bell.shows("Newer", "Unread", "Read")


def test_a_filter_by_category_and_type(open_bell, stub, person):
    person.add("Goal", kind="GoalProgress")
    person.add("Paid", kind="AllowanceDeposit")
    person.add("Paused", kind="AllowancePaused")
    bell = open_bell('layout="inline" tabs="all, unread"')
    bell.shows("Paused", "Paid", "Goal")
    choose = """value => {
      const select = shown('filter');
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }"""
    bell.wait_for("[...shown('filter').options].some(({ value }) => value === 'Allowance')")
    bell.get(choose, "Allowance")
    bell.shows("Paused", "Paid")
    bell.wait_for("[...shown('filter').options].some(({ value }) => value === 'type:AllowanceDeposit')")
    bell.get(choose, "type:AllowanceDeposit")
    bell.shows("Paid")
    person.add("Paid again", kind="AllowanceDeposit")
    person.add("Another goal", kind="GoalProgress")
    bell.shows("Paid again", "Paid")
    bell.get(choose, "")
    bell.shows("Another goal", "Paid again", "Paused", "Paid", "Goal")


def test_the_list_goes_on_where_it_is_scrolled_to(open_bell, person):
    person.fill(120)
    bell = open_bell('layout="inline"', times={"seen": 100})
    bell.wait_for("rows()[0] === 'Number 120'")
    bell.page.move_to(bell.part("list"))

    def turn():
        bell.page.wheel(2000)
        return bell.get("rows().at(-1) === 'Number 1'")

    wait_until(turn, "the last one is there")
    assert bell.get("bell.notifications.length") == 120
    bell.agrees()


def test_pages_are_as_small_as_the_gateway_says(open_bell, stub, person):
    """That comes with the hub's address; a page that was asked for before is asked for again."""
    stub.api.limits = {"pageSize": 7, "notificationIds": 3}
    person.fill(30)
    bell = open_bell(body=f'<belfry-bell token-url="/token/{person.id}" layout="inline"></belfry-bell>')
    bell.wait_for("rows()[0] === 'Number 30'")
    bell.page.move_to(bell.part("list"))

    def turn():
        bell.page.wheel(2000)
        return bell.get("rows().at(-1) === 'Number 1'")

    wait_until(turn, "the last one is there")
    bell.agrees()


def test_nothing_moves_under_who_reads(open_bell, person):
    person.fill(60)
    bell = open_bell('layout="inline"')
    bell.wait_for("rows()[0] === 'Number 60'")
    bell.page.move_to(bell.part("list"))
    bell.page.wheel(900)
    bell.wait_for("rows()[0] !== 'Number 60' || row('Number 60').getBoundingClientRect().bottom < 0")
    middle = bell.get("rows()[Math.floor(rows().length / 2)]")
    top = "title => Math.round(row(title).getBoundingClientRect().top)"
    settled = bell.get(top, middle)
    person.add("New")
    bell.wait_for("shown('pill')?.textContent.includes('1')")
    assert abs(bell.get(top, middle) - settled) <= 1
    bell.page.click(bell.part("pill"))
    bell.wait_for("rows()[0] === 'New' && row('New').getBoundingClientRect().top >= 0 && !shown('pill')")
    bell.agrees()


def test_own_renderers(open_bell, person):
    person.add("Hello", "We are here.")
    setup = """
      document.querySelector('belfry-bell').renderItem = notification => {
        const own = document.createElement('p');
        own.part = 'item-title';
        own.textContent = `★ ${notification.title}`;
        return own;
      };"""
    bell = open_bell('layout="inline"', setup=setup)
    bell.shows("★ Hello")
    # One that throws leaves a row that can be read.
    bell.get("addEventListener('belfry-error', ({ detail }) => { globalThis.reported = detail.error.message; }), null")
    bell.get("bell.renderItem = () => { throw new Error('mine') }")
    person.add("Next")
    bell.wait_for("row('Next')")
    assert bell.get("reported") == "mine"


def test_texts_are_texts(open_bell, person):
    markup = "<img src=x onerror=alert(1)><b>bold</b>"
    person.add(markup, markup)
    bell = open_bell('layout="inline"')
    bell.shows(markup)
    assert bell.get("root.querySelectorAll('img, b').length") == 0


@pytest.mark.parametrize(
    "link, expected",
    [("https://example.org/a", "https://example.org/a"), ("/orders/7", "{origin}/orders/7"), ("javascript:alert(1)", None)],
)
def test_links_lead_to_web_pages_only(open_bell, stub, person, link, expected):
    person.add("Link", data={"url": link})
    bell = open_bell('layout="inline"')
    bell.shows("Link")
    href = bell.get("row('Link').querySelector('a')?.href ?? null")
    assert href == (expected and expected.format(origin=stub.site.origin))


def test_slots(open_bell, world, person):
    body = (
        f'<belfry-bell hub="{world.hub}" token-url="/token/{person.id}" layout="inline">'
        '<p slot="header">Our news</p><p slot="empty">All quiet</p><p slot="footer">See all</p></belfry-bell>'
    )
    bell = open_bell(body=body)
    bell.wait_for("[...document.querySelectorAll('belfry-bell > p')].every(own => own.getBoundingClientRect().height > 0)")


def test_what_cannot_be_loaded_is_said_and_tried_again(open_bell, stub, person):
    person.add("Hello")
    stub.fail("GET /api/v1/notifications", status=500)
    # It would try again by itself, but not before this test is over.
    times = {"retryMinimum": 60_000, "retryMaximum": 60_000}
    bell = open_bell('layout="inline"', setup="Math.random = () => 0.9;", wait=False, times=times)
    # It asks again once it is connected, and fails again.
    bell.wait_for("bell.state === 'connected'")
    bell.get("new Promise(done => setTimeout(done, 100)).then(() => true)")
    bell.wait_for("text('error').includes('could not be loaded')")
    stub.end_faults()
    bell.page.click(f"{bell.part('error')} button")
    bell.shows("Hello")
    bell.agrees()
