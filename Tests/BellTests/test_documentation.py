"""What docs/bell.md and docs/javascript.md show works, what the types say is true, and what is served is as small as promised."""

import pathlib
import re
import shutil
import subprocess

import pytest

from bell import Bell
from client import Client
from stub.gateway import CLIENT, SERVED, SOURCES, sources
from stub.tokens import LONG_NAME
from world import wait_until

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = REPOSITORY / "docs/bell.md"
TYPES = pathlib.Path(__file__).parent / "types"
# Debian's node-react and node-react-dom.
REACT = pathlib.Path("/usr/share/nodejs")


REACT_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title><div id="app"></div>
<script src="/react.js"></script><script src="/react-dom.js"></script><script type="module" src="/component.js"></script>
<script type="module" src="{gateway}/bell/v1/belfry-bell.js"></script></html>"""


def samples(language, document="bell.md"):
    """The samples in that language, in their order."""
    text = (REPOSITORY / "docs" / document).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def here(sample, world, person):
    """A sample with this run's addresses."""
    sample = re.sub(r"https://[\w.:-]+(?=/bell/)", world.gateway, sample)
    return re.sub(r"/my/token\b", f"/token/{person.id}", sample)


def test_the_plain_page(stub, person, context):
    page = here(next(each for each in samples("html") if "<!doctype html>" in each.lower()), stub, person)
    bell = Bell(context.page(), person)
    bell.page.open(stub.site.put("/plain.html", page))
    bell.wait_for("bell.state === 'connected'")
    person.add("Hello")
    bell.wait_for("text('badge') === '1'")
    bell.open()
    bell.shows("Hello")
    assert bell.page.violations == [] and bell.page.errors == []


def test_the_react_component(stub, person, context):
    """As it stands, with React 18; its import becomes the global that Debian's file defines."""
    source = here(samples("jsx")[0], stub, person)
    source, imports = re.subn(r'^import (\{.*?\}) from "react";$', r"const \1 = React;", source, flags=re.MULTILINE)
    assert imports == 1
    source += f"""
globalThis.routes = [];
const tree = ReactDOM.createRoot(document.querySelector("#app"));
globalThis.unmount = () => tree.unmount();
const getToken = async () => (await (await fetch("/token/{person.id}")).json()).token;
tree.render(<NotificationBell getToken={{getToken}} onNavigate={{url => routes.push(url)}} />);
"""
    script = subprocess.run(["esbuild", "--loader=jsx"], input=source, capture_output=True, text=True, check=True).stdout
    stub.site.files["/component.js"] = (script, "text/javascript")
    for name in ("react", "react-dom"):
        stub.site.files[f"/{name}.js"] = ((REACT / name / f"umd/{name}.production.min.js").read_text(), "text/javascript")
    bell = Bell(context.page(), person)
    bell.page.open(stub.site.put("/react.html", REACT_PAGE.format(gateway=stub.gateway)))
    bell.wait_for("bell?.state === 'connected'")
    person.add("Order", data={"url": "/orders/7"})
    bell.wait_for("text('badge') === '1' && bell.dataset.unread === '1'")
    bell.open()
    bell.page.click(bell.row("Order"))
    bell.wait_for("routes.join() === '/orders/7'")
    wait_until(lambda: person.unread == 0, "it is read")
    bell.agrees()
    bell.get("unmount()")
    wait_until(lambda: not stub.connections.open_connections(person), "it lets go")
    assert bell.page.violations == [] and bell.page.errors == []


