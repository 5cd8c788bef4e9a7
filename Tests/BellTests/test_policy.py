"""The host's content security policy as docs/bell.md has it: `default-src 'none'`, Trusted Types, and not a word more."""

import pathlib
import re

from bell import Bell
from world import wait_until

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/bell.md"
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Strict</title>
<main><h1>Strict</h1><belfry-bell hub="{hub}" token-url="/token/{person}" tabs="all,unread" preferences quiet-hours push></belfry-bell></main>
<script type="module" src="{gateway}/bell/v1/belfry-bell.js"></script></html>"""


def documented(world):
    """The policy of the document with the addresses of this run."""
    policy = re.search(r"default-src 'none';[^`\n]*(?:\n[^`\n]+)*", DOCUMENT.read_text()).group()
    policy = " ".join(policy.split())
    assert "require-trusted-types-for 'script'" in policy
    hub = world.hub_line.address
    for pattern, address in [(r"wss://[\w.:-]+", hub.replace("http", "ws")), (r"https://hub[\w.:-]*", hub)]:
        policy = re.sub(pattern, address, policy)
    return re.sub(r"https://[\w.:-]+", world.gateway, policy)


def open_strictly(world, person, context, language="en"):
    page = context.page()
    bell = Bell(page, person)
    html = PAGE.format(language=language, hub=world.hub, gateway=world.gateway, person=person.id)
    page.open(world.site.put("/strict.html", html, documented(world)))
    bell.wait_for("bell.state === 'connected'", within=20)
    return bell


def test_nothing_is_forbidden_that_the_bell_needs(world, person, context):
    person.fill(30)
    bell = open_strictly(world, person, context, "de")
    bell.open()
    bell.wait_for("rows()[0] === 'Number 30'")
    bell.page.click(bell.row("Number 30"))
    bell.click_in("Number 29", "[part~=remove]")
    bell.page.click(f"{bell.part('toast')} button")
    bell.click_in("Number 28", "[data-do=more]")
    bell.wait_for("named('menuitem', '')")
    bell.page.press("Escape")
    bell.get("isOpen() || bell.open()")
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')")
    wait_until(lambda: person.unread == 29, "it is read")
    assert bell.page.violations == []
    assert bell.page.errors == []


def test_with_other_transports_too(world, stub, person, context):
    stub.connections.broken_transports = {"WebSockets"}
    bell = open_strictly(world, person, context)
    person.add("Live")
    bell.agrees()
    stub.connections.broken_transports.add("ServerSentEvents")
    stub.kill_node()
    person.add("Polled")
    bell.agrees()
    assert bell.page.violations == []


def test_a_violation_would_be_seen(world, person, context):
    bell = open_strictly(world, person, context)
    bell.get("(() => { try { document.createElement('p').innerHTML = '<b>x</b>' } catch {} })()")
    bell.get("document.body.setAttribute('style', 'color: red')")
    wait_until(lambda: len(bell.page.violations) == 2, "both are reported")
