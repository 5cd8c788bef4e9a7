"""What `make package` has made, and a machine of each release that it is for."""

import subprocess

import pytest

from machine import PACKAGES, Machine


@pytest.fixture(scope="session")
def made():
    """Paths of what was made, by name."""
    return {path.name: path for path in PACKAGES.iterdir()}


@pytest.fixture(scope="session")
def version():
    package = next(PACKAGES.glob("belfry_*.deb"))
    return subprocess.run(["dpkg-deb", "--field", package, "Version"], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def machine(request, tmp_path_factory):
    machine = Machine(request.param, tmp_path_factory.mktemp("machines") / request.param)
    machine.install("systemd", "man-db", "bash-completion", "zsh", "fish")
    return machine
