"""openapi.yaml and asyncapi.yaml as the tests ask them: what an answer may be, and what is wrong with the documents.

Strict is what the documents themselves are not, because clients have to pass over members that are new to them: here a
member that no schema names is an objection, and so is a status, a content type or a header.
"""

import json
import pathlib
import re

import jsonschema
import yaml

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Services/Gateway/Description"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
# Of the connection and of the body's form, in answers of every server.
FRAMING = {"connection", "content-length", "content-type", "date", "keep-alive", "server", "transfer-encoding"}
FORMATS = jsonschema.FormatChecker(formats=())


DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TIME = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d"


def check(name, pattern):
    compiled = re.compile(pattern, re.ASCII)
    FORMATS.checks(name)(lambda value: not isinstance(value, str) or compiled.fullmatch(value) is not None)


check("date", DATE)
check("date-time", rf"{DATE}[Tt]{TIME}(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
check("uuid", r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
check("uri", r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
# How the gateway writes them itself, of the forms that it reads.
check("answered date-time", rf"{DATE}T{TIME}\.\d\d\dZ")
check("answered uuid", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML whose times stay text, and which refuses a key that is there twice."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def mapping(loader, node):
    keys = [loader.construct_object(key) for key, _ in node.value]
    for key in set(keys):
        if keys.count(key) > 1:
            raise ValueError(f"line {node.start_mark.line + 1}: {key} is there twice")
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


Loader.add_constructor("tag:yaml.org,2002:map", mapping)


def load(name):
    return yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader)


def unique(pairs):
    """A JSON object; ValueError for a member that is there twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is there twice")
    return members


class Description:
    """One document, with the other beside it that its references may name."""

    def __init__(self, document, others=None):
        self.document = document
        self.documents = {"": document, **(others or {})}
        self.inlined = {}

    def find(self, reference, home=""):
        """What a `$ref` in the document called `home` means, and the document that it is in."""
        file, _, pointer = reference.partition("#")
        home = file.removeprefix("./") or home
        node = self.documents[home]
        for part in pointer.split("/")[1:]:
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return node, home

    def resolve(self, node):
        while isinstance(node, dict) and "$ref" in node:
            node, _ = self.find(node["$ref"])
        return node

    def inline(self, schema, strict=False, is_part=False, home=""):
        """A schema without references; strict, it has no room for members that it does not name.

        `is_part` is what stands beside others that the same object has to match: only the whole is closed.
        """
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            key = (schema["$ref"], home, strict, is_part)
            if key not in self.inlined:
                self.inlined[key] = None
                found, place = self.find(schema["$ref"], home)
                self.inlined[key] = self.inline(found, strict, is_part, place)
            if self.inlined[key] is None:
                raise ValueError(f"{schema['$ref']} refers to itself")
            return self.inlined[key]
        # What a request put, and what may be closed because nothing is added to it but with a new version.
        if schema.get("x-as-put") or schema.get("additionalProperties") is False:
            strict = False
        closed = {}
        for word, value in schema.items():
            if word in ("properties", "patternProperties"):
                value = {name: self.inline(child, strict, home=home) for name, child in value.items()}
            elif word in ("items", "additionalProperties"):
                value = self.inline(value, strict, home=home)
            elif word == "allOf":
                value = [self.inline(child, strict, True, home) for child in value]
            elif word in ("anyOf", "oneOf"):
                value = [self.inline(child, strict, is_part or "properties" in schema, home) for child in value]
            elif word == "not":
                value = self.inline(value, home=home)
            elif word == "format" and strict and f"answered {value}" in FORMATS.checkers:
                value = f"answered {value}"
            closed[word] = value
        if strict and not is_part and ("properties" in schema or "allOf" in schema):
            composed = any(word in schema for word in ("allOf", "anyOf", "oneOf"))
            if "additionalProperties" not in schema and "patternProperties" not in schema:
                closed["unevaluatedProperties" if composed else "additionalProperties"] = False
        return closed

    def validator(self, schema, strict=False, home=""):
        return jsonschema.Draft202012Validator(self.inline(schema, strict, home=home), format_checker=FORMATS)


def objection(validator, value):
    """What a schema has against a value, with the place in it; None if nothing."""
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    return None if error is None else f"{error.json_path}: {error.message[:300]}"


class Answers:
    """What openapi.yaml says of the gateway's answers."""

    def __init__(self, document):
        self.description = Description(document)
        self.everywhere = document["x-everywhere"]
        self.validators = {}
        self.paths = []
        for path, item in document["paths"].items():
            operations = {method: item[method] for method in METHODS if method in item}
            # What has servers of its own is at another port.
            if "servers" not in item:
                self.paths.append((path.split("/")[1:], path, operations))

    def operations(self, path):
        """The description's path for one that was asked for, and its operations; of several the most literal one."""
        pieces = [piece for piece in path.partition("?")[0].split("/") if piece]
        matches = [
            ([piece.startswith("{") for piece in template], name, operations)
            for template, name, operations in self.paths
            if len(template) == len(pieces)
            and all(piece.startswith("{") or piece == given for piece, given in zip(template, pieces))
        ]
        return min(matches, key=lambda match: match[0])[1:] if matches else (None, None)

    def objections(self, method, path, status, headers, body):
        """All that speaks against an answer.

        headers: pairs of name and value; body: bytes.
        """
        name, operations = self.operations(path)
        # With a slash at its end a path names nothing for DELETE.
        if method.upper() == "DELETE" and path.partition("?")[0].endswith("/"):
            name = None
        preflight = self.everywhere.get("preflight", {})
        if method.upper() == "OPTIONS" and str(status) in preflight:
            responses, place = preflight, "any path"
        elif name is None:
            responses, place = self.everywhere["paths"], "a path that is not described"
        elif method.upper() == "HEAD" and "get" in operations and status != 405:
            # As GET answers (RFC 9110, 9.3.2).
            responses, place = operations["get"]["responses"], name
        elif method.lower() not in operations:
            responses, place = self.everywhere["methods"], f"a method that {name} does not have"
        else:
            responses, place = operations[method.lower()]["responses"], name
        where = f"{method} {place} answered {status}"
        if str(status) not in responses:
            return [f"{where}: this status is not described"]
        response = self.description.resolve(responses[str(status)])
        found = list(self.of_headers(response.get("headers", {}), headers))
        if method.upper() != "HEAD":
            found += self.of_body(response.get("content", {}), status, headers, body)
        return [f"{where}: {text}" for text in found]

    def of_headers(self, described, headers):
        resolve = self.description.resolve
        described = {name.lower(): (resolve(header), True) for name, header in described.items()}
        for name, header in self.everywhere.get("headers", {}).items():
            described.setdefault(name.lower(), (resolve(header), False))
        given = {}
        for name, value in headers:
            given.setdefault(name.lower(), []).append(value)
        for name, values in given.items():
            if name in FRAMING:
                continue
            if name not in described:
                yield f"the header {name} is not described"
                continue
            header = described[name][0]
            for value in values:
                kind = header["schema"].get("type")
                if kind == "integer" and re.fullmatch(r"-?[0-9]+", value):
                    value = int(value)
                text = objection(self.validator(header["schema"]), value)
                if text:
                    yield f"the header {name}: {text}"
        for name, (header, is_own) in described.items():
            if is_own and header.get("required") and name not in given:
                yield f"the header {name} is missing"

    def of_body(self, content, status, headers, body):
        types = [value for name, value in headers if name.lower() == "content-type"]
        if not content:
            if body or types:
                yield f"no body is described, and there is one: {types} {body[:100]!r}"
            return
        kind = types[0].partition(";")[0].strip().lower() if len(types) == 1 else None
        if kind not in content:
            yield f"of the Content-Types {list(content)} it has {types}"
            return
        try:
            value = body.decode("utf-8")
            if kind == "application/json" or kind.endswith("+json"):
                value = json.loads(value, object_pairs_hook=unique)
            elif kind == "application/yaml":
                value = yaml.load(value, Loader)
        except (ValueError, yaml.YAMLError) as error:
            yield f"the body is no {kind}: {error}"
            return
        text = objection(self.validator(content[kind]["schema"]), value)
        if text:
            yield text
        elif kind == "application/problem+json" and value["status"] != status:
            yield f"$.status: {value['status']} is not the status"

    def validator(self, schema):
        # By identity: the document lives as long as this object.
        if id(schema) not in self.validators:
            self.validators[id(schema)] = self.description.validator(schema, strict=True)
        return self.validators[id(schema)]
