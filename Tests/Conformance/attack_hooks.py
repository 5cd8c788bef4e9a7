"""What Schemathesis is told about Belfry: who may call what, the strict reading of the description, and which refusals of what a
schema allows are right, because no schema can say them. attack.py loads it."""

import os
import re

import requests
import schemathesis

import attack_reach  # noqa: F401  It hears what is done.
from description import Answers, load

DOCUMENT = load("openapi.yaml")
ANSWERS = Answers(DOCUMENT)
FRAMING = {"connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade"}

# Field and message of refusals that no schema can foresee.
REASONS = re.compile("|".join([
    # The catalogue, its templates and its rules.
    r"is not in the catalogue",
    r"is not a category of the catalogue",
    r"is not an event of the catalogue",
    r"is not relayed, and no rule looks at it",
    r"is required by the template",
    r"is given by each occurrence",
    r"^(event\.)?payload\b",
    # The clock.
    r"must be later than",
    r"must be at most \d+ days ahead",
    r"is more than a year ahead",
    r"must be within a year",
    r"has passed",
    r"is yet to come",
    r"expected at most \d+ days",
    r"^from: is after to$",
    # What is stored, and who asks.
    r"where neither user nor request is given",
    r"^id: is a device of another provider",
    r"^(event\.)?audience: is required",
    r"^userId: must be the caller's",
    r"may be muted at once",
    r"expected what an answer gave as next",
    # Sizes in bytes.
    r"has \d+ bytes; at most \d+ are allowed",
    r"has more than \d+ bytes",
    r"expected an id as the list tells it",
    # Grammars.
    r"expected an IANA time zone",
    r"expected an RRULE",
    r"^to\.condition: (expected .* at character \d+|names \d+ topics|has more than \d+ parentheses)",
    r"^lateness: expected a duration",
    r"offset: expected days",
    r"^email: expected an address",
    r"^endpoint: expected an https URL",
    r"expected \d+ bytes in base64url",
    # Rules between members.
    r"^token: is required, unless 'fid' is given",
    r"^fid: is given beside 'token'",
    r"what is snoozed is not archived",
    r"^channels: a topic gets pushes alone",
    r"^silent: a topic has no inbox",
    r"^data: has \d+ bytes; at most \d+ go to a topic",
    r"^(startTime|endTime): is required",
    r"must differ from startTime",
    r"offset: \S+ is there already",
]))


# Details of refusals that name no field: two credentials, and NUL or U+FFFD in a path, which a schema's string allows.
MALFORMED = {"bring either Authorization or X-Api-Key, not both", "the path is malformed"}


# A mail is sent as it stands.
schemathesis.serializer.alias("message/rfc822", "application/octet-stream")


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


def refill():
    """Sends the user one more, so that there is something to list whatever was deleted."""
    body = {"to": {"users": [os.environ["BELFRY_ATTACK_USER"]]}, "type": 99, "title": "One more", "body": "To list."}
    headers = {"Authorization": f"Bearer {os.environ['BELFRY_ATTACK_SERVICE_TOKEN']}"}
    requests.post(f"{os.environ['BELFRY_ATTACK_URL']}/api/v1/notifications", json=body, headers=headers, timeout=20)


@schemathesis.hook
def before_call(context, case, kwargs):
    """What is no HTTP does not come to the gateway: the server in front of it refuses it, without a body."""
    for name in [name for name in case.headers or {} if name.lower() in FRAMING]:
        del case.headers[name]
    if case.operation.definition.raw.get("operationId") == "listNotifications":
        refill()


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
    """What the description allows is refused only for what a schema cannot say. What else there is shows in time alone."""
    if "BELFRY_ATTACK_REASONS" not in os.environ:
        return
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    problem = response.json()
    errors = problem.get("errors", [])
    if not errors and problem.get("detail") not in MALFORMED:
        raise AssertionError(f"names no field: {problem}")
    for error in errors:
        if not REASONS.search(f"{error['field']}: {error['message']}"):
            raise AssertionError(f"no reason: {error['field']}: {error['message']}")
