"""What a profile lacks keeps only its own services from starting."""

import json
import os
import subprocess

import pytest

from owner import KEY_OWNER
from stack import CommandFailed
from waiting import until

PROXY_IMAGE = os.environ.get("BELFRY_PROXY_IMAGE", "haproxy:lts")
USER = "4f9c1c1e-0009-4000-8000-000000000009"
OWN_CATALOGUE = """
version: 1
defaults: { channels: { inApp: true, push: true, email: false }, priority: high, timeToLiveDays: 30, title: News, body: There is news }
types:
  - { code: 4711, name: Greeting, category: Family, title: Hello, body: "How are you?" }
"""

# What each says that it lacks.
NEEDED = {"push": "BELFRY_PUSH_SERVICE_ACCOUNT_FILE", "email": "BELFRY_EMAIL_HOST"}


def up(stack, *arguments, **options):
    """With what .env says by now: it is handed to a container when that is made, not when it is started again."""
    stack.compose("rm", "--force", "secrets")
    stack.compose("--profile", "push", "up", "--detach", *arguments, **options)


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


def test_a_key_that_is_not_there_keeps_push_alone_from_starting(stack):
    stack.configure(BELFRY_SERVICE_ACCOUNT_FILE="missing.json")
    up(stack, check=False)
    until("push says which", lambda: "missing.json" in stack.compose("--profile", "push", "logs", "--no-color", "push"), within=20)
    assert [each for each in stack.containers("gateway", "router", "inapp", "proxy") if not each.is_healthy] == []
    stack.compose("--profile", "push", "rm", "--force", "--stop", "push")


def test_a_key_that_only_its_owner_may_read_is_read_by_push_alone(stack):
    folder = stack.folder / "push-files"
    folder.mkdir()
    key = folder / "service-account.json"
    key.write_text(json.dumps(service_account()))
    key.chmod(0o600)
    os.chown(key, *KEY_OWNER)
    # BELFRY_UID and BELFRY_GID say who that is since the start.
    stack.configure(BELFRY_SERVICE_ACCOUNT_FILE="service-account.json", BELFRY_PUSH_FILES="./push-files")
    up(stack, "--wait", "push")
    assert stack.container("push").is_healthy
    assert "push-files" in str(stack.container("push").description["Mounts"])
    assert "push-files" not in str(stack.container("gateway").description["Mounts"])


def test_what_env_says_arrives_as_it_stands_there_and_is_not_shown(stack):
    password = "pa$s #1 %41&"
    stack.configure(BELFRY_EMAIL_HOST="mail.test", BELFRY_EMAIL_PASSWORD=f"'{password}'")
    up(stack, "secrets")
    until("secrets are written", lambda: not stack.containers("secrets")[0].is_running, within=20)
    written = stack.compose("run", "--rm", "--no-deps", "-T", "secrets", "cat", "/services/email/belfry.env").splitlines()
    assert f"BELFRY_EMAIL_PASSWORD={password}" in written
    assert "BELFRY_EMAIL_HOST=mail.test" in written
    assert [each.name for each in stack.containers() if "pa$s" in each.text] == []
    stack.configure(BELFRY_EMAIL_HOST="", BELFRY_EMAIL_PASSWORD="")


def test_a_password_that_the_servers_do_not_know_is_refused(stack):
    program = ["belfry-secrets", "/run/belfry", "/given", "/services"]
    for variable, way in [("POSTGRES_PASSWORD", "ALTER ROLE"), ("RABBITMQ_PASSWORD", "change_password")]:
        with pytest.raises(CommandFailed, match=way):
            stack.compose("run", "--rm", "--no-deps", "-T", "secrets", *program, environment={variable: "another"})


def test_catalogue_issuer_and_further_settings_are_ones_own(stack, chapter):
    (stack.folder / "files" / "catalogue.yaml").write_text(OWN_CATALOGUE)
    (stack.folder / "settings.env").write_text("BELFRY_GATEWAY_SELF_EXPORT=false\n")
    before = stack.token()
    stack.configure(BELFRY_CATALOGUE_FILE="catalogue.yaml", BELFRY_AUTH_ISSUER="https://issuer.test")
    chapter.run("Change a setting", stack, timeout=180)
    stack.forget_tokens()
    send = {"to": {"users": [USER]}, "type": "Greeting"}
    assert stack.ask("POST", "/api/v1/notifications", before, send).status_code == 401
    assert stack.ask("POST", "/api/v1/notifications", stack.token(), send).status_code == 202
    assert stack.ask("GET", "/api/v1/me/export", stack.token(USER)).status_code == 403
    (stack.folder / "settings.env").unlink()
    stack.configure(BELFRY_CATALOGUE_FILE="", BELFRY_AUTH_ISSUER="")
    stack.forget_tokens()


def test_the_proxy_takes_its_files_with_tls_and_without(stack):
    proxy = stack.folder / "proxy"
    certificates = stack.scratch / "tls"
    certificates.mkdir()
    new = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=belfry.test", "-days", "2"]
    stack.run("openssl", "req", *new, "-keyout", certificates / "a", "-out", certificates / "b")
    (certificates / "belfry.pem").write_text((certificates / "a").read_text() + (certificates / "b").read_text())
    (certificates / "a").unlink()
    (certificates / "b").unlink()
    mounts = [f"--volume={proxy}:/proxy:ro", f"--volume={certificates}:/etc/haproxy/tls:ro"]
    for files in [["haproxy.cfg"], ["haproxy.cfg", "tls.cfg"]]:
        words = [word for file in files for word in ["-f", f"/proxy/{file}"]]
        stack.docker("run", "--rm", "--user=0", "--network=none", *mounts, PROXY_IMAGE, "haproxy", "-c", *words)


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