def test_attributes_events_and_parts_are_documented(open_bell, stub, person):
    text = DOCUMENT.read_text()
    bell = open_bell()
    attributes = bell.get("customElements.get('belfry-bell').observedAttributes")
    assert [name for name in attributes if f"`{name}" not in text] == []
    members = set(bell.get("Object.getOwnPropertyNames(bell.constructor.prototype)"))
    members -= {"constructor", "connectedCallback", "disconnectedCallback", "attributeChangedCallback"}
    members.remove("times")  # For tests.
    types = (SOURCES / "belfry-bell.d.ts").read_text()
    assert [name for name in sorted(members) if not re.search(rf"^  (readonly )?{name}[(:]", types, re.MULTILINE)] == []
    written = "".join(file.read_text() for file in sources())
    events = {event for found in re.findall(r"emit\((.+?)[,;)]", written) for event in re.findall(r"'(\w+)'", found)}
    assert {"click", "open", "close"} <= events
    assert [name for name in sorted(events) if f"belfry-{name}" not in text] == []
    parts = {part for found in re.findall(r"part: ['`]([\w -]+)", written) for part in found.split()}
    assert {"button", "item-icon", "menu"} <= parts
    assert [name for name in sorted(parts) if f"`{name}`" not in text] == []
    properties = set(re.findall(r"var\((--belfry-[\w-]+)", written))
    assert [name for name in sorted(properties) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("prefix", ["", "client-"], ids=["bell", "client"])
def test_the_types_hold(tmp_path, prefix):
    """A program that uses all of them compiles; each line of one that misuses them does not."""
    for file in (SOURCES / "belfry-bell.d.ts", SOURCES / "client/belfry.d.ts"):
        shutil.copy(file, tmp_path)
    use, misuse = (TYPES / f"{prefix}{name}.ts" for name in ("use", "misuse"))
    for program in (use, misuse):
        shutil.copy(program, tmp_path)
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node"]
    said = subprocess.run(["tsc", *options, use.name, misuse.name], cwd=tmp_path, capture_output=True, text=True).stdout
    mistakes = ("bell.", "belfry.", "createBelfry(")
    expected = [
        f"{misuse.name}({number}," for number, line in enumerate(misuse.read_text().splitlines(), 1) if line.startswith(mistakes)
    ]
    assert [re.match(r"\S+,", line).group() for line in said.splitlines() if not line.startswith(" ")] == expected, said


def test_what_is_served_is_made_of_the_sources_and_small():
    check = subprocess.run([SOURCES / "make", "--check"], capture_output=True, text=True)
    print(f"\n{check.stdout}", end="")
    assert check.returncode == 0, check.stdout + check.stderr


def test_the_sources_are_one_dialect():
    """Single quotes; functions, except for what has to be a class: an element and an error."""
    classes = set()
    for file in sources():
        text = file.read_text()
        classes |= set(re.findall(r"\bclass (\w+) ", text))
        code = re.sub(r"`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|//.*|/\*[\s\S]*?\*/", "", text)
        assert '"' not in code, file
    assert classes == {"BelfryBell", "BellError"}


def test_what_is_loaded_at_first_is_small(open_bell, stub, person):
    """In bytes of gzip: until the panel is opened the page loads the entry alone, and then the extras."""
    bell = open_bell()
    assert bell.modules == ["belfry-bell"]
    assert (SERVED / "belfry-bell.js.gz").stat().st_size <= 20_000
    bell.open()
    bell.wait_for("shown('filter')")
    assert bell.modules == ["belfry-bell", "extras"]


@pytest.mark.parametrize("file", sorted([*SERVED.rglob("*.js"), *CLIENT.rglob("*.js")]), ids=lambda file: file.name)
def test_nothing_is_loaded_from_elsewhere(file):
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", file.read_text()))
    # Names that look like addresses.
    assert addresses <= {"http://www.w3.org/2000/svg", LONG_NAME}


def test_the_list_of_its_own(stub, person, context):
    """docs/javascript.md's page and its script, as they stand."""
    page, script = (here(samples(language, "javascript.md")[0], stub, person) for language in ("html", "js"))
    stub.site.files["/own-list.js"] = (script.replace("https://belfry.example", stub.gateway), "text/javascript")
    client = Client(context.page(), person)
    client.page.open(stub.site.put("/own-list.html", page))
    person.add("Hello")
    client.wait_for("document.querySelector('#count').textContent === '1 unread'")
    assert client.get("document.querySelector('#list').textContent") == "• Hello"
    client.page.click("#list li")
    client.wait_for("document.querySelector('#list').textContent === 'Hello'")
    wait_until(lambda: person.unread == 0, "it is read")
    assert client.page.violations == [] and client.page.errors == []


def test_what_belfry_js_has_is_documented_and_typed(open_client, stub):
    client = open_client(connect=False)
    names = set(client.get("Object.keys(belfry)"))
    assert {"subscribe", "list", "signOut"} <= names
    types = (SOURCES / "client/belfry.d.ts").read_text()
    declared = types[types.index("export interface Belfry {") :]
    assert names == set(re.findall(r"^  (?:readonly )?(\w+)[(:<]", declared, re.MULTILINE))
    text = (REPOSITORY / "docs/javascript.md").read_text()
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", text)] == []


def test_belfry_js_is_one_small_file(open_client, stub):
    client = open_client()
    loaded = client.get("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    assert [path for path in loaded if path.startswith(("/client/v1/", "/bell/v1/"))] == ["/client/v1/belfry.js"]
    assert (CLIENT / "belfry.js.gz").stat().st_size <= 10_000
