"""Holds objects against the schemas of Kubernetes, of its oldest and newest release that we name, and of two kinds of others."""

import functools
import pathlib

import jsonschema
import kubernetes_validate
import yaml
from kubernetes_validate import utils

# The oldest that has all that we use, and the newest that the validator knows.
VERSIONS = ["1.30", utils.latest_version()]

# It would read them anew for each object.
utils.schema_contents = functools.cache(utils.schema_contents)


@functools.cache
def others():
    """Of what comes from elsewhere: strict, and no more than we use."""
    path = pathlib.Path(__file__).with_name("others.yaml")
    return {(one["apiVersion"], one["kind"]): one["schema"] for one in yaml.safe_load_all(path.read_text())}


def objections(one):
    schema = others().get((one["apiVersion"], one["kind"]))
    if schema:
        head = {"apiVersion": {}, "kind": {}, "metadata": {"type": "object", "required": ["name"]}}
        members = head | {"spec": schema}
        whole = {"type": "object", "properties": members, "additionalProperties": False, "required": list(members)}
        for error in jsonschema.Draft202012Validator(whole).iter_errors(one):
            yield f"{error.json_path}: {error.message}"
        return
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(one, version, strict=True)
        except utils.SchemaNotFoundError as error:
            yield error.message
        except jsonschema.ValidationError as error:
            yield f"Kubernetes {version}: {error.json_path}: {error.message}"
