"""The browser, its contexts, and the pipe that all of its pages share."""

import concurrent.futures
import contextlib
import json
import os
import threading

from .page import Page
from .process import Process


class ProtocolError(Exception):
    """What Chromium answers to a command it does not carry out."""


class Browser:
    """One Chromium. Contexts are apart from each other as profiles are, and cost milliseconds."""

    def __init__(self, arguments=()):
        self._process = Process(arguments)
        self._lock = threading.Lock()
        self._answers = {}
        self._last_id = 0
        self._listeners = {}
        threading.Thread(target=self._read, daemon=True).start()
        self.version = self.call("Browser.getVersion")["product"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._process.stop()

    def context(self):
        """A profile of its own, without cookies or storage, to be closed or used in a `with`."""
        return Context(self, self.call("Target.createBrowserContext", disposeOnDetach=True)["browserContextId"])

    def call(self, method, session=None, timeout=30, **parameters):
        """Sends a command of the DevTools protocol and returns its result."""
        message = {"method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        answer = concurrent.futures.Future()
        with self._lock:
            self._last_id += 1
            message["id"] = self._last_id
            self._answers[self._last_id] = answer
            try:
                self._write(json.dumps(message).encode() + b"\0")
            except BrokenPipeError as error:
                raise ProtocolError(f"Chromium is gone: {self._process.log()}") from error
        try:
            return answer.result(timeout)
        # Another class than TimeoutError until Python 3.11.
        except concurrent.futures.TimeoutError as error:
            raise ProtocolError(f"{method} was not answered within {timeout} s") from error

    def listen(self, session, listener):
        """Calls `listener(method, parameters)` with each event of the session, on the thread that reads the pipe."""
        self._listeners.setdefault(session, []).append(listener)

    def ignore(self, session, listener):
        self._listeners[session].remove(listener)

    def forget(self, session):
        self._listeners.pop(session, None)

    def _write(self, data):
        while data:
            data = data[os.write(self._process.commands, data) :]

    def _read(self):
        with open(self._process.messages, "rb", buffering=0) as pipe:
            rest = b""
            with contextlib.suppress(OSError):
                while data := pipe.read(1 << 20):
                    *messages, rest = (rest + data).split(b"\0")
                    for message in messages:
                        self._take(json.loads(message))
        with self._lock:
            waiting, self._answers = self._answers, {}
        for answer in waiting.values():
            answer.set_exception(ProtocolError(f"Chromium is gone: {self._process.log()}"))

    def _take(self, message):
        if "id" not in message:
            for listener in list(self._listeners.get(message.get("sessionId"), ())):
                listener(message["method"], message["params"])
            return
        with self._lock:
            answer = self._answers.pop(message["id"])
        if "error" in message:
            answer.set_exception(ProtocolError(message["error"]["message"]))
        else:
            answer.set_result(message["result"])


class Context:
    """Pages that share cookies and storage, and nothing with other contexts."""

    def __init__(self, browser, id):
        self.browser = browser
        self.id = id

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def page(self, address=None, width=1024, height=768):
        """A page in a window of its own, so that none is hidden by another."""
        target = self.browser.call(
            "Target.createTarget", url="about:blank", browserContextId=self.id, newWindow=True
        )["targetId"]
        page = Page(self.browser, target)
        page.emulate(viewport=(width, height))
        if address:
            page.open(address)
        return page

    def close(self):
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.id)
