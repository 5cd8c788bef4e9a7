"""What `make package` has made, before it is installed anywhere."""

import json
import os
import subprocess

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from machine import PACKAGES, REPOSITORY

PROGRAMS = ["belfry", "belfry-dev"]


def said(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **({"cwd": REPOSITORY} | options)).stdout


def test_every_file_is_in_the_checksums(made):
    assert said("sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS", cwd=PACKAGES) == ""
    summed = {line.split()[1] for line in made["SHA256SUMS"].read_text().splitlines()}
    assert summed == set(made) - {"SHA256SUMS"}


def test_files_are_roots_and_no_younger_than_the_commit(version):
    newest = said("date", "--utc", "+%F %H:%M", f"--date=@{said('git', 'log', '-1', '--format=%ct').strip()}").strip()
    for program in PROGRAMS:
        package = next(PACKAGES.glob(f"{program}_{version}_*.deb"))
        for line in said("dpkg-deb", "--contents", package, env=os.environ | {"TZ": "UTC"}).splitlines():
            mode, owner, _, day, minute, path = line.split(maxsplit=5)
            assert owner == "root/root", line
            assert f"{day} {minute}" <= newest, line
            assert mode[0] == "l" or mode[5] == mode[8] == "-", line
            assert path.startswith(("./usr/", "./etc/belfry/")) or path in ("./", "./usr/", "./etc/"), line


def test_the_bills_of_materials_are_valid_and_name_what_is_linked(version):
    for program in PROGRAMS:
        text = next(PACKAGES.glob(f"{program}_{version}_*.cdx.json")).read_text()
        assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
        bill = json.loads(text)
        assert bill["metadata"]["component"]["version"] == version
        names = {component["name"] for component in bill["components"]}
        assert {"swift", "swift-nio", "hummingbird", "Yams", "libpq5", "librabbitmq4"} <= names
        # Of the benchmark.
        assert "hdrhistogram-swift" not in names


def test_docker_loads_the_image_which_has_the_product_alone(version):
    archive = next(PACKAGES.glob(f"belfry-image-{version}-*.tar.gz"))
    script = 'docker load <"$1" && docker run --rm --network=none "$2" sh -c "belfry-gateway --help && ! command -v belfry-dev"'
    engine = [] if "DOCKER_HOST" in os.environ else [REPOSITORY / "Tests/ContainerTests/engine"]
    output = said(*engine, "sh", "-euc", script, "load", archive, f"belfry:{version}")
    assert f"Loaded image: belfry:{version}" in output
    assert "BELFRY_GATEWAY_PORT" in output
