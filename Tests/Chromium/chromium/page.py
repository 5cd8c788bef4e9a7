"""A page: what runs in it, what it looks like, and the world it believes to be in."""

import base64
import contextlib
import json
import pathlib
import threading
import time

from .accessibility import Accessibility
from .input import Input
from .measuring import Measuring

CLOCK = pathlib.Path(__file__).with_name("clock.js")


class ScriptError(Exception):
    """What a script in the page threw."""


class Page(Input, Accessibility, Measuring):
    """One tab in a window of its own.

    `console` has what the page logged, `errors` what it threw and nobody caught, `violations` what a content security policy or
    Trusted Types forbade it, `failures` the requests that failed.
    """

    def __init__(self, browser, target):
        self.browser = browser
        self.target = target
        self.console, self.errors, self.violations, self.failures = [], [], [], []
        self._loaded = threading.Event()
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.listen(self.session, self._hear)
        for domain in ("Page", "Runtime", "Network", "Audits"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """A command of the DevTools protocol to this page."""
        return self.browser.call(method, self.session, **parameters)

    def open(self, address):
        """Goes there, and waits until the page and what it loads at first are loaded."""
        self._loaded.clear()
        answer = self.call("Page.navigate", url=address)
        if "errorText" in answer:
            raise ConnectionError(f"{address}: {answer['errorText']}")
        if not self._loaded.wait(20):
            raise TimeoutError(f"{address} did not load within 20 s")

    def reload(self):
        self._loaded.clear()
        self.call("Page.reload")
        if not self._loaded.wait(20):
            raise TimeoutError("The page did not load again within 20 s")

    def close(self):
        self.call("Page.close")
        self.browser.forget(self.session)

    def evaluate(self, expression, *arguments):
        """The value of an expression, or of a function called with JSON arguments; promises are awaited."""
        if arguments:
            expression = f"({expression})({', '.join(json.dumps(argument) for argument in arguments)})"
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ScriptError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait_for(self, expression, *arguments, within=10):
        """Asks again until the value is true, and returns it. A navigation meanwhile does no harm."""
        deadline = time.monotonic() + within
        while True:
            value = None
            with contextlib.suppress(_gone()):
                value = self.evaluate(expression, *arguments)
                # As in JavaScript, where `{}` and `[]` are true.
                if value or isinstance(value, (dict, list)):
                    return value
            if time.monotonic() > deadline:
                raise TimeoutError(
                    f"Not within {within} s, but {value!r}: {expression}{arguments or ''}\n{self.report()}"
                )
            time.sleep(0.02)

    def report(self):
        """What the page said until now; for messages of failed tests."""
        lines = [f"console: {line}" for line in self.console] + [f"error: {error}" for error in self.errors]
        return "\n".join(lines + [f"violation: {violation}" for violation in self.violations])

    def before_load(self, script):
        """Runs in every document that the page opens from now on, before its own scripts."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def install_clock(self):
        """Gives documents opened from now on a clock that `advance` can put forward."""
        self.before_load(CLOCK.read_text())

    def advance(self, seconds):
        """Puts the page's clock forward; timers that come due meanwhile run in order, each with its own time."""
        self.evaluate("milliseconds => clock.advance(milliseconds)", seconds * 1000)

    def emulate(self, *, dark=None, reduced_motion=None, forced_colors=None, viewport=None, scale=1, locale=None, timezone=None):
        """Another look or place. What is not named stays as it is, but for the first three, which go together."""
        if viewport:
            width, height = viewport
            self.call(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
            )
        wishes = {
            "prefers-color-scheme": dark is not None and ("dark" if dark else "light"),
            "prefers-reduced-motion": reduced_motion and "reduce",
            "forced-colors": forced_colors and "active",
        }
        features = [{"name": name, "value": value} for name, value in wishes.items() if value]
        if features:
            self.call("Emulation.setEmulatedMedia", features=features)
        if locale:
            self.call("Emulation.setLocaleOverride", locale=locale)
        if timezone:
            self.call("Emulation.setTimezoneOverride", timezoneId=timezone)

    def offline(self, is_offline=True, latency=0):
        """Takes the network away, or slows it down by milliseconds."""
        self.call(
            "Network.emulateNetworkConditions",
            offline=is_offline, latency=latency, downloadThroughput=-1, uploadThroughput=-1,
        )  # fmt: skip

    @contextlib.contextmanager
    def hidden(self):
        """Puts another tab in front meanwhile, so that the page is hidden as a person would hide it."""
        self.browser.call("Target.activateTarget", targetId=self.target)
        context = self.browser.call("Target.getTargetInfo", targetId=self.target)["targetInfo"]["browserContextId"]
        other = self.browser.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.wait_for("document.hidden")
        yield
        self.browser.call("Target.closeTarget", targetId=other)
        self.wait_for("!document.hidden")

    def screenshot(self, path):
        """Keeps what can be seen as a PNG file."""
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def box(self, selector):
        """`x, y, width, height` of an element; None where it is not there or has no box."""
        return self.evaluate(
            """selector => {
              const element = selector.split(" >>> ").reduce(
                (found, part, index) => (index ? found?.shadowRoot : document)?.querySelector(part) ?? null, null);
              const box = element?.getBoundingClientRect();
              return box?.width ? [box.x, box.y, box.width, box.height] : null;
            }""",
            selector,
        )

    def _hear(self, method, event):
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Runtime.consoleAPICalled":
            words = [str(word.get("value", word.get("description", word["type"]))) for word in event["args"]]
            self.console.append(f"{event['type']}: {' '.join(words)}")
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Network.loadingFailed":
            self.failures.append(event["errorText"])
        elif method == "Audits.issueAdded" and event["issue"]["code"] == "ContentSecurityPolicyIssue":
            issue = event["issue"]["details"]["contentSecurityPolicyIssueDetails"]
            self.violations.append(f"{issue['violatedDirective']} {issue.get('blockedURL', '')}".rstrip())


def _gone():
    """What a question gets for an answer while the page goes elsewhere."""
    from .browser import ProtocolError

    return ProtocolError
