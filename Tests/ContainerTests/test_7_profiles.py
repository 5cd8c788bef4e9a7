"""What a profile lacks keeps only its own services from starting."""

import json
import os
import subprocess

from owner import KEY_OWNER
from waiting import until

# What each says that it lacks.
NEEDED = {"push": "BELFRY_PUSH_SERVICE_ACCOUNT_FILE", "email": "BELFRY_EMAIL_HOST"}


def test_without_key_and_mail_server_only_push_and_email_fail_and_say_what_they_lack(stack):
    others = {each.id: each.state["StartedAt"] for each in stack.containers() if each.is_running}
    stack.compose("--profile", "push", "--profile", "email", "up", "--detach", check=False)

    def all_say():
        return all(setting in stack.compose("--profile", name, "logs", name) for name, setting in NEEDED.items())

    until("each says what it lacks", all_say, within=20)
    assert [each for each in stack.containers(*NEEDED) if each.is_healthy] == []
    after = {each.id: each.state["StartedAt"] for each in stack.containers() if each.is_healthy}
    assert after == others
    stack.compose("--profile", "push", "--profile", "email", "rm", "--force", "--stop", *NEEDED)


def test_a_key_that_only_its_owner_may_read_is_read(stack):
    key = stack.folder / "service-account.json"
    key.write_text(json.dumps(service_account()))
    key.chmod(0o600)
    os.chown(key, *KEY_OWNER)
    # BELFRY_UID and BELFRY_GID say who that is since the start.
    stack.configure(BELFRY_SERVICE_ACCOUNT_FILE="./service-account.json")
    stack.compose("--profile", "push", "up", "--detach", "--wait", "push")
    assert stack.container("push").is_healthy


def service_account():
    """A key as Firebase's, in the wrong hands: the dispatcher is ready with it, and Firebase would refuse it."""
    command = ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {
        "type": "service_account",
        "project_id": "nobody",
        "private_key_id": "1",
        "private_key": key,
        "client_email": "nobody@nobody.iam.gserviceaccount.com",
        "token_uri": "https://oauth2.invalid/token",
    }
