"""Attacks a gateway with Schemathesis: what the description allows, what it forbids, and what its links lead to.

The gateway must have nothing to lose. Exits with 0 if it answered everything as described, and if every operation was called,
something fuzzed and a link followed; prints what it did not, each with a command that repeats it. attack_hooks.py has what
Schemathesis is told about Belfry, attack_reach.py how far it came.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import sys
import tempfile

from description import load

# Schemathesis stops by itself, on a busy machine half a minute and more after its time; this is for where it does not.
GRACE = 180
METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}


def attackable(document):
    """The description of what there is at the gateway's own port."""
    for path, item in list(document["paths"].items()):
        if "servers" in item:
            del document["paths"][path]
    return document


def operations(document, ids):
    """Those with these ids, or all, as Schemathesis names them."""
    return [
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS and (not ids or operation["operationId"] in ids)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="the gateway, http://host:port")
    parser.add_argument("--user", required=True, help="the id in the user's token")
    for role in ("user", "service", "admin"):
        parser.add_argument(f"--{role}-token", required=True)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument(
        "--quick", action="store_true", help="do not ask of each refusal whether a schema could have said it"
    )
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--operation", action="append", default=[], help="only this operationId; may be repeated")
    options = parser.parse_args()
    print(f"The seed is {options.seed}.", flush=True)
    with tempfile.TemporaryDirectory(prefix="belfry-attack-") as folder:
        document = attackable(load("openapi.yaml"))
        description = pathlib.Path(folder, "openapi.json")
        description.write_text(json.dumps(document), encoding="utf-8")
        # Of its time, Schemathesis keeps two thirds back for fuzzing and for links, one each; attack_reach.py sees that it did.
        arguments = [
            "--config-file", str(pathlib.Path(__file__).resolve().with_name("schemathesis.toml")), "run", str(description),
            "--url", options.url, "--seed", str(options.seed), "--max-time", str(options.seconds),
            "--continue-on-failure", "--no-color",
            # A slow machine is no finding, nor is a connection that was closed because it was idle.
            "--suppress-health-check", "all", "--request-timeout", "60", "--request-retries", "1",
        ]
        for operation in options.operation:
            arguments += ["--include-operation-id", operation]
        os.environ.update(
            SCHEMATHESIS_HOOKS="attack_hooks",
            BELFRY_ATTACK_URL=options.url,
            BELFRY_ATTACK_USER=options.user,
            BELFRY_ATTACK_USER_TOKEN=options.user_token,
            BELFRY_ATTACK_SERVICE_TOKEN=options.service_token,
            BELFRY_ATTACK_ADMIN_TOKEN=options.admin_token,
        )
        if not options.quick:
            os.environ["BELFRY_ATTACK_REASONS"] = "1"
        # Where it puts what it remembers.
        os.chdir(folder)
        signal.signal(signal.SIGALRM, too_late)
        signal.alarm(options.seconds + GRACE)
        # In this process, which whoever started it can end; imported now, because it reads the environment.
        from schemathesis.cli import schemathesis

        try:
            status = schemathesis.main(arguments, prog_name="schemathesis", standalone_mode=False)
        except SystemExit as end:
            status = end.code
        finally:
            signal.alarm(0)
            os.chdir("/")
    from attack_reach import REACH

    print(REACH)
    # Links of one operation alone lead nowhere.
    gaps = REACH.gaps(operations(document, options.operation), has_links=not options.operation)
    for gap in gaps:
        print(f"Not attacked: {gap}")
    return status or (1 if gaps else 0)


def too_late(*_):
    raise SystemExit(f"Schemathesis has not come to its end {GRACE} seconds after its time.")


if __name__ == "__main__":
    sys.exit(main())
