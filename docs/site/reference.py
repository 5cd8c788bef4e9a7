"""The reference of the API: a page for each tag of openapi.yaml, each operation with its curl line."""

import json
import urllib.parse

import yaml

METHODS = ["get", "put", "post", "patch", "delete"]
# Statuses that mean the same of all operations.
USUAL = ["400", "401", "403", "413", "415", "429", "500", "503"]
SCOPES = {"user": "a user's token", "service": "the role `service`", "admin": "the role `admin`"}


def write(description, folder):
    """Writes the pages, and gives their names in order."""
    document = Description(yaml.safe_load(description.read_text()))
    folder.mkdir(parents=True, exist_ok=True)
    for tag in document.tags:
        (folder / f"{tag['name']}.md").write_text(document.page(tag))
    return [tag["name"] for tag in document.tags]


class Description:
    def __init__(self, document):
        self.document = document
        self.tags = document["tags"]
        self.server = document["servers"][0]["url"]
        self.operations = [
            (path, method, item[method]) for path, item in document["paths"].items() for method in METHODS if method in item
        ]

    def page(self, tag):
        parts = [f"# API: {tag['name']}", tag["description"]]
        for path, method, operation in self.operations:
            if tag["name"] in operation["tags"]:
                parts += self.operation(path, method, operation)
        return "\n\n".join(parts) + "\n"

    def operation(self, path, method, operation):
        parameters = [self.resolved(one) for one in operation.get("parameters", [])]
        yield f"## {operation['summary']}"
        yield f"`{method.upper()} {path}`: {self.callers(operation)}."
        if "description" in operation:
            yield operation["description"].strip()
        yield f"```sh\n{self.curl(path, method, operation, parameters)}\n```"
        if rows := [self.parameter(one) for one in parameters]:
            yield table("parameter", "", rows)
        if "requestBody" in operation:
            body = self.resolved(operation["requestBody"])
            schema = next(iter(body["content"].values()))["schema"]
            if rows := list(self.members(schema)):
                yield table("member of the body", "", rows)
            if "description" in body:
                yield body["description"].strip()
        yield from self.answers(operation)

    def callers(self, operation):
        security = operation.get("security", self.document["security"])
        if not security:
            return "no token"
        tokens = [SCOPES[role] for one in security for role in one.get("bearer", [])]
        keys = [f"an API key of scope `{scope}`" for one in security for scope in one.get("apiKey", [])]
        return ", or ".join(tokens + keys)

    # Requests

    def curl(self, path, method, operation, parameters):
        query = []
        for one in parameters:
            if one["in"] == "path":
                path = path.replace(f"{{{one['name']}}}", str(self.example(one)))
            elif one["in"] == "query" and one.get("required"):
                query.append(f"{one['name']}={self.example(one)}")
        url = self.server + path + ("?" + "&".join(query) if query else "")
        words = ["curl -sS" + ("" if method == "get" else f" -X {method.upper()}"), f"'{url}'" if query else url]
        if operation.get("security", True):
            words.append('-H "Authorization: Bearer $TOKEN"')
        words += [f"-H '{one['name']}: {self.example(one)}'" for one in parameters if one["in"] == "header" and one.get("required")]
        if "requestBody" in operation:
            kind, content = next(iter(self.resolved(operation["requestBody"])["content"].items()))
            example = self.example(content)
            text = urllib.parse.urlencode(example) if kind == "application/x-www-form-urlencoded" else shown(example)
            body = text.replace("'", "'\\''")
            words += [f"-H 'Content-Type: {kind}'", f"-d '{body}'"]
        return " \\\n  ".join([" ".join(words[:2]), *words[2:]])

    def example(self, holder):
        if "example" in holder:
            return holder["example"]
        if "examples" in holder:
            return self.resolved(next(iter(holder["examples"].values())))["value"]
        schema = self.resolved(holder["schema"])
        for word in ["example", "default", "const"]:
            if word in schema:
                return schema[word]
        return next(iter(schema.get("enum", schema.get("examples", ["…"]))))

    def parameter(self, one):
        where = {"path": "in the path", "query": "in the query", "header": "a header"}[one["in"]]
        needed = ", required" if one.get("required") and one["in"] != "path" else ""
        return f"`{one['name']}`", sentence(where + needed, self.kind(one["schema"]), one.get("description"))

    # Schemas

    def members(self, schema, prefix="", depth=0):
        """Each member that an object can have with what is said of it, those within it too."""
        schema = self.resolved(schema)
        for variant in schema.get("anyOf", []) + schema.get("oneOf", []):
            yield from self.members(variant, prefix, depth)
        required = schema.get("required", [])
        for name, member in schema.get("properties", {}).items():
            inner = self.resolved(member)
            yield (
                f"`{prefix}{name}`",
                sentence("required" if name in required else "", self.kind(member), member.get("description", inner.get("description"))),
            )
            if depth < 2:
                yield from self.members(inner, f"{prefix}{name}.", depth + 1)
                if "items" in inner:
                    yield from self.members(inner["items"], f"{prefix}{name}[].", depth + 1)

    def kind(self, schema):
        schema = self.resolved(schema)
        variants = [one for one in schema.get("anyOf", schema.get("oneOf", [])) if self.kind(one) not in ["", "null"]]
        if variants:
            return " or ".join(dict.fromkeys(self.kind(one) for one in variants))
        if "enum" in schema:
            return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"] if value is not None)
        if "const" in schema:
            return f"`{json.dumps(schema['const'])}`"
        kinds = schema.get("type", [])
        # Null is as good as absent, so only what is nothing else says it.
        kinds = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
        words = []
        for kind in kinds:
            if kind == "array" and "items" in schema:
                words.append(f"list of {self.kind(schema['items']) or 'values'}")
            else:
                words.append({"uuid": "UUID", "date-time": "time", "date": "date"}.get(schema.get("format"), kind) if kind == "string" else kind)
        return " or ".join(dict.fromkeys(words)) + bounds(schema)

    # Answers

    def answers(self, operation):
        rows, usual = [], []
        for status, answer in operation["responses"].items():
            answer = self.resolved(answer)
            content = next(iter(answer.get("content", {}).values()), {})
            if status < "300" and ("example" in content or "examples" in content):
                example = self.example(content)
                if not isinstance(example, str):
                    yield f"Answer {status}:"
                    yield f"```json\n{shown(example)}\n```"
            if status in USUAL:
                usual.append(status)
            else:
                rows.append((status, answer["description"].strip()))
        yield table("status", "", rows)
        if usual:
            yield f"As everywhere: {', '.join(usual)} ([errors](../errors.md))."

    def resolved(self, thing):
        while "$ref" in thing:
            rest = {name: value for name, value in thing.items() if name != "$ref"}
            found = self.document
            for name in thing["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            thing = found | rest
        return thing


def shown(value, room=100, indent=""):
    """JSON in as few lines as have room."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= room or not isinstance(value, (dict, list)):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(name, ensure_ascii=False)}: {shown(one, room, inner)}" for name, one in value.items()]
    else:
        parts = [inner + shown(one, room, inner) for one in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n" + ",\n".join(parts) + f"\n{indent}{end}"


def bounds(schema):
    """What limits a value, in words."""
    words = []
    for least, most, unit in [("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " entries")]:
        if most in schema:
            words.append(f"{schema[least]:,} to {schema[most]:,}{unit}" if schema.get(least) else f"up to {schema[most]:,}{unit}")
        elif schema.get(least):
            words.append(f"at least {schema[least]:,}{unit}")
    if "default" in schema:
        words.append(f"`{json.dumps(schema['default'])}` unless given")
    return f" ({', '.join(words)})" if words else ""


def sentence(*parts):
    *words, text = parts
    words = ", ".join(word for word in words if word)
    return ". ".join(part for part in [words, (text or "").strip()] if part)


def table(first, second, rows):
    cells = [(first, second), ("---", "---"), *rows]
    return "\n".join("| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in row) + " |" for row in cells)
