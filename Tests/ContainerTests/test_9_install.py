"""Installed by the book, with newer servers where there are images of them."""

import os

from delivery import assert_a_send_arrives_on_all_channels

NEWER = {"BELFRY_POSTGRES_IMAGE": "postgres:17-trixie", "BELFRY_RABBITMQ_IMAGE": "rabbitmq:4-trixie"}


def test_an_installation_by_the_book_works_with_newer_servers_too(stack, chapter, stopwatch):
    stack.remove()
    stopwatch("removed what was there")
    if os.environ.get("BELFRY_TEST_NEWER") == "1":
        stack.environment |= NEWER
    # In the environment, which wins: the example's .env has neither.
    stack.environment["COMPOSE_PROFILES"] = "dev"
    chapter.run("Install", stack, timeout=180)
    stopwatch("ready from nothing")
    print("\n ", stack.exec("postgres", "postgres", "--version").strip(), end="")
    print("\n  RabbitMQ", stack.exec("rabbitmq", "rabbitmqctl", "--quiet", "version").strip(), end="")
    assert_a_send_arrives_on_all_channels(stack)
    stopwatch("sent")
    chapter.run("Stop", stack)
    assert [each for each in stack.containers() if each.state["ExitCode"] != 0] == []
    stopwatch("stopped")


def test_every_command_of_the_chapter_has_been_run(chapter):
    assert chapter.never_run == set(), "sections of docs/operations.md whose commands no test has run"
