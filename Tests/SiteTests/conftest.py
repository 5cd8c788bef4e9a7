"""The documentation's site as `docs/site/build` made it: its files, and a server that serves them as strictly as it may be done."""

import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chromium import Browser

from built_page import BuiltPage

REPOSITORY = Path(__file__).resolve().parents[2]
SITE = REPOSITORY / ".belfry/site"


@pytest.fixture(scope="session")
def site():
    assert (SITE / "index.html").is_file(), "make docs-site makes it"
    return SITE


@pytest.fixture(scope="session")
def pages(site):
    """All pages by their path."""
    return {path.relative_to(site).as_posix(): BuiltPage(path) for path in sorted(site.rglob("*.html"))}


@pytest.fixture(scope="session")
def policy():
    """The content security policy that the documentation names."""
    text = (REPOSITORY / "docs/development.md").read_text()
    return re.search(r"(?m)^Content-Security-Policy: (.*)$", text)[1]


@pytest.fixture(scope="session")
def server(site, policy):
    """Its address. It serves plain files with that policy."""

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def end_headers(self):
            self.send_header("Content-Security-Policy", policy)
            # All pages have the same scripts and styles.
            self.send_header("Cache-Control", "max-age=600")
            super().end_headers()

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture
def context(browser):
    with browser.context() as context:
        yield context
