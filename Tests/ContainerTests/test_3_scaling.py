"""More copies of each service."""

from collections import Counter

from delivery import assert_a_send_arrives_on_all_channels


def test_each_service_runs_in_more_copies(stack, chapter, stopwatch):
    stack.configure(**{f"BELFRY_{service.upper()}_COPIES": 2 for service in ["gateway", "inapp", "router", "email"]})
    chapter.run("Scaling", stack)
    stopwatch("scaled")
    copies = Counter(each.service for each in stack.containers() if each.is_healthy)
    assert {"push": 3, "router": 2, "email": 2, "inapp": 2, "gateway": 2}.items() <= copies.items()
    assert_a_send_arrives_on_all_channels(stack)
