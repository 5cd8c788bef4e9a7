"""Everything is killed with -9 while it works: nothing that was accepted is lost, and nothing doubles in an inbox."""

from family import Arrivals, assert_each_once_in_inboxes, until_drained
from load import FamilySends
from waiting import until

KILLED = ["gateway", "router", "push", "inapp", "email", "proxy", "rabbitmq", "postgres"]


def test_services_and_servers_killed_under_load_lose_nothing(stack, stopwatch):
    arrivals = Arrivals(stack)
    with FamilySends(stack, rate=15, name="Killing") as load:
        until("sends are accepted", lambda: load.accepted, within=10)
        for service in KILLED:
            stack.kill(stack.containers(service))
            stopwatch(f"{service} killed and back")
        # The simulator stands for the world outside, and remembers what it was given.
        stack.kill(stack.containers(*KILLED))
        stopwatch("all at once killed and back")
        accepted = len(load.accepted)
        until("sends are accepted again", lambda: len(load.accepted) > accepted, within=20)
    assert load.failures == []
    assert load.repeated > 0, "the load did not notice that anything was killed"
    assert len(load.accepted) == load.begun
    arrivals.until_complete(load.accepted, within=120)
    until_drained(stack)
    stopwatch("worked off")
    assert_each_once_in_inboxes(stack, load.accepted, prefix="Killing ")
    print(f"\n  {load.begun} sends, {load.repeated} attempts repeated, {arrivals.repeated} pushes and mails repeated", end="")
