"""docs/samples/react as it stands, with Debian's React 18: specification 000's hook, list and bell."""

import os
import pathlib
import shutil
import subprocess

import pytest

from client import Client
from stub.gateway import SOURCES
from world import wait_until

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "docs/samples/react"
# Debian's node-react and node-react-dom, with their types.
MODULES = pathlib.Path("/usr/share/nodejs")
GATEWAY = "https://belfry.example"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title><main></main>
<script type="module" src="/react-sample/app.js"></script></html>"""
# What an app has around it: two places that use the hook, in strict mode.
APP = """import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { belfry } from "./belfry";
import { NotificationBell } from "./NotificationBell";
import { useNotifications } from "./useNotifications";

function Title() {
  return <h1>{useNotifications().unreadCount} unread</h1>;
}

const root = createRoot(document.querySelector("main")!);
root.render(<StrictMode><Title /><NotificationBell /></StrictMode>);
belfry.connect();
Object.assign(globalThis, {
  belfry, root,
  text: (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? null,
  rows: () => [...document.querySelectorAll("li strong")].map(each => each.textContent),
  button: (words: string) => {
    const all = [...document.querySelectorAll<HTMLElement>(".notification-center button")];
    const found = all.find(each => each.textContent?.includes(words));
    if (!found) return null;
    return `[data-number="${found.dataset.number ??= String(Math.random())}"]`;
  },
});
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The sample and an app around it, bundled. Their addresses stay as they are."""
    folder = tmp_path_factory.mktemp("react")
    for file in SAMPLE.glob("*.ts*"):
        shutil.copy(file, folder)
    (folder / "app.tsx").write_text(APP)
    # React for development: strict mode mounts everything twice, and mistakes are told.
    options = ["--bundle", "--format=esm", "--jsx=automatic", '--define:process.env.NODE_ENV="development"', "--log-level=warning"]
    environment = {**os.environ, "NODE_PATH": str(MODULES)}
    made = subprocess.run(["esbuild", "app.tsx", *options], cwd=folder, env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert made.stdout.count(f'"{GATEWAY}/client/v1/belfry.js"') == 1
    return made.stdout


@pytest.fixture
def open_app(stub, person, context, script):
    here = script.replace(GATEWAY, stub.gateway).replace('"/my/token"', f'"/token/{person.id}"')
    stub.site.files["/react-sample/app.js"] = (here, "text/javascript")
    client = Client(context.page(), person)

    def open():
        client.page.open(stub.site.put("/react-sample.html", PAGE))
        client.wait_for("belfry.state === 'connected'")
        return client

    yield open
    assert client.page.violations == [] and client.page.errors == []
    assert [line for line in client.page.console if line.startswith("error: Warning")] == []


BELL = ".notification-bell > button"
CENTER = ".notification-center"


def press(app, words):
    app.wait_for("words => button(words)", words)
    app.page.click(app.get("words => button(words)", words))


def test_an_empty_inbox(open_app):
    app = open_app()
    assert app.get("[text('.badge'), text('h1')]") == [None, "0 unread"]
    app.page.click(BELL)
    app.wait_for("text('.notification-center p') === 'No notifications yet'")
    assert app.get("button('Mark all read')") is None


def test_what_comes_is_shown_and_read(open_app, stub, person):
    app = open_app()
    app.page.click(BELL)
    person.add("Hello")
    app.wait_for("rows().join() === 'Hello' && text('.badge') === '1' && text('h1') === '1 unread' && text('.count') === '1'")
    press(app, "Hello")
    app.wait_for("text('.badge') === null && document.querySelector('li').className === 'read'")
    wait_until(lambda: person.unread == 0, "it is read")
    # All who use the hook have one list.
    assert len(stub.connections.open_connections(person)) == 1


def test_more_than_nine_and_all_at_once(open_app, person):
    person.fill(9)
    app = open_app()
    app.wait_for("text('.badge') === '9'")
    person.add("One more")
    app.wait_for("text('.badge') === '9+'")
    app.page.click(BELL)
    press(app, "Mark all read")
    app.wait_for("text('.badge') === null && rows().length === 10")
    wait_until(lambda: person.unread == 0, "all are read")


def test_more_is_loaded(open_app, person):
    person.fill(30)
    app = open_app()
    app.page.click(BELL)
    app.wait_for("rows().length === 20")
    press(app, "Load more")
    app.wait_for("rows().length === 30 && button('Load more') === null")
    assert app.get("rows()")[:2] == ["Number 30", "Number 29"]


def test_what_does_not_come_is_asked_for_again(open_app, stub, person):
    person.fill(30)
    app = open_app()
    app.page.click(BELL)
    app.wait_for("rows().length === 20")
    stub.fail("GET /api/v1/notifications", status=403, times=1)
    press(app, "Load more")
    press(app, "Try again")
    press(app, "Load more")
    app.wait_for("rows().length === 30")


def test_a_click_elsewhere_closes_the_list(open_app):
    app = open_app()
    app.page.click(BELL)
    app.wait_for("document.querySelector('.notification-center') !== null")
    app.page.click("h1")
    app.wait_for("document.querySelector('.notification-center') === null")


def test_nothing_stays_of_who_signed_out(open_app, stub, person):
    person.fill(3)
    app = open_app()
    app.page.click(BELL)
    app.wait_for("rows().length === 3")
    app.get("belfry.signOut()")
    app.wait_for("rows().length === 0 && text('.badge') === null && text('h1') === '0 unread'")
    wait_until(lambda: not stub.connections.open_connections(person), "it lets go")
    app.get("root.unmount()")


def test_its_types_hold(tmp_path):
    """By the module's own, where docs/javascript.md says to put them; and a mistake would be seen."""
    shutil.copytree(SAMPLE, tmp_path / "app")
    (tmp_path / "app/types").mkdir()
    shutil.copy(SOURCES / "client/belfry.d.ts", tmp_path / "app/types")
    (tmp_path / "app/app.tsx").write_text(APP)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/@types").symlink_to(MODULES / "@types")

    def compiled():
        return subprocess.run(["tsc", "-p", "."], cwd=tmp_path / "app", capture_output=True, text=True).stdout

    assert compiled() == ""
    center = tmp_path / "app/NotificationCenter.tsx"
    center.write_text(center.read_text().replace("title, body, isRead", "titel, body, isRead"))
    assert "NotificationCenter.tsx" in compiled()


def test_it_is_short():
    lines = [line for file in SAMPLE.glob("*.ts*") for line in file.read_text().splitlines()]
    assert len(lines) <= 90
