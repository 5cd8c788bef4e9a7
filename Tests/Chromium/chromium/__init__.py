"""Drives a headless Chromium with Python's standard library, over the DevTools protocol on a pipe.

    with Browser() as browser, browser.context() as context:
        page = context.page("http://127.0.0.1:8080/")
        page.click("button")
        page.wait_for("document.querySelector('output').textContent === 'Done'")

Selectors are CSS; ` >>> ` goes on inside the shadow root: `belfry-bell >>> [part~=button]`.
"""

from .accessibility import Node
from .browser import Browser, Context, ProtocolError
from .page import Page, ScriptError

__all__ = ["Browser", "Context", "Node", "Page", "ProtocolError", "ScriptError"]
