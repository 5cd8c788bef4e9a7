"""A clone of this repository, as it is now, and an app that depends on it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from package import CHECKOUT, Package


@pytest.fixture(scope="session")
def repository(tmp_path_factory):
    """A repository with the checkout's files, those that are not committed included, and one version."""
    folder = tmp_path_factory.mktemp("repository") / "belfry"
    listed = ["git", "-C", CHECKOUT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, check=True, capture_output=True).stdout.split(b"\0")
    files = [name for name in names if name and os.path.lexists(os.path.join(os.fsencode(CHECKOUT), name))]
    folder.mkdir()
    subprocess.run(
        ["sh", "-ec", 'tar -C "$1" --null --files-from=- -c | tar -C "$2" -x', "copy", CHECKOUT, folder],
        check=True,
        input=b"\0".join(files),
    )
    git = ["git", "-C", folder, "-c", "user.name=nobody", "-c", "user.email=nobody@example.com", "-c", "commit.gpgSign=false"]
    for arguments in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message=All"], ["tag", "0.1.0"]):
        subprocess.run([*git, *arguments], check=True)
    return Package(folder, folder.parent / "build")


@pytest.fixture(scope="session")
def app(repository, tmp_path_factory):
    """The app, with the caches of a machine that has built nothing yet."""
    app = dependent(repository, tmp_path_factory, "App")
    app.swift("package", "resolve")
    return app


@pytest.fixture(scope="session")
def measures(repository, tmp_path_factory):
    """The programs that measure the client, with the optimiser."""
    measures = dependent(repository, tmp_path_factory, "Measures")
    measures.swift("build", "--configuration", "release", *FAST)
    return measures


@pytest.fixture(scope="session")
def sanitized(measures):
    """The same package; what has many tasks at once is built with the thread sanitizer."""
    measures.swift("build", "--product", "Races", "--sanitize", "thread", *FAST)
    return measures


# Nobody debugs these.
FAST = ("-debug-info-format", "none", "--disable-index-store")


def dependent(repository, tmp_path_factory, name):
    """A package of this folder, which fetches Belfry from the repository."""
    folder = tmp_path_factory.mktemp(name.lower())
    shutil.copytree(Path(__file__).with_name(name), folder / name)
    return Package(folder / name, folder / "build", cache=folder / "cache", BELFRY_REPOSITORY=f"file://{repository.folder}")
