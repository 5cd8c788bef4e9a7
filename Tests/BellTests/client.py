"""A page that draws its own list with belfry.js."""

import itertools
import json
import time

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A list of its own</title><ul></ul>
<script type="module" src="/client/{number}.js"></script></html>"""
SCRIPT = """import {{ BelfryError, createBelfry }} from "{gateway}/client/v1/belfry.js";
globalThis.BelfryError = BelfryError;
globalThis.createBelfry = createBelfry;
globalThis.belfry = createBelfry({options});
globalThis.heard = [];
for (const name of ["notification", "event", "state", "unread", "error"]) {{
  belfry.on(name, detail => heard.push([name, JSON.parse(JSON.stringify(detail))]));
}}
globalThis.titles = filter => belfry.list(filter).items.map(({{ title }}) => title);
globalThis.idOf = title => belfry.list().items.find(item => item.title === title).id;
globalThis.agrees = ([theirs, unread]) =>
  belfry.unreadCount === unread &&
  belfry.list().items.length >= Math.min(theirs.length, 20) &&
  belfry.list().items.every(({{ id, isRead }}, at) => id === theirs[at]?.[0] && isRead === theirs[at][1]);
{setup}
"""
_numbers = itertools.count(1)


class Client:
    """One `createBelfry(…)` in a page, as its scripts use it. Expressions use what `SCRIPT` defines."""

    def __init__(self, page, person):
        self.page, self.person = page, person

    def open(self, site, options, setup):
        """Runs the script in a page of the site: `options` is JavaScript."""
        number = next(_numbers)
        script = SCRIPT.format(gateway=site.world.gateway, options=options, setup=setup)
        site.files[f"/client/{number}.js"] = (script, "text/javascript")
        self.page.open(site.put(f"/client/{number}.html", PAGE.format(number=number)))
        self.wait_for("typeof belfry === 'object'")
        return self

    def get(self, expression, *arguments):
        return self.page.evaluate(expression, *arguments)

    def wait_for(self, expression, *arguments, within=10):
        return self.page.wait_for(expression, *arguments, within=within)

    def heard(self, name):
        """The details of what listeners of that name heard."""
        return self.get("name => heard.filter(([own]) => own === name).map(([, detail]) => detail)", name)

    def shows(self, *titles, within=10):
        """Waits until the list has these, and no others."""
        self.wait_for("wanted => JSON.stringify(titles()) === JSON.stringify(wanted)", list(titles), within=within)

    def agrees(self, within=10):
        """Waits until list and count are what the database has."""
        deadline = time.monotonic() + within
        while not self.get("state => agrees(state)", state := self.database()):
            assert time.monotonic() < deadline, f"{self.get('[belfry.state, belfry.unreadCount, titles()]')} beside {state}\n{self.page.report()}"
            time.sleep(0.05)

    def database(self):
        return [[[row["id"], row["isRead"]] for row in self.person.listed()], self.person.unread]


def options(world, person, times, **more):
    """As JavaScript; a value that is a text is JavaScript, too."""
    members = {"hub": json.dumps(world.hub), "tokenUrl": f'"/token/{person.id}"', "times": json.dumps(times), **more}
    return "{ " + ", ".join(f"{name}: {value}" for name, value in members.items() if value is not None) + " }"
