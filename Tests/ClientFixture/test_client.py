"""What depends on Belfry gets its client, and neither packages of others nor flags of ours."""

import json
import re
import subprocess

import pytest

from package import CHECKOUT

CLIENT = {"BelfryClient", "BelfryClientTesting", "BelfrySender", "BelfryJSON", "SignalRProtocol"}
# What a setting of a target that apps build may be.
SETTINGS = {"enableUpcomingFeature", "swiftLanguageMode"}


@pytest.fixture(scope="module")
def manifest(repository):
    return repository.manifest()


def products(target):
    return [each["product"] for each in target["dependencies"] if "product" in each]


def test_an_app_fetches_belfry_and_nothing_else(app):
    state = json.loads((app.build / "workspace-state.json").read_text())["object"]
    assert [each["packageRef"]["identity"] for each in state["dependencies"]] == ["belfry"]
    pins = json.loads((app.folder / "Package.resolved").read_text())["pins"]
    assert [pin["identity"] for pin in pins] == ["belfry"]
    assert [path.name for path in (app.build / "checkouts").iterdir()] == ["belfry"]
    fetched = [path.name for folder in (app.build, app.cache) for path in folder.glob("repositories/*") if path.is_dir()]
    assert fetched and all(name.startswith("belfry-") for name in fetched), fetched


def test_an_app_builds_the_client_and_nothing_of_the_servers(app):
    said = app.swift("build")
    assert "warning:" not in said
    assert app.built() == CLIENT | {"App", "Router", "Settings"}
    assert subprocess.run([app.build / "debug/App"], check=True, capture_output=True, text=True).stdout == "inbox of an app\n"


def test_the_client_depends_on_nothing(app):
    said = app.swift("package", "show-dependencies", "--format", "json")
    belfry = json.loads(said[said.index("{") :])["dependencies"]
    assert [(each["identity"], each["dependencies"]) for each in belfry] == [("belfry", [])]


def test_every_product_of_another_package_needs_the_trait(manifest):
    assert [(trait["name"], trait["enabledTraits"]) for trait in manifest["traits"]] == [("Server", [])]
    found = [(target["name"], product) for target in manifest["targets"] for product in products(target)]
    assert len(found) > 100
    without = [(target, product[0]) for target, product in found if (product[3] or {}).get("traits") != ["Server"]]
    assert without == []


def test_what_apps_build_is_for_their_systems_and_has_no_flags(manifest):
    assert {each["platformName"]: each["version"] for each in manifest["platforms"]} == {"ios": "17.0", "macos": "14.0"}
    targets = {target["name"]: target for target in manifest["targets"]}
    libraries = [product for product in manifest["products"] if "library" in product["type"]]
    assert {product["name"] for product in libraries} == {"BelfryClient", "BelfryClientTesting", "BelfrySender"}
    needed, found = [name for product in libraries for name in product["targets"]], set()
    while needed:
        target = targets[needed.pop()]
        if target["name"] in found:
            continue
        found.add(target["name"])
        assert products(target) == []
        assert {kind for setting in target["settings"] for kind in setting["kind"]} <= SETTINGS, target["name"]
        needed += [each["byName"][0] for each in target["dependencies"]]
    assert found == CLIENT


def test_the_client_has_no_warnings_and_a_plain_build_says_what_builds_the_servers(repository):
    # Where nobody but us sees them: SwiftPM suppresses those of an app's dependencies.
    flags = ["-Xswiftc", "-warnings-as-errors"]
    for target in ("BelfryClientTesting", "BelfrySender"):
        repository.swift("build", *flags, "--target", target)
    assert repository.built() == CLIENT

    said = repository.swift("build", *flags, fails=True)
    errors = set(re.findall(r"(?m)^\S+:\d+:\d+: error: (.+)", said))
    assert len(errors) == 1 and "`make build`" in errors.pop(), said[-6000:]
    assert not (repository.folder / "Package.resolved").exists()


@pytest.mark.parametrize("script", ["Makefile", "compose/Dockerfile", "Tests/ContainerTests/run"])
def test_what_builds_the_servers_names_the_trait(script):
    text, call = (CHECKOUT / script).read_text(), r"(?:swift|\$\(SWIFT\)) (?:build|test)\b"
    named = re.findall(call + r"(?: -c \S+)? (?:--traits Server\b|\$\((?:RELEASE_)?FLAGS\))", text)
    assert len(named) == len(re.findall(call, text)) > 0
    flags = dict(re.findall(r"(?m)^(RELEASE_FLAGS|FLAGS) := (\S+ \S+)", text))
    assert flags in ({}, {"RELEASE_FLAGS": "--traits Server", "FLAGS": "$(RELEASE_FLAGS) $(if"})


def test_an_editor_is_told_of_the_trait():
    assert json.loads((CHECKOUT / ".sourcekit-lsp/config.json").read_text())["swiftPM"]["traits"] == ["Server"]


def test_what_linux_does_not_compile_is_short_and_says_so():
    whole = re.compile(r"(?s)\A((?://[^\n]*\n|\s)*)#if canImport\((?:BackgroundTasks|Darwin|Security|SwiftUI|UIKit|UserNotifications)\).*#endif\s*\Z")
    found = {}
    for folder in ("Shared", "docs/samples"):
        for path in (CHECKOUT / folder).rglob("*.swift"):
            if match := whole.match(path.read_text()):
                found[path.name] = (match[1], len(path.read_text().splitlines()))
    assert {"WebSocketTransport.swift", "AppleNotifications.swift", "Viewing.swift"} <= set(found)
    assert [name for name, (comment, lines) in found.items() if "ot compiled on Linux" not in comment or lines > 150] == []
