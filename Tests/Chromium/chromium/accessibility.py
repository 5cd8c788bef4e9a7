"""What a screen reader is told, and what axe-core finds."""

import dataclasses
import functools
import importlib.util
import json
import pathlib


@dataclasses.dataclass
class Node:
    """A node of the accessibility tree, without those that are ignored."""

    role: str
    name: str
    description: str
    value: str
    properties: dict
    children: list

    def all(self, role=None, name=None):
        """This node and all below, with that role and name."""
        own = [self] if role in (None, self.role) and name in (None, self.name) else []
        return own + [node for child in self.children for node in child.all(role, name)]

    def find(self, role=None, name=None):
        """The only one of that role and name."""
        found = self.all(role, name)
        if len(found) != 1:
            raise LookupError(f"{len(found)} nodes are {role} {name!r} in\n{self}")
        return found[0]

    def __str__(self, indent=""):
        words = [self.role, repr(self.name) if self.name else "", " ".join(f"{k}={v}" for k, v in self.properties.items())]
        lines = [indent + " ".join(word for word in words if word)]
        return "\n".join(lines + [child.__str__(indent + "  ") for child in self.children])


class Accessibility:
    """What a page is to assistive technology; a part of Page."""

    def accessibility(self):
        """The tree as Chromium gives it to screen readers, shadow roots included."""
        nodes = {node["nodeId"]: node for node in self.call("Accessibility.getFullAXTree")["nodes"]}

        def children(node):
            for id in node.get("childIds", ()):
                if id not in nodes:
                    continue
                if nodes[id].get("ignored"):
                    yield from children(nodes[id])
                elif nodes[id]["role"]["value"] != "InlineTextBox":
                    yield make(nodes[id])

        def make(node):
            def text(member):
                return str(node.get(member, {}).get("value", ""))

            properties = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
            return Node(text("role"), text("name"), text("description"), text("value"), properties, list(children(node)))

        return make(next(node for node in nodes.values() if "parentId" not in node))

    def focused(self):
        """The node that has the keyboard's focus, or None."""
        found = [node for node in self.accessibility().all() if node.properties.get("focused")]
        return found[-1] if found else None

    def axe(self, within=None, **options):
        """What axe-core finds against the page, or against the element of a selector: a list of texts."""
        # The page's own policy must not keep the checker out. It takes effect for this call alone.
        self.call("Page.setBypassCSP", enabled=True)
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.call("Page.createIsolatedWorld", frameId=frame, worldName="axe")["executionContextId"]
        self.call("Runtime.evaluate", contextId=world, expression=_axe())
        answer = self.call(
            "Runtime.evaluate",
            contextId=world,
            awaitPromise=True,
            returnByValue=True,
            expression=f"""axe.run({json.dumps(within or None)} ?? document, {json.dumps(options)}).then(result =>
              result.violations.flatMap(rule => rule.nodes.map(node =>
                `${{rule.id}}: ${{node.target.flat().join(" >>> ")}}: ${{node.failureSummary}}`)))""",
        )
        self.call("Page.setBypassCSP", enabled=False)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"]["value"]


@functools.cache
def _axe():
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None:
        raise SystemExit("axe-core is not installed: see Tests/requirements.txt")
    return (pathlib.Path(package.origin).parent / "axe.min.js").read_text()
