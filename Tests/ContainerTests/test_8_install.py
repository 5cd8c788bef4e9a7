"""Installed by the book, stopped, and started again."""

from delivery import assert_a_send_arrives_on_all_channels
from family import MEMBERS, inbox


def test_an_installation_by_the_book_works(stack, chapter, stopwatch):
    stack.remove()
    stopwatch("what was there is gone")
    # In the environment, which wins: the example's .env names no profile.
    stack.environment |= {"COMPOSE_PROFILES": "dev", "BELFRY_IMAGE": stack.image}
    chapter.run("Install", stack, timeout=180)
    stopwatch("installed")
    assert_a_send_arrives_on_all_channels(stack)
    stopwatch("sent")


def test_all_stop_with_status_0_and_come_back_with_what_they_had(stack, chapter, stopwatch):
    before = {member: inbox(stack, member.id) for member in MEMBERS}
    chapter.run("Stop", stack)
    stopped = stack.containers()
    assert [each for each in stopped if each.state["Running"] or each.state["ExitCode"] != 0] == []
    stopwatch("stopped")
    chapter.run("Start again", stack)
    stack.until_healthy(*{each.service for each in stopped if "Health" in each.state})
    stopwatch("ready again")
    assert {each.id for each in stack.containers()} == {each.id for each in stopped}
    assert {member: inbox(stack, member.id) for member in MEMBERS} == before


def test_every_command_of_the_chapter_has_been_run(chapter):
    assert chapter.never_run == set(), "sections of docs/containers.md whose commands no test has run"
