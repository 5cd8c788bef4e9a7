"""One stack lives through all files, in the order of their names: that is the order of its life."""

import time

import pytest

from chapter import Chapter
from stack import REPOSITORY, Stack, scratch_folder


@pytest.fixture(scope="session")
def stack(request):
    with scratch_folder() as folder:
        stack = Stack(folder)
        try:
            # For whoever runs some of the tests only.
            if not any(item.path.name == "test_1_start.py" for item in request.session.items):
                stack.start()
            yield stack
        finally:
            stack.remove()


@pytest.fixture(scope="session")
def chapter():
    """What docs/containers.md tells operators to type."""
    return Chapter(REPOSITORY / "docs/containers.md")


@pytest.fixture
def stopwatch():
    """Prints how long it took since the test began, or since it was last asked."""
    start = time.monotonic()

    def lap(what):
        nonlocal start
        start, seconds = time.monotonic(), time.monotonic() - start
        print(f"\n  {what}: {seconds:.1f} s", end="", flush=True)
        return seconds

    return lap


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed and "stack" in item.funcargs:
        report.sections.append(("containers", item.funcargs["stack"].describe()))
    return report
