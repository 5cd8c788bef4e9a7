"""How the pages look and work in a browser: on a phone, in the dark, under a strict policy, without a server."""

import pytest

PICTURES = ["index", "sending", "api/sending", "configuration"]
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def test_no_page_is_wider_than_a_phone(context, server, pages):
    """At 360 px, what is wide scrolls by itself. On the way: nothing is stopped by the policy, nothing fails, nothing is loaded from elsewhere."""
    page = context.page(f"{server}/index.html")
    page.emulate(viewport=(360, 740))
    wide = {}
    # A file of the repository is one block, which all pages have.
    for name in [name for name in pages if not name.startswith("files/")]:
        page.open(f"{server}/{name}")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 360:
            wide[name] = width
        hosts = page.evaluate("performance.getEntriesByType('resource').map(entry => new URL(entry.name).origin)")
        assert set(hosts) == {server}, name
    assert wide == {}
    assert page.violations == []
    assert page.errors == []
    assert page.failures == []


def test_what_is_wide_can_be_scrolled(context, server):
    page = context.page(f"{server}/configuration.html")
    page.emulate(viewport=(360, 740))
    assert page.evaluate(
        """[...document.querySelectorAll("article table")].every(table => {
          const wrapper = table.parentElement;
          if (wrapper.scrollWidth <= wrapper.clientWidth) return true;
          wrapper.scrollLeft = 20;
          return wrapper.scrollLeft == 20;
        })"""
    )


@pytest.mark.parametrize(
    "words, expected",
    [
        ("Idempotency-Key", "idempotency.html"),
        ("BELFRY_HELD_SPREAD", "configuration.html"),
        ("quiet hours", "preferences.html"),
        ("redrive", "retries.html"),
        ("snooze", "inbox.html"),
        ("Keycloak", "authentication.html"),
    ],
)
def test_search_finds_words_without_a_server(context, site, words, expected):
    page = context.page(f"file://{site}/index.html")
    page.click(".sidebar-search")
    page.write(words)
    page.press("Enter")
    page.wait_for("""document.querySelector("#search-results .search-summary")?.textContent.startsWith("Search finished")""")
    found = page.evaluate(
        """[...document.querySelectorAll("#search-results ul.search a")].map(link => new URL(link.href).pathname.split("/.belfry/site/")[1])"""
    )
    assert expected in found[:10]
    # What is shown of the repository's files is not searched.
    assert not [page for page in found if page.startswith("files/")]


def test_search_under_the_policy_shows_what_is_around_the_words(context, server):
    page = context.page(f"{server}/search.html?q=redrive")
    page.wait_for("""document.querySelector("#search-results .context")?.textContent.toLowerCase().includes("redrive")""")
    assert page.violations == []


def test_light_and_dark_are_chosen_and_remembered(context, server):
    page = context.page(f"{server}/index.html")
    assert brightness(page.evaluate(BACKGROUND)) > 200
    page.emulate(dark=True)
    assert brightness(page.evaluate(BACKGROUND)) < 60
    while page.evaluate("document.body.dataset.theme") != "light":
        page.click(".theme-toggle-content .theme-toggle")
    page.reload()
    assert brightness(page.evaluate(BACKGROUND)) > 200
    assert page.violations == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_keeps_anybody_from_reading(context, server, dark):
    """By axe-core."""
    for name in ["sending", "api/events"]:
        page = context.page(f"{server}/{name}.html")
        page.emulate(dark=dark)
        assert page.axe("article") == [], name
        page.close()


@pytest.mark.parametrize(
    "size, dark",
    [((1280, 900), False), ((1280, 900), True), ((390, 844), False)],
    ids=["light", "dark", "phone"],
)
def test_pictures_to_look_at(context, server, site, size, dark):
    folder = site.parent / "site-pictures"
    folder.mkdir(exist_ok=True)
    page = context.page(f"{server}/index.html")
    page.emulate(viewport=size, dark=dark)
    for name in PICTURES:
        page.open(f"{server}/{name}.html")
        page.screenshot(folder / f"{name.replace('/', '-')}-{size[0]}-{'dark' if dark else 'light'}.png")
        assert (brightness(page.evaluate(BACKGROUND)) < 60) == dark


def brightness(colour):
    """Of `rgb(r, g, b)`, 0 to 255."""
    return sum(map(float, colour.removeprefix("rgb(").removesuffix(")").split(",")[:3])) / 3
