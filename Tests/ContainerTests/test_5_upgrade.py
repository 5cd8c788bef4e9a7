"""Another image is rolled out while people use it; the commands are those of docs/containers.md."""

import os
import re
import uuid

import pytest

from family import Arrivals, assert_each_once_in_inboxes, until_drained
from hub import HubClients
from load import EverydayRequests
from stack import CommandFailed
from waiting import until

ROLLED = ["gateway", "router", "inapp", "push", "email"]
NEXT = os.environ.get("BELFRY_NEXT_IMAGE", "belfry:next")


def test_an_image_that_does_not_work_replaces_nothing(stack, chapter):
    before = {each.id for each in stack.containers(*ROLLED)}
    # It starts, and has no `belfry`.
    broken = {"BELFRY_IMAGE": "haproxy:lts"}
    with pytest.raises(CommandFailed):
        # As who pastes it into a shell, which goes on after errors.
        stack.run("bash", "-c", chapter.text("Upgrade"), environment=broken, timeout=120)
    assert {each.id for each in stack.containers(*ROLLED)} == before
    assert all(each.is_healthy for each in stack.containers(*ROLLED))


def test_a_new_image_is_rolled_out_without_a_failed_request_or_a_lost_notification(stack, chapter, stopwatch):
    users = [str(uuid.uuid4()) for _ in range(20)]
    before = stack.containers(*ROLLED)
    arrivals = Arrivals(stack)
    with HubClients(stack, users) as hub:
        until("20 clients are connected", lambda: hub.are_connected, within=20)
        with EverydayRequests(stack, rate=200, name="Upgrade", users=users) as load:
            stopwatch("prepared")
            stack.configure(BELFRY_IMAGE=NEXT)
            stack.environment.pop("BELFRY_IMAGE", None)
            chapter.run("Upgrade", stack, timeout=240)
            seconds = stopwatch("rolled out")
        assert load.failures == [], f"{len(load.failures)} of {load.begun}: {load.failures[:10]}"
        assert load.begun > 150 * seconds, "the load was not what it should be"

        def have_all():
            return all(set(hub.of_user[user].titles.values()) >= titles for user, titles in load.accepted_of_user.items())

        until("each client has all of its notifications", have_all, within=30)
        for user, titles in load.accepted_of_user.items():
            got = hub.of_user[user].titles
            assert sorted(got) == list(range(1, len(titles) + 1)), "a place of the inbox is missing, or is there twice"
            assert set(got.values()) == titles
        # Each node was replaced, so each client has come back at least once.
        assert all(client.connections >= 2 for client in hub.clients)
        refused = [each for client in hub.clients for each in client.refused]

    after = stack.containers(*ROLLED)
    assert {each.id for each in before}.isdisjoint(each.id for each in after)
    assert sorted(each.service for each in before) == sorted(each.service for each in after)
    assert [each for each in after if each.image != NEXT or not each.is_healthy] == []
    assert_the_next_up_replaces_nothing(stack)
    arrivals.until_complete(load.accepted_of_family, within=60)
    until_drained(stack)
    assert_each_once_in_inboxes(stack, load.accepted_of_family, prefix="Upgrade ")
    assert arrivals.repeated == 0, "stopped in order, no dispatcher leaves a doubt"
    stopwatch(f"{load.begun} requests, {len(refused)} attempts of hub clients refused ({refused[:3]}); checked")


def assert_the_next_up_replaces_nothing(stack):
    """Of what there is with any profile; the simulator and what waits for it are of the image before."""
    script = "docker compose --dry-run up --detach 2>&1"
    plan = stack.run("bash", "-c", script, environment={"COMPOSE_PROFILES": ""})
    for service in ["postgres", "rabbitmq", "gateway", "router", "inapp"]:
        assert f"{stack.project}-{service}" in plan
        assert not re.search(rf"Container {stack.project}-{service}-\d+ +Recreate", plan), plan
