"""Looked at, backed up, stopped, thrown away and restored from nothing; the commands are those of docs/containers.md."""

import os

from delivery import assert_a_send_arrives_on_all_channels
from family import MEMBERS, inbox, until_drained
from owner import KEY_OWNER

NEXT = os.environ.get("BELFRY_NEXT_IMAGE", "belfry:next")
DEFAULT = {"postgres", "rabbitmq", "secrets", "migrate", "gateway", "router", "inapp", "proxy"}
NEWER = {"BELFRY_POSTGRES_IMAGE": "postgres:17-trixie", "BELFRY_RABBITMQ_IMAGE": "rabbitmq:4-trixie", "BELFRY_PROXY_IMAGE": "haproxy:trixie"}


def test_operators_see_how_it_is(stack, chapter):
    assert_a_send_arrives_on_all_channels(stack)
    answer = chapter.run("Look", stack)
    for said in ["healthy", "gateway", "belfry.push.parked", "AllowanceDeposit"]:
        assert said in answer


def test_a_backup_brings_back_what_was_thrown_away_on_newer_servers_too(stack, chapter, stopwatch):
    before = {member: inbox(stack, member.id) for member in MEMBERS}
    assert all(before.values())
    chapter.run("Move", stack)
    until_drained(stack)
    chapter.run("Back up", stack)
    stopwatch("drained and backed up")
    for name in ["belfry.dump", "secrets.tar", "settings.tar"]:
        file = (stack.folder / name).stat()
        assert file.st_size > 0 and file.st_mode & 0o077 == 0, name
    chapter.run("Stop", stack)
    assert [each for each in stack.containers() if each.state["Running"] or each.state["ExitCode"] != 0] == []
    stopwatch("stopped")
    with stack.networks_that_the_engine_keeps():
        chapter.run("Uninstall", stack)
    assert stack.containers() == []
    assert stack.docker("volume", "ls", "--quiet", "--filter", f"name={stack.project}") == ""

    (stack.folder / "compose.override.yaml").unlink(missing_ok=True)
    # Another machine with other settings: services run as somebody else, and none of a profile is there.
    assert {".env", "files/"} <= set(stack.run("tar", "-tf", "settings.tar").split())
    (stack.folder / ".env").unlink()
    stack.configure(BELFRY_IMAGE=NEXT, BELFRY_UID=KEY_OWNER.user, BELFRY_GID=KEY_OWNER.group)
    stack.run("tar", "-cf", "settings.tar", ".env", "files")
    if os.environ.get("BELFRY_TEST_NEWER") == "1":
        # In the environment, which wins over whatever .env there will be.
        stack.environment |= NEWER
    chapter.run("Restore", stack, timeout=180)
    stopwatch("thrown away, and restored from nothing")
    # Tokens of before are good: what signs them is restored, too.
    assert {member: inbox(stack, member.id) for member in MEMBERS} == before
    assert {each.service for each in stack.containers()} == DEFAULT
    print(f"\n  {stack.exec('postgres', 'postgres', '--version').strip()}", end="")
    print(f"\n  RabbitMQ {stack.exec('rabbitmq', 'rabbitmqctl', '--quiet', 'version').strip()}", end="")
