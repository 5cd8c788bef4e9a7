"""Says what is wrong with compose/kubernetes, one sentence a line as JSON.

    judge.py QUEUES            the base, the example, and the example with its alternatives
    judge.py QUEUES damaged    {"damage": …, "expected": …, "objections": […]} for each way of damages.py to break the example

QUEUES is JSON: the queue of each service that has one, as the code names it.
"""

import copy
import json
import re
import sys

import damages
import schemas
import service_rules
import wiring_rules
from facts import facts
from installation import Installation
from kustomization import FOLDER, Renderer

EXAMPLE = FOLDER / "example"
IMAGE = "registry.example.com/belfry"


def commented():
    """What the example leaves out: files, folders, and settings of all services."""
    return re.findall(r"(?m)^ *# - (\S+)$", (EXAMPLE / "kustomization.yaml").read_text())


def alternatives(kustomization):
    """The other one of each pair of which the example takes one, and what it leaves out."""
    chosen = kustomization["resources"]
    chosen[chosen.index("ingress.yaml")] = "routes.yaml"
    chosen.append("data-outside.yaml")
    chosen = kustomization["components"]
    chosen[chosen.index("../components/by-queue")] = "../components/by-queue-keda"
    chosen.append("../components/migrate-job")
    kustomization["configMapGenerator"][0]["literals"] += [one for one in commented() if "=" in one]


def objections(objects, known, queues, sound=()):
    """The form of those that are `sound` is known to be right."""
    malformed = [
        f"{one['kind']} {one['metadata']['name']}: {text}"
        for one in objects
        if one not in sound
        for text in schemas.objections(one)
    ]
    if malformed:
        # The rules take the form for granted.
        yield from malformed
        return
    installation = Installation(objects)
    yield from service_rules.objections(installation, known)
    yield from wiring_rules.objections(installation, known, queues)


def of_files(renderer):
    """Each file is used by one of the variants, and what the example names in comments is there."""
    for path in sorted(FOLDER.rglob("*.yaml")):
        if path.resolve() not in renderer.read:
            yield f"{path.relative_to(FOLDER)} is used by nothing"
    for name in commented():
        if "=" not in name and not (EXAMPLE / name).exists():
            yield f"example/kustomization.yaml names {name}, which there is not"


def of_example(objects):
    """Its image is a release's, and all is in its namespace."""
    for one in objects:
        name = one["metadata"]["name"]
        if one["kind"] != "Namespace" and one["metadata"].get("namespace") != "belfry":
            yield f"{one['kind']} {name} is in no namespace"
        for container in one.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
            if not container["image"].startswith(f"{IMAGE}:"):
                yield f"{name} is of the image {container['image']}"


def main():
    queues, known, renderer = json.loads(sys.argv[1]), facts(), Renderer()
    if sys.argv[2:] == ["damaged"]:
        sound = renderer.render(EXAMPLE)
        for damage, expected in damages.ALL:
            objects = copy.deepcopy(sound)
            damage(objects)
            found = list(objections(objects, known, queues, sound))
            name = damage.__name__.replace("_", " ")
            print(json.dumps({"damage": name, "expected": expected, "objections": found}, ensure_ascii=False))
        return
    # The base alone is for a patch to build upon: it has no image of a release and nothing in front.
    for one in renderer.render(FOLDER / "base"):
        for text in schemas.objections(one):
            print(json.dumps(f"base: {one['kind']} {one['metadata']['name']}: {text}", ensure_ascii=False))
    for name, change in (("example", lambda kustomization: None), ("example, its alternatives", alternatives)):
        objects = renderer.render(EXAMPLE, change)
        for text in [*objections(objects, known, queues), *of_example(objects)]:
            print(json.dumps(f"{name}: {text}", ensure_ascii=False))
    for text in of_files(renderer):
        print(json.dumps(text, ensure_ascii=False))


main()
