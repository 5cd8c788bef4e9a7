"""Firefox on a screen that nobody sees, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), also in its own windows."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import aiohttp

from chromium.page import ScriptError

PREFERENCES = {
    # As a user who has said yes; a click in the browser's own question is another test's business.
    "permissions.default.desktop-notification": 1,
    # Notifications are windows of Firefox's own, which can be clicked.
    "alerts.useSystemBackend": False,
    "dom.push.connection.enabled": True,
    "dom.push.testing.allowInsecureServerURL": True,
    # Nothing of its own, and nothing from elsewhere.
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    # A page's policy forbids an icon that nobody has named.
    "browser.chrome.site_icons": False,
    "browser.region.network.url": "",
    "browser.shell.checkDefaultBrowser": False,
    "browser.topsites.contile.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.security.https_only_mode": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.type": 0,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}

# Nobody but a window's own scripts gets at it: BiDi sends pages alone what a mouse does.
CLICK = """title => {
  const isThis = document.getElementById("alertTitleLabel")?.value === title;
  if (isThis) document.getElementById("alertBox").click();
  return isThis;
}"""


class Firefox:
    """One Firefox with a new profile, in a `with`."""

    def __init__(self, loop, preferences):
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if program is None or shutil.which("Xvfb") is None:
            raise SystemExit("Firefox is not installed: apt-get install firefox-esr xvfb")
        self._loop = loop
        self._folder = tempfile.TemporaryDirectory(prefix="belfry-firefox-", ignore_cleanup_errors=True)
        folder = pathlib.Path(self._folder.name)
        self._log = folder / "firefox.log"
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in (PREFERENCES | preferences).items()]
        (folder / "user.js").write_text("\n".join(lines))
        self._processes, self._session = [], None
        self._answers, self._last_id = {}, 0
        try:
            display = self._screen()
            address = self._start(program, folder, display)
            self._socket = loop.run(self._connect(f"{address}/session"))
            loop.keep(self._read())
            self.call("session.new", capabilities={})
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _screen(self):
        """The number of the display of a screen of its own."""
        ours, theirs = os.pipe()
        command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"]
        self._run(command, pass_fds=[theirs], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        with os.fdopen(ours) as pipe:
            return f":{int(pipe.readline())}"

    def _start(self, program, folder, display):
        """The address at which it listens."""
        environment = {**os.environ, "DISPLAY": display, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1", "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
        environment.pop("WAYLAND_DISPLAY", None)
        command = [program, "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0", "--remote-allow-system-access"]
        with self._log.open("wb") as log:
            child = self._run([*command, "about:blank"], env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while not (found := re.search(r"WebDriver BiDi listening on (\S+)", self.log)):
            if time.monotonic() > deadline or child.poll() is not None:
                raise TimeoutError(f"Firefox does not listen: {self.log[-2000:]}")
            time.sleep(0.05)
        return found[1]

    def _run(self, command, **more):
        # Should this process be killed, they go with it.
        child = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *command], start_new_session=True, stdin=subprocess.DEVNULL, **more
        )
        self._processes.append(child)
        return child

    @property
    def log(self):
        return self._log.read_text(errors="replace")

    async def _connect(self, address):
        self._session = aiohttp.ClientSession()
        return await self._session.ws_connect(address, max_msg_size=0)

    def close(self):
        if self._session:
            self._loop.run(self._session.close())
        for child in reversed(self._processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self._folder.cleanup()

    def call(self, method, **parameters):
        """Sends a command and returns its result."""
        return self._loop.run(self._call(method, parameters))

    async def _call(self, method, parameters):
        self._last_id += 1
        answer = self._answers[self._last_id] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._last_id, "method": method, "params": parameters})
        return await answer

    async def _read(self):
        async for message in self._socket:
            answer = json.loads(message.data)
            waiting = self._answers.pop(answer.get("id"), None)
            if waiting and answer["type"] == "success":
                waiting.set_result(answer["result"])
            elif waiting:
                waiting.set_exception(RuntimeError(f"{answer['error']}: {answer['message']}"))

    def click_notification(self, title):
        """Clicks the notification with that title, in Firefox's own window, as soon as it is there."""
        deadline = time.monotonic() + 10
        while True:
            for context, address in self.windows("chrome").items():
                with contextlib.suppress(RuntimeError, ScriptError):
                    if address.endswith("/alert.xhtml") and self.evaluate(context, CLICK, title):
                        return
            if time.monotonic() > deadline:
                raise TimeoutError(f"No notification is shown with the title {title}: {self.windows('chrome')}")
            time.sleep(0.1)

    def windows(self, scope=None):
        """Context and address of each page; with the scope `chrome`, of each of its own windows."""
        tree = self.call("browsingContext.getTree", **({"moz:scope": scope} if scope else {}))
        return {each["context"]: each["url"] for each in tree["contexts"]}

    def evaluate(self, context, expression, *arguments):
        """The value of an expression, or of a function called with JSON arguments; promises are awaited."""
        if arguments:
            expression = f"({expression})({', '.join(json.dumps(argument) for argument in arguments)})"
        # Of a value only its JSON is asked for: BiDi has a form of its own for objects.
        expression = f"(async () => JSON.stringify(await ({expression})) ?? 'null')()"
        answer = self.call("script.evaluate", expression=expression, target={"context": context}, awaitPromise=True, userActivation=True)
        if answer["type"] == "exception":
            raise ScriptError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])


class FirefoxPage:
    """A page in a container of its own, which shares nothing with others; with what Bell needs of a page."""

    def __init__(self, firefox):
        self.firefox = firefox
        self._container = firefox.call("browser.createUserContext")["userContext"]
        self.context = firefox.call("browsingContext.create", type="tab", userContext=self._container)["context"]
        self.before_load("""
          globalThis.violations = [];
          addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => violations.push(`${violatedDirective} ${blockedURI}`));
        """)

    def close(self):
        """With all that the container has."""
        self.firefox.call("browser.removeUserContext", userContext=self._container)

    def before_load(self, script):
        self.firefox.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}", contexts=[self.context])

    def open(self, address):
        self.firefox.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression, *arguments):
        return self.firefox.evaluate(self.context, expression, *arguments)

    def wait_for(self, expression, *arguments, within=10):
        deadline = time.monotonic() + within
        while not (value := self.evaluate(expression, *arguments)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"Not within {within} s: {expression}")
            time.sleep(0.05)
        return value
