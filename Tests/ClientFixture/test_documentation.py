"""What the documents show of the client is Swift that compiles, against declarations of what Linux does not have."""

import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from package import CHECKOUT, SWIFT, Package

CLIENT = CHECKOUT / "Shared/BelfryClient"
CATALOGUE = CLIENT / "BelfryClient.docc"
# What the samples take as the app's own.
GIVEN = Path(__file__).with_name("Given.swift")
# Modules that Linux does not have, in the order of their imports: declarations of Apple's, and the client's own for Apple's platforms.
FOR_APPLE = {
    "AppleDeclarations": "Tests/AppleDeclarations",
    "SwiftUI": "Tests/AppleDeclarations/SwiftUI",
    "BelfryClientForApple": "Shared/BelfryClient/Push/Apple",
}
FENCES = re.compile(r"(?ms)^( *)```swift\n(.*?)^\1```")
# What a sample that is no whole file may name.
SAMPLE = """\
import AppleDeclarations
import BelfryClient
import BelfryClientForApple
import BelfryClientTesting
import Foundation

@MainActor
func sample(
  belfry: BelfryClient, client: BelfryClient, gateway: URL, directory: URL, notification: BelfryNotification, pushes: PushRegistration,
  registration: PushRegistration, permission: PushPermission, deviceToken: Data
) async throws {{
{}}}
"""


def fenced(path):
    """A page's samples; of Swift's sources those in the comments."""
    text = path.read_text()
    if path.suffix == ".swift":
        text = "\n".join(line.strip()[4:] if line.strip().startswith("///") else "" for line in text.split("\n"))
    for match in FENCES.finditer(text):
        yield pytest.param(textwrap.dedent(match[2]), id=f"{path.name}:{text.count(chr(10), 0, match.start()) + 2}")


def samples():
    sources = [path for path in sorted(CLIENT.rglob("*.swift")) if "Apple" not in path.parts]
    for path in [CHECKOUT / "docs/swift.md", *sorted(CATALOGUE.rglob("*.md")), *sources]:
        yield from fenced(path)


def steps():
    """The files of the tutorials' app after each step that changes one, by their names."""
    for tutorial in sorted(CATALOGUE.rglob("*.tutorial")):
        files = {}
        for name, resource in re.findall(r'@Code\(name: "([^"]+)", file: "?([^")]+)"?\)', tutorial.read_text()):
            files = files | {name: (CATALOGUE / "Resources" / resource).read_text()}
            yield pytest.param(files, id=resource)


@pytest.fixture(scope="module")
def compiles(app, tmp_path_factory):
    """Type-checks files, given by their names, as one module of the app's."""
    app.swift("build")
    modules, folder = tmp_path_factory.mktemp("modules"), tmp_path_factory.mktemp("samples")
    options = ["-swift-version", "6", "-D", "BELFRY_APPLE_DECLARATIONS", "-I", app.build / "debug/Modules", "-I", modules]

    def swiftc(*arguments):
        compiler = Path(SWIFT).with_name("swiftc") if "/" in SWIFT else "swiftc"
        done = subprocess.run([compiler, *options, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout[-6000:]

    for name, path in FOR_APPLE.items():
        files = sorted((CHECKOUT / path).glob("*.swift"))
        swiftc("-emit-module", "-parse-as-library", "-module-name", name, "-emit-module-path", modules / f"{name}.swiftmodule", *files)

    def compiles(files):
        paths = [folder / name for name in files]
        for path, text in zip(paths, files.values()):
            path.write_text(text)
        library = [] if "main.swift" in files else ["-parse-as-library"]
        swiftc("-typecheck", "-module-name", "Sample", *library, GIVEN, *paths)

    return compiles


@pytest.mark.parametrize("text", list(samples()))
def test_a_sample_compiles(compiles, text, tmp_path):
    if "import PackageDescription" in text:
        (tmp_path / "Package.swift").write_text(text)
        dependency = Package(tmp_path, tmp_path / "build").manifest()["dependencies"]
        assert dependency
    elif re.search(r"(?m)^import ", text):
        compiles({"File.swift" if "@main" in text else "main.swift": text})
    else:
        compiles({"Sample.swift": SAMPLE.format(textwrap.indent(text, "  "))})


@pytest.mark.parametrize("files", list(steps()))
def test_the_app_of_the_tutorial_compiles_after_each_step(compiles, files):
    # The app's own view is there from the beginning.
    compiles({"ContentView.swift": "import SwiftUI\n\nstruct ContentView: View { var body: some View { EmptyView() } }\n"} | files)


def test_a_qualified_name_is_written_with_the_module_selector(compiles):
    compiles({"Sample.swift": SAMPLE.format("  let state: BelfryClient::ConnectionState = .connected\n  show(state.rawValue)\n")})


def test_each_name_on_the_page_is_one_of_the_sources():
    code = "".join(path.read_text() for folder in ("BelfryClient", "BelfryClientTesting") for path in (CHECKOUT / "Shared" / folder).rglob("*.swift"))
    page = re.sub(r"(?ms)^```.*?^```", "", (CHECKOUT / "docs/swift.md").read_text())
    spans = [span for span in re.findall(r"`([^`]+)`", page) if "/" not in span and not span.startswith("make ")]
    names = {name for span in spans for name in re.findall(r"[A-Za-z]\w*", span)} - {"BelfryClientTesting", "Server"}
    assert len(names) > 100
    assert {name for name in names if not re.search(rf"\b{name}\b", code)} == set()


def test_each_file_of_the_tutorials_is_shown():
    shown = {name for tutorial in CATALOGUE.rglob("*.tutorial") for name in re.findall(r'file: "?([^")]+)"?\)', tutorial.read_text())}
    assert shown == {path.name for path in CATALOGUE.glob("Resources/*.swift")}


def test_a_mistake_is_noticed(compiles):
    with pytest.raises(AssertionError, match="no member 'conect'"):
        compiles({"Sample.swift": SAMPLE.format("  await belfry.conect()\n")})
