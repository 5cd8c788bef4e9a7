"""Pages mix releases: one that was opened before, or has its entry from a cache, has another entry than the gateway."""

import pathlib
import re

import pytest

from stub.gateway import CLIENT, PREVIOUS, SERVED

# As the release before served it; `Services/Gateway/Bell/make --released` puts it there.
PREVIOUS_ENTRY = pathlib.Path(__file__).parent / "previous/belfry-bell.js"


def imported(module):
    """The names of the modules that a module fetches later."""
    return set(re.findall(r"""import\(["']\./([^"']+)["']\)""", module.read_text()))


ENTRIES = {
    "this": (SERVED / "belfry-bell.js", [SERVED], 4),
    "previous": (PREVIOUS_ENTRY, [SERVED, PREVIOUS], 4),
    "this client": (CLIENT / "belfry.js", [CLIENT], 2),
}
# There is none before its first release.
if PREVIOUS_ENTRY.with_name("belfry.js").exists():
    ENTRIES["previous client"] = (PREVIOUS_ENTRY.with_name("belfry.js"), [CLIENT, CLIENT / "previous"], 2)


@pytest.mark.parametrize("entry, folders, count", ENTRIES.values(), ids=ENTRIES)
def test_every_module_that_an_entry_names_is_served(entry, folders, count):
    names = imported(entry)
    assert len(names) == count
    there = {file.name: file for folder in folders for file in folder.glob("*.js*")}
    names |= {later for name in names for later in imported(there[name])}
    assert names | {f"{name}.gz" for name in names} <= there.keys()


def test_the_entry_of_the_previous_release_works_with_its_modules(open_bell, stub, person):
    """Panel, menu, settings, another language and another transport, each of a module of its own."""
    stub.api.entry = PREVIOUS_ENTRY
    stub.connections.broken_transports = {"WebSockets"}
    person.fill(3)
    bell = open_bell("preferences", language="de").open()
    bell.choose("Number 2", "Archivieren")
    bell.shows("Number 3", "Number 1")
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[role=switch]')")
    person.add("Live")
    bell.agrees()
    loaded = bell.get("performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))")
    assert len(imported(PREVIOUS_ENTRY) & set(loaded)) == 3


def test_a_module_that_another_gateway_does_not_have_is_asked_for_again(open_bell, stub, person):
    """While gateways are replaced, one of the previous release may be asked for a module of the next."""
    person.fill(2)
    fault = stub.fail(f"GET /bell/v1/{stub.api.module('extras')}", status=404, times=1)
    bell = open_bell().open()
    bell.shows("Number 2", "Number 1")
    bell.wait_for("heard.some(([name]) => name === 'error')")
    assert fault.met == 1 and not bell.get("shown('filter')")
    bell.page.press("Escape")
    bell.wait_for("!isOpen()")
    bell.open()
    bell.wait_for("shown('filter')")


def test_a_language_that_another_gateway_does_not_have_is_asked_for_again(open_bell, stub, person):
    person.fill(1)
    fault = stub.fail(f"GET /bell/v1/{stub.api.module('de')}", status=404, times=1)
    bell = open_bell('locale="de"')
    bell.wait_for("heard.some(([name]) => name === 'error')")
    assert fault.met == 1
    bell.open()
    bell.wait_for("text('mark-all') === 'Alle gelesen'")
