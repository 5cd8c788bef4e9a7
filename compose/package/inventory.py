"""What is inside a program, by the list of what it was linked from: a bill of materials (CycloneDX 1.6), and the notices of its parts.

    inventory.py BUILD PROGRAM VERSION DEBIAN-PACKAGE…     writes PROGRAM.cdx.json and `copyright` into this folder

Debian's packages are those with libraries that it is linked with, in the versions of this machine. SOURCE_DATE_EPOCH is the date.
"""

import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
APACHE = [{"license": {"id": "Apache-2.0"}}]


def linked_packages(build: Path, program: str) -> set[str]:
    """The folders of .build/checkouts that objects come from, by the sources that each module's folder names."""
    objects = (build / f"{program}.product" / "Objects.LinkFileList").read_text()
    packages = set()
    for module in set(re.findall(r"/([^/]+)\.build/", objects)):
        folder = build / f"{module}.build"
        lists = [folder / "sources"] if (folder / "sources").exists() else folder.rglob("*.d")
        packages |= {name for each in lists for name in re.findall(r"/checkouts/([^/]+)/", each.read_text())}
    return packages


def swift_component(folder: Path) -> dict:
    pins = {pin["identity"]: pin for pin in json.loads((REPOSITORY / "Package.resolved").read_text())["pins"]}
    pin = pins[folder.name.lower()]
    address = pin["location"].removesuffix(".git")
    version = pin["state"]["version"]
    return {
        "type": "library",
        "bom-ref": f"swift:{folder.name}",
        "name": folder.name,
        "version": version,
        "licenses": APACHE if is_apache(folder) else [{"license": {"id": "MIT"}}],
        "purl": f"pkg:swift/{address.removeprefix('https://')}@{version}",
        "externalReferences": [{"type": "vcs", "url": address, "comment": pin["state"]["revision"]}],
    }


def texts(folder: Path, name: str) -> str:
    return "\n".join(each.read_text().strip() for each in sorted(folder.glob(f"{name}*")))


def is_apache(folder: Path) -> bool:
    text = texts(folder, "LICENSE")
    assert "Apache License" in text or "MIT License" in text, f"{folder.name} has another license"
    return "Apache License" in text


def runtime_component(build: Path) -> dict:
    # One file for each compiler that has built there.
    newest = max(build.glob("swift-version-*.txt"), key=lambda path: path.stat().st_mtime)
    version = re.search(r"Swift version (\S+)", newest.read_text())[1]
    return {
        "type": "library",
        "bom-ref": "swift-runtime",
        "name": "swift",
        "version": version,
        "description": "The libraries of Swift's runtime, beside the program",
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
        "purl": f"pkg:github/swiftlang/swift@swift-{version}-RELEASE",
    }


def debian_component(name: str) -> dict:
    said = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", name], check=True, capture_output=True, text=True
    ).stdout
    version, architecture = said.split("\n")[0].split()
    release = re.search(r'(?m)^VERSION_ID="?([^"\n]+)', Path("/etc/os-release").read_text())[1]
    return {
        "type": "library",
        "bom-ref": f"deb:{name}",
        "name": name,
        "version": version,
        "description": "From Debian, where the program runs; this version, where it was built",
        "purl": f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}&distro=debian-{release}",
    }


def bill(program: str, version: str, components: list[dict]) -> dict:
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": program, "name": program, "version": version, "licenses": APACHE
            },
        },
        "components": components,
        "dependencies": [{"ref": program, "dependsOn": [each["bom-ref"] for each in components]}],
    }  # fmt: skip


def notices(folders: list[Path]) -> str:
    parts = []
    for folder in folders:
        text = "\n\n".join(filter(None, ["" if is_apache(folder) else texts(folder, "LICENSE"), texts(folder, "NOTICE")]))
        parts.append(f"{folder.name}\n" + re.sub(r"(?m)^(?=.)", "  ", f"\n{text}\n" if text else ""))
    return (HERE / "copyright").read_text() + "\n".join(parts)


def main() -> None:
    build, program, version, *libraries = sys.argv[1:]
    path = Path(build).resolve()
    checkouts = path.parents[1] / "checkouts"
    folders = [checkouts / name for name in sorted(linked_packages(path, program), key=str.lower)]
    assert folders, f"nothing of others is linked into {program}"
    components = [swift_component(folder) for folder in folders] + [runtime_component(path)]
    components += [debian_component(library) for library in libraries]
    Path(f"{program}.cdx.json").write_text(json.dumps(bill(program, version, components), indent=2) + "\n")
    Path("copyright").write_text(notices(folders))


main()
