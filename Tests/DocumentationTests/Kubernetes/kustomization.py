"""Renders a kustomization as `kubectl kustomize` does, as far as compose/kubernetes goes; what it does not know is an error.

A generated ConfigMap is called <name>-generated, where Kustomize appends a hash.
"""

import copy
import json
import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).parents[3]
FOLDER = ROOT / "compose/kubernetes"

# Lists whose elements are merged by a member; all others are replaced.
MERGE_KEYS = {
    "containers": "name",
    "initContainers": "name",
    "env": "name",
    "volumes": "name",
    "volumeMounts": "mountPath",
    "ports": "containerPort",
}
KNOWN = {
    "apiVersion",
    "kind",
    "namespace",
    "resources",
    "components",
    "patches",
    "images",
    "configMapGenerator",
    "replicas",
}
CLUSTER_WIDE = {"Namespace"}


class Renderer:
    """Remembers which files it has read."""

    def __init__(self):
        self.read = set()

    def documents(self, path):
        self.read.add(path.resolve())
        return [document for document in yaml.safe_load_all(path.read_text()) if document]

    def render(self, folder, change=lambda kustomization: None):
        """All objects of a folder. `change` may change its kustomization first."""
        objects = []
        self.accumulate(folder, objects, change)
        rename_config_maps(objects)
        return objects

    def accumulate(self, folder, objects, change=lambda kustomization: None):
        (kustomization,) = self.documents(folder / "kustomization.yaml")
        change(kustomization)
        unknown = kustomization.keys() - KNOWN
        if unknown:
            raise ValueError(f"{folder}: {sorted(unknown)} is nothing that this renderer knows")
        for name in kustomization.get("resources", []):
            path = folder / name
            if path.is_dir():
                self.accumulate(path, objects)
            else:
                objects += self.documents(path)
        for name in kustomization.get("components", []):
            self.accumulate(folder / name, objects)
        for generator in kustomization.get("configMapGenerator", []):
            generate(generator, objects)
        for entry in kustomization.get("patches", []):
            self.patch(folder, entry, objects)
        for item in kustomization.get("images", []):
            set_image(item, objects)
        for item in kustomization.get("replicas", []):
            for one in objects:
                if one["metadata"]["name"] == item["name"] and "template" in one.get("spec", {}):
                    one["spec"]["replicas"] = item["count"]
        if "namespace" in kustomization:
            for one in objects:
                if one["kind"] not in CLUSTER_WIDE:
                    one["metadata"]["namespace"] = kustomization["namespace"]

    def patch(self, folder, entry, objects):
        if "path" in entry:
            (content,) = self.documents(folder / entry["path"])
        else:
            content = json.loads(entry["patch"])
        target = entry.get("target") or {"kind": content["kind"], "name": content["metadata"]["name"]}
        found = [one for one in objects if selects(target, one)]
        if not found:
            raise ValueError(f"{folder}: no object is {target}")
        for one in found:
            if isinstance(content, list):
                for operation in content:
                    apply(operation, one)
            else:
                merge(one, {key: value for key, value in content.items() if key not in ("apiVersion", "kind")}, True)


def selects(target, one):
    if unknown := target.keys() - {"kind", "name", "labelSelector"}:
        raise ValueError(f"{sorted(unknown)} of a patch's target is nothing that this renderer knows")
    labels = one["metadata"].get("labels", {})
    wanted = dict(pair.split("=") for pair in target.get("labelSelector", "").split(",") if pair)
    return (
        re.fullmatch(target.get("kind", ".*"), one["kind"])
        and re.fullmatch(target.get("name", ".*"), one["metadata"]["name"])
        and all(labels.get(key) == value for key, value in wanted.items())
    )


def merge(old, new, is_root=False):
    """A strategic merge; the root keeps its name."""
    for key, value in new.items():
        if is_root and key == "metadata":
            value = {name: content for name, content in value.items() if name != "name"}
        if isinstance(value, dict) and isinstance(old.get(key), dict):
            merge(old[key], value)
        elif isinstance(value, list) and key in MERGE_KEYS and key in old:
            merge_list(old[key], value, MERGE_KEYS[key])
        else:
            old[key] = copy.deepcopy(value)


def merge_list(old, new, key):
    added = []
    for element in new:
        known = next((one for one in old if one[key] == element[key]), None)
        if known is None:
            added.append(copy.deepcopy(element))
        else:
            merge(known, element)
    old[:0] = added


def apply(operation, one):
    """A JSON patch, of which there is only `remove`."""
    if operation["op"] != "remove":
        raise ValueError(f"{operation} is nothing that this renderer knows")
    *path, last = operation["path"].strip("/").split("/")
    for step in path:
        one = one[step]
    del one[last]


def generate(generator, objects):
    if unknown := generator.keys() - {"name", "behavior", "literals"}:
        raise ValueError(f"{sorted(unknown)} of a generator is nothing that this renderer knows")
    data = dict(literal.split("=", 1) for literal in generator["literals"])
    known = [one for one in objects if one["kind"] == "ConfigMap" and one["metadata"]["name"] == generator["name"]]
    if generator.get("behavior") == "merge":
        known[0]["data"] |= data
    elif known:
        raise ValueError(f"there are two ConfigMaps {generator['name']}")
    else:
        objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": generator["name"]}, "data": data})


def set_image(item, objects):
    for container in (one for pod in pods(objects) for one in containers(pod)):
        if container["image"] == item["name"]:
            container["image"] = f"{item.get('newName', item['name'])}:{item['newTag']}"


def rename_config_maps(objects):
    names = {one["metadata"]["name"] for one in objects if one["kind"] == "ConfigMap"}
    for one in objects:
        if one["kind"] == "ConfigMap":
            one["metadata"]["name"] += "-generated"
    for reference in (one for pod in pods(objects) for one in config_map_references(pod)):
        if reference["name"] in names:
            reference["name"] += "-generated"


def pods(objects):
    """The templates of pods."""
    return [one["spec"]["template"] for one in objects if "template" in one.get("spec", {})]


def containers(pod):
    return pod["spec"].get("initContainers", []) + pod["spec"]["containers"]


def config_map_references(pod):
    """Each {"name": …, "key": …, "optional": …}, of which the last two may be missing."""
    for container in containers(pod):
        for source in container.get("envFrom", []):
            if "configMapRef" in source:
                yield source["configMapRef"]
        for variable in container.get("env", []):
            if reference := variable.get("valueFrom", {}).get("configMapKeyRef"):
                yield reference
    for volume in pod["spec"].get("volumes", []):
        if "configMap" in volume:
            yield volume["configMap"]
