"""What is wrong with openapi.yaml and asyncapi.yaml themselves: their form, and their examples."""

import json
import re

import jsonschema
from openapi_spec_validator import OpenAPIV31SpecValidator

from description import METHODS, Description, load, objection


def objections():
    """All that is wrong, as sentences."""
    openapi, asyncapi = load("openapi.yaml"), load("asyncapi.yaml")
    for error in OpenAPIV31SpecValidator(openapi).iter_errors():
        yield f"openapi.yaml {getattr(error, 'json_path', '')}: {error.message[:300]}"
    yield from of_openapi(openapi)
    yield from of_asyncapi(asyncapi, openapi)
    yield from unused(openapi, asyncapi)


def of_openapi(document):
    description = Description(document)
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                where = f"{method.upper()} {path}"
                yield from of_operation(description, where, item.get("parameters", []), item[method])
    for name, schema in document["components"]["schemas"].items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            yield f"{name}: {error.message[:300]}"
            continue
        validator = description.validator(schema)
        for example in schema.get("examples", []):
            yield from worded(f"{name}, its example", objection(validator, example))
        for member in schema.get("required", []):
            if "properties" in schema and member not in schema["properties"]:
                yield f"{name}: {member} is required and not described"
    for name, response in document["components"]["responses"].items():
        yield from of_response(description, name, response)


def of_operation(description, where, parameters, operation):
    for parameter in map(description.resolve, parameters + operation.get("parameters", [])):
        place = f"{where}, {parameter['name']}"
        for _, value in examples(parameter):
            yield from worded(place, objection(description.validator(parameter["schema"]), value))
        if parameter.get("in") == "path" and "example" not in parameter:
            yield f"{place}: without an example"
    if "requestBody" in operation:
        yield from of_content(description, f"{where}, its body", operation["requestBody"]["content"], strict=False)
    for status, response in operation["responses"].items():
        if "$ref" not in response:
            yield from of_response(description, f"{where} {status}", response)


def of_response(description, where, response):
    yield from of_content(description, where, response.get("content", {}), strict=True)
    for name, header in response.get("headers", {}).items():
        header = description.resolve(header)
        for _, value in examples(header):
            yield from worded(f"{where}, {name}", objection(description.validator(header["schema"]), value))


def of_content(description, where, content, strict):
    for kind, media in content.items():
        found = list(examples(media))
        if not found:
            yield f"{where}, {kind}: without an example"
        for name, value in found:
            validator = description.validator(media["schema"], strict=strict)
            yield from worded(f"{where}, {name}", objection(validator, value))


def of_asyncapi(document, openapi):
    description = Description(document, {"openapi.yaml": openapi})
    for name, message in document["components"]["messages"].items():
        if not message.get("examples"):
            yield f"asyncapi.yaml, {name}: without an example"
        for example in message.get("examples", []):
            where = f"asyncapi.yaml, {name}, {example['name']}"
            validator = description.validator(message["payload"], strict=True)
            yield from worded(where, objection(validator, example["payload"]))
            if "headers" in example:
                validator = description.validator(message["headers"], strict=True)
                yield from worded(f"{where}, its headers", objection(validator, example["headers"]))
    yield from dangling(description, document)


def dangling(description, node):
    """References to what is not there."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            try:
                description.find(node["$ref"])
            except KeyError:
                yield f"asyncapi.yaml: there is no {node['$ref']}"
        for child in node.values():
            yield from dangling(description, child)
    elif isinstance(node, list):
        for child in node:
            yield from dangling(description, child)


def unused(openapi, asyncapi):
    """Components that nothing refers to."""
    used = set(re.findall(r"#/components/(\w+/\w+)", json.dumps(openapi) + json.dumps(asyncapi)))
    for kind, components in openapi["components"].items():
        for name in components:
            if kind != "securitySchemes" and f"{kind}/{name}" not in used:
                yield f"openapi.yaml: nothing refers to {kind}/{name}"


def examples(node):
    if "example" in node:
        yield "its example", node["example"]
    for name, example in node.get("examples", {}).items():
        yield f"its example {name}", example["value"]


def worded(where, text):
    if text:
        yield f"{where}: {text}"
