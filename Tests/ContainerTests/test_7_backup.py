"""Backed up, thrown away, and restored from nothing; the commands are those of docs/operations.md."""

from family import MEMBERS, inbox

DEFAULT = {"postgres", "rabbitmq", "secrets", "migrate", "gateway", "router", "inapp", "proxy"}


def test_a_backup_brings_back_what_was_thrown_away(stack, chapter, stopwatch):
    before = {member: inbox(stack, member.id) for member in MEMBERS}
    chapter.run("Back up", stack)
    stopwatch("backed up")
    for name in ["belfry.dump", "secrets.tar"]:
        file = (stack.folder / name).stat()
        assert file.st_size > 0 and file.st_mode & 0o077 == 0, name
    chapter.run("Uninstall", stack)
    assert stack.containers() == []
    assert stack.docker("volume", "ls", "--quiet", "--filter", f"name={stack.project}") == ""
    stopwatch("thrown away")

    (stack.folder / "compose.override.yaml").unlink()
    (stack.folder / ".env").unlink()
    chapter.run("Restore", stack, timeout=180)
    stopwatch("restored from nothing")
    # Tokens of before are good: what signs them is restored, too.
    assert {member: inbox(stack, member.id) for member in MEMBERS} == before
    assert {each.service for each in stack.containers()} == DEFAULT
