"""What Schemathesis is told about Belfry: who may call what, the strict reading of the description, and which refusals of what a
schema allows are right, because no schema can say them. attack.py loads it."""

import os
import re

import schemathesis

from description import Answers, load

DOCUMENT = load("openapi.yaml")
ANSWERS = Answers(DOCUMENT)

# Of what is right by its schema: the catalogue, the clock, what is stored, sizes in bytes, and rules between members.
REASONS = re.compile("|".join([
    "is not in the catalogue",
    "is not a category of the catalogue",
    "is not an event of the catalogue",
    "expected an IANA time zone",
    "must be later than",
    r"must be at most \d+ days ahead",
    "userId: must be the caller's",
    "is required by the template",
    r"offset: \S+ is there already",
    "expected what an answer gave as next",
    "expected an id as the list tells it",
    r"has \d+ bytes; at most \d+ are allowed",
    "what is snoozed is not archived",
]))


@schemathesis.auth(refresh_interval=None)
class Token:
    """That of the role which the operation asks for."""

    def get(self, case, context):
        security = context.operation.definition.raw.get("security", DOCUMENT["security"])
        roles = [role for requirement in security for role in requirement.get("bearer", [])]
        return os.environ[f"BELFRY_ATTACK_{roles[0].upper()}_TOKEN"] if roles else None

    def set(self, case, token, context):
        if token:
            case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.check
def is_as_described(context, response, case):
    """Nothing in an answer that is not described: neither status nor header nor member."""
    headers = [(name, value) for name, values in response.headers.items() for value in values]
    request = response.request
    objections = ANSWERS.objections(
        request.method, request.path_url, response.status_code, headers, response.content or b""
    )
    if objections:
        raise AssertionError("\n".join(objections))


@schemathesis.check
def refuses_with_reason(context, response, case):
    """What the description allows is refused only for what a schema cannot say."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for error in response.json().get("errors", []):
        if not REASONS.search(f"{error['field']}: {error['message']}"):
            raise AssertionError(f"no reason: {error['field']}: {error['message']}")
