"""The service worker of a page's origin, as a browser's push service and its user meet it."""

import json
import re

from bell import Bell
from chromium.page import ScriptError
from world import wait_until

# As docs/bell.md has it, after what a test has to see: windows open only for a real click, which a browser without a screen has nothing for.
SPY = """
globalThis.opened = [];
clients.openWindow = async address => (opened.push(address), null);
navigator.setAppBadge = async count => { globalThis.badge = count; };
const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0));
globalThis.subscription = (endpoint, key) => ({ endpoint, options: { applicationServerKey: bytes(key) }, toJSON: () => ({ endpoint, keys: { p256dh: "renewed", auth: "renewed" } }) });
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  globalThis.subscribedWith = applicationServerKey;
  return subscription(`https://push.example/renewed/${Math.random()}`, applicationServerKey);
};
globalThis.happen = async (name, members) => {
  const work = [];
  const event = Object.assign(new Event(name), members);
  event.waitUntil = promise => work.push(promise);
  dispatchEvent(event);
  await Promise.all(work);
  return work.length;
};
"""

class Worker:
    """The worker that runs the script at `path`, once it is there."""

    def __init__(self, bell: Bell, origin, path):
        self.page, self.browser, self.origin = bell.page, bell.page.browser, origin
        self.address = origin + path
        self._registrations = {}
        self.browser.listen(self.page.session, self._hear)
        self.page.call("ServiceWorker.enable")
        wait_until(self._target, "the worker runs")
        self.session = self.browser.call("Target.attachToTarget", targetId=self._target(), flatten=True)["sessionId"]

    def _hear(self, method, event):
        if method == "ServiceWorker.workerVersionUpdated":
            for version in event["versions"]:
                self._registrations[version["scriptURL"]] = version["registrationId"]

    def _target(self):
        """Another context's worker may have the same address."""
        targets = self.browser.call("Target.getTargets")["targetInfos"]
        context = next(each["browserContextId"] for each in targets if each["targetId"] == self.page.target)
        found = [each for each in targets if each["type"] == "service_worker" and each["browserContextId"] == context]
        return next((each["targetId"] for each in found if each["url"] == self.address), None)

    def get(self, expression, *arguments):
        if arguments:
            expression = f"({expression})({', '.join(json.dumps(argument) for argument in arguments)})"
        answer = self.browser.call("Runtime.evaluate", self.session, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ScriptError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def deliver(self, message):
        """A message arrives, as from the push service."""
        wait_until(lambda: self.address in self._registrations, "the registration is known")
        data = message if isinstance(message, str) else json.dumps(message)
        self.page.call("ServiceWorker.deliverPushMessage", origin=self.origin, registrationId=self._registrations[self.address], data=data)

    def shown(self):
        """What the browser shows: title, text and what is kept with it, the newest last."""
        return self.get(
            """registration.getNotifications().then(all => all.map(({ title, body, tag, lang, silent, data }) =>
              ({ title, body, tag, lang, silent, data })))"""
        )

    def click(self, title, action=""):
        """The user clicks a notification, or one of its buttons. Returns how many of the worker's listeners cared."""
        return self.get(
            """async (title, action) => {
              const [notification] = (await registration.getNotifications()).filter(each => each.title === title);
              return happen("notificationclick", { notification, action });
            }""",
            title, action,
        )  # fmt: skip


def one_line(world, document):
    """The host's worker as the document has it."""
    line = re.search(r"^ *importScripts\(.*\);$", document.read_text(), re.MULTILINE)[0]
    return re.sub(r"https://[\w.:-]+(?=/bell/)", world.gateway, line)
