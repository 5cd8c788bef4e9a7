"""One Chromium and one Belfry for all tests; a person, a profile and a page with a bell for each."""

import json
import os

import pytest

import world as worlds
from bell import Bell
from client import Client, options
from chromium import Browser
from stub.gateway import SOURCES

# The undo of a removal, the attempts to connect, what is waited for in doubt, in milliseconds: short enough for tests.
QUICK = {"undo": 600, "retryMinimum": 50, "retryMaximum": 200, "retryLong": 400, "seen": 100, "verify": 500, "fetch": 1500}


def pytest_addoption(parser):
    parser.addoption("--write-layout", action="store_true", help="record the boxes of the parts anew in layout.json")
    parser.addoption("--sources", action="store_true", help="serve the bell's modules as they are written, for errors with names")


def pytest_collection_modifyitems(items):
    # What rests on a Belfry in memory, as a certain request that fails, says so by taking the fixture `stub`; what needs a real one, `stack`.
    other = "stub" if os.environ.get("BELFRY_BELL_STACK") else "stack"
    items[:] = [item for item in items if other not in item.fixturenames]


@pytest.fixture(scope="session")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def shared_world(request):
    world = worlds.make()
    if world.is_stub and request.config.getoption("sources"):
        world.api.files = SOURCES
    return world


@pytest.fixture
def world(shared_world):
    yield shared_world
    shared_world.mend()


@pytest.fixture
def stub(world):
    """The Belfry in memory, for what only that can be told to do."""
    return world


@pytest.fixture
def stack(world):
    """What whoever started the processes says of them."""
    return world.stack


@pytest.fixture
def person(world):
    return world.new_person()


@pytest.fixture
def context(browser):
    with browser.context() as context:
        yield context


@pytest.fixture
def open_bell(world, person, context):
    """Opens a page with a bell: `open_bell('tabs', setup="…")`. At the end no page may have broken a rule of its policy."""
    bells = []

    def open(attributes="", *, setup="", times=QUICK, of=person, wait=True, clock=False, emulate=None, body=None, **page):
        token = "" if "token" in attributes or "tokenProvider" in setup else f'token-url="/token/{of.id}"'
        body = body or f'<belfry-bell hub="{world.hub}" {token} {attributes}></belfry-bell>'
        setup = f"document.querySelector('belfry-bell').times = {json.dumps(times)};\n{setup}"
        bell = Bell(context.page(), of)
        bells.append(bell)
        if clock:
            bell.page.install_clock()
        if emulate:
            bell.page.emulate(**emulate)
        bell.page.open(world.site.page(body, setup, **page))
        if wait:
            bell.wait_for("bell.state === 'connected' && heard.some(([name]) => name === 'unread')")
        return bell

    yield open
    for bell in bells:
        assert bell.page.violations == []
        assert bell.page.errors == []


@pytest.fixture
def open_client(world, person, context):
    """Opens a page with belfry.js and no element: `open_client()`, or with options as JavaScript. It is connected unless `connect=False`."""
    clients = []

    def open(*, of=person, connect=True, wait=True, clock=False, times=QUICK, setup="", **more):
        client = Client(context.page(), of)
        clients.append(client)
        if clock:
            client.page.install_clock()
        client.open(world.site, options(world, of, times, **more), f"belfry.connect();\n{setup}" if connect else setup)
        if connect and wait:
            client.wait_for("belfry.state === 'connected' && belfry.list().isLoaded")
        return client

    yield open
    for client in clients:
        assert client.page.violations == []
        assert client.page.errors == []
